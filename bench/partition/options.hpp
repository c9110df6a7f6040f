// Options: what the command line asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace strata::bench {

struct Options {
  std::uint32_t nodes = 1'000'000;
  std::size_t repetitions = 11;
  std::size_t grain = 0;  ///< 0: that of the library.
  double task_ns = -1;    ///< Less than 0: measured, and so are the next two.
  double barrier_ns = -1;
  double bytes_per_ns = -1;
  double cache_megabytes = 32;
};

/// Reads the command line; prints the help, if it asks for that.
/// Returns: nothing if all is done with that.
/// Errors: std::runtime_error with a line that says which argument is wrong.
std::optional<Options> parse_options(int argc, const char* const* argv);

}  // namespace strata::bench
