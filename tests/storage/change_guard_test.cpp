#include "../../storage/changes/change_guard.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "../../core/contract.hpp"
#include "../../storage/changes/reading.hpp"

namespace strata::test::change_guard_test {

using namespace detail;

TEST_SUITE("storage/change_guard") {
  TEST_CASE(
      "iterations in the thread that made the guard, and nested ones, refuse changes until the last has "
      "ended") {
    const ChangeGuard guard;
    const bool outer = guard.begin_iteration();
    const bool inner = guard.begin_iteration();
    guard.end_iteration(inner);
    CHECK(guard.iterating());
    CHECK_FALSE(guard.undisturbed());
    CHECK_THROWS_AS(guard.require_unlocked("create", Entity()), ContractViolation);
    guard.end_iteration(outer);
    CHECK_FALSE(guard.locked());
    CHECK(guard.undisturbed());
    guard.require_unlocked("create", Entity());
  }

  TEST_CASE("what was recorded during something that has ended belongs to nothing that begins later") {
    const ChangeGuard guard;
    const auto record_during_operation = [&] {
      const ChangeGuard::Operation operation(guard, "sort");
      guard.mark_recorded();
    };
    record_during_operation();
    CHECK(guard.take_recorded());
    record_during_operation();
    guard.require_unlocked("create", Entity());
    CHECK_FALSE(guard.take_recorded());
    record_during_operation();
    guard.begin_replacement();
    CHECK_FALSE(guard.take_recorded());
    record_during_operation();
    guard.end_iteration(guard.begin_iteration());
    CHECK_FALSE(guard.take_recorded());
    const bool iteration = guard.begin_iteration();
    guard.mark_recorded();
    guard.begin_replacement();
    CHECK(guard.has_pending());
    guard.end_iteration(iteration);
  }

  TEST_CASE("an iteration in another thread refuses changes in the one that made the guard") {
    const ChangeGuard guard;
    std::atomic<bool> has_begun = false;
    std::atomic<bool> may_end = false;
    std::thread other([&] {
      const bool is_own = guard.begin_iteration();
      has_begun = true;
      while (!may_end) std::this_thread::yield();
      guard.end_iteration(is_own);
    });
    while (!has_begun) std::this_thread::yield();
    const bool own = guard.begin_iteration();
    guard.end_iteration(own);
    CHECK(guard.locked());
    CHECK_THROWS_AS(guard.require_unlocked("create", Entity()), ContractViolation);
    may_end = true;
    other.join();
    CHECK_FALSE(guard.locked());
  }

  TEST_CASE("iterations that begin and end at once in several threads are all counted") {
    const ChangeGuard guard;
    const auto iterate = [&guard] {
      for (std::uint32_t i = 0; i < 20'000; ++i) {
        const bool outer = guard.begin_iteration();
        const bool inner = guard.begin_iteration();
        guard.end_iteration(inner);
        guard.end_iteration(outer);
      }
    };
    std::vector<std::thread> readers;
    for (std::size_t i = 0; i < 3; ++i) readers.emplace_back(iterate);
    iterate();
    for (std::thread& reader : readers) reader.join();
    CHECK_FALSE(guard.locked());
  }

  TEST_CASE("an iteration refuses to begin while values move, in whichever thread, and is not counted then") {
    const ChangeGuard guard;
    {
      const ChangeGuard::Moving moving(guard);
      CHECK_THROWS_AS(static_cast<void>(guard.begin_iteration()), ContractViolation);
      std::thread([&] {
        CHECK_THROWS_AS(static_cast<void>(guard.begin_iteration()), ContractViolation);
      }).join();
    }
    CHECK_FALSE(guard.locked());
  }

  TEST_CASE("a reader that is refused learns which condition does not hold") {
    static std::string condition;
    const ContractHandler before = set_contract_handler([](const ContractFailure& failure) {
      condition = failure.condition;
      throw ContractViolation(failure.message);
    });
    const ChangeGuard guard;
    {
      const ChangeGuard::Operation operation(guard, "add");
      const ChangeGuard::Moving moving(guard);
      CHECK_THROWS_AS(guard.require_whole(), ContractViolation);
      CHECK(condition == "!moving()");
      CHECK_THROWS_WITH_AS(Reading(guard, "digest", ReadableWhile::rows_whole),
                           "digest while add is under way: wait until that has ended", ContractViolation);
      CHECK(condition == "!in_operation() && !moving()");
    }
    {
      const ChangeGuard::Operation operation(guard, "an observer");
      CHECK_THROWS_WITH_AS(Reading(guard, "save", ReadableWhile::entities_complete),
                           "save while an observer is under way: wait until that has ended",
                           ContractViolation);
      const Reading reading(guard, "digest", ReadableWhile::rows_whole);
      CHECK(guard.iterating());
    }
    CHECK_FALSE(guard.locked());
    set_contract_handler(before);
  }
}

}  // namespace strata::test::change_guard_test
