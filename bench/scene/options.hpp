// Options: what the command line asks for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace scene {

struct Options {
  std::string scene;
  std::size_t nodes = 100'000;
  unsigned repetitions = 11;
  std::optional<unsigned> frames;  ///< None: as many as update about a million nodes.
  std::string json;                ///< Empty: none.
  std::string chart;               ///< Empty: named after the scene, in the build folder.
  bool no_chart = false;
  bool all = false;
  bool tree_only = false;
};

/// Reads the command line; prints the help, if it asks for that.
/// Returns: nothing if all is done with that.
/// Errors: std::runtime_error with a line that says which argument is wrong.
std::optional<Options> parse_options(int argc, const char* const* argv);

}  // namespace scene
