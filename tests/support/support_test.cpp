#include <doctest/doctest.h>

#include <cstring>

#include "components.hpp"
#include "failing_memory.hpp"
#include "model_test.hpp"

using namespace strata::test;

namespace {

// Fails once the script holds a 7 followed, later, by a 3.
Disagreement seven_then_three(Bytes& bytes, Log& log) {
  bool seven = false;
  while (bytes.turn()) {
    const std::size_t choice = bytes.below(10);
    log("choose ", choice);
    if (choice == 3 && seven) return "a 3 came after a 7";
    seven = seven || choice == 7;
  }
  return {};
}

Disagreement never(Bytes& bytes, Log&) {
  while (bytes.turn()) bytes.below(10);
  return {};
}

Disagreement throws(Bytes&, Log&) {
  throw std::runtime_error("broken");
}

}  // namespace

TEST_SUITE("support/model_test") {
  TEST_CASE("a failure is shrunk to the fewest operations") {
    const auto failure = find_failure(seven_then_three);
    REQUIRE(failure);
    CHECK(failure->log == std::vector<std::string>{"choose 7", "choose 3"});
    CHECK(failure->disagreement == "a 3 came after a 7");
  }
  TEST_CASE("agreement is no failure") {
    CHECK(!find_failure(never));
  }
  TEST_CASE("an exception is a disagreement") {
    const auto failure = find_failure(throws);
    REQUIRE(failure);
    CHECK(failure->disagreement == "an exception left the test: broken");
  }
  TEST_CASE("each turn begins where it should, and only the end of the input yields zeros") {
    std::vector<std::uint8_t> input(Bytes::kTurn, 9);
    input.push_back(5);
    Bytes bytes(input);
    REQUIRE(bytes.turn());
    CHECK(bytes.below(10) == 9);
    REQUIRE(bytes.turn());
    CHECK(bytes.below(10) == 5);
    CHECK(bytes.below(10) == 0);
    CHECK(!bytes.turn());
    CHECK(bytes.below(10) == 0);
  }
  TEST_CASE("a test that asks more of a turn than it holds is told so") {
    const std::vector<std::uint8_t> input(Bytes::kTurn, 9);
    Bytes bytes(input);
    REQUIRE(bytes.turn());
    for (std::size_t i = 0; i < Bytes::kTurn; ++i) (void)bytes.below(10);
    CHECK_THROWS_AS((void)bytes.below(10), std::logic_error);
  }
}

TEST_SUITE("support/components") {
  TEST_CASE("a counted value that is not destroyed is a leak") {
    const CountedScope scope;
    alignas(Counted) std::byte memory[sizeof(Counted)];
    auto* value = new (memory) Counted(1);
    CHECK(scope.leaked() == 1);
    std::destroy_at(value);
    CHECK(scope.clean());
  }
  TEST_CASE("a counted value that was copied as bytes is a misuse") {
    const CountedScope scope;
    const Counted value(1);
    alignas(Counted) std::byte memory[sizeof(Counted)];
    std::memcpy(memory, static_cast<const void*>(&value), sizeof(Counted));
    (void)std::launder(reinterpret_cast<Counted*>(memory))->value();
    CHECK(scope.misuses() == 1);
  }
  TEST_CASE("a value that was moved from is a misuse to read, and none to assign or destroy") {
    const CountedScope scope;
    Counted from(1);
    const Counted to(std::move(from));
    CHECK(to.value() == 1);
    CHECK(scope.misuses() == 0);
    (void)from.value();
    CHECK(scope.misuses() == 1);
    from = Counted(2);
    CHECK(from.value() == 2);
    CHECK(scope.misuses() == 1);
  }
}

TEST_SUITE("support/failing_memory") {
  TEST_CASE("the nth allocation fails, and all later ones until told otherwise") {
    FailingMemory memory;
    memory.fail_at(2);
    void* first = memory.allocate(8);
    CHECK_THROWS_AS((void)memory.allocate(8), std::bad_alloc);
    CHECK_THROWS_AS((void)memory.allocate(8), std::bad_alloc);
    memory.never_fail();
    CHECK(memory.bytes() == 8);
    memory.deallocate(first, 8);
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
  TEST_CASE("a release that differs from its allocation is a complaint") {
    FailingMemory memory;
    void* piece = memory.allocate(8);
    memory.deallocate(piece, 16);
    CHECK(!memory.complaint().empty());
  }
  TEST_CASE("a sweep fails each allocation once") {
    FailingMemory memory;
    std::size_t unchanged = 0;
    const std::size_t failures = sweep_out_of_memory(
        memory,
        [&] {
          std::pmr::vector<int> a(3, &memory);
          std::pmr::vector<int> b(3, &memory);
        },
        [&] { ++unchanged; });
    CHECK(failures == 2);
    CHECK(unchanged == 2);
  }
}
