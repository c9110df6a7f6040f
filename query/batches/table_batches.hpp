// TableBatches: a query's rows block by block, for terms that all live in tables.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "block_cursor.hpp"

namespace strata::detail {

/// Describes `count` rows of the cursor's block, from `row` on, as a batch of columns; related lanes are left
/// alone.
void take_columns(const Matcher& matcher, const BlockCursor& blocks, std::uint32_t row, std::uint32_t count,
                  Batch& batch);

/// Yields every matching row once, in the given order, as the columns lie in memory. Related values are the same
/// for a whole table, or lie where the block's origins say, or are gathered row by row where neither is known.
/// Contract: no structural change while it is in use; no term asks the side store.
class TableBatches {
 public:
  TableBatches(const Matcher& matcher, Order order)
      : matcher_(matcher), blocks_(matcher, order), walks_(matcher.store().memory()) {
    if (matcher.has_related()) values_.emplace(matcher.scratch());
  }

  /// Fills the next batch, of at least one row.
  /// Returns: false when there is none.
  /// Invalidates: the batch before.
  bool next(Batch& batch) {
    if (row_ == rows_) {
      if (!blocks_.next()) return false;
      row_ = 0;
      rows_ = blocks_.block().count;
    }
    if (!matcher_.has_related()) {
      take(batch, rows_);
      return true;
    }
    next_related(batch);
    return true;
  }

 private:
  /// Rows whose related values are gathered at a time: few enough to stay in the first-level cache.
  static constexpr std::uint32_t kRun = 128;

  void take(Batch& batch, std::uint32_t count);
  void next_related(Batch& batch);
  bool take_shared(Batch& batch);
  void find_shared();
  void find_shared_nearest(std::span<Block* const> tables, std::uint32_t term);
  bool point_at(const Block& origin, Batch& batch) const;
  void gather(Batch& batch);
  void find_placed(std::uint32_t first, std::span<const Entity> rows, std::uint32_t term,
                   const void** values);

  const Matcher& matcher_;
  BlockCursor blocks_;
  std::uint32_t row_ = 0;   // The next row of the current block.
  std::uint32_t rows_ = 0;  // The rows of that block.

  const Origins* origins_ = nullptr;  // Of that block, if they are known.
  std::uint32_t segment_ = 0;         // The next one of them.
  std::uint32_t gather_to_ = 0;       // Rows before it have to be asked one by one.

  // What the rows of a table share, for the tables from `shared_from_` on of the list `shared_of_`.
  Block* const* shared_of_ = nullptr;
  std::size_t shared_from_ = 0;
  std::uint32_t differing_ = 0;  // A bit for each table whose rows do not.
  OriginGroup whole_{};          // A block whose rows do.
  WalkMemo walks_;

  /// Related values, by term: by table of those that share them, and by row of a run.
  struct Values {
    std::array<std::array<const void*, Relation::kMostBlocks>, kMaxTerms> shared;
    std::array<std::array<const void*, kRun>, kMaxTerms> related;
  };
  std::optional<Borrowed<Values>> values_;  // None: no term is related.
};

/// The rows of a block, as a batch of columns each of which is found only when it is asked for: what the
/// visiting function does not take costs nothing, and no lane has to be written to memory and read again.
struct BlockRows {
  struct Lanes {
    const Block& block;
    const std::uint32_t* prefixes;  // By term.

    void* operator[](std::size_t term) const {
      const std::uint32_t prefix = prefixes[term];
      return prefix != ColumnLayout::kAbsent ? block.column(prefix) : nullptr;
    }
  };

  std::uint32_t count;  ///< Rows behind these are left out.
  const Entity* entities;
  Lanes lanes;
};

/// Those rows of a block that follow `first`, itself included.
struct BlockRun : BlockRows {
  std::uint32_t first;
};

/// Calls `visit(const Block&, prefixes)` for every block with rows, archetype by archetype; `prefixes` has
/// that of each term's column.
template <class Visit>
void for_each_block(const Matcher& matcher, Visit visit) {
  constexpr std::size_t kAhead = 8;
  constexpr std::size_t kMatchesAhead = 4;
  constexpr std::size_t kManyMatches = 128;  // Fewer are in the nearest caches, and asking ahead would cost.
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

/// Calls `visit` with a BlockRows, or a Batch if it only takes those, for every block with rows, archetype by
/// archetype, of a query none of whose terms is related or asks the side store: what TableBatches does for
/// those, as loops that the compiler sees through. Where tables are many and small, most of the time would go
/// into walking from one to the next.
template <class Visit>
void for_each_column_batch(const Matcher& matcher, Visit&& visit) {
  if constexpr (std::is_invocable_v<Visit&, const BlockRows&>) {
    for_each_block(matcher, [&](const Block& block, const std::uint32_t* prefixes) {
      visit(BlockRows{block.count, block.layout->entities(block), {block, prefixes}});
    });
  } else {
    Batch batch;
    for_each_block(matcher, [&](const Block& block, const std::uint32_t* prefixes) {
      const BlockRows rows{block.count, block.layout->entities(block), {block, prefixes}};
      batch.count = rows.count;
      batch.entities = rows.entities;
      for (const std::uint32_t term : matcher.column_terms()) batch.lanes[term] = rows.lanes[term];
      visit(std::as_const(batch));
    });
  }
}

}  // namespace strata::detail
