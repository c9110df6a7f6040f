// LevelLayout: lays all rows of a level out in family order, at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../core/scratch_array.hpp"
#include "../storage/relayout.hpp"
#include "../storage/store.hpp"
#include "branches.hpp"
#include "links.hpp"

namespace strata {

/// Lists the rows of a level in family order, counts how many are elsewhere, and moves all of them to new blocks if that
/// is worth it: rows are read in any order and written one after the other, which costs a third of exchanging them in
/// place.
class LevelLayout {
 public:
  LevelLayout(Store& store, const Links& links, const Branches& branches)
      : store_(store),
        links_(links),
        branches_(branches),
        tables_(store.memory()),
        positions_(store.memory()) {}

  enum class Result : std::uint8_t {
    in_order,  ///< Nothing had to be moved.
    moved,     ///< All rows have been moved: they are in order now.
    few_moves,  ///< Nothing was moved: exchanging the few rows that are elsewhere costs less, or memory is short.
  };

  struct Size {
    std::size_t rows = 0;       ///< That share tables in the level.
    std::size_t looked_at = 0;  ///< Those, their possible parents, and the other tables of the level.
  };

  /// Returns: the size of a level; of one that is larger than `most`, that of a part that is.
  /// Complexity: O(min(most, tables)).
  Size measure(std::uint32_t rank, std::size_t most) const;

  /// Sorts a level of so many rows, whose parents are in order.
  /// Complexity: O(rows of the level and of the one above).
  Result sort(std::uint32_t rank, std::size_t rows);

 private:
  /// A table of the level, while it is being sorted.
  struct Sorted {
    Table* table;
    const Block* block;  ///< Where the next row belongs.
    std::uint32_t row;
  };

  bool list(std::span<std::uint32_t> nodes, std::uint32_t rank) const;
  void list_tables(std::uint32_t rank);
  std::size_t count_misplaced(std::span<const std::uint32_t> nodes, std::size_t most);
  void move_all(std::span<const std::uint32_t> nodes);
  void void_origins(std::uint32_t rank) const;

  Store& store_;
  const Links& links_;
  const Branches& branches_;
  std::pmr::vector<Sorted> tables_;            // Of the level at hand.
  std::pmr::vector<std::uint32_t> positions_;  // In `tables_`, by archetype id.
};

}  // namespace strata
