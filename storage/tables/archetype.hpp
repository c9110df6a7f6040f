// Archetype: a set of components stored in tables, with the tables of all entities that have exactly this set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "../../core/block_format.hpp"
#include "../../core/signature.hpp"
#include "occupancy_log.hpp"
#include "rank_lists.hpp"

namespace strata::detail {

/// The tables of all entities with the same set of table components (the signature), and the format of their columns.
/// An archetype has at most one table for each branch. A branch is a group of tables, such as those of the children of
/// one parent. The tables of an archetype are listed by rank (the depth of their entities in the hierarchy). An edge is
/// a cached pointer to the archetype that has one component more or one component less.
///
/// Invariants:
///   A2. An edge leads to the archetype whose signature is that of this archetype with (or without) the component of
///       the edge.
class Archetype {
 public:
  /// `id` is the number of archetypes that were created before. Data that never change are allocated from `lasting`,
  /// data that grow and shrink from `memory`. The log `occupancy` gets an entry when the archetype gets its first row
  /// or loses its last one. `index` records at which ranks (depths of entities) the archetype has tables.
  Archetype(std::uint32_t id, const Signature& signature, const Registry& registry, OccupancyLog& occupancy,
            RankIndex& index, std::pmr::memory_resource* lasting, std::pmr::memory_resource* memory)
      : occupancy_(occupancy),
        id_(id),
        format_(signature, registry, lasting),
        signature_(signature, lasting),
        ranks_(*this, index, memory),
        with_(memory),
        without_(memory) {
    for (const ComponentId tag : signature.ids()) registry.add_flag(tag, flags_);
  }

  std::uint32_t id() const { return id_; }  ///< Archetypes are numbered in order of creation.
  /// Returns: the states in which all entities of this archetype are, such as disabled (see StateTags). A query only
  /// matches the archetype if, for each of these states, a term of the query names a tag of the state.
  StateSet states() const { return flags_.all(); }
  /// Returns: the states in `states()`, in one set for each reason why the entities are in a state: they were put into
  /// it alone, they were put into it with their subtrees, or an ancestor was put into it with its subtree.
  const StateFlags& state_flags() const { return flags_; }
  const Signature& signature() const { return signature_; }
  const BlockFormat& format() const { return format_; }

  /// Returns: the tables that have rows, in one list for each rank (depth of their entities). A list contains the first
  /// block of each table (blocks are the allocations that store rows); `Block::next` leads to the table's other blocks.
  /// As the lists contain blocks, a reader can prefetch the blocks of the next tables, which saves time if tables are
  /// many and small.
  /// Invalidates: the lists, when a table gets its first row or first block, loses its last row, or changes
  /// rank.
  const RankLists& ranks() const { return ranks_; }

  /// Returns: a number that is greater than the rank (depth of entities) of every table with rows; 0 when no table has
  /// rows. It may be greater than necessary, because empty lists of tables count, too.
  std::uint32_t rank_count() const {
    const RankLists::Cursor last = ranks_.last();
    return last.at_end() ? 0 : last.rank() + 1;
  }

  /// Returns: the first block of each table that has the rank `rank` (depth of its entities) and at least one row.
  /// Invalidates: the span, when a table gets its first row or first block, loses its last row, or changes
  /// rank.
  std::span<Block* const> at_rank(std::uint32_t rank) const { return ranks_.at(rank); }

  /// Frees unused memory of the lists of tables.
  /// Errors: std::bad_alloc; the contents of the lists are unchanged then.
  /// Invalidates: the lists.
  void shrink() { ranks_.shrink(); }

  /// Returns: the memory of the lists of tables, and of the cached pointers to other archetypes.
  MemoryUse memory_use() const;

  std::string check_invariants() const;

 private:
  friend class Archetypes;
  friend class EmptyTables;
  friend class RowReorder;
  friend class RowRestorer;
  friend class Rows;
  friend class TableBlocks;
  friend class Tables;
  friend class UnfinishedRows;

  /// Called when `table` has got another first block. A list of tables contains the first block of each table, so this
  /// function replaces the old block in the list.
  /// Contract: the table has rows.
  void replace_first_block(const Table& table) noexcept { ranks_.replace_first_block(table); }
  /// Adds a table that has rows to the list for its rank (depth of its entities). If no other table of the archetype
  /// has rows, also adds the archetype to the OccupancyLog, from which queries learn that it is not empty any more.
  /// Contract: a position in the list is reserved; see RankLists::promise.
  void enter_rank(Table& table) noexcept {
    ranks_.enter(table);
    if (ranks_.tables() == 1) occupancy_.record(id_);
  }
  /// Removes a table from the list for its rank (depth of its entities), usually because it loses its last row or
  /// changes its rank. If no other table of the archetype has rows, also adds the archetype to the OccupancyLog, from
  /// which queries learn that it has become empty.
  void leave_rank(Table& table) noexcept {
    ranks_.leave(table);
    if (ranks_.tables() == 0) occupancy_.record(id_);
  }
  /// Removes a table from the list for its rank (depth of its entities) as `leave_rank` does, and reserves a position
  /// in the list. Called if the table keeps a block for later rows. When it gets rows again, `enter_rank` can then be
  /// called without allocating memory.
  void leave_rank_for_now(Table& table) noexcept {
    ranks_.leave_and_promise(table);
    if (ranks_.tables() == 0) occupancy_.record(id_);
  }

  OccupancyLog& occupancy_;
  std::uint32_t id_;
  StateFlags flags_;
  BlockFormat format_;
  Signature signature_;
  RankLists ranks_;
  ComponentTable<Archetype*> with_;  // The cached edges, by the component that is added.
  ComponentTable<Archetype*> without_;
  Table* recent_table_ = nullptr;
};

}  // namespace strata::detail
