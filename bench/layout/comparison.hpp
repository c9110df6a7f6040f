// Comparison: the program under every layout, measured side by side and verified against each other.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "program.hpp"

namespace layout {

inline constexpr std::size_t kVariants = 4;
inline constexpr std::array<const char*, kVariants> kNames{"tables", "side store", "as recommended",
                                                           "limit: arrays"};
enum Variant : std::size_t { tables, side_store, recommended, limit };

/// How long to measure.
struct Plan {
  unsigned repetitions = 9;
  std::size_t updates = 1'000'000;  ///< Frames times entities of a repetition, about.

  unsigned frames_for(std::size_t entities) const;
};

/// What was found of one number of entities and one churn.
struct Figures {
  Setup setup;
  unsigned frames = 0;                    ///< Timed in a row, per repetition and variant.
  std::array<double, kVariants> ns{};     ///< Per entity and frame, median over the repetitions.
  std::array<double, kVariants> bytes{};  ///< Per entity.
  strata::StorageAdvice advice;

  double ratio(std::size_t variant) const { return ns[variant] / ns[limit]; }
  std::vector<std::string> moved() const;  ///< Names of what is recommended for the side store.
};

/// Measures in turns, so that whatever slows the machine down for a while slows down every variant.
/// Errors: std::runtime_error if a variant comes to another result than the limit.
Figures compare(const Setup& setup, const Plan& plan);

}  // namespace layout
