#include "../../query/changes/change_pass.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "../../query/query.hpp"
#include "../../storage/store_change.hpp"
#include "../support/components.hpp"

namespace strata::test::change_pass_test {

using namespace detail;

namespace {

/// A forest kept as a list of children for each entity; its rows sit in a branch for each depth.
class TestForest final : public Relation {
 public:
  explicit TestForest(Store& store) : store_(store) {
    for (std::uint32_t depth = 0; depth < 12; ++depth) {
      branches_.push_back(&store.tables().create_branch(depth, 0));
    }
  }

  Entity create(Entity parent, int points) {
    const std::uint32_t depth = parent ? depth_.at(parent) + 1 : 0;
    const Entity entity = store_.create_row(store_.archetypes().empty(), *branches_[depth]).entity;
    ::new (store_.add(entity, store_.registry().id_of<Health>()).value) Health{points};
    depth_[entity] = depth;
    parent_[entity] = parent;
    if (parent) children_[parent].push_back(entity);
    return entity;
  }

  std::uint64_t prepare(std::span<Archetype* const>, std::uint64_t, PlanCost&) const override { return 1; }
  std::uint32_t find_shared(std::span<Block* const> blocks, std::uint32_t, ComponentId,
                            const void**) const override {
    return static_cast<std::uint32_t>((std::uint64_t{1} << blocks.size()) - 1);
  }
  void find_each(std::span<const Entity> rows, ComponentId id, const void** values) const override {
    for (const Entity row : rows) *values++ = store_.find(parent_.at(row), id);
  }
  void find_places(std::span<const Entity> rows, Place* places) const override {
    for (const Entity row : rows) *places++ = store_.slots().find(parent_.at(row));
  }
  void find_nearest(std::span<const Entity> rows, ComponentId id, WalkMemo&,
                    const void** values) const override {
    for (const Entity row : rows) {
      Entity above = parent_.at(row);
      while (above && !store_.has(above, id)) above = parent_.at(above);
      *values++ = store_.find(above, id);
    }
  }
  void find_having(std::span<const Entity> rows, ComponentId id, Reach reach, WalkMemo&,
                   bool* found) const override {
    for (const Entity row : rows) {
      Entity above = parent_.at(row);
      while (reach == Reach::ancestors && above && !store_.has(above, id)) above = parent_.at(above);
      *found++ = store_.has(above, id);
    }
  }
  Entity find_parent(Entity entity) const override { return parent_.at(entity); }
  void append_children(std::span<const VisitedRow> above, std::vector<VisitedRow>& children) const override {
    for (std::uint32_t i = 0; i < above.size(); ++i) {
      const auto found = children_.find(above[i].entity);
      if (found == children_.end()) continue;
      for (const Entity child : found->second) {
        const Place place = store_.slots().find(child);
        children.push_back({child, place.block, place.row, i});
      }
    }
  }

 private:
  Store& store_;
  std::vector<Branch*> branches_;
  std::map<Entity, std::uint32_t> depth_;
  std::map<Entity, Entity> parent_;
  std::map<Entity, std::vector<Entity>> children_;
};

using Entities = std::vector<Entity>;

/// a(b(d, e), c(f)) and g, with 0 to 6 points.
struct Subject {
  Store store{std::pmr::new_delete_resource()};
  TestForest forest{store};
  Entity a = forest.create({}, 0);
  Entity b = forest.create(a, 1);
  Entity c = forest.create(a, 2);
  Entity d = forest.create(b, 3);
  Entity e = forest.create(b, 4);
  Entity f = forest.create(c, 5);
  Entity g = forest.create({}, 6);
  Query<Entity, const Health, Parent<const Health>> query{store, &forest};

  void mark(Entity entity) { store.add(entity, store.registry().id_of<Dirty>()); }
  std::size_t marks() { return store.side().get(store.registry().id_of<Dirty>()).size(); }

  /// Returns: the entities visited by a pass in which those of `constant` do not change.
  Entities visit(const Entities& constant = {}) {
    Entities visited;
    Entities expected;
    const auto changed =
        query.cascade().propagate([&](Entity entity, const Health&, const Health* parent) -> bool {
          CHECK((parent != nullptr) == (entity != a && entity != g));
          visited.push_back(entity);
          if (std::find(constant.begin(), constant.end(), entity) != constant.end()) return false;
          expected.push_back(entity);
          return true;
        });
    CHECK(Entities(changed.begin(), changed.end()) == expected);
    CHECK(marks() == 0);
    return visited;
  }
};

}  // namespace

TEST_SUITE("query/change_pass") {
  TEST_CASE("keys are sorted by their upper halves, and equal ones keep their order") {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> spare;
    std::uint64_t seed = 1;
    for (const std::uint64_t range : {3u, 300u, 70'000u, 0xFFFF'FFFFu}) {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        keys.push_back((seed >> 32) % range << 32 | i);
      }
      std::vector<std::uint64_t> expected = keys;
      std::stable_sort(expected.begin(), expected.end(),
                       [](std::uint64_t x, std::uint64_t y) { return x >> 32 < y >> 32; });
      detail::sort_by_upper_half(keys, spare);
      CHECK(keys == expected);
    }
  }
  TEST_CASE("what is marked and what is below it is visited level by level, each once") {
    Subject s;
    CHECK(s.visit().empty());
    s.mark(s.e);
    s.mark(s.b);
    CHECK(s.visit() == Entities{s.b, s.d, s.e});
    CHECK(s.visit().empty());
    s.mark(s.f);
    s.mark(s.a);
    s.mark(s.g);
    s.mark(s.c);
    CHECK(s.visit() == Entities{s.a, s.g, s.b, s.c, s.d, s.e, s.f});
    s.mark(s.f);
    CHECK(s.visit() == Entities{s.f});
  }
  TEST_CASE("below a value that did not change, only what is marked itself is visited") {
    Subject s;
    s.mark(s.a);
    CHECK(s.visit({s.b}) == Entities{s.a, s.b, s.c, s.f});
    s.mark(s.a);
    s.mark(s.e);
    CHECK(s.visit({s.a}) == Entities{s.a, s.e});
  }
  TEST_CASE("an entity that does not match is passed over on the way down, marked or not") {
    Subject s;
    s.store.remove(s.b, s.store.registry().id_of<Health>());
    s.mark(s.b);
    Entities visited;
    const auto changed = s.query.cascade().propagate(
        [&](Entity entity, const Health&, const Health*) { visited.push_back(entity); });
    CHECK(visited == Entities{s.d, s.e});
    CHECK(Entities(changed.begin(), changed.end()) == visited);
    s.mark(s.a);
    visited.clear();
    s.query.cascade().propagate(on<Entity>([&](Entity entity) { visited.push_back(entity); }));
    CHECK(visited == Entities{s.a, s.c, s.d, s.e, s.f});
  }
  TEST_CASE("marks stay when the function throws, and the next pass visits everything again") {
    Subject s;
    s.mark(s.b);
    s.mark(s.g);
    CHECK_THROWS_AS(s.query.cascade().propagate([&](Entity entity, const Health&, const Health*) {
      if (entity == s.d) throw std::runtime_error("stop");
    }),
                    std::runtime_error);
    CHECK(!s.store.iterating());
    CHECK(s.marks() == 2);
    CHECK(s.visit() == Entities{s.g, s.b, s.d, s.e});
  }
  TEST_CASE("a pass is refused upwards, while a query iterates, and without a hierarchy") {
    Subject s;
    s.mark(s.a);
    const auto nothing = [](Entity, const Health&, const Health*) {};
    CHECK_THROWS_AS(s.query.cascade(up).propagate(nothing), ContractViolation);
    Query<With<Dirty>> marked(s.store, nullptr);
    CHECK_THROWS_AS(marked.cascade().propagate([] {}), ContractViolation);
    bool refused = false;
    s.query.cascade().propagate([&](Entity entity, const Health&, const Health*) {
      CHECK_THROWS_AS(s.store.destroy(entity), ContractViolation);
      CHECK_THROWS_AS(s.query.cascade().propagate(nothing), ContractViolation);
      refused = true;
    });
    CHECK(refused);
    CHECK(s.marks() == 0);
  }
  TEST_CASE("copies of a query pass on their own") {
    Subject s;
    s.mark(s.b);
    const auto changed = s.query.cascade().propagate([](Entity, const Health&, const Health*) {});
    auto copy = s.query;
    s.mark(s.g);
    CHECK(copy.cascade().propagate([](Entity, const Health&, const Health*) {}).size() == 1);
    CHECK(changed.size() == 3);
    CHECK(changed[0] == s.b);
  }
}

}  // namespace strata::test::change_pass_test
