#include "../../core/plain_list.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <random>
#include <utility>
#include <vector>

#include "../../core/memory_use.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::plain_list_test {

using namespace detail;

namespace {

struct Value {
  int number = 7;
  char letter = 'x';
  friend bool operator==(const Value&, const Value&) = default;
};

struct Fixture {
  FailingMemory memory;
  PlainList<Value> list{&memory};

  static std::vector<Value> read(const PlainList<Value>& of) { return {of.begin(), of.end()}; }
};

// A list and a std::vector that are changed in the same ways.
struct Pair {
  FailingMemory memory;
  PlainList<std::uint32_t> list{&memory};
  std::vector<std::uint32_t> model;
  std::mt19937 random;

  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  }

  void change() {
    const auto value = static_cast<std::uint32_t>(random());
    const std::size_t size = below(40);
    switch (below(9)) {
      case 0:
        list.push_back(value);
        model.push_back(value);
        break;
      case 1:
        if (list.size() < list.capacity()) {
          CHECK(list.append(value) == value);
          model.push_back(value);
        }
        break;
      case 2:
        if (!model.empty()) {
          list.pop_back();
          model.pop_back();
        }
        break;
      case 3:
        list.resize(size, value);
        model.resize(size, value);
        break;
      case 4: {
        const std::size_t position = below(model.size() + 1);
        list.insert(position, value);
        model.insert(model.begin() + static_cast<std::ptrdiff_t>(position), value);
        break;
      }
      case 5: {
        const std::size_t first = below(model.size() + 1);
        const std::size_t last = first + below(model.size() - first + 1);
        list.erase(first, last);
        model.erase(model.begin() + static_cast<std::ptrdiff_t>(first),
                    model.begin() + static_cast<std::ptrdiff_t>(last));
        break;
      }
      case 6:
        list.assign(size, value);
        model.assign(size, value);
        break;
      case 7:
        list.reserve(size);
        break;
      case 8:
        list.shrink_to_fit();
        break;
    }
  }
  void check() const {
    CHECK(std::vector<std::uint32_t>(list.begin(), list.end()) == model);
    CHECK(list.empty() == model.empty());
    CHECK(list.capacity() >= list.size());
    CHECK(memory.bytes() == list.capacity() * sizeof(std::uint32_t));
    if (!model.empty()) {
      CHECK(list.front() == model.front());
      CHECK(list.back() == model.back());
    }
  }
};

}  // namespace

TEST_SUITE("core/plain_list") {
  TEST_CASE("a list behaves like a vector") {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      Pair pair;
      pair.random.seed(seed);
      for (int step = 0; step < 200; ++step) {
        pair.change();
        pair.check();
      }
    }
  }
  TEST_CASE_FIXTURE(Fixture, "an empty list has no memory") {
    CHECK(list.data() == nullptr);
    list.shrink_to_fit();
    list.resize(0);
    CHECK(list.begin() == list.end());
    CHECK(memory.allocations() == 0);
    list.push_back({});
    list.clear();
    list.shrink_to_fit();
    CHECK(list.data() == nullptr);
    CHECK(memory.blocks() == 0);
  }
  TEST_CASE_FIXTURE(Fixture, "values that are not given are those of the type's own initialisers") {
    list.resize(2);
    list.reserve(3);
    list.append();
    CHECK(read(list) == std::vector<Value>(3));
  }
  TEST_CASE_FIXTURE(Fixture, "a value of the list itself is appended while the list grows") {
    list.push_back({1, 'a'});
    list.shrink_to_fit();
    list.push_back(list.front());
    list.insert(0, list.back());
    CHECK(read(list) == std::vector<Value>(3, Value{1, 'a'}));
  }
  TEST_CASE_FIXTURE(Fixture, "a list that is moved or swapped keeps its values where they are") {
    list.push_back({1, 'a'});
    const Value* const place = list.data();
    PlainList<Value> moved(std::move(list));
    CHECK(moved.data() == place);
    CHECK(list.empty());  // NOLINT(bugprone-use-after-move): a list that was moved from is empty.
    list.push_back({2, 'b'});
    list = std::move(moved);
    CHECK(list.data() == place);
    CHECK(list.memory() == &memory);
    PlainList<Value> other(&memory);
    other.swap(list);
    CHECK(other.data() == place);
    CHECK(list.capacity() == 0);
  }
  TEST_CASE_FIXTURE(Fixture, "the memory of a list is that of its capacity") {
    list.reserve(5);
    list.push_back({});
    CHECK(memory_use_of(list) == MemoryUse{sizeof(Value), 5 * sizeof(Value)});
  }
  TEST_CASE_FIXTURE(Fixture, "out of memory leaves the list as it was") {
    list.push_back({1, 'a'});
    list.push_back({2, 'b'});
    const std::vector<Value> before = read(list);
    const auto refused = [&](auto change) {
      const std::size_t failures = sweep_out_of_memory(memory, change, [&] { CHECK(read(list) == before); });
      CHECK(failures == 1);
      list.resize(2);
      list.shrink_to_fit();
    };
    refused([&] { list.push_back({}); });
    refused([&] {
      list.insert(1, {});
      list.erase(1, 2);
    });
    refused([&] { list.resize(9); });
    refused([&] { list.reserve(9); });
    CHECK(read(list) == before);
  }
  TEST_CASE_FIXTURE(Fixture, "a list for which there is no smaller memory does not shrink") {
    list.reserve(9);
    list.push_back({1, 'a'});
    memory.fail_at(1);
    list.shrink_to_fit();
    CHECK(list.capacity() == 9);
    CHECK(read(list) == std::vector<Value>{{1, 'a'}});
  }
  TEST_CASE_FIXTURE(Fixture, "a size that no memory has is refused") {
    list.push_back({1, 'a'});
    CHECK_THROWS_AS(list.reserve(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
    CHECK(read(list) == std::vector<Value>{{1, 'a'}});
  }
}

}  // namespace strata::test::plain_list_test
