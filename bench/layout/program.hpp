// Program: the systems that are run under every layout, and the variants of where their components live.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "../../include/strata/storage_advice.hpp"

namespace layout {

/// What the program works on. Entities have numbers; when one is destroyed, a new one takes its number.
struct Setup {
  std::size_t entities = 0;
  double churn = 0;  ///< Share of the entities that are given a status effect, or lose one, in a frame.

  /// How many are given in a frame; as many end.
  std::size_t effects_per_frame() const {
    const double half = churn * static_cast<double>(entities) / 2;
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(half)));
  }
  /// How long one lasts: half of all entities have one at most.
  unsigned effect_frames() const {
    constexpr unsigned kMost = 8;
    const std::size_t frames = entities / 2 / effects_per_frame();
    return static_cast<unsigned>(std::clamp<std::size_t>(frames, 1, kMost));
  }
  /// How many are destroyed and created in a frame.
  std::size_t spawned_per_frame() const { return std::max<std::size_t>(1, entities / 2'000); }
};

/// One way to keep the components. Each frame runs, in this order: movement of those not stunned; a data
/// system; status effects that end and begin; damage by burning; fights and recovery; entities that perish
/// and others that take their place; a search for targets, by looking up single entities; rendering, layer by
/// layer. The mix is that of the complex systems of abeimler/ecs_benchmark.
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;

  virtual void frame(unsigned number) = 0;

  /// Returns: a digest of all values, the same for every layout after the same frames.
  virtual std::uint64_t digest() const = 0;

  /// Returns: what is allocated, all bookkeeping included, in bytes.
  virtual std::size_t bytes() const = 0;
};

/// The limit: arrays by number, written by hand for this program, without a library.
std::unique_ptr<Program> make_arrays(const Setup& setup);

std::unique_ptr<Program> make_all_in_tables(const Setup& setup);
std::unique_ptr<Program> make_all_in_side_store(const Setup& setup);

/// Everything as in tables, but what the advice names otherwise.
std::unique_ptr<Program> make_as_advised(const Setup& setup, const strata::StorageAdvice& advice);

/// Runs the program in tables for some frames, observed.
strata::StorageAdvice advise(const Setup& setup, unsigned frames);

}  // namespace layout
