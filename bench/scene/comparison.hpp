// Comparison: a forest under all variants, which are ways to keep it and update it every frame; measured side by side
// and verified against each other.
#pragma once

#include <cstddef>
#include <memory>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "forest.hpp"

namespace scene {

struct Footprint {
  std::size_t bytes;   ///< Allocated for the nodes, all bookkeeping included.
  std::size_t tables;  ///< 0: the variant has none.
};

/// A forest that moves.
class Variant {
 public:
  virtual ~Variant() = default;

  /// Puts every root where `moved` says, then updates every world transform.
  virtual void frame(unsigned number) = 0;

  /// Returns: the world transforms, in the forest's order.
  virtual std::vector<Affine> world_transforms() const = 0;

  virtual Footprint footprint() const = 0;
};

// Each variant takes a forest that outlives it.

/// Archetype tables: adaptive, which is the default, one per family, or one per level. Updated by a number of threads.
std::unique_ptr<Variant> make_tables(const Forest& forest, strata::Layout layout, std::size_t threads = 1);

/// The components in strata's side store, its pools sorted parents first.
/// Source: "ECS back and forth", part 4, https://skypjack.github.io/2019-08-20-ecs-baf-part-4-insights/
std::unique_ptr<Variant> make_side_store(const Forest& forest);

/// The limit: arrays in breadth-first order with the index of each node's parent, without a library. Several threads
/// share the nodes of each level.
std::unique_ptr<Variant> make_arrays(const Forest& forest, std::size_t threads = 1);

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
