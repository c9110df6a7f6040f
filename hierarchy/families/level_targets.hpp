// LevelTargets: the target tables of a level's rows when the level is rewritten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../storage/rows/row_reorder.hpp"
#include "../../storage/store.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// Knows where each row of a level (see FamilyOrder) moves when LevelLayout sorts the level. A row that stays
/// in the level goes to a new block of its table. The rows of a family that has become too large for the
/// level go directly to the family's own table, which is created here, so each moves only once.
class LevelTargets {
 public:
  /// How many nodes ahead of the current one a loop over nodes prefetches slots.
  static constexpr std::size_t kSlotsAhead = 32;

  LevelTargets(Store& store, FamilyRows& families)
      : store_(store),
        families_(families),
        sources_(store.memory()),
        positions_(store.memory()),
        targets_(store.memory()),
        reorders_(store.memory()),
        leaving_(store.memory()) {}

  /// A table of the level that several families share.
  struct Source {
    Table* table;
    std::uint32_t target;  ///< Index of the target of its rows in `targets_`.
  };

  /// Starts with another level. Clears the list of families that leave it.
  void begin() noexcept { leaving_.clear(); }

  /// Adds a family that leaves the level for a table of its own. Its children are the `count` nodes from
  /// index `first` on in the list of the level's nodes.
  /// Errors: std::bad_alloc; nothing has changed then.
  void add_leaving(std::uint32_t parent, std::size_t first, std::size_t count);

  /// Lists the shared tables of a level.
  /// Errors: std::bad_alloc.
  void list_sources(std::uint32_t rank);

  /// Returns: the shared tables.
  std::span<const Source> sources() const { return sources_; }
  /// Returns: the index in `sources` of the table that holds a row.
  std::uint32_t source_of(const Place& place) const {
    return positions_[table_of(*place.block).archetype().id()];
  }

  /// Creates the tables of families that leave the level, and reserves the new memory for all rows. `nodes`
  /// are the nodes of the level in family order.
  /// Errors: std::bad_alloc; the tables and families are unchanged then.
  void prepare(std::span<const std::uint32_t> nodes, std::uint32_t rank);

  /// Sets the target tables for the next part of the nodes, which begins at index `node`: 0, or the index
  /// that the last call returned. Within a part, all rows of one table have the same target.
  /// Returns: the index at which the part ends.
  std::size_t enter_part(std::size_t node);

  /// Moves rows to their target.
  /// Contract: they are in one table and in the part of the last `enter_part`.
  void take(std::span<const std::uint32_t> nodes, std::span<const Place> places) noexcept {
    reorders_[sources_[source_of(places.front())].target].take(nodes, places);
  }

  /// Replaces the blocks of the tables by the new ones, and gives the families that leave the level their
  /// branches.
  /// Contract: all rows have been taken.
  void finish() noexcept;

 private:
  struct Target {
    Table* table;
    std::uint32_t source;
    std::uint32_t rows;
  };
  struct Leaving {
    std::uint32_t parent;
    std::size_t first;
    std::size_t end;
    Branch* branch = nullptr;
    std::uint32_t first_target = 0;
  };

  void add_targets(Leaving& family, std::span<const std::uint32_t> nodes);
  void add_rows(const Leaving& family, std::uint32_t position, std::uint32_t count);
  std::uint32_t end_of_targets(std::size_t family) const;
  void close_branches() noexcept;

  Store& store_;
  FamilyRows& families_;
  std::pmr::vector<Source> sources_;
  std::pmr::vector<std::uint32_t> positions_;  // Indices into `sources_`, by archetype id.
  std::pmr::vector<Target> targets_;  // First one for each source, then the tables of families that leave.
  std::pmr::vector<RowReorder> reorders_;  // By target.
  std::pmr::vector<Leaving> leaving_;      // In the order of their nodes.
  std::size_t part_ = 0;  // First element of leaving_ whose nodes are not all before the current part.
};

}  // namespace strata::detail
