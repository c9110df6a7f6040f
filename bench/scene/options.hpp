// Options: what the command line of the scene walker asks for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace scene {

struct Options {
  std::optional<std::string> scene;  // None: the shipped one.
  std::size_t nodes = 100'000;
  unsigned repetitions = 11;
  unsigned threads = 1;
  std::optional<unsigned> frames;  // None: as many as update about a million nodes.
  std::string save;                // Empty: none, as the next two.
  std::string exported;
  std::string json;
  std::string chart;  // Empty: named after the scene, in the build folder.
  bool no_chart = false;
  bool all = false;
  bool tree_only = false;
};

/// Reads the command line; prints the help, if it asks for that.
/// Returns: nothing if all is done with that.
/// Errors: std::runtime_error with a line that says which argument is wrong.
std::optional<Options> parse_options(int argc, const char* const* argv);

}  // namespace scene
