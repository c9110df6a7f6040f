#include "../../core/recording_owner.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace strata::test::recording_owner_test {

using namespace detail;

TEST_SUITE("core/recording_owner") {
  TEST_CASE("a second worker is found in the same call of an executor, and none in the next call") {
    constexpr std::array<int, 3> threads{};
    constexpr int counter = 0;
    RecordingOwner owner;
    const ExecutorCall first{&counter, 1};
    CHECK(owner.find_other(first, &threads[0], "add") == nullptr);
    CHECK(owner.find_other(first, &threads[0], "remove") == nullptr);
    REQUIRE(owner.find_other(first, &threads[1], "destroy") != nullptr);
    CHECK(std::string(owner.find_other(first, &threads[2], "destroy")) == "remove");
    CHECK(owner.find_other(first, &threads[0], "create") == nullptr);  // The owner may go on.
    CHECK(owner.find_other({&counter, 2}, &threads[1], "add") == nullptr);
    CHECK(std::string(owner.find_other({&counter, 2}, &threads[0], "add")) == "add");
    CHECK(owner.find_other({&threads, 2}, &threads[0], "add") == nullptr);  // Counted by another library.
  }

  TEST_CASE("outside of the calls of executors, no other worker is found") {
    constexpr std::array<int, 2> threads{};
    RecordingOwner owner;
    CHECK(owner.find_other({}, &threads[0], "add") == nullptr);
    CHECK(owner.find_other({}, &threads[1], "add") == nullptr);
    CHECK(owner.find_other({&threads, 1}, &threads[0], "add") == nullptr);
    CHECK(owner.find_other({}, &threads[1], "add") == nullptr);
    CHECK(owner.find_other({&threads, 1}, &threads[1], "add") == nullptr);
  }

  TEST_CASE("of several threads that record at the same time, exactly one owns the object") {
    RecordingOwner owner;
    for (std::uint64_t call = 1; call <= 20; ++call) {
      std::atomic<int> owners{0};
      std::vector<std::thread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
          const int own = 0;
          std::size_t found = 0;
          for (int turn = 0; turn < 50; ++turn)
            found += owner.find_other({&owner, call}, &own, "add") != nullptr ? 1u : 0u;
          if (found == 0) ++owners;
          CHECK((found == 0 || found == 50));
        });
      }
      for (std::thread& thread : threads) thread.join();
      CHECK(owners == 1);
    }
  }
}

}  // namespace strata::test::recording_owner_test
