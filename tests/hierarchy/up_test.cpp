// Up<const T>: the nearest ancestor's value, in deep trees and without memory.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <utility>

#include "../support/sanitized.hpp"
#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::up_test {

using namespace detail;

namespace {

/// A chain below a root, which alone has a Name; every hundredth entity has another child.
struct Chain {
  Subject subject;
  Entity top;
  std::uint32_t count = 1;

  Chain(Layout layout, std::uint32_t length) : subject(layout) {
    top = subject.create({}, 0);
    ::new (subject.store.add(top, subject.name).value) Name{7};
    Entity bottom = top;
    for (std::uint32_t i = 1; i < length; ++i, ++count) {
      if (i % 100 == 0) subject.create(bottom, 0), ++count;
      bottom = subject.create(bottom, 0);
    }
  }
  const Relation* parents() { return &subject.hierarchy.parents(); }
};

void check_chain(Layout layout, std::uint32_t length) {
  CAPTURE(name_of_layout(layout));
  Chain chain(layout, length);
  const std::size_t bytes = chain.subject.memory.bytes();
  Query<const Health, Up<const Name>, Up<const Position>> query(chain.subject.store, chain.parents());
  std::uint32_t found = 0;
  const auto visit = [&](const Health&, const Name* name, const Position* none) {
    if (name != nullptr && name->id == 7 && none == nullptr) ++found;
  };
  query.cascade().each(visit);
  CHECK(std::exchange(found, 0) == chain.count - 1);
  query.cascade(up).each(visit);
  CHECK(std::exchange(found, 0) == chain.count - 1);
  query.each(visit);
  CHECK(found == chain.count - 1);
  // What a query keeps beside the blocks is of the cascade; walks gave back what they took.
  CHECK(chain.subject.memory.bytes() <= bytes + 64 * std::size_t{chain.count});
}

}  // namespace

TEST_SUITE("hierarchy/up") {
  TEST_CASE("in a long chain, the root's value is found for all, in time linear in the length") {
    check_chain(Layout::adaptive, kLongChain);
  }
  TEST_CASE("in the other layouts, too, walks along a chain are not repeated") {
    check_chain(Layout::per_parent, 30'000);
    check_chain(Layout::per_level, 30'000);
  }
  TEST_CASE("short walks take no memory, and long ones give it back") {
    for (const Layout layout : kLayouts) {
      CAPTURE(name_of_layout(layout));
      for (const std::uint32_t length : {20u, 400u}) {
        Chain chain(layout, length);
        Query<Entity, Up<const Name>> query(chain.subject.store, chain.parents());
        query.each([](Entity, const Name*) {});
        FailingMemory& memory = chain.subject.memory;
        const std::size_t allocations = memory.allocations();
        const std::size_t blocks = memory.blocks();
        query.cascade().each([](Entity, const Name*) {});
        CHECK((memory.allocations() == allocations) == (length == 20));
        CHECK(memory.blocks() == blocks);
      }
    }
  }
  TEST_CASE("without memory for long walks an iteration ends, and the world is as it was") {
    Chain chain(Layout::per_level, 300);
    Query<Entity, Up<const Name>> query(chain.subject.store, chain.parents());
    std::size_t visited = 0;
    const std::size_t failures = sweep_out_of_memory(
        chain.subject.memory,
        [&] {
          visited = 0;
          query.cascade().each([&](Entity, const Name*) { ++visited; });
        },
        [&] {
          CHECK(!chain.subject.store.iterating());
          CHECK(chain.subject.broken() == "");
        });
    CHECK(failures > 0);
    CHECK(visited == chain.count);
  }
  TEST_CASE(
      "whether an ancestor has a component is found in time linear in the length, also if it is a tag") {
    for (const Layout layout : kLayouts) {
      CAPTURE(name_of_layout(layout));
      Chain chain(layout, kLongChain / 4);
      chain.subject.store.add(chain.top, chain.subject.frozen);
      Query<Entity, With<Up<Frozen>>, With<Up<Name>>, Without<Up<Position>>, Up<const Name>> query(
          chain.subject.store, chain.parents());
      std::uint32_t found = 0;
      const auto visit = [&](Entity, const Name* name) { found += name != nullptr && name->id == 7 ? 1 : 0; };
      query.cascade().each(visit);
      CHECK(std::exchange(found, 0) == chain.count - 1);
      query.each(visit);
      CHECK(found == chain.count - 1);
      CHECK(query.count() == chain.count - 1);
      CHECK(!query.contains(chain.top));
    }
  }
  TEST_CASE("without memory for long searches of what filters rows, an iteration ends") {
    for (const Layout layout : kLayouts) {
      CAPTURE(name_of_layout(layout));
      Chain chain(layout, 300);
      Query<Entity, With<Up<Name>>> query(chain.subject.store, chain.parents());
      std::size_t visited = 0;
      const std::size_t failures = sweep_out_of_memory(
          chain.subject.memory,
          [&] {
            visited = 0;
            query.cascade().each([&](Entity) { ++visited; });
            CHECK(query.contains(query.first()));
          },
          [&] {
            CHECK(!chain.subject.store.iterating());
            CHECK(chain.subject.broken() == "");
          });
      CHECK(failures > 0);
      CHECK(visited == chain.count - 1);
    }
  }
  TEST_CASE("an entity's own value is not its ancestor's, and a nearer one hides those above") {
    for (const Layout layout : kLayouts) {
      CAPTURE(name_of_layout(layout));
      Subject subject(layout);
      const Entity top = subject.create({}, 1);
      const Entity middle = subject.create(top, 2);
      const Entity low = subject.create(middle, 3);
      for (const Entity entity : {top, low}) {
        ::new (subject.store.add(entity, subject.name).value) Name{entity.index()};
      }
      const Entity leaf = subject.create(low, 4);
      Query<Entity, Up<const Name>> query(subject.store, &subject.hierarchy.parents());
      query.each_block([&](std::span<const Entity> entities, const Up<const Name>::Span& names) {
        for (std::size_t row = 0; row < entities.size(); ++row) {
          const Entity entity = entities[row];
          const Entity expected = entity == leaf ? low : entity == top ? Entity() : top;
          CHECK(same(names[row], subject.store.find(expected, subject.name)));
        }
      });
      CHECK(query.contains(top));
      CHECK(query.count() == 4);
    }
  }
}

}  // namespace strata::test::up_test
