#include "../../hierarchy/hierarchy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../../query/query.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"

using namespace strata;
using namespace strata::test;

namespace {

template <class Range>
std::vector<Entity> listed(const Range& range) {
  return std::vector<Entity>(range.begin(), range.end());
}

struct Subject {
  FailingMemory memory;
  Store store{&memory};
  Hierarchy hierarchy;
  ComponentId health = store.registry().id_of<Health>();
  ComponentId frozen = store.registry().id_of<Frozen>();

  explicit Subject(Layout layout, std::uint32_t large_family = 4)
      : hierarchy(store, {layout, large_family}) {}

  // Every entity has a Health that is its own number; some are tagged, so that families have several tables.
  Entity create(Entity parent, int number, bool tagged = false) {
    Archetype& plain = store.archetypes().with(store.archetypes().empty(), health);
    Archetype& archetype = tagged ? store.archetypes().with(plain, frozen) : plain;
    const Place place =
        parent ? hierarchy.create_below(parent, archetype) : store.create(archetype, store.tables().root());
    const Entity entity = archetype.layout().entities(*place.block)[place.row];
    ::new (store.find(entity, health)) Health{number};
    return entity;
  }
  std::string broken() const {
    const std::string complaint = store.check_invariants();
    return complaint.empty() ? hierarchy.check_invariants() : complaint;
  }
};

class HierarchyTest {
 public:
  HierarchyTest(Layout layout, Bytes& bytes, Log& log) : subject_(layout), bytes_(bytes), log_(log) {}

  Disagreement turn() {
    const Entity entity = pick();
    const Entity other = pick();
    switch (bytes_.below(8)) {
      case 0:
      case 1:
      case 2:
        return create(other);
      case 3:
        return destroy(entity, bytes_.chance(3) ? Children::orphan : Children::destroy);
      case 4:
      case 5:
        return set_parent(entity, other);
      case 6:
        return clear_parent(entity);
      default:
        return tag(entity);
    }
  }

  Disagreement compare() {
    for (const Entity entity : seen_) {
      if (Disagreement wrong = compare(entity)) return wrong;
    }
    for (const Direction direction : {Direction::down, Direction::up}) {
      if (Disagreement wrong = compare_cascade(direction)) return wrong;
    }
    if (std::string broken = subject_.broken(); !broken.empty()) return broken;
    return {};
  }

 private:
  Entity pick() {
    if (seen_.empty() || bytes_.chance(12)) return {static_cast<std::uint32_t>(bytes_.below(30)), 1};
    return seen_[bytes_.below(seen_.size())];
  }

  Disagreement create(Entity parent) {
    const bool tagged = bytes_.chance(3);
    if (!model_.contains(parent)) parent = Entity();
    log_("create under ", parent, tagged ? ", tagged" : "");
    const Entity entity = subject_.create(parent, static_cast<int>(seen_.size()), tagged);
    model_.create(entity, parent);
    numbers_[entity] = static_cast<int>(seen_.size());
    seen_.push_back(entity);
    return {};
  }
  Disagreement destroy(Entity entity, Children children) {
    log_("destroy ", entity, children == Children::orphan ? " and orphan its children" : "");
    const bool expected = model_.contains(entity);
    if (subject_.hierarchy.destroy(entity, children) != expected) return "destroy answered wrongly";
    if (expected) children == Children::orphan ? model_.destroy_alone(entity) : model_.destroy(entity);
    return {};
  }
  Disagreement set_parent(Entity child, Entity parent) {
    log_("set the parent of ", child, " to ", parent);
    const bool expected = model_.can_set_parent(child, parent);
    const Outcome outcome = subject_.hierarchy.set_parent(child, parent);
    if (static_cast<bool>(outcome) != expected) return "set_parent answered wrongly: " + outcome.message();
    if (expected) model_.set_parent(child, parent);
    return {};
  }
  Disagreement clear_parent(Entity child) {
    log_("clear the parent of ", child);
    const bool expected = static_cast<bool>(model_.parent(child));
    if (subject_.hierarchy.clear_parent(child) != expected) return "clear_parent answered wrongly";
    if (expected) model_.clear_parent(child);
    return {};
  }
  Disagreement tag(Entity entity) {
    log_("tag ", entity, " or take its tag");
    if (!model_.contains(entity)) return {};
    if (!subject_.store.remove(entity, subject_.frozen)) subject_.store.add(entity, subject_.frozen);
    return {};
  }

  Disagreement compare(Entity entity) {
    const Hierarchy& hierarchy = subject_.hierarchy;
    const std::string of = " of " + to_string(entity) + " is wrong";
    if (subject_.store.alive(entity) != model_.contains(entity)) return "alive" + of;
    if (hierarchy.parent(entity) != model_.parent(entity)) return "parent" + of;
    if (listed(hierarchy.children(entity)) != model_.children(entity)) return "children" + of;
    if (hierarchy.child_count(entity) != model_.children(entity).size()) return "child_count" + of;
    if (listed(hierarchy.ancestors(entity)) != model_.ancestors(entity)) return "ancestors" + of;
    if (listed(hierarchy.depth_first(entity)) != model_.depth_first(entity)) return "depth_first" + of;
    if (listed(hierarchy.breadth_first(entity)) != model_.breadth_first(entity)) return "breadth_first" + of;
    if (model_.contains(entity) && hierarchy.depth(entity) != model_.depth(entity)) return "depth" + of;
    const Entity above = seen_[entity.index() % seen_.size()];
    if (hierarchy.is_ancestor(above, entity) != model_.is_ancestor(above, entity)) return "is_ancestor" + of;
    return {};
  }

  Disagreement compare_cascade(Direction direction) {
    std::set<Entity> visited;
    Disagreement wrong;
    query_.cascade(direction).each([&](Entity entity, const Health& own, const Health* parents) {
      const Entity parent = model_.parent(entity);
      if (!visited.insert(entity).second) wrong = to_string(entity) + " is visited twice";
      if (own.points != numbers_.at(entity)) wrong = "the value of " + to_string(entity) + " is wrong";
      if ((parents ? parents->points : -1) != (parent ? numbers_.at(parent) : -1)) {
        wrong = "the parent's value of " + to_string(entity) + " is wrong";
      }
      const bool parent_seen = parent && visited.contains(parent);
      if (parent && parent_seen != (direction == Direction::down)) {
        wrong = to_string(entity) + " is not visited in order";
      }
    });
    if (!wrong && visited.size() != model_.size()) return "a cascade misses an entity";
    return wrong;
  }

  Subject subject_;
  Bytes& bytes_;
  Log& log_;
  TreeModel model_;
  std::map<Entity, int> numbers_;
  std::vector<Entity> seen_;
  Query<Entity, const Health, Parent<const Health>> query_{subject_.store, &subject_.hierarchy.parents()};
};

Disagreement hierarchies_agree(Bytes& bytes, Log& log) {
  const Layout layout = bytes.turn() && bytes.chance(2) ? Layout::per_level : Layout::per_parent;
  log(layout == Layout::per_level ? "layout per_level" : "layout per_parent");
  HierarchyTest test(layout, bytes, log);
  while (bytes.turn()) {
    if (Disagreement wrong = test.turn()) return wrong;
    if (Disagreement wrong = test.compare()) return wrong;
  }
  return {};
}

}  // namespace

TEST_SUITE("hierarchy/hierarchy") {
  STRATA_MODEL_TEST("a hierarchy behaves like a map from child to parent, whatever the layout",
                    hierarchies_agree, .runs = 80, .turns = 80);

  TEST_CASE("re-parenting a family per parent keeps its rows where they are") {
    Subject subject(Layout::per_parent);
    const Entity far = subject.create(subject.create({}, 0), 1);
    const Entity parent = subject.create({}, 2);
    const Entity child = subject.create(parent, 3);
    const Place before = subject.store.slots().find(child);
    REQUIRE(subject.hierarchy.set_parent(parent, far));
    CHECK(subject.store.slots().find(child).block == before.block);
    CHECK(subject.hierarchy.depth(child) == 3);
    CHECK(subject.broken().empty());
  }
  TEST_CASE("re-parenting within a level moves no row of a world per level") {
    Subject subject(Layout::per_level);
    const Entity a = subject.create({}, 0);
    const Entity b = subject.create({}, 1);
    const Entity child = subject.create(a, 2);
    const Place before = subject.store.slots().find(child);
    REQUIRE(subject.hierarchy.set_parent(child, b));
    CHECK(subject.store.slots().find(child).block == before.block);
    CHECK(subject.store.slots().find(child).row == before.row);
    CHECK(subject.broken().empty());
  }
  TEST_CASE("a destroyed parent takes the tables of its family with it") {
    Subject subject(Layout::per_parent);
    const std::size_t before = subject.store.tables().size();
    const Entity parent = subject.create({}, 0);
    for (int i = 0; i < 10; ++i) subject.create(parent, i, i % 2 == 0);
    const std::size_t tables = subject.store.tables().size();
    subject.hierarchy.destroy(parent, Children::destroy);
    CHECK(tables == before + 3);
    CHECK(subject.store.tables().size() == before + 1);
    CHECK(subject.broken().empty());
  }
}
