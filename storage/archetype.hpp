// Archetype: everything that depends on the signature alone.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "../core/column_layout.hpp"
#include "../core/pointer_list.hpp"
#include "../core/signature.hpp"
#include "table.hpp"

namespace strata {

/// The column layout of a signature, its non-empty tables by rank, and the ways to neighbouring archetypes.
///
/// Invariants:
///   A1. The list for a rank holds the first block of exactly the non-empty tables of this archetype with that
///       rank, each at the position that its table knows.
///   A2. An edge for component c leads to the signature with (or without) c, and only there.
class Archetype {
 public:
  /// What stays as it is comes from `lasting`, what grows and shrinks from `memory`.
  Archetype(std::uint32_t id, const Signature& signature, const Registry& registry,
            std::pmr::memory_resource* lasting, std::pmr::memory_resource* memory)
      : id_(id),
        layout_(signature, registry, lasting),
        signature_(signature, lasting),
        ranks_(memory),
        with_(memory),
        without_(memory) {}

  std::uint32_t id() const { return id_; }  ///< Counted in order of creation.
  const Signature& signature() const { return signature_; }
  const ColumnLayout& layout() const { return layout_; }

  /// Returns: one more than the highest rank for which a table has been created.
  std::uint32_t rank_count() const { return static_cast<std::uint32_t>(ranks_.size()); }

  /// Returns: the first block of each non-empty table of that rank; follow `Block::next`. Where tables are many
  /// and small, the list says what to fetch long before it is needed.
  /// Invalidates: the list, when a table gets its first row or first block, loses its last row, or changes rank.
  std::span<Block* const> at_rank(std::uint32_t rank) const {
    return rank < ranks_.size() ? std::span<Block* const>(ranks_[rank].blocks) : std::span<Block* const>();
  }

  /// Gives back room in the lists of tables.
  /// Invalidates: the lists.
  void shrink();

  /// Returns: the lists of tables and the ways to neighbours.
  MemoryUse memory_use() const;

  std::string check_invariants() const;

 private:
  friend class Archetypes;
  friend class Relayout;
  friend class Rows;
  friend class Tables;

  struct RankList {
    explicit RankList(std::pmr::memory_resource* memory) : blocks(memory) {}

    PointerList<Block> blocks;
    std::uint32_t promised = 0;  // Tables that will enter and must not fail to.
  };

  void expect_at_rank(std::uint32_t rank);  // Promises room to a later `enter_rank`.
  void forget_expected() noexcept;
  void enter_rank(Table& table) noexcept {
    RankList& list = ranks_[table.rank()];
    table.rank_position_ = list.blocks.size();
    list.blocks.push_back(table.first_block_);  // Room was promised.
    if (list.promised != 0) --list.promised;
  }
  /// The last table of the list takes its position.
  void leave_rank(Table& table) noexcept {
    PointerList<Block>& blocks = ranks_[table.rank()].blocks;
    Block* const last = blocks.back();
    blocks[table.rank_position_] = last;
    table_of(*last).rank_position_ = table.rank_position_;
    blocks.pop_back();
  }
  /// Promises the place that a table has just left to it, and takes that back.
  void keep_place_at_rank(std::uint32_t rank) noexcept { ++ranks_[rank].promised; }
  void give_place_at_rank(std::uint32_t rank) noexcept { --ranks_[rank].promised; }
  void replace_first_block(const Table& table) noexcept;

  std::uint32_t id_;
  ColumnLayout layout_;
  Signature signature_;
  std::pmr::vector<RankList> ranks_;
  std::pmr::vector<Archetype*> with_;  // By component id; null where not known yet.
  std::pmr::vector<Archetype*> without_;
  Table* recent_table_ = nullptr;
};

}  // namespace strata
