#include "../../core/values/byte_delta.hpp"

#include <doctest/doctest.h>

#include <string>

#include "../support/model_test.hpp"
#include "../support/refusal.hpp"

namespace strata::test::byte_delta_test {

namespace {

/// Returns: bytes without repetitions.
std::string noise(std::size_t count, std::uint32_t seed = 1) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i)
    bytes += static_cast<char>((seed = seed * 1'664'525 + 1'013'904'223) >> 24);
  return bytes;
}

/// Bytes that are cut, repeated and replaced at random come out of the delta again, and damaged deltas are refused.
Disagreement deltas_lead_to_what_they_were_made_of(Bytes& bytes, Log& log) {
  std::string before = noise(bytes.turn() ? bytes.below(3000) : 0);
  while (bytes.turn()) {
    std::string after = before;
    for (std::size_t edits = bytes.below(3); edits != 0; --edits) {
      const std::size_t at = bytes.below(after.size() + 1);
      const std::size_t count = bytes.below(after.size() - at + 1);
      log("edit at ", at, " of ", count);
      after.replace(at, bytes.chance(2) ? count : 0,
                    bytes.chance(2) ? after.substr(0, count) : noise(count / 8, 7));
      after.resize(std::min<std::size_t>(after.size(), 5000));
    }
    std::string delta = make_delta(before, after);
    if (delta.size() > after.size() + 100) return "the delta is larger than what it leads to";
    if (apply_delta(before, delta).after != after) return "the delta leads to other bytes";
    delta[bytes.below(delta.size())] ^= static_cast<char>(1 + bytes.below(255));
    if (apply_delta(before, delta).outcome) return "a damaged delta is applied";
    before = after;
  }
  return {};
}

}  // namespace

TEST_SUITE("core/byte_delta") {
  TEST_CASE("what both have in common takes a few bytes, wherever it is") {
    const std::string before = noise(100'000);
    std::string after = before.substr(50'000) + "inserted" + before.substr(0, 50'000);
    after.replace(70'000, 4, "1234");
    const std::string delta = make_delta(before, after);
    CHECK(delta.size() < 150);
    CHECK(apply_delta(before, delta).after == after);
    const std::string zeros(10'000, '\0');
    CHECK(make_delta(zeros, std::string(20'000, '\0')).size() < 100);
    CHECK(apply_delta(zeros, make_delta(zeros, "")).outcome);
    CHECK(apply_delta("", make_delta("", before)).after == before);
    CHECK(
        apply_delta(before.substr(0, 40), make_delta(before.substr(0, 40), std::string(1'000, 'x'))).after ==
        std::string(1'000, 'x'));
  }
  TEST_CASE("a delta is refused with a sentence if it is for other bytes, cut off or damaged") {
    const std::string before = noise(300);
    const std::string after = before + "more";
    const std::string delta = make_delta(before, after);
    CHECK(says(apply_delta(after, delta).outcome.message(), "was made from other bytes"));
    CHECK(says(apply_delta(before, "delta").outcome.message(), "were not made by make_delta"));
    for (std::size_t size = 0; size < delta.size(); ++size)
      CHECK(!apply_delta(before, delta.substr(0, size)).outcome);
    for (std::size_t at = 0; at < delta.size(); ++at) {
      std::string damaged = delta;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
      CHECK(!apply_delta(before, damaged).outcome);
    }
  }
  STRATA_MODEL_TEST("deltas lead to what they were made of", deltas_lead_to_what_they_were_made_of,
                    .runs = 100, .turns = 20);
}

}  // namespace strata::test::byte_delta_test
