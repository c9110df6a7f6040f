// LevelTargets: decides to which table each row goes while LevelLayout moves all rows of one depth.
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

/// Decides to which table each row goes while LevelLayout sorts a level (the tables that the children of several
/// parents of one depth share). Most rows go to a new block (piece of memory) of the table in which they are. If the
/// children of one parent have become too many for shared tables, their rows go directly to tables for them alone,
/// which LevelTargets creates. So each row moves only once.
class LevelTargets {
 public:
  /// A loop over entities prefetches the slot of the entity that comes this many entities later.
  static constexpr std::size_t kSlotsAhead = 32;

  LevelTargets(Store& store, FamilyRows& families)
      : store_(store),
        families_(families),
        sources_(store.memory()),
        positions_(store.memory()),
        targets_(store.memory()),
        reorders_(store.memory()),
        leaving_(store.memory()) {}

  /// A shared table (a table for the children of several parents) whose rows are to be moved.
  struct Source {
    Table* table;
    /// The index in `targets_` of the table to which rows of this table move now. `enter_part` sets it anew for each
    /// part of the entities to move.
    std::uint32_t target;
  };

  /// Forgets the parents that were passed to `add_leaving`. Called before the rows of another depth are listed.
  void begin() noexcept { leaving_.clear(); }

  /// Records that the children of `parent` are to move from the shared tables to tables of their own. In the list
  /// `nodes` that `prepare` will receive, these children are the `count` entities from index `first` on.
  /// Contract: calls come in ascending order of `first`.
  /// Errors: std::bad_alloc; nothing has changed then.
  void add_leaving(std::uint32_t parent, std::size_t first, std::size_t count);

  /// Finds the shared tables of depth `rank`, from which rows are to be moved. These tables replace those that the
  /// previous call has found.
  /// Errors: std::bad_alloc; some tables may then be missing in `sources`.
  void list_sources(std::uint32_t rank);

  /// Returns: the tables that `list_sources` has found.
  std::span<const Source> sources() const { return sources_; }
  /// Returns: the index in `sources` of the table that holds the row at `place`. Searches by archetype, because a depth
  /// has at most one shared table of each archetype.
  /// Contract: `list_sources` has found that table.
  std::uint32_t source_of(const Place& place) const {
    return positions_[table_of(*place.block).archetype().id()];
  }

  /// Creates the tables of their own for the children of the parents passed to `add_leaving`, and allocates new blocks
  /// for the rows of all `nodes`. Call it after `list_sources` and all calls of `add_leaving`. `nodes` are the entities
  /// of depth `rank` in the order in which their rows will be moved.
  /// Errors: std::bad_alloc; the tables are unchanged then.
  void prepare(std::span<const std::uint32_t> nodes, std::uint32_t rank);

  /// The list `nodes` that was passed to `prepare` is divided into parts: the children of each parent passed to
  /// `add_leaving` are a part, and so are the entities before, between and after these parts. This function sets the
  /// target tables (Source::target) for the part that begins at index `node` of the list. In the first call, `node` is
  /// 0; in each later call, it is what the previous call returned.
  /// Returns: the index at which the part ends; the greatest std::size_t for the part after all parts of `add_leaving`.
  std::size_t enter_part(std::size_t node);

  /// Moves the rows of the entities `nodes`, which are at `places`, to their target table, behind the rows
  /// that earlier calls have moved there.
  /// Contract: the rows are all in one table. The entities are in one part of the list that was passed to `prepare`,
  /// and the last call of `enter_part` was for that part.
  void take(std::span<const std::uint32_t> nodes, std::span<const Place> places) noexcept {
    reorders_[sources_[source_of(places.front())].target].take(nodes, places);
  }

  /// Gives each table to which rows have moved its new blocks instead of the old ones. Also records that the children
  /// of the parents passed to `add_leaving` have tables of their own.
  /// Contract: `take` has moved the rows of all entities that `prepare` received.
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
  std::pmr::vector<Target> targets_;           // First the sources, then the new tables of `leaving_`.
  std::pmr::vector<RowReorder> reorders_;      // One for each element of `targets_`.
  std::pmr::vector<Leaving> leaving_;          // The parents passed to `add_leaving`.
  std::size_t part_ = 0;  // Index in `leaving_`: first parent with children in or after the current part.
};

}  // namespace strata::detail
