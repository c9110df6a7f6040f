#include "../../core/values/value_text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../support/described.hpp"

namespace strata::test::value_text_test {

using strata::to_text;

TEST_SUITE("core/value_text") {
  TEST_CASE("a value is one line") {
    Item item;
    item.label = "a \"lamp\"\n\\";
    item.colour = Colour::blue;
    item.place = {0.1f, -2};
    item.offers = {{1, 0.5}};
    item.watchers = {Entity(), Entity(4, 2)};
    CHECK(to_text(item) ==
          R"({label: "a \"lamp\"\x0a\\", sold: false, colour: 2, place: [0.1, -2], grid: [[0, 0], [0, 0]], )"
          R"(price: {amount: 0, factor: 0}, offers: [{amount: 1, factor: 0.5}], note: none, owner: none, )"
          R"(watchers: [none, 4v2]})");
    CHECK(to_text(Token{{0, 1, 0xAB, 0xFF}}) == "0x0001abff");
    CHECK(to_text(Chain{{1}}) == "0x0101000000");
  }
  TEST_CASE("numbers have all their digits") {
    CHECK(to_text(std::int8_t{-128}) == "-128");
    CHECK(to_text(std::uint8_t{200}) == "200");
    CHECK(to_text(std::int16_t{-300}) == "-300");
    CHECK(to_text(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    CHECK(to_text(0.1f) == "0.1");
    CHECK(to_text(0.1) == "0.1");
    CHECK(to_text(-0.0) == "-0");
    CHECK(to_text(std::numeric_limits<float>::infinity()) == "inf");
    CHECK(to_text(std::numeric_limits<float>::quiet_NaN()) == "nan:7fc00000");
    CHECK(to_text(std::optional(true)) == "true");
  }
  TEST_CASE("the first member that differs is named") {
    Item one;
    one.offers = {{1, 0.5}, {2, 0.5}};
    one.note = "here";
    Item other = one;
    CHECK(!find_difference(one, other));
    const auto path = [&] { return find_difference(one, other).path; };
    other.watchers.push_back(Entity(1, 1));
    CHECK(path() == "watchers");
    other.note = "there";
    CHECK(path() == "note");
    other.offers[1].factor = 0.25;
    const ValueDifference found = find_difference(one, other);
    CHECK(found.path == "offers[1].factor");
    CHECK(found.first == "0.5");
    CHECK(found.second == "0.25");
    other.offers.pop_back();
    CHECK(path() == "offers");
    other.grid[1][0] = 1;
    CHECK(path() == "grid[1][0]");
    CHECK(find_difference(1, 2).path.empty());
    CHECK(find_difference(0.0, -0.0).second == "-0");
    CHECK(find_difference(Token{{1}}, Token{{2}}).first == "0x01000000");
  }
}

}  // namespace strata::test::value_text_test
