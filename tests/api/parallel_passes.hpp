// A world and visits of it on several threads, for the tests in which these fail.
#pragma once

#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <thread>
#include <vector>

namespace strata::test::parallel {

struct Own {
  std::uint32_t value = 0;
};
/// Tracked for each row.
struct Total {
  std::uint32_t value = 0;
};
/// In the side store.
struct Weight {
  std::uint32_t value = 0;
};
struct Marked {};

}  // namespace strata::test::parallel

template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::parallel::Total> = strata::Tracking::rows;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::parallel::Weight> = strata::Storage::sparse;

namespace strata::test::parallel {

/// Memory of a world that only the thread which made it may use.
class OneThreadMemory final : public std::pmr::memory_resource {
 public:
  bool was_misused() const { return misused_; }

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    if (std::this_thread::get_id() != thread_) misused_ = true;
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* address, std::size_t size, std::size_t alignment) override {
    if (std::this_thread::get_id() != thread_) misused_ = true;
    std::pmr::new_delete_resource()->deallocate(address, size, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::thread::id thread_ = std::this_thread::get_id();
  std::atomic<bool> misused_ = false;
};

/// A forest of short chains, and a chain that is longer than what a search for ancestors finds without memory.
struct Scene {
  OneThreadMemory memory;
  World world;
  std::vector<Entity> entities;

  explicit Scene(std::uint32_t seed = 1)
      : world({.memory = &memory, .defragmentation = Defragmentation::manual}) {
    for (std::uint32_t root = 0; root < 24; ++root)
      add_chain(root, root == seed % 24 ? 70 : 1 + root * seed % 4);
  }

  void add_chain(std::uint32_t root, std::uint32_t length) {
    for (std::uint32_t depth = 0; depth < length; ++depth) {
      const auto number = static_cast<std::uint32_t>(entities.size());
      const Entity entity = depth == 0 ? world.create(Own{root}, Total{})
                                       : world.create(child_of(entities.back()), Own{number}, Total{});
      if ((depth == 0 && root % 2 == 0) || number % 7 == 0) world.add(entity, Weight{number});
      if (number % 5 == 0) world.add(entity, Marked{});
      entities.push_back(entity);
    }
  }

  std::vector<std::uint64_t> list() {
    std::vector<std::uint64_t> found;
    for (const Entity entity : entities) {
      const World& reader = world;
      const auto value = [](const auto* of) -> std::uint64_t { return of != nullptr ? of->value + 1 : 0; };
      found.insert(found.end(), {reader.alive(entity), value(reader.find<Own>(entity)),
                                 value(reader.find<Total>(entity)), value(reader.find<Weight>(entity))});
    }
    return found;
  }

  /// Checks that nothing is locked and everything is whole.
  void check_whole() {
    world.destroy(world.create(Own{}));
    const Outcome sound = world.validate();
    CHECK_MESSAGE(sound, sound.message());
    CHECK(!memory.was_misused());
  }
};

/// What a visit does for each row: it may throw.
using Met = std::function<void(Entity)>;
/// Visits the rows of a scene; a second visit changes nothing more.
using Pass = void (*)(Scene& scene, Executor& executor, std::size_t grain, const Met& met);

inline void set_totals(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  scene.world.query<Entity, const Own, Total>()
      .par(executor, grain)
      .each([&](Entity entity, const Own& own, Total& total) { met(entity), total.value = own.value * 3; });
}
inline void cascade_totals(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  auto query = scene.world.query<Entity, const Own, Total, Parent<const Total>>();
  query.cascade()
      .par(executor, grain)
      .each([&](Entity entity, const Own& own, Total& total, const Total* parent) {
        met(entity);
        total.value = own.value + (parent != nullptr ? parent->value : 0);
      });
}
inline void cascade_up(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  auto query = scene.world.query<Entity, Total, Parent<const Own>, Without<Weight>>();
  query.cascade(up).par(executor, grain).each([&](Entity entity, Total& total, const Own* parent) {
    met(entity);
    total.value = parent != nullptr ? parent->value : 17;
  });
}
/// The last child by row wins.
inline void fold_up(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  auto query = scene.world.query<Entity, const Own, Parent<Total>>();
  query.cascade(up).par(executor, grain).each([&](Entity entity, const Own& own, Total* parent) {
    met(entity);
    if (parent != nullptr) parent->value = own.value;
  });
}
inline void find_above(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  scene.world.query<Entity, Total, Up<const Weight>>()
      .par(executor, grain)
      .each([&](Entity entity, Total& total, const Weight* weight) {
        met(entity);
        total.value = weight != nullptr ? weight->value : 5;
      });
}
inline void below_weights(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  scene.world.query<Entity, Total, With<Up<Weight>>>()
      .par(executor, grain)
      .each([&](Entity entity, Total& total) { met(entity), total.value = entity.index(); });
}
inline void set_blocks(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  scene.world.query<Entity, const Own, Total>()
      .par(executor, grain)
      .each_block([&](std::span<const Entity> entities, std::span<const Own> owns, std::span<Total> totals) {
        for (std::size_t i = 0; i < entities.size(); ++i) met(entities[i]), totals[i].value = owns[i].value;
      });
}
inline void set_members(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  scene.world.query<Entity, Weight, Maybe<const Own>>()
      .par(executor, grain)
      .each([&](Entity entity, Weight& weight, const Own* own) {
        met(entity);
        weight.value = own != nullptr ? own->value : 2;
      });
}
inline void set_given(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  scene.world.query<Entity, Total, Maybe<const Weight>>()
      .par(executor, grain)
      .each_of(scene.entities, [&](Entity entity, Total& total, const Weight* weight) {
        met(entity);
        total.value = weight != nullptr ? weight->value : 3;
      });
}
inline void set_either(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  scene.world.query<Entity, AnyOf<Marked, Weight>, Total>()
      .par(executor, grain)
      .each([&](Entity entity, Total& total) { met(entity), total.value = entity.index() + 9; });
}
inline void record(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  scene.world.query<Entity, const Own>()
      .par(executor, grain)
      .recording(scene.world.commands())
      .each([&](Recorder<Commands>& commands, Entity entity, const Own& own) {
        met(entity);
        if (own.value % 3 == 0) commands.add(entity, Weight{own.value});
        if (own.value % 4 == 1) commands.remove<Total>(entity);
        if (own.value % 13 == 12) commands.destroy(entity);
      });
}

/// Two systems that visit rows block by block, and one that follows ancestors.
inline void run_systems(Scene& scene, Executor& executor, std::size_t grain, const Met& met) {
  Schedule schedule(scene.world);
  schedule.set_executor(&executor, 4 * grain);
  schedule
      .add("own", [&](Entity entity, const Own& own, Total& total) { met(entity), total.value = own.value; })
      .par();
  schedule.add("twice", [](Total& total) { total.value *= 2; }).par().after("own");
  schedule
      .add<Total, Up<const Weight>>(
          "above", [](Total& total, const Weight* weight) { total.value += weight != nullptr; })
      .par()
      .after("twice");
  schedule.run();
}

inline constexpr std::array<Pass, 12> kPasses = {set_totals, cascade_totals, cascade_up, fold_up,
                                                 find_above, below_weights,  set_blocks, set_members,
                                                 set_given,  set_either,     record,     run_systems};

}  // namespace strata::test::parallel
