#include "../../core/free_units.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "../support/model_test.hpp"

namespace strata::test::free_units_test {

namespace {

constexpr std::size_t kUnits = 192;

using Runs = std::vector<std::pair<std::size_t, std::size_t>>;

Runs runs_of(const detail::FreeUnits<kUnits>& units) {
  Runs runs;
  units.for_each_run_backwards(
      [&](std::size_t begin, std::size_t count) { runs.emplace_back(begin, count); });
  return runs;
}

Disagreement runs_agree(Bytes& bytes, Log& log) {
  detail::FreeUnits<kUnits> units;
  std::vector<bool> model(kUnits);
  while (bytes.turn()) {
    const std::size_t begin = bytes.below(kUnits);
    const std::size_t count = bytes.below(bytes.chance(4) ? kUnits - begin + 1 : 2);
    log("set ", count, " from ", begin);
    units.set(begin, count);
    for (std::size_t i = 0; i < count; ++i) model[begin + i] = true;

    Runs expected;
    for (std::size_t i = kUnits; i-- > 0;) {
      if (!model[i]) continue;
      if (i + 1 == kUnits || !model[i + 1]) expected.emplace_back(i + 1, 0);
      --expected.back().first;
      ++expected.back().second;
    }
    if (runs_of(units) != expected) return "the runs are not those of the model";
  }
  return {};
}

}  // namespace

TEST_SUITE("core/free_units") {
  STRATA_MODEL_TEST("runs are those of a list of bits", runs_agree, .runs = 100, .turns = 60);

  TEST_CASE("no units are no run, all units are one") {
    detail::FreeUnits<kUnits> units;
    CHECK(runs_of(units).empty());
    units.set(0, kUnits);
    CHECK(runs_of(units) == Runs{{0, kUnits}});
  }
}

}  // namespace strata::test::free_units_test
