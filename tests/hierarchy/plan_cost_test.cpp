#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::plan_cost_test {

using namespace detail;

namespace {

/// A tree in which every inner node has ten children: 1, 10, ..., 100,000 nodes by level.
struct Tree {
  static constexpr std::uint32_t kLevels = 6;
  static constexpr std::uint32_t kFanOut = 10;

  Subject subject;
  std::vector<std::vector<Entity>> levels;
  std::size_t size = 1;
  Query<Entity, const Health, Parent<const Health>> query{subject.store, &subject.hierarchy.parents()};

  explicit Tree(Layout layout) : subject(layout, 256) {
    levels.push_back({subject.create({}, 0)});
    while (levels.size() < kLevels) {
      std::vector<Entity> below;
      for (const Entity parent : levels.back()) {
        for (std::uint32_t i = 0; i < kFanOut; ++i) below.push_back(subject.create(parent, 0));
      }
      size += below.size();
      levels.push_back(std::move(below));
    }
    subject.hierarchy.defragment(100 * size);
    cascade();
  }

  struct Cost {
    std::uint64_t patches;
    std::uint64_t rows;
  };

  /// Returns: what a cascade had to patch.
  Cost cascade() {
    const PlanCost before = query.matcher().plan_cost();
    std::size_t wrong = 0;
    query.cascade().each([&](Entity entity, const Health&, const Health* parents) {
      const Entity parent = subject.hierarchy.parent(entity);
      if (!same(parents, parent ? subject.store.find(parent, subject.health) : nullptr)) ++wrong;
    });
    CHECK(wrong == 0);
    const PlanCost& after = query.matcher().plan_cost();
    return {after.patches - before.patches, after.patched_rows - before.patched_rows};
  }

  /// Returns: a leaf and an inner node in the middle of their levels.
  Entity leaf() const { return levels.back()[levels.back().size() / 2 + 3]; }
  Entity inner(std::uint32_t level) const { return levels[level][levels[level].size() / 2]; }
};

constexpr Layout kSharing[] = {Layout::per_level, Layout::adaptive};

}  // namespace

TEST_SUITE("hierarchy/plan_cost") {
  TEST_CASE("where nothing has changed, a second cascade patches nothing") {
    for (const Layout layout : kLayouts) {
      CAPTURE(name_of_layout(layout));
      Tree tree(layout);
      CHECK((tree.query.matcher().plan_cost().patches != 0) == (layout != Layout::per_parent));
      CHECK(tree.cascade().patches == 0);
      CHECK(tree.subject.hierarchy.defragment(0));
      CHECK(tree.cascade().patches == 0);
    }
  }
  TEST_CASE("re-parenting a leaf within its level patches its block") {
    for (const Layout layout : kSharing) {
      Tree tree(layout);
      REQUIRE(tree.subject.hierarchy.set_parent(tree.leaf(), tree.levels[4].back()));
      const Tree::Cost cost = tree.cascade();
      CHECK(cost.patches == 1);
      CHECK(cost.rows < tree.size / 10);
      CHECK(tree.cascade().patches == 0);
    }
  }
  TEST_CASE("re-parenting a leaf to another depth patches at most four blocks") {
    for (const Layout layout : kSharing) {
      Tree tree(layout);
      for (const std::uint32_t level : {0u, 1u, 2u, 3u, 5u}) {
        CAPTURE(level);
        const Entity leaf = tree.levels.back()[tree.levels.back().size() / 2 + 100 * level];
        REQUIRE(tree.subject.hierarchy.set_parent(leaf, tree.levels[level].front()));
        CHECK(tree.cascade().patches <= 4);
      }
    }
  }
  TEST_CASE("re-parenting in a world with a table per parent patches nothing") {
    Tree tree(Layout::per_parent);
    REQUIRE(tree.subject.hierarchy.set_parent(tree.leaf(), tree.inner(2)));
    CHECK(tree.cascade().patches == 0);
    REQUIRE(tree.subject.hierarchy.set_parent(tree.inner(4), tree.levels[3].front()));
    CHECK(tree.cascade().patches == 0);
    REQUIRE(tree.subject.hierarchy.clear_parent(tree.inner(2)));
    CHECK(tree.cascade().patches == 0);
  }
  TEST_CASE("re-parenting an inner node within its level patches its block") {
    for (const Layout layout : kSharing) {
      Tree tree(layout);
      REQUIRE(tree.subject.hierarchy.set_parent(tree.inner(3), tree.levels[2].front()));
      CHECK(tree.cascade().patches == 1);
    }
  }
  TEST_CASE("a row in a new table patches one block, also of an archetype that is new") {
    for (const Layout layout : kSharing) {
      Tree tree(layout);
      const Entity child = tree.subject.create(tree.leaf(), 1);
      Tree::Cost cost = tree.cascade();
      CHECK(cost.patches == 1);
      CHECK(cost.rows == 1);
      tree.subject.create(child, 2, true);
      cost = tree.cascade();
      CHECK(cost.patches == 1);
      CHECK(cost.rows == 1);
    }
  }
  TEST_CASE("adding a component to an inner node patches its blocks and those of its children") {
    for (const Layout layout : kSharing) {
      Tree tree(layout);
      const Entity inner = tree.inner(3);
      tree.subject.store.add(inner, tree.subject.frozen);
      const Tree::Cost cost = tree.cascade();
      // The block it left, where a row moved, and the last one; the new one; those of its children; and those
      // of the children of the row that moved.
      CHECK(cost.patches <= 7);
      CHECK(cost.rows < tree.size / 2);
      CHECK(tree.cascade().patches == 0);
    }
  }
  TEST_CASE("emptying a table patches nothing") {
    for (const Layout layout : kSharing) {
      Tree tree(layout);
      const Entity first = tree.subject.create(tree.leaf(), 1);
      const Entity second = tree.subject.create(first, 2);
      tree.subject.create(second, 3);
      tree.cascade();
      tree.subject.hierarchy.destroy(second, ChildPolicy::destroy);
      CHECK(tree.cascade().patches == 0);
      tree.subject.hierarchy.destroy_children(tree.leaf());
      CHECK(tree.cascade().patches == 0);
    }
  }
  TEST_CASE("destroying the deepest level patches nothing") {
    for (const Layout layout : kSharing) {
      Tree tree(layout);
      // From the end, so that no row moves.
      for (auto leaf = tree.levels[5].rbegin(); leaf != tree.levels[5].rend(); ++leaf) {
        tree.subject.hierarchy.destroy(*leaf, ChildPolicy::destroy);
      }
      CHECK(tree.cascade().patches == 0);
    }
  }
  TEST_CASE("more moves than are logged patch every block once, and not again") {
    for (const Layout layout : kSharing) {
      Tree tree(layout);
      const std::uint64_t blocks = tree.query.matcher().plan_cost().patches;
      for (const Entity leaf : tree.levels[5]) tree.subject.toggle_tag(leaf);
      CHECK(tree.cascade().patches <= blocks + 1);
      CHECK(tree.cascade().patches == 0);
    }
  }
  TEST_CASE("a world that was defragmented anew is patched once, however many rows have moved") {
    for (const Layout layout : kSharing) {
      Tree tree(layout);
      tree.subject.hierarchy.sort_children(tree.levels[0][0], [](Entity a, Entity b) { return b < a; });
      CHECK(tree.subject.hierarchy.defragment(100 * tree.size));
      CHECK(tree.cascade().rows < tree.size);
      CHECK(tree.cascade().patches == 0);
    }
  }
}

}  // namespace strata::test::plan_cost_test
