#include "../../bench/scene/text.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>

namespace scene::test {
namespace {

TEST_SUITE("bench/text") {
  TEST_CASE("printable text has neither controls nor ill-formed characters") {
    CHECK(printable("R\xC3\xA4"
                    "der") ==
          "R\xC3\xA4"
          "der");
    CHECK(printable("a\n\x1B[31m\x7F") == "a??[31m?");
    CHECK(printable("\xC2\x9B"
                    "31m") == "?31m");
    CHECK(printable("a\xFFz\xC3") == "a?z?");
  }

  TEST_CASE("printable text neither changes its direction nor hides a part of itself") {
    CHECK(printable("a\u061Cb\u200Ec\u200Fd") == "a?b?c?d");
    CHECK(printable("\u202Aa\u202Bb\u202Cc\u202Dd\u202Ee") == "?a?b?c?d?e");
    CHECK(printable("\u2066a\u2067b\u2068c\u2069") == "?a?b?c?");
    CHECK(printable("a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf\u00ADg") == "a?b?c?d?e?f?g");
    CHECK(printable("a\u2028b\u2029c") == "a?b?c");
    CHECK(printable("\U000E0041") == "?");
    CHECK(printable("\u200A\u2010\u2027\u202F\u2030\u2070") == "\u200A\u2010\u2027\u202F\u2030\u2070");
  }

  TEST_CASE("printable text has no character in a longer form, no surrogate and none beyond the last") {
    CHECK(printable("\xC0\xAF|\xE0\x82\x9B|\xF0\x80\x80\x9B") == "?|?|?");
    CHECK(printable("\xED\xA0\x80") == "?");
    CHECK(printable("\xF4\x90\x80\x80|\xF5\x80\x80\x80") == "?|?");
    CHECK(printable("\U0010FFFD\U0001F642") == "\U0010FFFD\U0001F642");
  }

  TEST_CASE("printable text is cut by characters, not by bytes") {
    CHECK(printable("\xC3\xA4\xC3\xA4\xC3\xA4", 3) == "\xC3\xA4\xC3\xA4\xC3\xA4");
    CHECK(printable("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 3) == "\xC3\xA4\xC3\xA4\u2026");
  }

  TEST_CASE("numbers are grouped and counted") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1'000'000) == "1,000,000");
    CHECK(counted(1, "node") == "1 node");
    CHECK(counted(2'000, "node") == "2,000 nodes");
    CHECK(fixed(1.005, 1) == "1.0");
    CHECK(scientific(12345) == "1.234e+04");
  }

  TEST_CASE("a table aligns its columns by characters and ends no line in spaces") {
    TextTable table({"name", "n"}, "lr");
    table.add(
        {"R\xC3\xA4"
         "der",
         "12"});
    table.add({"x", "3"});
    std::ostringstream out;
    table.print(out);
    CHECK(out.str() ==
          "  name    n\n"
          "  -----  --\n"
          "  R\xC3\xA4"
          "der  12\n"
          "  x       3\n");
  }

  TEST_CASE("a table with more titles than alignments is not printed") {
    const TextTable table({"name", "n"}, "l");
    std::ostringstream out;
    CHECK_THROWS_AS(table.print(out), std::out_of_range);
  }
}

}  // namespace
}  // namespace scene::test
