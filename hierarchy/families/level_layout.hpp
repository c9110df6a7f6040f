// LevelLayout: sorts all rows of one depth into the order of their parents' rows, by moving all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../core/scratch_array.hpp"
#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "family_rows.hpp"
#include "level_targets.hpp"

namespace strata::detail {

/// Sorts the rows of one level into the order of their parents' rows. A level is the set of tables that the children of
/// several parents of one depth share (see FamilyOrder). LevelLayout lists the rows in that order and counts the rows
/// that are not yet where they belong. If many rows are misplaced, LevelLayout moves all rows to new blocks (pieces of
/// memory): it reads rows in random order and writes them one after the other, which is faster than swapping them in
/// place. If few rows are misplaced, LevelLayout moves nothing, and leaves it to the caller to swap them.
class LevelLayout {
 public:
  LevelLayout(Store& store, const Links& links, FamilyRows& families)
      : store_(store),
        links_(links),
        families_(families),
        targets_(store, families),
        next_places_(store.memory()) {}

  enum class Result : std::uint8_t {
    in_order,   ///< Nothing had to be moved.
    moved,      ///< All rows were moved and are in order now.
    few_moves,  ///< Nothing was moved: swapping the few misplaced rows is cheaper, or memory is short.
  };

  struct Size {
    std::size_t rows = 0;       ///< Rows in the shared tables of the level.
    std::size_t looked_at = 0;  ///< These rows, the parents' rows, and 1 for each other table of the depth.
  };

  /// Returns: as `rows`, how many rows of depth `rank` are in tables that several parents share; as `looked_at`, what
  /// `sort` has to examine before it moves these rows (see Size). Counting stops when `looked_at` exceeds `most`, so
  /// both numbers may be too small then.
  /// Contract: `rank` is not 0.
  /// Complexity: O(min(most, tables of the depths `rank` and `rank - 1`)).
  Size measure(std::uint32_t rank, std::size_t most) const;

  /// Sorts the rows of depth `rank` in tables that several parents share, by moving all of them to new blocks. `rows`
  /// is the number of these rows, from `measure`. Moves nothing if memory runs out, or if swapping the misplaced
  /// rows is cheaper; in both cases, swapping them is left to the caller.
  /// Returns: whether the rows are in order, and whether they were moved.
  /// Contract: the rows of depth `rank - 1` are in the order of their parents' rows.
  /// Complexity: O(rows of the depths `rank` and `rank - 1`).
  Result sort(std::uint32_t rank, std::size_t rows);

 private:
  Result sort_in_memory(std::uint32_t rank, std::size_t rows);
  bool list(std::span<std::uint32_t> nodes, std::uint32_t rank);
  std::size_t count_misplaced(std::span<const std::uint32_t> nodes, std::size_t most);
  void find_places(std::span<const std::uint32_t> nodes, std::span<Place> places) const;
  void move_all(std::span<const std::uint32_t> nodes);
  void void_origins(std::uint32_t rank) const;

  Store& store_;
  const Links& links_;
  FamilyRows& families_;
  LevelTargets targets_;
  std::pmr::vector<Place> next_places_;  // For each table of the level, the place for the next row.
};

}  // namespace strata::detail
