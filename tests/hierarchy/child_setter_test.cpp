#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "../support/refusal.hpp"
#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::child_setter_test {

using namespace detail;

namespace {

/// A tree: one root with the children a, b, c; b has the child d, and d the child e. Another root f.
struct Tree : Subject {
  explicit Tree(Layout layout) : Subject(layout) {}

  Entity root = create(Entity(), 0);
  Entity a = create(root, 1), b = create(root, 2), c = create(root, 3);
  Entity d = create(b, 4);
  Entity e = create(d, 5, true);
  Entity f = create(Entity(), 6);

  Outcome set(Entity parent, const std::vector<Entity>& children) {
    return hierarchy.set_children(parent, children);
  }
  std::vector<Entity> children(Entity parent) const { return listed(hierarchy.children(parent)); }
  int value(Entity entity) const { return static_cast<const Health*>(store.find(entity, health))->points; }
};

using Entities = std::vector<Entity>;

}  // namespace

TEST_SUITE("hierarchy/child_setter") {
  TEST_CASE("the children are in the order of the list") {
    for (const Layout layout : kLayouts) {
      Tree tree(layout);
      CHECK(tree.set(tree.root, {tree.c, tree.a, tree.b}));
      CHECK(tree.children(tree.root) == Entities{tree.c, tree.a, tree.b});
      CHECK(tree.broken() == "");
    }
  }
  TEST_CASE("children that are not in the list become roots, with what is below them") {
    for (const Layout layout : kLayouts) {
      Tree tree(layout);
      CHECK(tree.set(tree.root, {tree.c}));
      CHECK(tree.children(tree.root) == Entities{tree.c});
      CHECK(tree.hierarchy.roots() == Entities{tree.root, tree.a, tree.b, tree.f});
      CHECK(tree.hierarchy.depth(tree.e) == 2);
      CHECK(tree.broken() == "");
    }
  }
  TEST_CASE("roots and children of others come to the parent") {
    for (const Layout layout : kLayouts) {
      Tree tree(layout);
      CHECK(tree.set(tree.root, {tree.e, tree.f, tree.a, tree.b, tree.c}));
      CHECK(tree.children(tree.root) == Entities{tree.e, tree.f, tree.a, tree.b, tree.c});
      CHECK(tree.children(tree.d).empty());
      CHECK(tree.broken() == "");
      for (const Entity entity : {tree.a, tree.b, tree.c, tree.d, tree.e, tree.f}) {
        CHECK(tree.value(entity) == static_cast<int>(entity.index()));
      }
    }
  }
  TEST_CASE("an empty list makes all children roots, and a leaf gets children") {
    for (const Layout layout : kLayouts) {
      Tree tree(layout);
      CHECK(tree.set(tree.root, {}));
      CHECK(tree.hierarchy.roots() == Entities{tree.root, tree.a, tree.b, tree.c, tree.f});
      CHECK(tree.set(tree.f, {tree.root, tree.b}));
      CHECK(tree.children(tree.f) == Entities{tree.root, tree.b});
      CHECK(tree.hierarchy.depth(tree.e) == 3);
      CHECK(tree.set(tree.a, {}));
      CHECK(tree.broken() == "");
    }
  }
  TEST_CASE("entities come out of subtrees that move in the same call") {
    for (const Layout layout : kLayouts) {
      Tree tree(layout);
      // e is below d, and both are below b, which leaves.
      CHECK(tree.set(tree.root, {tree.e, tree.d, tree.a}));
      CHECK(tree.children(tree.root) == Entities{tree.e, tree.d, tree.a});
      CHECK(tree.children(tree.d).empty());
      CHECK(tree.hierarchy.roots() == Entities{tree.root, tree.b, tree.c, tree.f});
      CHECK(tree.broken() == "");
      CHECK(tree.set(tree.f, {tree.root, tree.d, tree.b}));
      CHECK(tree.hierarchy.depth(tree.e) == 2);
      CHECK(tree.broken() == "");
    }
  }
  TEST_CASE("large subtrees that are taken apart have room at their new depths") {
    for (const Layout layout : kLayouts) {
      for (const bool deepest_first : {false, true}) {
        Tree tree(layout);
        Entities spine{tree.a};
        for (int level = 0; level < 6; ++level) {
          for (int i = 0; i < 300; ++i) tree.create(spine.back(), i, i % 3 == 0);
          spine.push_back(listed(tree.hierarchy.children(spine.back())).front());
        }
        Entities moved{spine[1], spine[3], spine[5]};
        if (deepest_first) std::reverse(moved.begin(), moved.end());
        CHECK(tree.set(tree.f, moved));
        CHECK(tree.children(tree.f) == moved);
        CHECK(tree.children(spine[4]).size() == 299);
        CHECK(tree.broken() == "");
      }
    }
  }
  TEST_CASE("a refusal names the entity, and nothing has changed") {
    Tree tree(Layout::adaptive);
    const Entity gone = tree.create(Entity(), 7);
    tree.hierarchy.destroy(gone, ChildPolicy::destroy);
    const auto refused = [&](Entity parent, const Entities& children) {
      const Outcome outcome = tree.set(parent, children);
      CHECK(!outcome);
      CHECK(tree.children(tree.root) == Entities{tree.a, tree.b, tree.c});
      CHECK(tree.children(tree.b) == Entities{tree.d});
      CHECK(tree.broken() == "");
      return outcome.message();
    };
    CHECK(refused(gone, {tree.a}) ==
          "the children of entity 7v1 cannot be set: 7v1 is stale or was never issued");
    CHECK(refused(tree.root, {tree.f, gone}) ==
          "entity 7v1 cannot become a child of entity 0v1: 7v1 is stale or was never issued");
    CHECK(refused(tree.root, {tree.f, tree.c, tree.f}) ==
          "entity 6v1 cannot become a child of entity 0v1: it is given twice");
    CHECK(refused(tree.b, {tree.d, tree.b}) ==
          "entity 2v1 cannot become a child of entity 2v1: it would be its own parent");
    CHECK(refused(tree.d, {tree.e, tree.root}) ==
          "entity 0v1 cannot become a child of entity 4v1: 0v1 is an ancestor of 4v1, so that would be a "
          "cycle");
  }
  TEST_CASE("a large family gets tables of its own") {
    Tree tree(Layout::adaptive);
    Entities many;
    for (int i = 0; i < 20; ++i) many.push_back(tree.create(Entity(), i));
    CHECK(tree.set(tree.f, many));
    CHECK(!tree.shares_level(many.front()));
    CHECK(tree.children(tree.f) == many);
    CHECK(tree.broken() == "");
  }
}

}  // namespace strata::test::child_setter_test
