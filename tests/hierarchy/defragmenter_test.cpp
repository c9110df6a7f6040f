#include "../../hierarchy/families/defragmenter.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../support/family_order.hpp"
#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::defragmenter_test {

namespace {

struct Fixture : Subject {
  Query<Entity, const Health, Parent<const Health>> query{store, &hierarchy.parents()};

  explicit Fixture(Defragmentation defragmentation = Defragmentation::automatic,
                   Layout layout = Layout::per_level)
      : Subject(layout, 64, defragmentation) {}

  /// Creates parents, and their children in turns, so that their rows alternate.
  std::vector<Entity> create_alternating(std::size_t parents, std::size_t children) {
    std::vector<Entity> all;
    for (std::size_t i = 0; i < parents; ++i) all.push_back(create({}, 0));
    for (std::size_t i = 0; i < parents * children; ++i) create(all[i * 17 % parents], 0);
    return all;
  }

  /// Visits all, and checks the parents' values.
  /// Returns: whether rows were moved.
  bool cascade() {
    const std::uint64_t changes = store.rows().changes().count();
    std::size_t wrong = 0;
    query.cascade().each([&](Entity entity, const Health&, const Health* parents) {
      const Entity parent = hierarchy.parent(entity);
      if (!same(parents, parent ? store.find(parent, health) : nullptr)) ++wrong;
    });
    CHECK(wrong == 0);
    return store.rows().changes().count() != changes;
  }

  bool in_order() const {
    return out_of_family_order(
               store, [&](Entity entity) { return hierarchy.parent(entity); },
               [&](Entity entity) { return listed(hierarchy.children(entity)); })
        .empty();
  }

  /// Returns: how many cascades it took until rows were moved; 0 when none of so many did.
  int cascades_until_defragmented(int most) {
    for (int i = 1; i <= most; ++i) {
      const bool before = in_order();
      cascade();
      if (in_order() && !before) return i;
    }
    return 0;
  }
};

}  // namespace

TEST_SUITE("hierarchy/defragmenter") {
  TEST_CASE_FIXTURE(Fixture, "cascades over rows out of order defragment them in the end, and once") {
    create_alternating(100, 20);
    CHECK(!in_order());
    CHECK(cascades_until_defragmented(200) > 1);
    CHECK(in_order());
    CHECK(broken() == "");
    for (int i = 0; i < 300; ++i) CHECK(!cascade());
  }
  TEST_CASE("the same calls defragment at the same cascade") {
    const auto count = [] {
      Fixture subject;
      subject.create_alternating(100, 20);
      return subject.cascades_until_defragmented(200);
    };
    const int first = count();
    CHECK(first != 0);
    CHECK(count() == first);
  }
  TEST_CASE("a hierarchy that is defragmented by hand is never defragmented by a cascade") {
    Fixture subject(Defragmentation::manual);
    subject.create_alternating(100, 20);
    subject.make_defragmentation_due();
    CHECK(subject.cascades_until_defragmented(200) == 0);
    CHECK(subject.hierarchy.defragment(kAll));
    CHECK(subject.in_order());
  }
  TEST_CASE_FIXTURE(Fixture, "a cascade inside another iteration moves no row") {
    create_alternating(100, 20);
    cascade();
    make_defragmentation_due();
    Query<const Health> outer(store, nullptr);
    bool first = true;
    outer.each([&](const Health&) {
      if (std::exchange(first, false)) CHECK(!cascade());
    });
    CHECK(!in_order());
    cascade();
    CHECK(in_order());
  }
  TEST_CASE_FIXTURE(Fixture, "plain iteration moves no row") {
    create_alternating(100, 20);
    make_defragmentation_due();
    query.each([](Entity, const Health&, const Health*) {});
    CHECK(!in_order());
  }
  TEST_CASE_FIXTURE(
      Fixture,
      "few edits in a defragmented world are not defragmented before many cascades have paid for it") {
    const std::vector<Entity> parents = create_alternating(100, 20);
    REQUIRE(hierarchy.defragment(kAll));
    cascade();
    REQUIRE(hierarchy.set_parent(*hierarchy.children(parents[3]).begin(), parents[90]));
    for (int i = 0; i < 300; ++i) cascade();
    CHECK(!in_order());
  }
  TEST_CASE("families with tables of their own lose nothing") {
    Fixture subject(Defragmentation::automatic, Layout::per_parent);
    subject.create_alternating(100, 20);
    subject.cascade();
    for (int i = 0; i < 300; ++i) CHECK(!subject.cascade());
  }
  TEST_CASE_FIXTURE(Fixture, "where memory is short, the cascade runs, and defragmentation waits") {
    create_alternating(100, 20);
    cascade();
    make_defragmentation_due();
    memory.fail_at(1);
    const bool moved = cascade();
    memory.never_fail();
    CHECK(!moved);
    CHECK(broken() == "");
    make_defragmentation_due();
    cascade();
    CHECK(in_order());
  }
}

}  // namespace strata::test::defragmenter_test
