// A random program with rollbacks, parallel visits and a schedule ends in the same world with every compiler, in every
// build, for any number of workers: its digest is written down here.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "../support/thread_executor.hpp"

namespace strata::test::pinned_results_test {
namespace {

struct Local {
  std::int32_t x = 0;
};
struct Global {
  std::int32_t x = 0;
};
struct Hits {
  std::uint32_t count = 0;
};
struct Marked {};
struct Likes {};

}  // namespace
}  // namespace strata::test::pinned_results_test

namespace pinned = strata::test::pinned_results_test;
template <>
inline constexpr auto strata::members_of<pinned::Local> = strata::Members{member("x", &pinned::Local::x)};
template <>
inline constexpr auto strata::members_of<pinned::Global> = strata::Members{member("x", &pinned::Global::x)};
template <>
inline constexpr auto strata::members_of<pinned::Hits> =
    strata::Members{member("count", &pinned::Hits::count)};
template <>
inline constexpr std::string_view strata::name_of<pinned::Local> = "Local";
template <>
inline constexpr std::string_view strata::name_of<pinned::Global> = "Global";
template <>
inline constexpr std::string_view strata::name_of<pinned::Hits> = "Hits";
template <>
inline constexpr std::string_view strata::name_of<pinned::Marked> = "Marked";
template <>
inline constexpr std::string_view strata::name_of<pinned::Likes> = "Likes";
template <>
inline constexpr strata::Storage strata::storage_of<pinned::Marked> = strata::Storage::sparse;
template <>
inline constexpr strata::Tracking strata::tracking_of<pinned::Local> = strata::Tracking::rows;

namespace strata::test::pinned_results_test {
namespace {

/// Changes the world at random: creates, destroys, re-parents and marks entities, and adds pairs.
void change(World& world, std::mt19937& random) {
  std::vector<Entity> all;
  world.query<Entity, const Local>().cascade().each(
      [&](Entity entity, const Local&) { all.push_back(entity); });
  const auto any = [&] { return all.empty() ? Entity() : all[random() % all.size()]; };
  for (int i = 0; i < 40; ++i) {
    const std::uint32_t what = random() % 8;
    const Entity entity = any();
    const auto number = static_cast<std::int32_t>(random() % 1'000);
    if (what < 3 || !world.alive(entity)) {
      const Entity parent = any();
      all.push_back(world.alive(parent) ? world.create(child_of(parent), Local{number}, Global{})
                                        : world.create(Local{number}, Global{}));
    } else if (what == 3 && random() % 4 == 0) {
      world.destroy(entity);
    } else if (what == 4) {
      if (const Entity parent = any(); world.alive(parent)) (void)world.set_parent(entity, parent);
    } else if (what == 5) {
      world.add(entity, Marked{});
      world.set(entity, Local{number});
    } else if (what == 6) {
      if (const Entity target = any(); world.alive(target) && target != entity)
        world.relations().add<Likes>(entity, target);
    } else {
      world.add(entity, Hits{static_cast<std::uint32_t>(number)});
    }
  }
}

/// Runs 60 frames. Every seven frames, goes back four frames and goes on from there.
/// Returns: the digest of the world after the last frame.
std::uint64_t run(Layout layout, Executor* executor) {
  World world({.layout = layout});
  History history(world);
  Schedule schedule(world);
  if (executor != nullptr) schedule.set_executor(executor);
  InlineExecutor inline_executor;
  Executor& workers = executor != nullptr ? *executor : inline_executor;
  schedule.add("place", [](Query<const Local, Global, Parent<const Global>>& places) {
    places.cascade().each([](const Local& local, Global& global, const Global* parent) {
      global.x = local.x + (parent != nullptr ? parent->x / 2 : 0);
    });
  });
  schedule.add("count", [](Hits& hits) { hits.count += hits.count % 7; }).par();
  auto moved = world.query<Entity, Local, const Global>();
  std::mt19937 random(7);
  for (int frame = 0; frame < 60; ++frame) {
    change(world, random);
    schedule.run(0.1);
    moved.par(workers, 16)
        .recording(world.commands())
        .each([](auto& recorder, Entity entity, Local& local, const Global& global) {
          local.x = (local.x * 3 + global.x) % 1'000;
          if (local.x % 50 == 0) recorder.template remove<Hits>(entity);
          if (local.x % 97 == 1) recorder.create(Local{local.x}, Global{});
        });
    REQUIRE(history.checkpoint());
    if (frame % 7 == 6) REQUIRE(history.restore(history.position() - 4));
  }
  CHECK(world.validate());
  CHECK(world.size() > 300);
  return digest(world);
}

}  // namespace

TEST_SUITE("api/pinned_results") {
  TEST_CASE("the same random program ends in the same world everywhere") {
    // Iterations visit entities in an order that depends on the layout, so the program differs with it.
    const std::pair<Layout, std::uint64_t> results[] = {{Layout::per_parent, 16100253551040015161u},
                                                        {Layout::per_level, 914301049409235645u},
                                                        {Layout::adaptive, 914301049409235645u}};
    for (const auto& expected : results) {
      const Layout layout = expected.first;
      const std::uint64_t result = expected.second;
      CAPTURE(static_cast<int>(layout));
      CHECK(run(layout, nullptr) == result);
      for (const std::size_t workers : {1u, 2u, 3u, 8u}) {
        CAPTURE(workers);
        ThreadExecutor executor(workers);
        CHECK(run(layout, &executor) == result);
      }
    }
  }
}

}  // namespace strata::test::pinned_results_test
