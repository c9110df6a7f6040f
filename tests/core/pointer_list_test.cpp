#include "../../core/pointer_list.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "../support/failing_memory.hpp"

namespace strata::test::pointer_list_test {

using namespace detail;

namespace {

struct Fixture {
  FailingMemory memory;
  PointerList<const int> list{&memory};
  std::array<int, 5> numbers{0, 1, 2, 3, 4};

  void append(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      list.reserve(i + 1);
      list.push_back(&numbers[i]);
    }
  }
  static std::vector<int> read(const PointerList<const int>& of) {
    std::vector<int> found;
    for (const int* const number : std::span<const int* const>(of)) found.push_back(*number);
    return found;
  }
};

}  // namespace

TEST_SUITE("core/pointer_list") {
  TEST_CASE("the memory of a list is what it has outside of itself") {
    PointerList<int> list(std::pmr::get_default_resource());
    int number = 0;
    list.push_back(&number);
    CHECK(list.memory_use() == MemoryUse{});
    list.reserve(4);
    CHECK(list.memory_use() == MemoryUse{sizeof(int*), 4 * sizeof(int*)});
  }
  TEST_CASE_FIXTURE(Fixture, "one pointer takes no memory of its own") {
    append(1);
    CHECK(read(list) == std::vector{0});
    CHECK(memory.allocations() == 0);
    list.pop_back();
    CHECK(list.empty());
    list.push_back(&numbers[3]);
    CHECK(*list.back() == 3);
    CHECK(memory.allocations() == 0);
  }
  TEST_CASE_FIXTURE(Fixture, "pointers keep their order while the list grows and shrinks") {
    append(5);
    CHECK(read(list) == std::vector{0, 1, 2, 3, 4});
    list[1] = list.back();
    list.pop_back();
    CHECK(read(list) == std::vector{0, 4, 2, 3});
    list.shrink_to_fit();
    CHECK(read(list) == std::vector{0, 4, 2, 3});
    CHECK(memory.bytes() == 4 * sizeof(int*));
    for (int i = 0; i < 3; ++i) list.pop_back();
    list.shrink_to_fit();
    CHECK(read(list) == std::vector{0});
    CHECK(memory.blocks() == 0);
  }
  TEST_CASE_FIXTURE(Fixture, "a list that is moved leaves an empty one behind") {
    for (const std::size_t count : {1u, 3u}) {
      append(count);
      PointerList<const int> moved(std::move(list));
      CHECK(moved.size() == count);
      CHECK(*moved.back() == static_cast<int>(count) - 1);
      CHECK(list.empty());
    }
    append(2);
    CHECK(read(list) == std::vector{0, 1});
  }
  TEST_CASE_FIXTURE(Fixture, "out of memory leaves the list as it was") {
    append(1);
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { list.reserve(4); }, [&] { CHECK(read(list) == std::vector{0}); });
    CHECK(failures == 1);
    CHECK(list.capacity() == 4);
    CHECK(read(list) == std::vector{0});
  }
}

}  // namespace strata::test::pointer_list_test
