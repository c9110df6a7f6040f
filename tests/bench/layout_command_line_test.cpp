#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>

#include "../../bench/scene/command_lines.hpp"

namespace layout {
namespace {

std::optional<scene::LayoutOptions> parse(std::initializer_list<const char*> words) {
  std::vector<const char*> all{"strata_layout"};
  all.insert(all.end(), words);
  return scene::parse_options<scene::LayoutOptions>(static_cast<int>(all.size()), all.data());
}

TEST_SUITE("bench/layout_command_line") {
  TEST_CASE("numbers of entities and churns are lists, sorted, each once") {
    const auto options = parse({"--entities", "10000,1000,10000", "--churn", "50,0.5"});
    REQUIRE(options);
    CHECK(options->entities == std::vector<std::size_t>{1'000, 10'000});
    CHECK(options->churn == std::vector<double>{0.5, 50});
    CHECK(options->repetitions == 9);
  }

  TEST_CASE("what is wrong is refused in one line") {
    for (const auto& words : {std::initializer_list<const char*>{"--entities", "5"},
                              {"--entities", "x"},
                              {"--churn", "60"},
                              {"--churn", "0"},
                              {"--repetitions", "3"},
                              {"--json"},
                              {"--unknown"},
                              {"more"}}) {
      CHECK_THROWS_AS(parse(words), std::runtime_error);
    }
  }

  TEST_CASE("bench/run names the options of the program") {
    std::ifstream script(STRATA_SOURCE_ROOT "/bench/run");
    const std::string usage{std::istreambuf_iterator<char>(script), {}};
    for (const char* option : {"--layout", "--entities", "--churn", "--repetitions", "--json", "--charts",
                               "--no-charts", "--calibrate", "--short"}) {
      CAPTURE(option);
      CHECK(usage.find(option) != usage.npos);
    }
  }
}

}  // namespace
}  // namespace layout
