#include "row_places.hpp"

#include <algorithm>
#include <utility>

namespace strata::detail {
namespace {

/// Returns: the pointer as an integer. `find_in` combines these integers, so that its loop has no branches and can use
/// vector instructions.
std::uintptr_t bits_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

}  // namespace

bool RowPlaces::find_in(const Block& block, const Slots& slots, std::span<const Entity> entities) {
  std::uintptr_t differing = 0;
  for (std::uint32_t row = 0; row < entities.size(); ++row) {
    const Place place = slots.place_of(entities[row].index());
    block_rows_[row] = place.row;
    differing |= bits_of(place.block) ^ bits_of(&block);
  }
  if (differing != 0) return false;
  set_one_block(block, static_cast<std::uint32_t>(entities.size()));
  return true;
}

void RowPlaces::set_one_block(const Block& block, std::uint32_t count) {
  blocks_[0] = &block;
  begins_[0] = 0;
  begins_[1] = count;
  stretches_ = 1;
}

void RowPlaces::keep(std::span<const std::uint32_t> kept) {
  // `kept` is ascending, so each element is read before it is overwritten.
  set(static_cast<std::uint32_t>(kept.size()),
      [this, kept](std::uint32_t row) { return std::pair(blocks_[kept[row]], block_rows_[kept[row]]); });
}

void RowPlaces::spread(std::uint32_t count) {
  if (stretches_ == 1) std::fill_n(blocks_.begin(), count, blocks_[0]);
}

bool RowPlaces::are_neighbours(std::uint32_t begin, std::uint32_t end) const {
  const std::uint32_t first = block_rows_[begin] - begin;
  if (block_rows_[end - 1] != first + end - 1) return false;
  std::uint32_t apart = 0;
  for (std::uint32_t row = begin; row < end; ++row) apart |= block_rows_[row] ^ (first + row);
  return apart == 0;
}

}  // namespace strata::detail
