// Options: what the command line asks for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace layout {

struct Options {
  std::vector<std::size_t> entities{1'000, 10'000, 100'000};
  std::vector<double> churn{0.1, 1, 5, 20, 50};  ///< In percent.
  unsigned repetitions = 9;
  std::string json;    ///< Empty: none.
  std::string charts;  ///< A folder; empty: the build folder.
  bool no_charts = false;
  bool calibrate = false;
  bool is_short = false;
};

/// Reads the command line; prints the help, if it asks for that.
/// Returns: nothing if all is done with that. Numbers of entities and churns are rising, each there once.
/// Errors: std::runtime_error with a line that says which argument is wrong.
std::optional<Options> parse_options(int argc, const char* const* argv);

}  // namespace layout
