// Comparison: a forest under all variants, measured side by side and verified against each other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "forest.hpp"

namespace scene {

/// How long to measure.
struct Plan {
  unsigned repetitions;
  unsigned frames;       ///< Timed in a row, per repetition and variant.
  unsigned threads = 1;  ///< Tables and arrays are also updated by 2 threads, and so on up to this number.
};

/// What was found of one variant.
struct Figures {
  std::string name;
  double ns_per_node = 0;  ///< Median over the repetitions.
  double ratio = 0;        ///< To the limit's ns_per_node.
  double bytes_per_node = 0;
  std::size_t tables = 0;  ///< 0: it has none.
  double difference = 0;   ///< Largest relative difference of a world transform to the limit's.
};

/// World transforms that differ by more are wrong.
inline constexpr double kTolerance = 1e-5;

/// Measures in turns, so that whatever slows the machine down for a while slows down every variant.
/// Returns: the figures of all variants, the limit's last.
/// Errors: std::runtime_error if the variants disagree on a world transform, or if several threads leave other bits than
/// one does.
std::vector<Figures> compare(const Forest& forest, const Plan& plan);

}  // namespace scene
