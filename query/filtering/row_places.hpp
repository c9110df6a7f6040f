// RowPlaces: the block and row of each entity of a run, and which of them are neighbours.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../../core/slots.hpp"
#include "candidates.hpp"

namespace strata::detail {

/// Stores the block and row of each entity of a run. A stretch is a sequence of rows that follow each other
/// in one block.
///
/// The loops have no branch that depends on where a row is, so memory accesses do not wait for each other.
class RowPlaces {
 public:
  static constexpr std::uint32_t kRun = Candidates::kMost;

  /// Finds the places of live entities, if all are in `block`.
  /// Returns: whether all are; if not, nothing is stored.
  bool find_in(const Block& block, const Slots& slots, std::span<const Entity> entities);

  /// Sets the places of `count` rows to `place_of(row)`, a pair of a block and a row in it.
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

  /// As `set`, for rows in one block: `row_of(row)` returns the row in it.
  template <class RowOf>
  void set_in(const Block& block, std::uint32_t count, RowOf row_of) {
    for (std::uint32_t row = 0; row < count; ++row) block_rows_[row] = row_of(row);
    set_one_block(block, count);
  }

  /// Drops all rows but the given ones, in ascending order.
  /// Contract: `spread` was called.
  void keep(std::span<const std::uint32_t> kept);

  /// Fills in `block` for every row. Until then it is valid only for the first row of each stretch.
  void spread(std::uint32_t count);

  /// Returns: the number of stretches. `begin(stretches())` is the end of the last one.
  std::uint32_t stretches() const { return stretches_; }
  std::uint32_t begin(std::uint32_t stretch) const { return begins_[stretch]; }

  /// Returns: whether rows from `begin` up to `end`, within one stretch, are consecutive.
  bool are_neighbours(std::uint32_t begin, std::uint32_t end) const;

  const Block& block(std::uint32_t row) const { return *blocks_[row]; }
  const std::uint32_t* block_rows() const { return block_rows_.data(); }  ///< By row.

 private:
  void set_one_block(const Block& block, std::uint32_t count);

  std::uint32_t stretches_ = 0;
  std::array<std::uint32_t, kRun + 1> begins_;
  std::array<const Block*, kRun> blocks_;  // If all rows are in one block, only the first element is set.
  std::array<std::uint32_t, kRun> block_rows_;
};

}  // namespace strata::detail
