// What is left of a world when a visit on several threads fails: functions that throw, bad executors.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"
#include "parallel_passes.hpp"

namespace strata::test::parallel_failures_test {

using namespace parallel;

namespace {

/// Lets a pass throw at some entities: chosen by a seed.
void throw_at_random(Pass pass, std::uint32_t seed, std::size_t workers) {
  Scene scene(seed);
  InlineExecutor inline_executor;
  std::vector<Entity> order;
  Scene serial(seed);  // Of the same handles.
  pass(serial, inline_executor, 4, [&](Entity entity) { order.push_back(entity); });
  const auto throws = [&](Entity entity) { return (entity.index() * 2654435761u + seed * 97) % 64 < 4; };
  const auto first = std::find_if(order.begin(), order.end(), throws);
  ThreadExecutor executor(workers, {seed});
  std::vector<std::atomic<bool>> visited(scene.entities.size() + 1);
  std::string thrown;
  try {
    pass(scene, executor, 1 + seed % 9, [&](Entity entity) {
      if (throws(entity)) throw std::runtime_error(to_string(entity));
      visited[entity.index()] = true;
    });
  } catch (const std::runtime_error& error) {
    thrown = error.what();
  }
  CHECK(thrown == (first != order.end() ? to_string(*first) : ""));
  CHECK(std::all_of(order.begin(), first, [&](Entity entity) { return visited[entity.index()].load(); }));
  CHECK(scene.world.commands().empty());
  scene.check_whole();
  pass(scene, executor, 4, [](Entity) {});
  CHECK(scene.list() == serial.list());
}

/// An executor that does something else in the place of parallel_for.
class BadExecutor final : public Executor {
 public:
  using Function = void (*)(std::size_t count, RangeFunction body, std::vector<RangeFunction>& kept);
  explicit BadExecutor(Function function, std::size_t index = 0) : function_(function), index_(index) {}
  std::size_t worker_count() const noexcept override { return 2; }
  std::size_t worker_index() const noexcept override { return index_; }
  void parallel_for(std::size_t count, std::size_t, RangeFunction body) override {
    function_(count, std::move(body), kept);
  }
  std::vector<RangeFunction> kept;

 private:
  Function function_;
  std::size_t index_;
};

struct BadCase {
  const char* sentence;
  BadExecutor::Function function;
  std::size_t index = 0;
};
const BadCase kBadCases[] = {
    {"a number twice",
     [](std::size_t count, RangeFunction body, auto&) {
       std::thread other([&] { body(0, count); });
       body(0, count);
       other.join();
     }},
    {"a number twice",
     [](std::size_t count, RangeFunction body, auto&) { body(0, count), body(count / 2, count); }},
    {"did not hand out all numbers", [](std::size_t, RangeFunction, auto&) {}},
    {"did not hand out all numbers", [](std::size_t count, RangeFunction body, auto&) { body(1, count); }},
    {"not within the numbers", [](std::size_t count, RangeFunction body, auto&) { body(0, count + 7); }},
    {"not within the numbers", [](std::size_t count, RangeFunction body, auto&) { body(count, 0); }},
    {"none of its workers", [](std::size_t count, RangeFunction body, auto&) { body(0, count); }, 2},
};

}  // namespace

TEST_SUITE("api/parallel_failures") {
  TEST_CASE("a visit by several threads that throws at any row passes on the first, and the world is whole") {
    for (std::uint32_t seed = 1; seed < 90; ++seed) {
      throw_at_random(kPasses[seed % kPasses.size()], seed,
                      std::array<std::size_t, 4>{1, 2, 3, 8}[seed / 10 % 4]);
    }
  }

  TEST_CASE(
      "a bad executor of several threads breaks a contract of each kind of visit, and the world is whole") {
    for (const BadCase& bad : kBadCases) {
      for (const Pass pass : kPasses) {
        Scene scene;
        BadExecutor executor(bad.function, bad.index);
        std::vector<std::atomic<int>> visits(scene.entities.size() + 1);
        const std::string sentence =
            refusal([&] { pass(scene, executor, 4, [&](Entity entity) { ++visits[entity.index()]; }); });
        CHECK(says(sentence, bad.sentence));
        for (const std::atomic<int>& times : visits) CHECK(times <= 1);
        scene.check_whole();
        InlineExecutor good;
        pass(scene, good, 4, [](Entity) {});
        scene.check_whole();
      }
    }
  }

  TEST_CASE(
      "an executor that keeps the function of a visit and calls it later is refused, and visits nothing") {
    for (const Pass pass : kPasses) {
      Scene scene;
      BadExecutor executor([](std::size_t count, RangeFunction body, std::vector<RangeFunction>& kept) {
        body(0, count);
        kept.push_back(std::move(body));
      });
      std::atomic<int> visits = 0;
      pass(scene, executor, 4, [&](Entity) { ++visits; });
      const int visited = visits;
      CHECK(!executor.kept.empty());
      for (const RangeFunction& kept : executor.kept) {
        CHECK(says(refusal([&] { kept(0, 2); }), "after parallel_for had returned"));
      }
      CHECK(visits == visited);
      scene.check_whole();
    }
  }

  TEST_CASE("a visit by several threads may visit other queries by several threads") {
    Scene scene;
    ThreadExecutor executor(3, {5});
    std::atomic<std::size_t> counted = 0;
    const World& reader = scene.world;
    scene.world.query<const Own>().par(executor, 16).each([&](const Own&) {
      ThreadExecutor inner(2, {3});
      reader.query<const Own>().par(inner, 32).each([&](const Own&) { ++counted; });
    });
    CHECK(counted == scene.entities.size() * scene.entities.size());
    scene.check_whole();
  }
}

}  // namespace strata::test::parallel_failures_test
