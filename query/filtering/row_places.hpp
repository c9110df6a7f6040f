// RowPlaces: stores, for a list of entities, the block and row in which each is stored.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../../core/slots.hpp"
#include "candidates.hpp"

namespace strata::detail {

/// Stores, for each of up to kRun entities, which are numbered from 0, the block of its row and the row's index in that
/// block. A stretch is a sequence of entities whose rows are in one block.
///
/// The loops of this class have no branch that depends on where a row is, so the processor can start a memory access
/// before the previous one has ended.
class RowPlaces {
 public:
  static constexpr std::uint32_t kRun = Candidates::kMost;

  /// If the rows of all these live entities are in `block`, stores these rows in place of those that were stored
  /// before.
  /// Returns: whether all rows are in `block`. If not, no rows are stored any more: the rows that were stored before
  /// are lost, too.
  bool find_in(const Block& block, const Slots& slots, std::span<const Entity> entities);

  /// Stores the rows of `count` entities in place of those that were stored before. `place_of(i)` returns the block and
  /// the row of entity i, as a pair.
  template <class PlaceOf>
  void set(std::uint32_t count, PlaceOf place_of) {
    const Block* recent = nullptr;
    std::uint32_t stretches = 0;
    for (std::uint32_t row = 0; row < count; ++row) {
      const auto [block, block_row] = place_of(row);
      blocks_[row] = block;
      block_rows_[row] = block_row;
      begins_[stretches] = row;
      stretches += block != recent ? 1 : 0;
      recent = block;
    }
    begins_[stretches] = count;
    stretches_ = stretches;
  }

  /// Stores the rows of `count` entities in place of those that were stored before. All these rows are in `block`;
  /// `row_of(i)` returns the row of entity i.
  template <class RowOf>
  void set_in(const Block& block, std::uint32_t count, RowOf row_of) {
    for (std::uint32_t row = 0; row < count; ++row) block_rows_[row] = row_of(row);
    set_one_block(block, count);
  }

  /// Keeps only the entities with the numbers in `kept`, and removes the others. The kept entities are numbered from 0
  /// again.
  /// Contract: `kept` is ascending. `spread`, which stores the block of each entity, was called after the rows were
  /// stored by `find_in`, `set` or `set_in`.
  void keep(std::span<const std::uint32_t> kept);

  /// Stores the block of each of the `count` entities. Call it before `block(i)` for i > 0: if all rows are in one
  /// block, only the block of entity 0 is stored at first.
  void spread(std::uint32_t count);

  /// Returns: the number of stretches: sequences of entities whose rows are in one block. Stretch i consists
  /// of the entities from `begin(i)` up to `begin(i + 1)`.
  std::uint32_t stretches() const { return stretches_; }
  std::uint32_t begin(std::uint32_t stretch) const { return begins_[stretch]; }

  /// Returns: whether the entities with the numbers from `begin` up to, but not including, `end` are in successive rows
  /// of a block, in this order.
  /// Contract: `begin` < `end`; the rows of these entities are in one block.
  bool are_neighbours(std::uint32_t begin, std::uint32_t end) const;

  const Block& block(std::uint32_t row) const { return *blocks_[row]; }
  const std::uint32_t* block_rows() const { return block_rows_.data(); }  ///< By number of the entity.

 private:
  void set_one_block(const Block& block, std::uint32_t count);

  std::uint32_t stretches_ = 0;
  std::array<std::uint32_t, kRun + 1> begins_;
  std::array<const Block*, kRun> blocks_;  // If all rows are in one block, only the first element is set.
  std::array<std::uint32_t, kRun> block_rows_;
};

}  // namespace strata::detail
