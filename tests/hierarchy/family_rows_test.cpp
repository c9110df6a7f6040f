#include "../../hierarchy/families/family_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::family_rows_test {

using namespace detail;

namespace {

constexpr std::uint32_t kLarge = 8;

struct Fixture : Subject {
  std::vector<Entity> entities;

  explicit Fixture(Layout layout = Layout::adaptive) : Subject(layout, kLarge) {}

  Entity add(Entity parent, bool tagged = false) {
    entities.push_back(create(parent, static_cast<int>(entities.size()), tagged));
    return entities.back();
  }
  std::vector<Entity> add_family(Entity parent, std::uint32_t count) {
    std::vector<Entity> family;
    for (std::uint32_t i = 0; i < count; ++i) family.push_back(add(parent, i % 3 == 0));
    return family;
  }
  /// A few families of both sizes, on three levels.
  void grow() {
    const Entity root = add({});
    const std::vector<Entity> large = add_family(root, kLarge + 2);
    add_family(large[0], 3);
    const std::vector<Entity> deep = add_family(large[4], kLarge + 1);
    add_family(deep[2], 2);
    add_family(deep[3], kLarge + 3);
    hierarchy.defragment(kAll);
  }

  /// Returns: everything that can be seen of the tree, a line for each entity.
  std::vector<std::string> seen(bool layouts) const {
    std::vector<std::string> lines;
    for (const Entity entity : entities) {
      std::string text = to_string(entity) + " under " + to_string(hierarchy.parent(entity)) + ':';
      for (const Entity child : hierarchy.children(entity)) text += ' ' + to_string(child);
      text += ' ' + std::to_string(static_cast<const Health*>(store.find(entity, health))->points);
      text += ' ' + std::to_string(hierarchy.depth(entity));
      if (layouts) text += ' ' + name_of_layout(hierarchy.layout_below(entity));
      lines.push_back(std::move(text));
    }
    return lines;
  }

  /// Lets `change` run out of memory at every allocation, and checks that nothing of it can be seen.
  template <class Change>
  std::size_t sweep(Change change, bool layouts) {
    const std::vector<std::string> before = seen(layouts);
    const std::size_t failures = sweep_out_of_memory(memory, change, [&] {
      CHECK(broken() == "");
      const std::vector<std::string> after = seen(layouts);
      const auto [was, is] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
      if (was != before.end()) FAIL_CHECK("the failed change left: " << *is << " instead of " << *was);
    });
    CHECK(broken() == "");
    return failures;
  }
};

}  // namespace

TEST_SUITE("hierarchy/family_rows") {
  TEST_CASE_FIXTURE(
      Fixture, "an adaptive family shares the tables of its level until it is large, once defragmented") {
    const Entity root = add({});
    std::vector<Entity> family = add_family(root, kLarge);
    const Entity neighbour = add(add({}));
    CHECK(hierarchy.defragment(kAll));
    CHECK(shares_level(family[0]));
    CHECK(&table(family[1]) == &table(neighbour));
    const Place before = store.slots().find(family[0]);
    family.push_back(add(root));
    CHECK(store.slots().find(family[0]).block == before.block);  // Adding a child moves no sibling.
    CHECK(hierarchy.defragment(kAll));
    family.push_back(add(root));
    for (const Entity child : family) CHECK(!shares_level(child));
    CHECK(table(family[0]).branch().label == root.index() + 1);
    CHECK(shares_level(neighbour));
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "it shares them again when it has shrunk far below that, once defragmented") {
    const Entity root = add({});
    std::vector<Entity> family = add_family(root, kLarge);
    const std::size_t tables = store.tables().size();
    family.push_back(add(root));
    CHECK(hierarchy.defragment(kAll));
    CHECK(store.tables().size() == tables + 2);
    const auto shrink_to = [&](std::size_t count) {
      while (family.size() > count) {
        hierarchy.destroy(family.back(), ChildPolicy::destroy);
        family.pop_back();
      }
      hierarchy.defragment(kAll);
    };
    shrink_to(kLarge / 4 + 1);
    CHECK(!shares_level(family[0]));
    shrink_to(kLarge / 4);
    CHECK(shares_level(family[0]));
    CHECK(store.tables().size() == tables);
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "children that leave by any way let a family shrink") {
    const Entity root = add({});
    std::vector<Entity> family = add_family(root, kLarge + 1);
    hierarchy.defragment(kAll);
    REQUIRE(hierarchy.clear_parent(family[0]));
    REQUIRE(hierarchy.set_parent(family[1], family[0]));
    while (hierarchy.child_count(root) > 1) {
      hierarchy.destroy(*hierarchy.children(root).begin(), ChildPolicy::orphan);
    }
    CHECK(!shares_level(family.back()));
    hierarchy.defragment(kAll);
    CHECK(shares_level(family.back()));
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "a family that is destroyed and grows again is large again") {
    const Entity root = add({});
    add_family(root, kLarge + 1);
    CHECK(hierarchy.destroy_children(root) == kLarge + 1);
    entities.resize(1);
    const Entity child = add_family(root, kLarge)[0];
    CHECK(hierarchy.defragment(kAll));
    CHECK(shares_level(child));
    add(root);
    CHECK(hierarchy.defragment(kAll));
    CHECK(!shares_level(child));
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "a family of more rows than the budget waits") {
    const Entity root = add({});
    const std::vector<Entity> family = add_family(root, kLarge + 1);
    hierarchy.defragment(kAll);
    for (std::size_t i = 2; i < family.size(); ++i) hierarchy.destroy(family[i], ChildPolicy::destroy);
    CHECK(!hierarchy.defragment(1));
    CHECK(!shares_level(family[0]));
    hierarchy.defragment(2);
    CHECK(shares_level(family[0]));
  }
  TEST_CASE_FIXTURE(Fixture, "budgets smaller than a family are saved up for it") {
    const Entity root = add({});
    const Entity child = add_family(root, kLarge + 4)[0];
    for (std::uint32_t call = 1; call < (kLarge + 4) / 2; ++call) {
      CHECK(!hierarchy.defragment(2));
      CHECK(shares_level(child));
    }
    hierarchy.defragment(2);
    CHECK(!shares_level(child));
    std::size_t calls = 0;
    while (!hierarchy.defragment(kLarge) && calls < 100) ++calls;
    CHECK(calls < 100);
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(
      Fixture, "an entity that takes the place of the parent of a recorded family is not mistaken for it") {
    const Entity root = add({});
    add_family(root, kLarge + 1);
    hierarchy.destroy(root, ChildPolicy::destroy);
    entities.clear();
    const Entity next = add({});
    REQUIRE(next.index() == root.index());
    const Entity child = add_family(next, kLarge)[0];
    CHECK(hierarchy.defragment(kAll));
    CHECK(shares_level(child));
    add(next);
    CHECK(hierarchy.defragment(kAll));
    CHECK(!shares_level(child));
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "a layout holds for all below an entity, but where it was set anew") {
    const Entity root = add({});
    const Entity chosen = add(root);
    const Entity other = add(root);
    const Entity below_chosen = add(chosen);
    const Entity below_other = add(other);
    const Entity deep = add(below_chosen);
    hierarchy.set_layout(chosen, Layout::per_level);
    hierarchy.set_layout(root, Layout::per_parent);
    CHECK(hierarchy.layout_below(root) == Layout::per_parent);
    CHECK(hierarchy.layout_below(below_other) == Layout::per_parent);
    CHECK(hierarchy.layout_below(chosen) == Layout::per_level);
    CHECK(hierarchy.layout_below(deep) == Layout::per_level);
    CHECK(!shares_level(chosen));
    CHECK(!shares_level(below_other));
    CHECK(shares_level(below_chosen));
    CHECK(shares_level(deep));
    CHECK(shares_level(add(deep)));
    CHECK(!shares_level(add(below_other)));
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "the layout of an entity without children is that of those to come") {
    const Entity root = add({});
    hierarchy.set_layout(root, Layout::per_parent);
    const Entity child = add(root);
    CHECK(!shares_level(child));
    hierarchy.destroy(child, ChildPolicy::destroy);
    entities.pop_back();
    CHECK(!shares_level(add(root)));
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "an adaptive layout gives large families their own tables at once") {
    Fixture subject(Layout::per_level);
    const Entity root = subject.add({});
    const std::vector<Entity> large = subject.add_family(root, kLarge + 1);
    const std::vector<Entity> small = subject.add_family(large[3], 2);
    subject.hierarchy.set_layout(root, Layout::adaptive);
    CHECK(!subject.shares_level(large[0]));
    CHECK(subject.shares_level(small[0]));
    subject.hierarchy.set_layout(root, Layout::per_level);
    CHECK(subject.shares_level(large[0]));
    CHECK(subject.broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture,
                    "what is re-parented follows the layout of its new place, and what chose keeps it") {
    const Entity per_parent = add({});
    hierarchy.set_layout(per_parent, Layout::per_parent);
    const Entity moved = add({});
    const Entity child = add(moved);
    const Entity chosen = add(moved);
    hierarchy.set_layout(chosen, Layout::per_level);
    const Entity below_chosen = add(chosen);
    REQUIRE(hierarchy.set_parent(moved, per_parent));
    CHECK(hierarchy.layout_below(moved) == Layout::per_parent);
    CHECK(!shares_level(moved));
    CHECK(!shares_level(child));
    CHECK(shares_level(below_chosen));
    REQUIRE(hierarchy.clear_parent(moved));
    CHECK(hierarchy.layout_below(moved) == Layout::adaptive);
    CHECK(shares_level(child));
    CHECK(broken() == "");
  }
  TEST_CASE("orphans follow the layout of roots") {
    Fixture subject(Layout::per_parent);
    const Entity root = subject.add({});
    subject.hierarchy.set_layout(root, Layout::per_level);
    const Entity child = subject.add(root);
    const Entity grandchild = subject.add(child);
    CHECK(subject.shares_level(grandchild));
    subject.hierarchy.destroy(root, ChildPolicy::orphan);
    CHECK(subject.hierarchy.layout_below(child) == Layout::per_parent);
    CHECK(!subject.shares_level(grandchild));
    CHECK(subject.broken() == "");
  }
  TEST_CASE("out of memory while a layout is set leaves a tree that means the same") {
    for (const Layout from : kLayouts) {
      for (const Layout to : kLayouts) {
        Fixture subject(from);
        subject.grow();
        subject.sweep([&] { subject.hierarchy.set_layout(subject.entities[0], to); }, false);
        for (const Entity entity : subject.entities) CHECK(subject.hierarchy.layout_below(entity) == to);
      }
    }
  }
  TEST_CASE("out of memory while a subtree moves to another layout leaves the world as it was") {
    for (const Layout from : kLayouts) {
      for (const Layout to : kLayouts) {
        CAPTURE(name_of_layout(from));
        CAPTURE(name_of_layout(to));
        Fixture subject(from);
        subject.grow();
        const Entity moved = subject.entities[5];  // With children and grandchildren.
        REQUIRE(subject.hierarchy.child_count(moved) == kLarge + 1);
        const Entity target = subject.add(subject.add({}));
        subject.hierarchy.set_layout(target, to);
        bool done = false;
        subject.sweep([&] { done = static_cast<bool>(subject.hierarchy.set_parent(moved, target)); }, true);
        CHECK(done);
        CHECK(subject.hierarchy.layout_below(moved) == to);
      }
    }
  }
  TEST_CASE_FIXTURE(Fixture, "out of memory while a child makes a family large leaves the world as it was") {
    const Entity root = add({});
    const std::vector<Entity> family = add_family(root, kLarge);
    add_family(family[3], 2);
    Entity created;
    std::size_t failures = sweep([&] { created = create(root, 0, true); }, true);
    CHECK(failures > 0);
    failures = sweep([&] { hierarchy.defragment(kAll); }, true);
    CHECK(failures > 0);
    CHECK(!shares_level(created));
    CHECK(!shares_level(family[0]));
    CHECK(hierarchy.child_count(root) == kLarge + 1);
  }
  TEST_CASE_FIXTURE(Fixture, "out of memory while a child moves into a family that it makes large") {
    const Entity root = add({});
    add_family(root, kLarge);
    const Entity moved = add({});
    add_family(moved, 3);
    bool done = false;
    const std::size_t failures =
        sweep([&] { done = static_cast<bool>(hierarchy.set_parent(moved, root)); }, true);
    CHECK(failures > 0);
    CHECK(done);
    hierarchy.defragment(kAll);
    CHECK(!shares_level(moved));
  }
  TEST_CASE_FIXTURE(Fixture, "out of memory while small families share again leaves the world as it was") {
    const Entity root = add({});
    hierarchy.set_layout(root, Layout::per_parent);  // So that the level's tables never had room for these.
    const std::vector<Entity> parents = add_family(root, kLarge - 2);
    for (const Entity parent : parents) add_family(parent, kLarge + 1);
    hierarchy.set_layout(root, Layout::adaptive);
    for (const Entity parent : parents) {
      while (hierarchy.child_count(parent) > 2) {
        const Entity child = *hierarchy.children(parent).begin();
        std::erase(entities, child);
        hierarchy.destroy(child, ChildPolicy::destroy);
      }
    }
    bool defragmented = false;
    const std::size_t failures = sweep([&] { defragmented = hierarchy.defragment(kAll); }, true);
    CHECK(failures > 0);
    CHECK(defragmented);
    CHECK(shares_level(entities.back()));
  }
}

}  // namespace strata::test::family_rows_test
