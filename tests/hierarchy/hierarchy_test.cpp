#include "../../hierarchy/hierarchy.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "subject.hpp"

namespace strata::test::hierarchy_test {

using namespace detail;

TEST_SUITE("hierarchy/hierarchy") {
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
  TEST_CASE("an inner node changes parents within a level without a move, too, of itself or below it") {
    for (const Layout layout : {Layout::per_level, Layout::adaptive}) {
      Subject subject(layout);
      const Entity a = subject.create({}, 0);
      const Entity b = subject.create({}, 1);
      const Entity first = subject.create(b, 2);
      const Entity child = subject.create(a, 3);
      const Entity below = subject.create(child, 4);
      const Place before = subject.store.slots().find(below);
      const std::uint32_t version = subject.store.slots().find(child).block->version;
      REQUIRE(subject.hierarchy.set_parent(child, b));
      CHECK(subject.store.slots().find(below).block == before.block);
      CHECK(subject.store.slots().find(below).row == before.row);
      CHECK(subject.store.slots().find(child).block->version != version);
      const ChildRange children = subject.hierarchy.children(b);
      CHECK(std::vector(children.begin(), children.end()) == std::vector{first, child});
      CHECK(subject.hierarchy.child_count(a) == 0);
      CHECK_FALSE(subject.hierarchy.set_parent(b, below));
      CHECK(subject.broken().empty());
    }
  }
  TEST_CASE("within a level, what is below a node takes over the layout of its new parent") {
    Subject subject(Layout::per_level);
    const Entity a = subject.create({}, 0);
    const Entity b = subject.create({}, 1);
    subject.create(b, 2);
    subject.hierarchy.set_layout(b, Layout::adaptive);
    const Entity child = subject.create(a, 3);
    subject.create(child, 4);
    REQUIRE(subject.shares_level(child));
    REQUIRE(subject.hierarchy.set_parent(child, b));
    CHECK(subject.hierarchy.layout_below(child) == Layout::adaptive);
    CHECK(subject.broken().empty());
  }
  TEST_CASE("a family that a re-parented node makes large gets its own table when rows are defragmented") {
    Subject subject(Layout::adaptive, 4);
    const Entity a = subject.create({}, 0);
    const Entity b = subject.create({}, 1);
    for (int i = 0; i < 4; ++i) subject.create(b, i);
    const Entity child = subject.create(a, 2);
    REQUIRE(subject.hierarchy.set_parent(child, b));
    CHECK(subject.shares_level(child));
    CHECK(subject.hierarchy.defragment(1'000));
    CHECK_FALSE(subject.shares_level(child));
    CHECK(subject.broken().empty());
  }
  TEST_CASE("children are appended in their order with their places, wherever their rows are") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      for (const bool defragmented : {false, true}) {
        Subject subject(layout);
        std::vector<Entity> entities{subject.create({}, 0)};
        for (int i = 1; i < 400; ++i) {
          const auto above = static_cast<std::size_t>(i * 37) % entities.size() / 2;
          entities.push_back(subject.create(entities[above], i, i % 5 == 0));
        }
        for (std::size_t i = 399; i > 0; i -= 19) {
          subject.hierarchy.destroy(entities[i], ChildPolicy::orphan);
          entities.erase(entities.begin() + static_cast<std::ptrdiff_t>(i));
        }
        if (defragmented) CHECK(subject.hierarchy.defragment(1'000'000));
        std::vector<VisitedRow> above;
        std::vector<Entity> expected;
        for (std::size_t i = 0; i < entities.size(); ++i) {
          above.push_back({entities[i], nullptr, 0, VisitedRow::kNone});
          for (const Entity child : subject.hierarchy.children(entities[i])) expected.push_back(child);
        }
        std::vector<VisitedRow> children;
        subject.hierarchy.parents().append_children(above, children);
        REQUIRE(children.size() == expected.size());
        for (std::size_t i = 0; i < children.size(); ++i) {
          const Place place = subject.store.slots().find(expected[i]);
          CHECK(children[i].entity == expected[i]);
          CHECK(children[i].block == place.block);
          CHECK(children[i].row == place.row);
          CHECK(entities[children[i].above] == subject.hierarchy.parent(expected[i]));
        }
      }
    }
  }
  TEST_CASE("a destroyed parent takes the tables of its family with it") {
    Subject subject(Layout::per_parent);
    const std::size_t before = subject.store.tables().size();
    const Entity parent = subject.create({}, 0);
    for (int i = 0; i < 10; ++i) subject.create(parent, i, i % 2 == 0);
    const std::size_t tables = subject.store.tables().size();
    subject.hierarchy.destroy(parent, ChildPolicy::destroy);
    CHECK(tables == before + 3);
    CHECK(subject.store.tables().size() == before + 1);
    CHECK(subject.broken().empty());
  }
}

}  // namespace strata::test::hierarchy_test
