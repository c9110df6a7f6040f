// RowPlaces: where the rows of a run of entities are, and which of them are neighbours.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../../core/slots.hpp"
#include "candidates.hpp"

namespace strata::detail {

/// Block and row of each entity of a run, and the stretches of those that follow each other in one block.
///
/// It is found out by loops without a branch on where a row is: what does not wait for memory then is the next access.
class RowPlaces {
 public:
  static constexpr std::uint32_t kRun = Candidates::kMost;

  /// Sets where each of these live entities is, if they are all in `block`.
  /// Returns: whether they are; if not, nothing is known of them.
  bool find_in(const Block& block, const Slots& slots, std::span<const Entity> entities);

  /// As `find_in`, if their blocks are alike `block`: all columns of each are where those of that one are.
  /// There are no stretches then.
  bool find_alike(const Block& block, const Slots& slots, std::span<const Entity> entities);

  /// Sets where each of `count` rows is to `place_of(row)`: a pair of a block and the row there.
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

  /// As `set`, of rows that are all in that block: `row_of(row)` says where.
  template <class RowOf>
  void set_in(const Block& block, std::uint32_t count, RowOf row_of) {
    for (std::uint32_t row = 0; row < count; ++row) block_rows_[row] = row_of(row);
    set_one_block(block, count);
  }

  /// Drops all rows but some, given in ascending order.
  /// Contract: `spread` was called.
  void keep(std::span<const std::uint32_t> kept);

  /// Makes `block` good for every row, not only for the first one of a stretch.
  void spread(std::uint32_t count);

  /// Returns: the number of stretches; `begin(stretches())` is where the last one ends.
  std::uint32_t stretches() const { return stretches_; }
  std::uint32_t begin(std::uint32_t stretch) const { return begins_[stretch]; }

  /// Returns: whether the rows of a stretch from `begin` up to `end` lie side by side.
  bool are_neighbours(std::uint32_t begin, std::uint32_t end) const;

  const Block& block(std::uint32_t row) const { return *blocks_[row]; }
  const Block* const* blocks() const { return blocks_.data(); }           ///< By row.
  const std::uint32_t* block_rows() const { return block_rows_.data(); }  ///< By row.

 private:
  void set_one_block(const Block& block, std::uint32_t count);

  std::uint32_t stretches_ = 0;
  std::array<std::uint32_t, kRun + 1> begins_;
  std::array<const Block*, kRun> blocks_;  // If all rows are of one block: that of the first row alone.
  std::array<std::uint32_t, kRun> block_rows_;
};

}  // namespace strata::detail
