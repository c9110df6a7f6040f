#include "../../hierarchy/families/level_targets.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../support/family_order.hpp"
#include "../support/values.hpp"
#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::level_targets_test {

namespace {

constexpr std::uint32_t kLarge = 8;

struct Fixture : Subject {
  std::vector<Entity> entities;

  Fixture() : Subject(Layout::adaptive, kLarge) {}

  Entity add(Entity parent, bool tagged) {
    entities.push_back(create(parent, static_cast<int>(entities.size()), tagged));
    return entities.back();
  }

  /// Creates children of several parents in turns, so that rows of different families alternate.
  std::vector<Entity> add_in_turns(const std::vector<Entity>& parents,
                                   const std::vector<std::uint32_t>& counts, bool tags) {
    std::vector<Entity> added;
    for (std::uint32_t turn = 0; turn < 3 * kLarge; ++turn) {
      for (std::size_t i = parents.size(); i-- > 0;) {
        if (turn < counts[i]) added.push_back(add(parents[i], tags && turn % 3 == 0));
      }
    }
    return added;
  }

  /// Three levels: of the families in each of the lower ones, some become large and leave, some stay.
  void grow(bool tags) {
    const std::vector<Entity> roots{add({}, false), add({}, tags), add({}, false)};
    const std::vector<Entity> level = add_in_turns(roots, {kLarge + 3, kLarge - 1, kLarge + 1}, tags);
    add_in_turns({level[0], level[9], level[3], level[11]}, {kLarge + 2, 3, 2 * kLarge, 1}, tags);
  }

  /// Returns: the first entity that is not where it belongs or has lost its value, as a sentence.
  std::string misplaced() const {
    for (std::size_t i = 0; i < entities.size(); ++i) {
      const Entity entity = entities[i];
      const Entity parent = hierarchy.parent(entity);
      const bool large = parent && hierarchy.child_count(parent) > kLarge;
      if (shares_level(entity) == large) return to_string(entity) + " has its row in the wrong branch";
      if (static_cast<const Health*>(store.find(entity, health))->points != static_cast<int>(i)) {
        return to_string(entity) + " has another value";
      }
    }
    const std::string complaint = out_of_family_order(
        store, [&](Entity entity) { return hierarchy.parent(entity); },
        [&](Entity entity) { return listed(hierarchy.children(entity)); });
    return complaint.empty() ? broken() : complaint;
  }
};

}  // namespace

TEST_SUITE("hierarchy/level_targets") {
  TEST_CASE_FIXTURE(Fixture, "rows of families that have become large are in order in their own tables") {
    grow(false);
    CHECK(misplaced() != "");
    CHECK(hierarchy.defragment(kAll));
    CHECK(misplaced() == "");
    CHECK(hierarchy.defragment(0));
  }
  TEST_CASE_FIXTURE(Fixture, "where a family has rows of several archetypes, each gets a table") {
    grow(true);
    CHECK(hierarchy.defragment(kAll));
    CHECK(misplaced() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "each row moves once: none in a way that is logged, as a second move would be") {
    grow(true);
    store.rows().changes().moved().clear();
    CHECK(hierarchy.defragment(kAll));
    CHECK(store.rows().changes().moved().empty());
  }
  TEST_CASE_FIXTURE(Fixture,
                    "a level that all rows leave keeps no table with rows, and can be filled again") {
    const std::vector<Entity> roots{add({}, false), add({}, false)};
    const std::vector<Entity> level = add_in_turns(roots, {2 * kLarge, kLarge + 1}, true);
    CHECK(hierarchy.defragment(kAll));
    CHECK(misplaced() == "");
    for (const Entity child : level) CHECK(!shares_level(child));
    add_in_turns({add({}, false), add({}, false)}, {kLarge, 3}, true);
    CHECK(hierarchy.defragment(kAll));
    CHECK(misplaced() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "families go on to grow and shrink after they have left the level") {
    grow(true);
    CHECK(hierarchy.defragment(kAll));
    const Entity parent = entities[0];
    add(parent, false);
    while (hierarchy.child_count(parent) > 1) {
      const Entity child = *hierarchy.children(parent).begin();
      hierarchy.destroy(child, ChildPolicy::destroy);
    }
    CHECK(hierarchy.defragment(kAll));
    CHECK(shares_level(*hierarchy.children(parent).begin()));
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "a budget that is large enough for the level moves its families, too") {
    grow(false);
    int calls = 0;
    while (!hierarchy.defragment(200) && calls < 100) ++calls;
    CHECK(calls < 100);
    CHECK(misplaced() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "memory that runs out leaves each family in the one place or the other") {
    grow(true);
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { hierarchy.defragment(kAll); }, [&] { CHECK(broken() == ""); });
    CHECK(failures > 0);
    CHECK(hierarchy.defragment(kAll));
    CHECK(misplaced() == "");
  }
}

}  // namespace strata::test::level_targets_test
