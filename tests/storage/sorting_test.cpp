#include "../../storage/sorting/sorting.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace strata::test::sorting_test {

namespace {

/// Answers so that any one pivot is the worst (D. McIlroy, A Killer Adversary for Quicksort, 1999): what is
/// not decided yet is made small as late as possible.
class Adversary {
 public:
  explicit Adversary(int count) : values_(static_cast<std::size_t>(count), count) {}

  bool operator()(int a, int b) {
    ++comparisons;
    const int undecided = static_cast<int>(values_.size());
    if (value(a) == undecided && value(b) == undecided) value(a == candidate_ ? a : b) = solid_++;
    if (value(a) == undecided) {
      candidate_ = a;
    } else if (value(b) == undecided) {
      candidate_ = b;
    }
    return value(a) < value(b);
  }

  std::size_t comparisons = 0;

 private:
  int& value(int i) { return values_[static_cast<std::size_t>(i)]; }

  std::vector<int> values_;
  int candidate_ = 0;
  int solid_ = 0;
};

std::vector<int> counted_up(int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

}  // namespace

TEST_SUITE("storage/sorting") {
  TEST_CASE("quick sort sorts what std::sort sorts") {
    std::mt19937 random(3);
    for (const std::size_t count : {0u, 1u, 2u, 12u, 13u, 14u, 100u, 5000u}) {
      for (const unsigned different : {1u, 2u, 10u, 1'000'000u}) {
        std::vector<unsigned> numbers(count);
        for (unsigned& number : numbers) number = static_cast<unsigned>(random()) % different;
        std::vector<unsigned> expected = numbers;
        std::sort(expected.begin(), expected.end());
        sorting::QuickSort()(numbers.begin(), numbers.end(), std::less<>());
        REQUIRE(numbers == expected);
        sorting::QuickSort()(numbers.data(), numbers.data() + count, std::greater<>());
        REQUIRE(std::equal(numbers.rbegin(), numbers.rend(), expected.begin(), expected.end()));
      }
    }
  }
  TEST_CASE("quick sort takes O(n log n) comparisons of the worst order, too") {
    constexpr int kCount = 20'000;
    Adversary adversary(kCount);
    std::vector<int> numbers = counted_up(kCount);
    sorting::QuickSort()(numbers.begin(), numbers.end(), [&](int a, int b) { return adversary(a, b); });
    CHECK(std::is_sorted(numbers.begin(), numbers.end(), [&](int a, int b) { return adversary(a, b); }));
    CHECK(adversary.comparisons < std::size_t{kCount} * 15 * 6);
  }
  TEST_CASE("quick sort stays in range and loses nothing, whatever it is answered") {
    std::mt19937 random(3);
    const std::vector<int> all = counted_up(1000);
    std::vector<int> numbers = all;
    for (const unsigned one_in : {1u, 2u, 3u, 100u}) {
      sorting::QuickSort()(numbers.begin(), numbers.end(), [&](int, int) { return random() % one_in == 0; });
      std::vector<int> left = numbers;
      std::sort(left.begin(), left.end());
      REQUIRE(left == all);
    }
  }
}

}  // namespace strata::test::sorting_test
