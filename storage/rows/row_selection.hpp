// RowSelection: a set of rows, which are visited table by table, in runs of adjacent rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "../../core/plain_list.hpp"
#include "rows.hpp"

namespace strata::detail {

/// A set of rows of any tables. For each block with selected rows, the set has one bit per row of the block. So rows
/// may be added in any order and more than once, and are visited in runs of adjacent rows, without sorting. The order
/// of calls: `add`, `arrange`, `for_each_run`.
///
/// Contract: between `add` and the visits, no row moves in the tables of the selected rows. Exception: these tables may
/// grow; see `refresh`.
class RowSelection {
 public:
  explicit RowSelection(std::pmr::memory_resource* memory)
      : blocks_(memory), bits_(memory), buckets_(memory), parts_(memory), order_(memory) {}

  /// Adds a row.
  /// Returns: false if the row was added before.
  /// Errors: std::bad_alloc; the row is not added then.
  /// Complexity: O(1); O(rows of the block / 64) for the first row that is added of a block.
  bool add(Place place) {
    std::uint64_t& word = words_of(*place.block)[place.row / 64];
    const std::uint64_t bit = std::uint64_t{1} << place.row % 64;
    if ((word & bit) != 0) return false;
    word |= bit;
    ++size_;
    return true;
  }
  /// Adds adjacent rows.
  /// Errors: std::bad_alloc; none of them is added then.
  void add(const RowRun& run);

  /// Returns: the number of rows.
  std::size_t size() const { return size_; }

  /// The selected rows of one table.
  struct Part {
    Table* table;
    std::uint32_t first;   ///< The position in `order_` of the table's first block with selected rows.
    std::uint32_t blocks;  ///< The number of blocks with selected rows.
    std::uint32_t count;   ///< The number of selected rows.
  };

  /// Groups the rows by table. Has to be called again after further rows were added.
  /// Errors: std::bad_alloc.
  /// Complexity: O(blocks of the tables that have selected rows).
  void arrange();

  /// Returns: one Part for each table with selected rows, in the order in which the first row of each table was added.
  std::span<Part> parts() { return {parts_.data(), parts_.size()}; }

  /// Finds the blocks of the selected rows again. Has to be called after tables have grown by Rows::reserve, which may
  /// replace the only block of a table.
  void refresh() noexcept;

  /// Calls `visit(Place first, std::uint32_t count)` for each run of adjacent selected rows of the table `part.table`,
  /// from the first run to the last (`for_each_run`) or from the last to the first (`for_each_run_backwards`). In
  /// `for_each_run_backwards`, `visit` may remove the rows of the run. The last rows of the table then move to the
  /// places that become free; these rows were visited before or are not selected.
  template <class Visit>
  void for_each_run(const Part& part, Visit visit) const {
    for (std::uint32_t i = 0; i < part.blocks; ++i) {
      const BlockRows& rows = blocks_[order_[part.first + i]];
      const std::uint64_t* const words = bits_.data() + rows.first_word;
      for (std::uint32_t begin = find<true>(words, rows.words, 0); begin != rows.words * 64;) {
        const std::uint32_t end = find<false>(words, rows.words, begin);
        visit(Place{rows.block, begin}, end - begin);
        begin = find<true>(words, rows.words, end);
      }
    }
  }
  template <class Visit>
  void for_each_run_backwards(const Part& part, Visit visit) const {
    for (std::uint32_t i = part.blocks; i-- > 0;) {
      const BlockRows rows = blocks_[order_[part.first + i]];
      const std::uint64_t* const words = bits_.data() + rows.first_word;
      for (std::uint32_t end = find_back<true>(words, rows.words * 64); end != 0;) {
        const std::uint32_t begin = find_back<false>(words, end);
        visit(Place{rows.block, begin}, end - begin);
        end = find_back<true>(words, begin);
      }
    }
  }

 private:
  /// The selected rows of one block. The list `bits_` has one bit for each row of the block, which is set if the row is
  /// selected.
  struct BlockRows {
    Block* block;
    std::size_t first_word;  ///< The position in `bits_` of the first word of this block.
    std::uint32_t words;
    bool is_arranged;
    bool is_first;  ///< Whether this is the first block of its table.
  };
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  /// Looks for a bit that is set or, if `set` is false, for a bit that is not set, from position `from` on.
  /// Returns: the position of the first such bit; the number of bits, `count` * 64, if there is none.
  template <bool set>
  static std::uint32_t find(const std::uint64_t* words, std::uint32_t count, std::uint32_t from) {
    for (std::uint32_t word = from / 64; word < count; ++word, from = word * 64) {
      const std::uint64_t bits = (set ? words[word] : ~words[word]) >> from % 64;
      if (bits != 0) return from + static_cast<std::uint32_t>(std::countr_zero(bits));
    }
    return count * 64;
  }
  /// Looks for a bit that is set or, if `set` is false, for a bit that is not set, before position `end`.
  /// Returns: the position after the last such bit; 0 if there is none.
  template <bool set>
  static std::uint32_t find_back(const std::uint64_t* words, std::uint32_t end) {
    while (end != 0) {
      const std::uint32_t word = (end - 1) / 64;
      const std::uint64_t bits = (set ? words[word] : ~words[word]) << (63 - (end - 1) % 64);
      if (bits != 0) return end - static_cast<std::uint32_t>(std::countl_zero(bits));
      end = word * 64;
    }
    return 0;
  }

  std::uint64_t* words_of(Block& block) {
    if (recent_ != &block) [[unlikely]]
      look_up(block);
    return bits_.data() + recent_word_;
  }
  STRATA_API void look_up(Block& block);
  std::uint32_t& bucket_of(const Block& block);
  void grow_buckets();
  std::uint32_t count_rows(const BlockRows& rows) const;

  PlainList<BlockRows> blocks_;  // Blocks with selected rows, in the order of their first `add`.
  PlainList<std::uint64_t> bits_;
  PlainList<std::uint32_t> buckets_;  // Hash table, by block address: positions in `blocks_`, or kNone.
  PlainList<Part> parts_;
  PlainList<std::uint32_t> order_;  // Indices into `blocks_`, table by table, in the order of the rows.
  const Block* recent_ = nullptr;
  std::size_t recent_word_ = 0;
  std::size_t size_ = 0;
};

/// Moves selected rows to new rows that were appended for them. The last rows of each old table then fill the places
/// that become free in it. targets[i] is the table to which the rows of the i-th part of the selection (its rows of one
/// table) move; null if they stay. `opened` has the new rows, in the order in which they are filled. For each run of
/// moved rows, calls `take(Place from, std::uint32_t count)`. `take` has to move or destroy those values of the run
/// that have no column in the new table: they are still in the old rows, from `from` on.
template <class Take>
void move_to_opened(Rows& rows, RowSelection& selection, const PlainList<Table*>& targets,
                    const RowRun* opened, Take take) noexcept {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] == nullptr) continue;
    const RowSelection::Part& part = selection.parts()[i];
    RowRun to{nullptr, 0, 0};
    selection.for_each_run(part, [&](Place from, std::uint32_t count) {
      while (count != 0) {
        if (to.count == 0) to = *opened++;
        const std::uint32_t moved = std::min(count, to.count);
        rows.fill_rows({to.block, to.row}, from, moved);
        take(from, moved);
        to.row += moved;
        to.count -= moved;
        from.row += moved;
        count -= moved;
      }
    });
    selection.for_each_run_backwards(
        part, [&](Place first, std::uint32_t count) { rows.close_holes(first, count); });
  }
}
inline void move_to_opened(Rows& rows, RowSelection& selection, const PlainList<Table*>& targets,
                           const RowRun* opened) noexcept {
  move_to_opened(rows, selection, targets, opened, [](Place, std::uint32_t) {});
}

}  // namespace strata::detail
