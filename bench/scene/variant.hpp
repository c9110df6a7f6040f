// Variant: one way to keep a forest and update it every frame; and those that are compared.
#pragma once

#include <cstddef>
#include <memory>
#include <strata/strata.hpp>
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
  Variant() = default;
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;
  virtual ~Variant() = default;

  /// Puts every root where `moved` says, then updates every world transform.
  virtual void frame(unsigned number) = 0;

  /// Returns: the world transforms, in the forest's order.
  virtual std::vector<Affine> world_transforms() const = 0;

  virtual Footprint footprint() const = 0;
};

// Each takes a forest that outlives it.

/// Archetype tables: adaptive, which is the default, one per family, or one per level. Updated by a number of threads.
std::unique_ptr<Variant> make_tables(const Forest& forest, strata::Layout layout, std::size_t threads = 1);

/// The components in strata's side store, its pools sorted parents first.
/// Source: "ECS back and forth", part 4, https://skypjack.github.io/2019-08-20-ecs-baf-part-4-insights/
std::unique_ptr<Variant> make_side_store(const Forest& forest);

/// The limit: arrays in breadth-first order with the index of each node's parent, without a library. Several threads
/// share the nodes of each level.
std::unique_ptr<Variant> make_arrays(const Forest& forest, std::size_t threads = 1);

}  // namespace scene
