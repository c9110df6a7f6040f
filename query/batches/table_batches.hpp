// TableBatches: visits all rows that match a query whose components are all stored in tables.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "../../core/compiler.hpp"
#include "block_cursor.hpp"
#include "piece_cursor.hpp"

namespace strata::detail {

/// Fills `batch` with `count` rows of the cursor's current block, from row `row` on. A lane of a batch points to the
/// values of one term. The lanes of terms that read tables point to columns, or are null if the block does not have the
/// component. Other lanes, such as those of terms that read parents, are not set.
template <class Cursor>
void take_columns(const Matcher& matcher, const Cursor& blocks, std::uint32_t row, std::uint32_t count,
                  Batch& batch) {
  const Block& block = blocks.block();
  const std::span<const std::uint32_t> prefixes = matcher.prefixes(blocks.match());
  batch.access = Access::columns;
  batch.count = count;
  batch.entities = block.format->entities(block) + row;
  for (const std::uint32_t term : matcher.column_terms()) {
    const std::uint32_t prefix = prefixes[term];
    const bool absent = prefix == BlockFormat::kAbsent;
    batch.lanes[term] = absent ? nullptr : block.value(prefix, row, matcher.value_size(term));
  }
}

/// Hands out each row that matches a query once, in the order of the cursor, as batches whose values are in columns.
/// The cursor is a BlockCursor (TableBatches) or a PieceCursor (PieceBatches). Finds the values for terms that read the
/// parent in the first of these ways that is possible:
/// - once for the whole table, if all its rows have the same parent
/// - through the cached locations of the parents' rows (see Origins)
/// - by looking up the parent of each row
/// Contract: no structural change while this object is in use; no term uses the side store (sparse sets).
template <class Cursor>
class BasicTableBatches {
 public:
  BasicTableBatches(const Matcher& matcher, const typename Cursor::Where& where)
      : BasicTableBatches(matcher, where, matcher.scratch(), matcher.store().memory()) {}
  /// Takes buffers from `scratch` instead of the query's Scratch, and other memory from `memory` instead of the
  /// world's memory. So another thread may use the query at the same time.
  BasicTableBatches(const Matcher& matcher, const typename Cursor::Where& where, Scratch& scratch,
                    std::pmr::memory_resource* memory)
      : matcher_(matcher), blocks_(matcher, where), walks_(memory) {
    if (matcher.has_related()) values_.emplace(scratch);
  }

  /// Fills `batch` with the next matching rows, at least one.
  /// Returns: false if no matching row is left.
  /// Invalidates: the previous batch.
  bool next(Batch& batch) {
    if (row_ == rows_) {
      if (!blocks_.next()) return false;
      row_ = blocks_.first_row();
      rows_ = blocks_.end_row();
    }
    if (!matcher_.has_related()) {
      take(batch, rows_ - blocks_.first_row());
      return true;
    }
    next_related(batch);
    return true;
  }

 private:
  /// Values of parents are looked up for at most this number of rows before these rows are visited. The number is so
  /// small that the pointers to the values stay in the first-level cache.
  static constexpr std::uint32_t kRun = 128;

  STRATA_API void take(Batch& batch, std::uint32_t count);
  STRATA_API void next_related(Batch& batch);
  bool take_shared(Batch& batch);
  void find_shared();
  void find_shared_nearest(std::span<Block* const> tables, std::uint32_t term);
  bool point_at(const Block& origin, Batch& batch) const;
  void skip_segments();
  std::uint32_t end_of(const OriginSegment& segment) const;
  void take_segment(const OriginSegment& segment, Batch& batch);
  void take_groups(const OriginSegment& segment, Batch& batch);
  void gather(Batch& batch);
  void find_placed(std::uint32_t first, std::span<const Entity> rows, std::uint32_t term,
                   const void** values);

  const Matcher& matcher_;
  Cursor blocks_;
  std::uint32_t row_ = 0;   // Next row of the current block.
  std::uint32_t rows_ = 0;  // The end of the rows of the current block.

  const Origins* origins_ = nullptr;  // Cached locations of the parents of the current block; null if none.
  std::uint32_t segment_ = 0;         // Index of the next segment (rows with parents in one block).
  std::uint32_t gather_to_ = 0;       // Each row before this one gets a pointer to its parent's value.

  // `values_->shared` has pointers for up to Relation::kMostBlocks successive tables of a list (see
  // BlockCursor::tables). `shared_of_` is the address of the list; `shared_from_` is the index of the first such table.
  Block* const* shared_of_ = nullptr;
  std::size_t shared_from_ = 0;
  std::uint32_t differing_ = 0;  // A bit for each table whose rows have different parents.
  OriginGroup whole_{};          // A group of siblings made for one batch; not in `origins_`.
  WalkMemo walks_;

  /// Pointers to values of parents or ancestors. `shared[term][i]` is for all rows of table `shared_from_` + i of the
  /// list at `shared_of_`; it is not set if the rows of this table have different parents (see `differing_`).
  /// `related[term][i]` is for row i of the rows, at most kRun, whose parents were looked up last (see kRun).
  struct Values {
    std::array<std::array<const void*, Relation::kMostBlocks>, kMaxTerms> shared;
    std::array<std::array<const void*, kRun>, kMaxTerms> related;
  };
  std::optional<Borrowed<Values>> values_;  // None if no term reads parents or ancestors.
};

using TableBatches = BasicTableBatches<BlockCursor>;
using PieceBatches = BasicTableBatches<PieceCursor>;

/// The first `count` rows of a block, for functions that visit rows. Such a function gets the address of a term's
/// column from `lanes[term]`, or null if the block has no such column. The address is computed only when the function
/// reads `lanes[term]`. So a BlockRows is cheaper than a Batch, for which the addresses of all columns are computed
/// beforehand. `prefixes` has, for each term, the number from which the address of the column is computed (see
/// Matcher::prefixes).
struct BlockRows {
  struct Lanes {
    const Block& block;
    const std::uint32_t* prefixes;  // By term.

    void* operator[](std::size_t term) const {
      const std::uint32_t prefix = prefixes[term];
      return prefix != BlockFormat::kAbsent ? block.column(prefix) : nullptr;
    }
  };

  std::uint32_t count;  ///< Rows from this one on are left out.
  const Entity* entities;
  Lanes lanes;
};

/// The rows of a block from row `first` up to, but not including, row `count`: here, the member `count` of
/// BlockRows is where the rows end, not how many they are. `entities` and `lanes` begin at the block's row 0.
struct BlockRun : BlockRows {
  std::uint32_t first;
};

/// A BlockRun that may have many rows. It is a type of its own so that visiting functions can choose their loop over
/// the rows at compile time: one written for vector instructions for a BlockPart, one written for few rows for a
/// BlockRun.
struct BlockPart : BlockRun {};

/// Calls `visit(block, prefixes)` for every block with rows in the matching tables, archetype by archetype. `prefixes`
/// has a number for each term, from which the address of its column in the block is computed (see Matcher::prefixes).
template <class Visit>
void for_each_block(const Matcher& matcher, Visit visit) {
  // The loops prefetch the first block of the table that comes kAhead tables later, and of the archetype that
  // comes kMatchesAhead archetypes later.
  constexpr std::size_t kAhead = 8;
  constexpr std::size_t kMatchesAhead = 4;
  // With fewer matching archetypes than this, the data of the archetypes are in the nearest caches. Then prefetching
  // tables of later archetypes would only cost time.
  constexpr std::size_t kManyMatches = 128;
  const std::span<Archetype* const> matches = matcher.occupied();
  for (std::size_t match = 0; match < matches.size(); ++match) {
    const std::uint32_t* const prefixes = matcher.prefixes(matcher.match_of_occupied(match)).data();
    if (matches.size() >= kManyMatches && match + kMatchesAhead < matches.size()) {
      const RankLists::Cursor ahead = matches[match + kMatchesAhead]->ranks().first();
      if (!ahead.at_end() && !ahead.tables().empty()) prefetch_table(*ahead.tables().front());
    }
    matches[match]->ranks().for_each([&](std::span<Block* const> tables) {
      for (std::size_t table = 0; table < tables.size(); ++table) {
        if (table + kAhead < tables.size()) prefetch_table(*tables[table + kAhead]);
        for (const Block* block = tables[table]; block != nullptr && block->count != 0; block = block->next) {
          prefetch_next(*block);
          visit(*block, prefixes);
        }
      }
    });
  }
}

/// Calls `visit` for every block with rows in the matching tables, archetype by archetype. The argument is a BlockRows,
/// or a Batch if `visit` does not take a BlockRows. This function does the same work as TableBatches, in loops that the
/// compiler can inline: with many small tables, calls of TableBatches::next would take most of the time.
/// Contract: no term reads parents or ancestors, and none uses the side store (sparse sets).
template <class Visit>
void for_each_column_batch(const Matcher& matcher, Visit&& visit) {
  if constexpr (std::is_invocable_v<Visit&, const BlockRows&>) {
    for_each_block(matcher, [&](const Block& block, const std::uint32_t* prefixes) {
      visit(BlockRows{block.count, block.format->entities(block), {block, prefixes}});
    });
  } else {
    Batch batch;
    for_each_block(matcher, [&](const Block& block, const std::uint32_t* prefixes) {
      const BlockRows rows{block.count, block.format->entities(block), {block, prefixes}};
      batch.count = rows.count;
      batch.entities = rows.entities;
      for (const std::uint32_t term : matcher.column_terms()) batch.lanes[term] = rows.lanes[term];
      visit(std::as_const(batch));
    });
  }
}

}  // namespace strata::detail
