// Archetype: the data that depend on the signature alone.
#pragma once

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

/// The column format of a signature, its tables with rows by rank, and its edges to neighbouring archetypes.
///
/// Invariants:
///   A2. An edge for component c leads to the signature with (or without) c, and only there.
class Archetype {
 public:
  /// Constant data are allocated from `lasting`, growing and shrinking data from `memory`.
  Archetype(std::uint32_t id, const Signature& signature, const Registry& registry, OccupancyLog& occupancy,
            RankIndex& index, std::pmr::memory_resource* lasting, std::pmr::memory_resource* memory)
      : occupancy_(occupancy),
        id_(id),
        format_(signature, registry, lasting),
        signature_(signature, lasting),
        ranks_(*this, index, memory),
        with_(memory),
        without_(memory) {}

  std::uint32_t id() const { return id_; }  ///< Numbered in order of creation.
  const Signature& signature() const { return signature_; }
  const BlockFormat& format() const { return format_; }

  /// Returns: the tables with rows, by rank. Each is represented by its first block; follow `Block::next`.
  /// Where tables are many and small, the lists allow prefetching far ahead.
  /// Invalidates: the lists, when a table gets its first row or first block, loses its last row, or changes
  /// rank.
  const RankLists& ranks() const { return ranks_; }

  /// Returns: one more than the highest rank with rows.
  std::uint32_t rank_count() const {
    const RankLists::Cursor last = ranks_.last();
    return last.at_end() ? 0 : last.rank() + 1;
  }

  /// Returns: the first block of each table of that rank that has rows.
  /// Invalidates: as `ranks`.
  std::span<Block* const> at_rank(std::uint32_t rank) const { return ranks_.at(rank); }

  /// Frees unused room in the lists of tables.
  /// Invalidates: the lists.
  void shrink() { ranks_.shrink(); }

  /// Returns: the memory of the lists of tables and the edges.
  MemoryUse memory_use() const;

  std::string check_invariants() const;

 private:
  friend class Archetypes;
  friend class EmptyTables;
  friend class RowReorder;
  friend class Rows;
  friend class Tables;
  friend class UnfinishedRows;

  void replace_first_block(const Table& table) noexcept { ranks_.replace_first_block(table); }
  void enter_rank(Table& table) noexcept {
    ranks_.enter(table);
    if (ranks_.tables() == 1) occupancy_.record(id_);
  }
  void leave_rank(Table& table) noexcept {
    ranks_.leave(table);
    if (ranks_.tables() == 0) occupancy_.record(id_);
  }
  /// The same as `leave_rank`, but reserves the position for the next table that enters.
  void leave_rank_for_now(Table& table) noexcept {
    ranks_.leave_and_promise(table);
    if (ranks_.tables() == 0) occupancy_.record(id_);
  }

  OccupancyLog& occupancy_;
  std::uint32_t id_;
  BlockFormat format_;
  Signature signature_;
  RankLists ranks_;
  ComponentTable<Archetype*> with_;  // The edges that are known.
  ComponentTable<Archetype*> without_;
  Table* recent_table_ = nullptr;
};

}  // namespace strata::detail
