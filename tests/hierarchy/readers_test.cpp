#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::readers_test {

using namespace detail;

namespace {

constexpr std::size_t kReaders = 4;

/// A tree of several thousand nodes in several archetypes, which the readers' queries match in part.
struct Changing {
  Subject subject;
  std::vector<Entity> entities;

  explicit Changing(Layout layout) : subject(layout, 8) {
    for (std::uint32_t i = 0; i < 4000; ++i) {
      const Entity parent = i < 3 ? Entity() : entities[i * 7919 % (i / 3 + 1)];
      entities.push_back(subject.create(parent, static_cast<int>(i % 1000), i % 3 == 0));
    }
  }

  /// Moves rows, parents' rows and whole subtrees about.
  void change(std::uint32_t round) {
    for (std::uint32_t i = 0; i < 40; ++i) {
      const Entity entity = entities[(round * 131 + i * 97) % entities.size()];
      const Entity other = entities[(round * 17 + i * 389) % entities.size()];
      if (i % 4 == 0) subject.toggle_tag(entity);
      if (i % 4 != 0) (void)subject.hierarchy.set_parent(entity, other);
    }
    if (round % 3 == 0) subject.hierarchy.defragment(1000);
  }

  std::int64_t expected() const {
    std::int64_t sum = 0;
    for (const Entity entity : entities) {
      const Entity parent = subject.hierarchy.parent(entity);
      const auto* above = static_cast<const Health*>(subject.store.find(parent, subject.health));
      const auto* own = static_cast<const Health*>(subject.store.find(entity, subject.health));
      sum += own->points * (above != nullptr ? above->points + 1 : 1);
    }
    return sum;
  }
};

/// The queries of one reader: no query object is shared.
struct Reader {
  Query<const Health, Parent<const Health>, With<Frozen>> frozen;
  Query<const Health, Parent<const Health>, Without<Frozen>> others;
  std::int64_t sum = 0;

  Reader(Store& store, const Relation* parents) : frozen(store, parents), others(store, parents) {}

  void read(Direction direction, bool frozen_first) {
    sum = 0;
    const auto add = [&](const Health& own, const Health* above) {
      sum += own.points * (above != nullptr ? above->points + 1 : 1);
    };
    if (frozen_first) frozen.cascade(direction).each(add);
    others.cascade(direction).each(add);
    if (!frozen_first) frozen.cascade(direction).each(add);
  }
};

void check_readers(Layout layout) {
  CAPTURE(name_of_layout(layout));
  Changing world(layout);
  std::vector<Reader> readers(kReaders, Reader(world.subject.store, &world.subject.hierarchy.parents()));
  for (std::uint32_t round = 0; round < 20; ++round) {
    world.change(round);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kReaders; ++i) {
      threads.emplace_back(
          [&reader = readers[i], i] { reader.read(i % 2 == 0 ? down : up, i < kReaders / 2); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Reader& reader : readers) CHECK(reader.sum == world.expected());
  }
  CHECK(world.subject.broken() == "");
}

}  // namespace

TEST_SUITE("hierarchy/readers") {
  // What this shows, the thread sanitizer judges: meson setup <folder> -Db_sanitize=thread -Db_lundef=false
  TEST_CASE("several threads cascade over a world that has just changed") {
    for (const Layout layout : kLayouts) check_readers(layout);
  }
}

}  // namespace strata::test::readers_test
