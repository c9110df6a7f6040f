#include "../../storage/changes/move_log.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../support/failing_memory.hpp"

namespace strata::test::move_log_test {

using namespace detail;

namespace {

std::vector<std::uint32_t> entries_of(const MoveLog& log) {
  return {log.entries().begin(), log.entries().end()};
}

}  // namespace

TEST_SUITE("storage/move_log") {
  TEST_CASE("what is recorded can be read, in order, until it is cleared") {
    MoveLog log(std::pmr::new_delete_resource());
    log.reserve(1);
    CHECK(log.empty());
    for (const std::uint32_t index : {7u, 3u, 7u}) log.record(index);
    CHECK(!log.empty());
    CHECK(!log.overflowed());
    CHECK(entries_of(log) == std::vector<std::uint32_t>{7, 3, 7});
    log.clear();
    CHECK(log.empty());
    CHECK(log.entries().empty());
  }
  TEST_CASE("a log that never had room knows nothing of what was recorded") {
    MoveLog log(std::pmr::new_delete_resource());
    log.record(1);
    CHECK(log.overflowed());
    CHECK(!log.empty());
    CHECK(log.entries().empty());
    log.clear();
    CHECK(log.empty());
  }
  TEST_CASE("a full log gives up its entries, and says so until it is cleared") {
    FailingMemory memory;
    MoveLog log(&memory);
    log.reserve(1);
    memory.fail_at(1);
    std::uint32_t recorded = 0;
    while (!log.overflowed()) log.record(recorded++);
    CHECK(recorded > 256);
    CHECK(log.entries().empty());
    log.record(5);
    CHECK(log.entries().empty());
    CHECK(!log.empty());
    log.clear();
    log.record(6);
    CHECK(entries_of(log) == std::vector<std::uint32_t>{6});
  }
  TEST_CASE("what a log has given up does not come back with more room, or less") {
    MoveLog log(std::pmr::new_delete_resource());
    log.reserve(80'000);
    for (std::uint32_t i = 0; !log.overflowed(); ++i) log.record(i);
    log.reserve(160'000);
    log.record(3);
    CHECK(log.overflowed());
    CHECK(log.entries().empty());
    log.shrink(800);
    CHECK(log.memory_use() == MemoryUse{0, 1024});
    log.record(4);
    CHECK(log.entries().empty());
    log.clear();
    log.record(5);
    CHECK(entries_of(log) == std::vector<std::uint32_t>{5});
  }
  TEST_CASE("a large world has room for an eighth of its entities") {
    MoveLog log(std::pmr::new_delete_resource());
    log.reserve(80'000);
    for (std::uint32_t i = 0; i < 10'000; ++i) log.record(i);
    CHECK(!log.overflowed());
    CHECK(log.entries().size() == 10'000);
  }
  TEST_CASE("more room keeps the entries, and so does the lack of memory for it") {
    FailingMemory memory;
    MoveLog log(&memory);
    log.reserve(1);
    log.record(9);
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { log.reserve(100'000); },
        [&] { CHECK(entries_of(log) == std::vector<std::uint32_t>{9}); });
    CHECK(failures == 1);
    CHECK(entries_of(log) == std::vector<std::uint32_t>{9});
  }
  TEST_CASE("shrink keeps the entries, and room for a world of that size") {
    FailingMemory memory;
    MoveLog log(&memory);
    log.reserve(80'000);
    for (std::uint32_t index = 0; index < 1000; ++index) log.record(index);
    log.shrink(800);
    CHECK(log.entries().size() == 1000);
    CHECK(log.memory_use() == MemoryUse{4000, 4000});
    log.clear();
    log.shrink(800);
    CHECK(log.memory_use() == MemoryUse{0, 1024});
    CHECK(memory.bytes() == 1024);
  }
}

}  // namespace strata::test::move_log_test
