// RankOrder: the tables of several archetypes, rank by rank.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "../storage/archetype.hpp"
#include "batch.hpp"

namespace strata {

/// Goes through the rank lists of archetypes in order of rank, and within a rank in the order of the archetypes. A heap
/// has the next list of each archetype, so that a rank costs what has tables there, however many archetypes there are.
/// Contract: no structural change while it is in use.
class RankOrder {
 public:
  /// Stands on the first list, if there is one; of an order that is not by rank, there is none.
  /// Errors: std::bad_alloc.
  /// Complexity: O(archetypes), unless the order is not by rank.
  RankOrder(std::span<Archetype* const> archetypes, Order order);

  bool at_end() const { return size_ == 0; }

  /// Goes to the next list.
  /// Contract: not at the end.
  /// Complexity: O(log archetypes), and O(1) where one archetype has tables.
  void next() noexcept;

  std::uint32_t rank() const { return fronts()->lists.rank(); }
  std::span<Block* const> tables() const { return fronts()->lists.tables(); }
  std::size_t archetype() const { return static_cast<std::uint32_t>(fronts()->key); }  ///< Its position.

 private:
  /// The next list of an archetype.
  struct Front {
    std::uint64_t
        key;  // By which fronts are ordered: the rank, or its complement to go upwards, and the archetype.
    RankLists::Cursor lists;
  };
  static constexpr std::size_t kFew = 4;  // Need no memory of their own.

  Front* fronts() { return many_.empty() ? few_.data() : many_.data(); }
  const Front* fronts() const { return many_.empty() ? few_.data() : many_.data(); }
  std::uint64_t key_of(std::uint32_t rank, std::size_t archetype) const {
    return std::uint64_t{upwards_ ? ~rank : rank} << 32 | archetype;
  }
  void sift_down(std::size_t position) noexcept;

  bool upwards_;
  std::size_t size_ = 0;
  std::array<Front, kFew> few_;
  std::vector<Front> many_;  // In place of `few_`, if there are more.
};

}  // namespace strata
