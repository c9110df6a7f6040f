#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/model_test.hpp"
#include "../support/refusal.hpp"
#include "../support/tree_model.hpp"

namespace strata::test::changed_model_test {

namespace {

/// What an entity adds to its parent's total, in tables and in the side store.
struct Local {
  int value = 0;
};
struct SparseLocal {
  int value = 0;
};
struct Total {
  int value = 0;
};
struct Moved {
  int reason = 0;
};

}  // namespace

}  // namespace strata::test::changed_model_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::changed_model_test::SparseLocal> =
    strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::changed_model_test::Moved> =
    strata::Storage::sparse;

namespace strata::test::changed_model_test {

namespace {

// The model: every entity's values as numbers, its own total recomputed from the roots down.
struct Record {
  std::map<std::string, int> values;  // "local", "total", "frozen": those it has.
};

template <class LocalType, class Mark>
class ChangedTest {
 public:
  ChangedTest(Layout layout, Bytes& bytes, Log& log)
      : world_(WorldOptions{.layout = layout}), bytes_(bytes), log_(log) {}

  Disagreement turn() {
    const Entity entity = pick();
    const Entity other = pick();
    switch (bytes_.below(12)) {
      case 0:
      case 1:
      case 2:
        return create(other);
      case 3:
        return destroy(entity, bytes_.chance(2) ? ChildPolicy::orphan : ChildPolicy::destroy);
      case 4:
      case 5:
        return set_parent(entity, other);
      case 6:
        return toggle(entity);
      case 7:
        return set_local(entity);
      case 8:
        return mark(entity, "without a reason");
      case 9:
        return interrupted_pass(entity, bytes_.below(6));
      default:
        return pass(bytes_.chance(3), entity);
    }
  }

 private:
  Entity pick() { return seen_.empty() ? Entity(3, 1) : seen_[bytes_.below(seen_.size())]; }
  bool alive(Entity entity) const { return tree_.contains(entity); }
  bool has(Entity entity, const char* name) const { return records_.at(entity).values.contains(name); }
  bool matches(Entity entity) const {
    return has(entity, "local") && has(entity, "total") && !has(entity, "frozen");
  }

  Disagreement mark(Entity entity, const char* why) {
    if (!alive(entity)) return {};
    log_("mark ", entity, ' ', why);
    world_.add<Mark>(entity);
    marked_.insert(entity);
    return {};
  }
  Disagreement create(Entity parent) {
    if (!alive(parent) || bytes_.chance(8)) parent = Entity();
    const int value = static_cast<int>(bytes_.below(100));
    log_("create under ", parent, " with ", value);
    const Entity entity = parent ? world_.create(child_of(parent), LocalType{value}, Total{})
                                 : world_.create(LocalType{value}, Total{});
    tree_.create(entity, parent);
    records_[entity].values = {{"local", value}, {"total", 0}};
    seen_.push_back(entity);
    return mark(entity, "as new");
  }
  Disagreement destroy(Entity entity, ChildPolicy children) {
    if (!alive(entity)) return {};
    log_("destroy ", entity, children == ChildPolicy::orphan ? " alone" : "");
    const std::vector<Entity> orphans = tree_.children(entity);
    std::vector<Entity> gone = tree_.breadth_first(entity);
    if (children == ChildPolicy::orphan) gone = {entity};
    world_.destroy(entity, children);
    children == ChildPolicy::orphan ? tree_.destroy_alone(entity) : tree_.destroy(entity);
    for (const Entity one : gone) {
      marked_.erase(one);
      records_.erase(one);
    }
    for (const Entity orphan : orphans) mark(orphan, "as orphan");
    return {};
  }
  Disagreement set_parent(Entity child, Entity parent) {
    if (!tree_.can_set_parent(child, parent)) return {};
    log_("set the parent of ", child, " to ", parent);
    if (!world_.set_parent(child, parent)) return "set_parent refused";
    tree_.set_parent(child, parent);
    return mark(child, "as moved");
  }
  Disagreement toggle(Entity entity) {
    if (!alive(entity)) return {};
    const std::size_t kind = bytes_.below(3);
    const int value = static_cast<int>(bytes_.below(100));
    if (kind == 0) toggle_one<LocalType>(entity, "local", value);
    // Not what a pass would find out, so that it changes: what is below has to be visited.
    if (kind == 1) toggle_one<Total>(entity, "total", -1 - value);
    if (kind == 2) toggle_one<Frozen>(entity, "frozen", value);
    return mark(entity, "as changed");
  }
  template <class T>
  void toggle_one(Entity entity, const char* name, int value) {
    std::map<std::string, int>& values = records_.at(entity).values;
    if (values.erase(name) != 0) {
      log_("remove ", name, " from ", entity);
      world_.remove<T>(entity);
      return;
    }
    log_("add ", name, ' ', value, " to ", entity);
    if constexpr (is_tag<T>) {
      world_.add<T>(entity);
    } else {
      world_.add(entity, T{value});
    }
    values[name] = value;
  }
  Disagreement set_local(Entity entity) {
    if (!alive(entity) || !has(entity, "local")) return {};
    const int value = static_cast<int>(bytes_.below(3));
    log_("set local of ", entity, " to ", value);
    world_.set(entity, LocalType{value});
    records_.at(entity).values["local"] = value;
    return mark(entity, "as set");
  }

  int total_of(Entity entity) const {
    const Entity parent = tree_.parent(entity);
    const int above = parent && has(parent, "total") ? records_.at(parent).values.at("total") : 0;
    return above + records_.at(entity).values.at("local");
  }
  std::vector<Entity> by_depth() const {
    std::vector<Entity> all;
    for (const auto& [entity, record] : records_) all.push_back(entity);
    std::stable_sort(all.begin(), all.end(),
                     [&](Entity a, Entity b) { return tree_.depth(a) < tree_.depth(b); });
    return all;
  }

  /// Recomputes the totals of what a pass has to visit.
  void check_pass(bool always, std::set<Entity>& visited, std::set<Entity>& changed) {
    std::set<Entity> leading;
    for (const Entity entity : by_depth()) {
      if (!marked_.contains(entity) && !leading.contains(tree_.parent(entity))) continue;
      if (!matches(entity)) {
        leading.insert(entity);
        continue;
      }
      visited.insert(entity);
      int& total = records_.at(entity).values.at("total");
      if (!always && total == total_of(entity)) continue;
      total = total_of(entity);
      changed.insert(entity);
      leading.insert(entity);
    }
    marked_.clear();
  }

  /// What a visitor does besides: it looks around, tries a change, and records a mark for the next pass.
  void act(Entity visited, Entity marked, std::size_t call) {
    if (call >= 3) return;
    if (!world_.alive(visited) || query_.count() == 0) wrong_ = "a visitor sees less than is there";
    if (!says(refusal([&] { world_.destroy(marked); }), "is iterating")) wrong_ = "a change is not refused";
    if (call == 1 && alive(marked)) {
      world_.commands().add<Mark>(marked);
      to_mark_ = marked;
    }
  }
  /// A pass whose visitor throws leaves the marks, and what is recorded waits.
  Disagreement interrupted_pass(Entity marked, std::size_t calls) {
    log_("pass that ends by an exception after ", calls, " calls");
    const std::set<Entity> marks = marked_;
    std::set<Entity> expected_visit;
    std::set<Entity> expected_change;
    const std::map<Entity, Record> records = records_;
    check_pass(true, expected_visit, expected_change);
    if (expected_visit.size() <= calls) {
      records_ = records;
      marked_ = marks;
      return pass(true, marked);
    }
    records_ = records;
    std::vector<Entity> visited;
    const auto update = [&](Entity entity, const LocalType& local, Total& total, const Total* parent) {
      if (visited.size() == calls) throw std::runtime_error("enough");
      act(entity, marked, visited.size());
      visited.push_back(entity);
      total.value = local.value + (parent != nullptr ? parent->value : 0);
    };
    try {
      query_.cascade().template propagate<Mark>(update);
      return "the exception of a visitor was lost";
    } catch (const std::runtime_error&) {
    }
    for (const Entity entity : visited) records_.at(entity).values.at("total") = total_of(entity);
    marked_ = marks;
    if (world_.query<With<Mark>>().count() != marked_.size()) return "other marks are left than there were";
    world_.flush();
    mark_recorded();
    // What it changed does not change again: the next pass has to visit what is below all the same.
    return wrong_ ? wrong_ : pass(true, Entity());
  }
  void mark_recorded() {
    if (to_mark_) marked_.insert(to_mark_);
    to_mark_ = Entity();
  }

  Disagreement pass(bool always, Entity to_mark) {
    log_(always ? "pass that always changes" : "pass");
    std::set<Entity> expected_visit;
    std::set<Entity> expected_change;
    check_pass(always, expected_visit, expected_change);
    std::vector<Entity> visited;
    std::vector<Entity> answered;
    const auto update = [&](Entity entity, const LocalType& local, Total& total, const Total* parent) {
      act(entity, to_mark, visited.size());
      visited.push_back(entity);
      const int before = total.value;
      total.value = local.value + (parent != nullptr ? parent->value : 0);
      if (always || before != total.value) answered.push_back(entity);
      return before != total.value;
    };
    const auto update_always = [&](Entity entity, const LocalType& local, Total& total, const Total* parent) {
      update(entity, local, total, parent);
    };
    const std::span<const Entity> changed = always ? query_.cascade().template propagate<Mark>(update_always)
                                                   : query_.cascade().template propagate<Mark>(update);
    if (std::vector<Entity>(changed.begin(), changed.end()) != answered)
      return "the list is not what changed";
    if (std::set<Entity>(answered.begin(), answered.end()) != expected_change) return "other values changed";
    if (Disagreement wrong = compare_visit(visited, expected_visit)) return wrong;
    mark_recorded();
    if (world_.query<With<Mark>>().count() != marked_.size()) return "a mark is left";
    if (wrong_) return wrong_;
    return compare_totals();
  }
  Disagreement compare_visit(const std::vector<Entity>& visited, const std::set<Entity>& expected) {
    if (visited.size() != expected.size()) return "not every entity was visited once";
    if (std::set<Entity>(visited.begin(), visited.end()) != expected) return "other entities were visited";
    const bool by_depth = std::is_sorted(visited.begin(), visited.end(),
                                         [&](Entity a, Entity b) { return tree_.depth(a) < tree_.depth(b); });
    return by_depth ? Disagreement() : "an entity was visited before one above it";
  }
  /// Every change was marked, so after a pass all totals are as if everything had been recomputed.
  Disagreement compare_totals() {
    for (const Entity entity : by_depth()) {
      if (!has(entity, "total")) continue;
      const int total = world_.get<Total>(entity).value;
      if (total != records_.at(entity).values.at("total")) return "a total is not that of the model";
      if (matches(entity) && total != total_of(entity)) return "the pass left something out";
    }
    return {};
  }

  World world_;
  Bytes& bytes_;
  Log& log_;
  TreeModel tree_;
  std::map<Entity, Record> records_;
  std::set<Entity> marked_;
  std::vector<Entity> seen_;
  Entity to_mark_;
  Disagreement wrong_;
  Query<Entity, const LocalType, Total, Parent<const Total>, Without<Frozen>> query_ =
      world_.query<Entity, const LocalType, Total, Parent<const Total>, Without<Frozen>>();
};

template <Layout layout, class LocalType, class Mark>
Disagreement changes_agree(Bytes& bytes, Log& log) {
  ChangedTest<LocalType, Mark> test(layout, bytes, log);
  while (bytes.turn()) {
    if (Disagreement wrong = test.turn()) return wrong;
  }
  return {};
}

constexpr ModelTest kPerParent = changes_agree<Layout::per_parent, Local, Dirty>;
constexpr ModelTest kPerLevel = changes_agree<Layout::per_level, Local, Dirty>;
constexpr ModelTest kSidePerParent = changes_agree<Layout::per_parent, SparseLocal, Moved>;
constexpr ModelTest kSidePerLevel = changes_agree<Layout::per_level, SparseLocal, Moved>;

}  // namespace

TEST_SUITE("api/changed") {
  STRATA_MODEL_TEST("a pass over what changed does what a full one would, with a table per parent",
                    kPerParent, .runs = 100);
  STRATA_MODEL_TEST("a pass over what changed does what a full one would, with a table per level", kPerLevel,
                    .runs = 100);
  STRATA_MODEL_TEST("the same with values in the side store and a mark of the user's, per parent",
                    kSidePerParent, .runs = 60);
  STRATA_MODEL_TEST("the same with values in the side store and a mark of the user's, per level",
                    kSidePerLevel, .runs = 60);

  TEST_CASE("a chain of 50,000 is brought up to date without recursion, from a mark anywhere in it") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level}) {
      World world(WorldOptions{.layout = layout});
      std::vector<Entity> chain{world.create(Local{1}, Total{})};
      while (chain.size() < 50'000) chain.push_back(world.create(child_of(chain.back()), Local{1}, Total{}));
      auto totals = world.query<const Local, Total, Parent<const Total>>();
      const auto update = [](const Local& local, Total& total, const Total* parent) {
        total.value = local.value + (parent != nullptr ? parent->value : 0);
      };
      world.add<Dirty>(chain[0]);
      CHECK(totals.cascade().propagate(update).size() == 50'000);
      CHECK(world.get<Total>(chain.back()).value == 50'000);
      world.set(chain[49'990], Local{11});
      world.add<Dirty>(chain[49'990]);
      world.add<Dirty>(chain[49'995]);
      CHECK(totals.cascade().propagate(update).size() == 10);
      CHECK(world.get<Total>(chain.back()).value == 50'010);
    }
  }
  TEST_CASE("marks recorded during a pass are for the next one") {
    World world;
    const Entity top = world.create(Local{1}, Total{});
    const Entity below = world.create(child_of(top), Local{2}, Total{});
    auto totals = world.query<Entity, Total>();
    world.add<Dirty>(below);
    const auto remark = [&](Entity, Total&) { world.commands().add<Dirty>(top); };
    CHECK(totals.cascade().propagate(remark).size() == 1);
    CHECK(world.has<Dirty>(top));
    CHECK(totals.cascade().propagate([](Entity, Total&) {}).size() == 2);
    CHECK(!world.has<Dirty>(top));
  }
  TEST_CASE("clear takes a mark away from everybody") {
    World world;
    CHECK(world.pool<Dirty>().clear() == 0);
    for (int i = 0; i < 10; ++i) world.add<Moved>(world.create(), Moved{i});
    CHECK(world.pool<Moved>().clear() == 10);
    CHECK(world.query<const Moved>().count() == 0);
    world.create(Local{});
    world.query<const Local>().each(
        [&](const Local&) { CHECK_THROWS_AS(world.pool<Moved>().clear(), ContractViolation); });
  }
}

}  // namespace strata::test::changed_model_test
