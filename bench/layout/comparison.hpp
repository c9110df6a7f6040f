// Comparison: the program under every layout, measured side by side and verified against each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "../../include/strata/storage_advice.hpp"
#include "rules.hpp"

namespace layout {

/// One way to keep the components. Each frame runs, in this order: movement of those not stunned; a data
/// system; status effects that end and begin; damage by burning; fights and recovery; entities that perish
/// and others that take their place; a search for targets, by looking up single entities; rendering, layer by
/// layer. The mix is that of the complex systems of abeimler/ecs_benchmark.
class Program {
 public:
  virtual ~Program() = default;

  virtual void frame(unsigned number) = 0;

  /// Returns: a digest of all values, the same for every layout after the same frames.
  virtual std::uint64_t digest() const = 0;

  /// Returns: what is allocated, all bookkeeping included, in bytes.
  virtual std::size_t bytes() const = 0;
};

/// The limit: arrays by number, written by hand for this program, without a library.
std::unique_ptr<Program> make_arrays(const Setup& setup);

/// Everything in tables, but what the advice names otherwise.
std::unique_ptr<Program> make_in_tables(const Setup& setup, const strata::StorageAdvice& advice = {});

std::unique_ptr<Program> make_in_side_store(const Setup& setup);

/// Runs the program in tables for some frames, observed.
strata::StorageAdvice advise(const Setup& setup, unsigned frames);

inline constexpr std::size_t kVariants = 4;
inline constexpr std::array<const char*, kVariants> kNames{"tables", "side store", "as recommended",
                                                           "limit: arrays"};
enum Variant : std::size_t { tables, side_store, recommended, limit };

/// How long to measure.
struct Plan {
  unsigned repetitions = 9;
  std::size_t updates = 1'000'000;  ///< Frames times entities of a repetition, about.
};

/// What was found of one number of entities and one churn.
struct Figures {
  Setup setup;
  unsigned frames = 0;                    ///< Timed in a row, per repetition and variant.
  std::array<double, kVariants> ns{};     ///< Per entity and frame, median over the repetitions.
  std::array<double, kVariants> bytes{};  ///< Per entity.
  strata::StorageAdvice advice;

  double ratio(std::size_t variant) const { return ns[variant] / ns[limit]; }
};

/// Measures in turns, so that whatever slows the machine down for a while slows down every variant.
/// Errors: std::runtime_error if a variant comes to another result than the limit.
Figures compare(const Setup& setup, const Plan& plan);

}  // namespace layout
