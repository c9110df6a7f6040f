#include "../../storage/sorting/array_moves.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace strata::test::array_moves_test {

using namespace detail;

namespace {

std::vector<std::uint32_t> count_to(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

}  // namespace

TEST_SUITE("storage/array_moves") {
  TEST_CASE("rotating an array equals std::rotate, whichever part is the shorter") {
    for (std::ptrdiff_t middle = 0; middle <= 9; ++middle) {
      std::vector<std::uint32_t> numbers = count_to(9);
      std::vector<std::uint32_t> expected = numbers;
      std::vector<std::uint32_t> held(5);
      rotate_array(numbers.data(), numbers.data() + middle, numbers.data() + 9, held.data());
      std::rotate(expected.begin(), expected.begin() + middle, expected.end());
      CHECK(numbers == expected);
    }
  }
  TEST_CASE("the first or last value passes the others") {
    for (std::uint32_t count = 1; count < 6; ++count) {
      for (const bool last_goes_first : {false, true}) {
        std::vector<std::uint32_t> numbers = count_to(6);
        std::vector<std::uint32_t> expected = numbers;
        pass_one<sizeof(std::uint32_t)>(reinterpret_cast<std::byte*>(numbers.data()), count, last_goes_first);
        std::rotate(expected.begin(), expected.begin() + (last_goes_first ? count - 1 : 1),
                    expected.begin() + count);
        CHECK(numbers == expected);
      }
    }
  }
  TEST_CASE("values are copied in the order of their old positions") {
    const std::vector<std::uint32_t> values{10, 11, 12, 13};
    std::vector<std::uint32_t> copies(4);
    const std::vector<std::uint32_t> order{2, 0, 3, 1};
    copy_in_order<sizeof(std::uint32_t)>(order, reinterpret_cast<std::byte*>(copies.data()),
                                         [&](std::uint32_t position) { return &values[position]; });
    CHECK(copies == std::vector<std::uint32_t>{12, 10, 13, 11});
  }
}

}  // namespace strata::test::array_moves_test
