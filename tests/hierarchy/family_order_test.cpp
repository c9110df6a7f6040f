#include "../../hierarchy/families/family_order.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../support/family_order.hpp"
#include "../support/values.hpp"
#include "build_forest.hpp"
#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::family_order_test {

using namespace detail;

namespace {

struct Fixture : Subject {
  explicit Fixture(Layout layout = Layout::per_level) : Subject(layout) {}

  /// Returns: the first row out of family order, as a sentence.
  std::string out_of_order() const {
    return out_of_family_order(
        store, [&](Entity entity) { return hierarchy.parent(entity); },
        [&](Entity entity) { return listed(hierarchy.children(entity)); });
  }

  /// Creates two families in turns, so that their rows alternate.
  std::vector<Entity> create_alternating(Entity first, Entity second, int count) {
    std::vector<Entity> created;
    for (int i = 0; i < count; ++i) created.push_back(create(i % 2 == 0 ? second : first, i, i % 3 == 0));
    return created;
  }

  std::vector<Entity> rows_of(const Table& table) const {
    std::vector<Entity> rows;
    for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
      const Entity* const entities = block->format->entities(*block);
      rows.insert(rows.end(), entities, entities + block->count);
    }
    return rows;
  }
};

}  // namespace

TEST_SUITE("hierarchy/family_order") {
  TEST_CASE_FIXTURE(Fixture, "families follow each other as their parents do, on every level") {
    const Entity a = create({}, 0);
    const Entity b = create({}, 1);
    const std::vector<Entity> level = create_alternating(a, b, 20);
    create_alternating(level[13], level[0], 20);
    CHECK(out_of_order() != "");
    CHECK(hierarchy.defragment(kAll));
    CHECK(out_of_order() == "");
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "siblings lie as they are linked") {
    const Entity parent = create({}, 0);
    std::vector<Entity> children;
    for (int i = 0; i < 9; ++i) children.push_back(create(parent, i));
    REQUIRE(hierarchy.defragment(kAll));
    hierarchy.sort_children(parent, [](Entity a, Entity b) { return b < a; });
    REQUIRE(hierarchy.defragment(kAll));
    CHECK(rows_of(table(children[0])) == listed(hierarchy.children(parent)));
    REQUIRE(hierarchy.move_child_before(children[2], children[7]));
    REQUIRE(hierarchy.defragment(kAll));
    CHECK(rows_of(table(children[0])) == listed(hierarchy.children(parent)));
  }
  TEST_CASE_FIXTURE(Fixture, "values and handles go with their rows") {
    const Entity a = create({}, 0);
    const Entity b = create({}, 1);
    const std::vector<Entity> level = create_alternating(a, b, 30);
    REQUIRE(hierarchy.defragment(kAll));
    for (int i = 0; i < 30; ++i) {
      CHECK(static_cast<const Health*>(store.find(level[static_cast<std::size_t>(i)], health))->points == i);
    }
  }
  TEST_CASE_FIXTURE(Fixture, "a level whose parents were sorted follows them") {
    const Entity root = create({}, 0);
    const Entity first = create(root, 1);
    const Entity second = create(root, 2);
    create(first, 3);
    create(second, 4);
    REQUIRE(hierarchy.defragment(kAll));
    REQUIRE(hierarchy.move_child_before(second, first));
    REQUIRE(hierarchy.defragment(kAll));
    CHECK(out_of_order() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "what is in order takes no budget, and a change is noticed") {
    const Entity a = create({}, 0);
    const Entity b = create({}, 1);
    const std::vector<Entity> level = create_alternating(a, b, 10);
    REQUIRE(hierarchy.defragment(kAll));
    CHECK(hierarchy.defragment(0));
    REQUIRE(hierarchy.set_parent(level[3], b));
    CHECK(!hierarchy.defragment(0));
    CHECK(hierarchy.defragment(kAll));
    CHECK(out_of_order() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "any budget but none gets all done in the end") {
    for (const std::size_t budget : {1u, 2u, 3u, 5u, 100u}) {
      CAPTURE(budget);
      const Entity a = create({}, 0);
      const Entity b = create({}, 1);
      create_alternating(a, b, 12);
      int calls = 0;
      while (!hierarchy.defragment(budget) && calls < 10'000) ++calls;
      CHECK(calls < 10'000);
      CHECK(out_of_order() == "");
    }
  }
  TEST_CASE_FIXTURE(Fixture, "a level that was emptied and filled again is looked at again") {
    const Entity root = create({}, 0);
    const Entity first = create(root, 1);
    const Entity second = create(root, 2);
    const Entity below_first = create(first, 3);
    const Entity below_second = create(second, 4);
    REQUIRE(hierarchy.defragment(kAll));
    hierarchy.destroy(below_first, ChildPolicy::destroy);
    hierarchy.destroy(below_second, ChildPolicy::destroy);
    create(second, 5);
    create(first, 6);
    CHECK(hierarchy.defragment(kAll));
    CHECK(out_of_order() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "edits above do not keep a level from being sorted") {
    const Entity root = create({}, 0);
    const Entity parent = create(root, 1);
    const Entity other = create(root, 2);
    std::vector<Entity> children;
    for (int i = 0; i < 300; ++i) children.push_back(create(parent, i));
    hierarchy.sort_children(parent, [](Entity a, Entity b) { return b < a; });
    bool up_front = false;
    for (int frame = 0; frame < 200; ++frame, up_front = !up_front) {
      REQUIRE(hierarchy.move_child_before(up_front ? parent : other, up_front ? other : parent));
      hierarchy.defragment(20);
    }
    CHECK(rows_of(table(children[0])) == listed(hierarchy.children(parent)));
  }
  TEST_CASE_FIXTURE(Fixture,
                    "levels that are far out of order are laid out anew, without a log of their rows") {
    const Entity a = create({}, 0);
    const Entity b = create({}, 1);
    const std::vector<Entity> level = create_alternating(a, b, 1000);
    create_alternating(level[500], level[3], 1000);
    store.rows().changes().moved().clear();
    CHECK(hierarchy.defragment(kAll));
    CHECK(out_of_order() == "");
    CHECK(store.rows().changes().moved().entries().size() < 100);
    CHECK(!store.rows().changes().moved().overflowed());
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture,
                    "a few rows that are elsewhere are exchanged in place, so that no other row moves") {
    const Entity a = create({}, 0);
    std::vector<Entity> children;
    for (int i = 0; i < 100; ++i) children.push_back(create(a, i));
    REQUIRE(hierarchy.defragment(kAll));
    const Place first = store.slots().find(children[0]);
    REQUIRE(hierarchy.move_child_before(children[51], children[50]));
    REQUIRE(hierarchy.defragment(kAll));
    CHECK(out_of_order() == "");
    CHECK(store.slots().find(children[0]).block == first.block);
  }
  TEST_CASE_FIXTURE(Fixture, "without the memory to lay a level out anew, its rows are exchanged in place") {
    const Entity a = create({}, 0);
    const Entity b = create({}, 1);
    create_alternating(a, b, 1000);
    REQUIRE(!hierarchy.defragment(50));
    REQUIRE(hierarchy.defragment(kAll));  // In place, as that was begun: there is room to exchange rows now.
    hierarchy.sort_children(a, [](Entity left, Entity right) { return right < left; });
    memory.fail_at(1);
    const bool defragmented = hierarchy.defragment(kAll);
    memory.never_fail();
    CHECK(defragmented);
    CHECK(out_of_order() == "");
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "an edit in one of many levels is defragmented within a budget for that level") {
    Entity node = create({}, 0);
    std::vector<Entity> chain;
    for (int i = 0; i < 3000; ++i) chain.push_back(node = create(node, i));
    REQUIRE(hierarchy.defragment(kAll));
    for (const std::size_t place : {2999u, 1500u, 10u}) {
      create(chain[place - 1], 1);
      create(chain[place], 2);
      CHECK(hierarchy.defragment(40));
      CHECK(out_of_order() == "");
      CHECK(hierarchy.defragment(0));
    }
  }
  TEST_CASE_FIXTURE(Fixture,
                    "a level is defragmented without a look at archetypes that have rows elsewhere only") {
    const Entity root = create({}, 0);
    Entity above = root;
    std::vector<Entity> chain;
    for (int level = 0; level < 100; ++level) chain.push_back(above = create(above, level));
    for (int i = 0; i < 400; ++i) {
      ComponentInfo tag;
      tag.name = "tag " + std::to_string(i);
      Archetype& tagged = store.archetypes().with(store.archetypes().empty(), store.registry().add(tag));
      hierarchy.create_below(root, tagged);
    }
    REQUIRE(hierarchy.defragment(kAll));
    CHECK(store.archetypes().at_rank(1).size() == 401);
    for (std::size_t level = 49; level < 100; ++level) {
      toggle_tag(chain[level]);
      CHECK(store.archetypes().at_rank(static_cast<std::uint32_t>(level) + 1).size() <= 2);
    }
    CHECK(hierarchy.defragment(3 * 51));  // For each level its beginning, its row and the one above.
    CHECK(broken() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "a level whose rows are in many archetypes is paid for by their number") {
    const Entity root = create({}, 0);
    for (int i = 0; i < 1600; ++i) {
      ComponentInfo tag;
      tag.name = "tag " + std::to_string(i);
      Archetype& tagged = store.archetypes().with(store.archetypes().empty(), store.registry().add(tag));
      hierarchy.create_below(root, tagged);
    }
    int calls = 1;
    while (!hierarchy.defragment(150)) REQUIRE(++calls < 100);
    CHECK(calls >= 11);
    CHECK(out_of_order() == "");
  }
  TEST_CASE_FIXTURE(Fixture,
                    "a forest that is built at once is in order, and further ones behind it are, too") {
    Archetype& archetype = store.archetypes().empty();
    std::vector<std::uint32_t> parents{2, 2, kNoParent, 0, 1, 0, kNoParent, 6};
    for (int i = 0; i < 3; ++i) {
      REQUIRE(build_forest(hierarchy, {parents, {}, archetype}).outcome);
      CHECK(out_of_order() == "");
      CHECK(hierarchy.defragment(0));
      parents.push_back(static_cast<std::uint32_t>(i));
    }
  }
  TEST_CASE_FIXTURE(Fixture, "a forest that is built beside families in other tables is looked at") {
    const Entity plain = create({}, 0);
    const Entity tagged = create({}, 1, true);
    create(plain, 2);
    create(tagged, 3);
    REQUIRE(hierarchy.defragment(kAll));
    const std::vector<std::uint32_t> parents{kNoParent, 0, 0};
    REQUIRE(build_forest(hierarchy, {parents, {}, table(plain).archetype()}).outcome);
    REQUIRE(hierarchy.defragment(kAll));
    CHECK(out_of_order() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "rows in a table that had lost all of its rows are looked at") {
    const Entity parent = create({}, 0);
    const Entity gone = create(parent, 1);
    REQUIRE(hierarchy.destroy(gone, ChildPolicy::destroy));
    REQUIRE(hierarchy.defragment(kAll));
    const Entity first = create(parent, 2);
    const Entity second = create(parent, 3);
    REQUIRE(hierarchy.defragment(kAll));
    REQUIRE(hierarchy.move_child_before(second, first));
    REQUIRE(hierarchy.defragment(kAll));
    CHECK(out_of_order() == "");
  }
  TEST_CASE("families with tables of their own stay as they are") {
    Fixture subject(Layout::per_parent);
    const Entity parent = subject.create({}, 0);
    for (int i = 0; i < 9; ++i) subject.create(parent, i);
    subject.hierarchy.sort_children(parent, [](Entity a, Entity b) { return b < a; });
    const std::uint64_t before = subject.store.rows().changes().count();
    CHECK(subject.hierarchy.defragment(kAll));
    CHECK(subject.store.rows().changes().count() == before);
  }
  TEST_CASE("values of every kind survive the exchange of rows") {
    const CountedScope scope;
    {
      Fixture subject;
      const ComponentId counted = subject.store.registry().id_of<Counted>();
      const ComponentId wide = subject.store.registry().id_of<Wide>();
      const Entity a = subject.create({}, 0);
      const Entity b = subject.create({}, 1);
      const std::vector<Entity> level = subject.create_alternating(a, b, 24);
      for (std::size_t i = 0; i < level.size(); ++i) {
        ::new (subject.store.add(level[i], counted).value) Counted(static_cast<int>(i));
        ::new (subject.store.add(level[i], wide).value) Wide(static_cast<float>(i));
      }
      REQUIRE(subject.hierarchy.defragment(kAll));
      CHECK(subject.out_of_order() == "");
      for (std::size_t i = 0; i < level.size(); ++i) {
        CHECK(number_in(*static_cast<const Counted*>(subject.store.find(level[i], counted))) ==
              static_cast<int>(i));
        CHECK(number_in(*static_cast<const Wide*>(subject.store.find(level[i], wide))) ==
              static_cast<int>(i));
      }
    }
    CHECK(scope.clean());
  }
  TEST_CASE("out of memory leaves a world that means the same, and sorting goes on afterwards") {
    // Whatever was done before the memory ran out: defragmentation must not take it for all.
    for (std::size_t first = 0; first < 40; ++first) {
      CAPTURE(first);
      Fixture subject;
      const ComponentId huge = subject.store.registry().id_of<Huge>();
      const Entity a = subject.create({}, 0);
      const Entity b = subject.create({}, 1);
      const Entity below = subject.create(a, 2);
      const Entity later = subject.create(b, 3);
      const std::vector<Entity> level = subject.create_alternating(below, later, 6);
      for (const Entity entity : level) ::new (subject.store.add(entity, huge).value) Huge(1);
      if (first != 0) subject.hierarchy.defragment(first);
      bool defragmented = false;
      sweep_out_of_memory(
          subject.memory, [&] { defragmented = subject.hierarchy.defragment(kAll); },
          [&] {
            CHECK(subject.broken() == "");
            CHECK(listed(subject.hierarchy.children(below)).size() == 3);
          });
      CHECK(defragmented);
      CHECK(subject.out_of_order() == "");
      CHECK(subject.broken() == "");
    }
  }
}

}  // namespace strata::test::family_order_test
