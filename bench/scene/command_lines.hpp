// What the command lines of strata_scene, strata_layout and bench_partition ask for, and how these programs end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "text.hpp"

namespace scene {

/// Options of strata_scene.
struct SceneOptions {
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

/// Options of strata_layout. Numbers of entities and churns are rising, each there once.
struct LayoutOptions {
  std::vector<std::size_t> entities{1'000, 10'000, 100'000};
  std::vector<double> churn{0.1, 1, 5, 20, 50};  ///< In percent.
  unsigned repetitions = 9;
  std::string json;    ///< Empty: none.
  std::string charts;  ///< A folder; empty: the build folder.
  bool no_charts = false;
  bool calibrate = false;
  bool is_short = false;
};

/// Options of bench_partition.
struct PartitionOptions {
  std::uint32_t nodes = 1'000'000;
  std::size_t repetitions = 11;
  std::size_t grain = 0;  ///< 0: that of the library.
  double task_ns = -1;    ///< Less than 0: measured, and so are the next two.
  double barrier_ns = -1;
  double bytes_per_ns = -1;
  double cache_megabytes = 32;
};

/// Reads a command line; prints the help, if it asks for that. `Options` is SceneOptions, LayoutOptions or
/// PartitionOptions.
/// Returns: nothing if all is done with that.
/// Errors: std::runtime_error with a line that says which argument is wrong.
template <class Options>
std::optional<Options> parse_options(int argc, const char* const* argv);

/// Calls `run(options)` with what the command line asks for, unless that is help. Prints errors after the program's
/// name; a failure to write standard output is one.
/// Returns: the exit status.
template <class Options>
int exit_status_of(const char* name, int argc, const char* const* argv, void (*run)(const Options&)) {
  const auto complain = [name](const std::string& message) {
    std::cerr << name << ": " << printable(message, 4'000) << '\n';
    return 1;
  };
  try {
    if (const auto options = parse_options<Options>(argc, argv)) run(*options);
    if (!std::cout.flush()) return complain("standard output could not be written");
    return 0;
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}

}  // namespace scene
