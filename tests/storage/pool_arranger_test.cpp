#include "../../storage/sorting/pool_arranger.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "pool_fixture.hpp"

namespace strata::test::pool_arranger_test {

using namespace detail;

namespace {

/// A value of so many numbers, all of which are the same.
template <std::size_t kNumbers>
struct Echo {
  std::array<int, kNumbers> numbers{};
  explicit Echo(int number = 0) { numbers.fill(number); }
};
template <std::size_t kNumbers>
int number_in(const Echo<kNumbers>& value) {
  const int number = value.numbers.front();
  return std::count(value.numbers.begin(), value.numbers.end(), number) == kNumbers ? number : -1;
}

/// A pool with members 0 to 39, whose values are their indices, beside what rotations should make of it.
template <class T>
struct RotatedPool : PoolFixture<T> {
  explicit RotatedPool(Removal removal, std::uint32_t page_bytes)
      : PoolFixture<T>({.removal = removal, .value_page_bytes = page_bytes}) {
    this->insert_range(0, 40);
    for (int i = 0; i < 40; ++i) expected.push_back(i);
  }

  void rotate(std::uint32_t first, std::uint32_t middle, std::uint32_t last) {
    PoolArranger(this->pool).rotate(first, middle, last);
    const auto begin = expected.begin();
    std::rotate(begin + first, begin + middle, begin + last);
  }

  /// Returns: whether members and values are where they should be.
  bool is_as_expected() const {
    for (std::uint32_t i = 0; i < expected.size(); ++i) {
      if (number_in(*static_cast<const T*>(this->pool.value_at(i))) != expected[i]) return false;
      if (this->pool.entities()[i] != Entity(static_cast<std::uint32_t>(expected[i]), 1)) return false;
    }
    return this->pool.check_invariants() == "";
  }

  std::vector<int> expected;
};

}  // namespace

TEST_SUITE("storage/pool_arranger") {
  TEST_CASE_TEMPLATE("one member passes others with its value, of whatever size, on one page or several", T,
                     Echo<1>, Echo<2>, Echo<3>, Echo<4>, Echo<5>) {
    for (const Removal removal : {Removal::swap_and_pop, Removal::stable}) {
      for (const std::uint32_t page_bytes : {64u, 16u * 1024}) {
        RotatedPool<T> f(removal, page_bytes);
        for (std::uint32_t count = 2; count <= 20; ++count) {
          for (std::uint32_t first = 0; first + count <= 40; first += 3) {
            f.rotate(first, first + 1, first + count);
            REQUIRE(f.is_as_expected());
            f.rotate(first, first + count - 1, first + count);
            f.rotate(first, first + count - 1, first + count);
            REQUIRE(f.is_as_expected());
          }
        }
      }
    }
  }
}

}  // namespace strata::test::pool_arranger_test
