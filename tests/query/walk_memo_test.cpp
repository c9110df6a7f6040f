#include "../../query/matching/walk_memo.hpp"

#include <doctest/doctest.h>

#include <map>
#include <utility>
#include <vector>

#include "../support/failing_memory.hpp"

namespace strata::test::walk_memo_test {

using namespace detail;

TEST_SUITE("query/walk_memo") {
  TEST_CASE("what was remembered for a node and a component is found, null included, and nothing else") {
    FailingMemory memory;
    {
      WalkMemo memo(&memory);
      const void* value = &memory;
      CHECK(!memo.find(0, ComponentId{0}, value));
      CHECK(memory.allocations() == 0);
      std::vector<int> values(5000);
      for (std::uint32_t i = 0; i < values.size(); ++i) {
        memo.insert(i * 16, ComponentId{i % 3}, i % 5 == 0 ? nullptr : &values[i]);
      }
      CHECK(memo.size() == values.size());
      bool right = true;
      for (std::uint32_t i = 0; i < values.size(); ++i) {
        value = &memory;
        right = right && memo.find(i * 16, ComponentId{i % 3}, value);
        right = right && value == (i % 5 == 0 ? nullptr : &values[i]);
        right = right && !memo.find(i * 16, ComponentId{i % 3 + 1}, value);
        right = right && !memo.find(i * 16 + 1, ComponentId{i % 3}, value);
      }
      CHECK(right);
      memo.insert(32, ComponentId{2}, &memory);
      CHECK(memo.size() == values.size());
      CHECK(memo.find(32, ComponentId{2}, value));
      CHECK(value == &memory);
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
  TEST_CASE("without memory for more, what is remembered stays") {
    FailingMemory memory;
    WalkMemo memo(&memory);
    std::uint32_t next = 0;
    const auto fill = [&] {
      while (next < 500) {
        memo.insert(next, ComponentId{0}, &memory);
        ++next;
      }
    };
    const std::size_t failures = sweep_out_of_memory(memory, fill, [&] {
      CHECK(memo.size() == next);
      const void* value = nullptr;
      for (std::uint32_t node = 0; node < next; ++node) CHECK(memo.find(node, ComponentId{0}, value));
    });
    CHECK(failures > 0);
    CHECK(memo.size() == 500);
  }
}

}  // namespace strata::test::walk_memo_test
