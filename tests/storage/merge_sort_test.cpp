#include "../../storage/sorting/merge_sort.hpp"

#include <doctest/doctest.h>

#include <random>
#include <utility>
#include <vector>

namespace strata::test::merge_sort_test {

namespace {

using Record = std::pair<int, std::size_t>;  // A key, and where it was.

std::vector<Record> random_records(std::size_t count, unsigned different) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<Record> records;
  for (std::size_t i = 0; i < count; ++i) records.emplace_back(static_cast<int>(random() % different), i);
  return records;
}

template <class Less>
std::vector<Record> merge_sorted(std::vector<Record> records, Less less) {
  std::vector<Record> spare(records.size());
  const Record* const sorted = detail::merge_sort(records.data(), spare.data(), records.size(), less);
  return {sorted, sorted + records.size()};
}

constexpr auto kByKey = [](const Record& a, const Record& b) { return a.first < b.first; };

}  // namespace

TEST_SUITE("storage/merge_sort") {
  TEST_CASE("it sorts stably, whatever the length") {
    for (std::size_t count = 0; count < 70; ++count) {
      for (const unsigned different : {1u, 5u, 1000u}) {
        std::vector<Record> expected = random_records(count, different);
        std::stable_sort(expected.begin(), expected.end(), kByKey);
        REQUIRE(merge_sorted(random_records(count, different), kByKey) == expected);
      }
    }
    const std::vector<Record> many = merge_sorted(random_records(10'000, 3000), kByKey);
    CHECK(std::is_sorted(many.begin(), many.end()));  // By key, then by place.
  }
  TEST_CASE("a comparison that contradicts itself loses no record") {
    std::mt19937 random(3);
    for (const unsigned one_in : {1u, 2u, 5u}) {
      std::vector<Record> records = merge_sorted(
          random_records(1000, 100), [&](const Record&, const Record&) { return random() % one_in == 0; });
      std::sort(records.begin(), records.end());
      std::vector<Record> expected = random_records(1000, 100);
      std::sort(expected.begin(), expected.end());
      REQUIRE(records == expected);
    }
  }
}

}  // namespace strata::test::merge_sort_test
