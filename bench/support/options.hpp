// Options: the command line that all bench programs share.
#pragma once

#include <string>

namespace strata::bench {

struct Options {
  bool help = false;         ///< Was printed; run nothing.
  bool all = false;          ///< Also what is only run on demand.
  bool list = false;         ///< Print the paths, run nothing.
  std::string filter;        ///< A regular expression; empty: no filter.
  std::string json;          ///< Where to write the figures as JSON; empty: nowhere.
  std::string command_line;  ///< As it was typed, to stand beside the figures.
};

/// Reads the command line and hands Google Benchmark its part: 9 interleaved repetitions of 0.1 s unless the
/// command line says otherwise.
/// Errors: std::invalid_argument.
Options read_options(int argc, char** argv);

}  // namespace strata::bench
