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

/// Knows where each row of a level moves when the level is laid out anew. A row that stays in the level goes to a new block of its table. The rows of a family that has become too
/// large for the level go directly to the family's own table, which is created here, so each moves only once.
class LevelTargets {
 public:
  /// Prefetch distance for slots, in nodes, where they are read one after the other.
  static constexpr std::size_t kSlotsAhead = 32;

  LevelTargets(Store& store, FamilyRows& families)
      : store_(store),
        families_(families),
        sources_(store.memory()),
        positions_(store.memory()),
        targets_(store.memory()),
        reorders_(store.memory()),
        leaving_(store.memory()) {}

  /// A table that families share in the level.
  struct Source {
    Table* table;
    std::uint32_t target;  ///< Index of the target of its rows in `targets_`.
  };

  /// Starts another level; no family leaves it yet.
  void begin() noexcept { leaving_.clear(); }

  /// Adds a family that leaves the level. Its children are `count` of the level's nodes, from `first` on.
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

  /// Reserves all rows of the level, given by their nodes.
  /// Errors: std::bad_alloc; the tables and families are unchanged then.
  void prepare(std::span<const std::uint32_t> nodes, std::uint32_t rank);

  /// Continues with the rows from `node` on. It is the first node, or the one at which the last part ended.
  /// Within a part, all rows of one table have the same target.
  /// Returns: the end of the part.
  std::size_t enter_part(std::size_t node);

  /// Moves rows of one table, all within one part.
  void take(std::span<const std::uint32_t> nodes, std::span<const Place> places) noexcept {
    reorders_[sources_[source_of(places.front())].target].take(nodes, places);
  }

  /// Gives the tables their new blocks, and the families that leave the level their branches.
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
