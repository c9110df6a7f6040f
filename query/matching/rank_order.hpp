// RankOrder: the tables of several archetypes, rank by rank.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../../storage/tables/archetype.hpp"
#include "batch.hpp"

namespace strata::detail {

/// Goes through the rank lists of archetypes in order of rank, and within a rank in the order of the archetypes. A heap
/// has the next list of each archetype, so that a rank costs what has tables there, however many archetypes there are.
/// Contract: no structural change while it is in use.
class RankOrder {
 public:
  /// Stands on the first list, if there is one; of an order that is not by rank, there is none.
  /// Errors: std::bad_alloc.
  /// Complexity: O(archetypes), unless the order is not by rank.
  RankOrder(std::span<Archetype* const> archetypes, Order order);

  RankOrder(const RankOrder&) = delete;
  RankOrder& operator=(const RankOrder&) = delete;

  bool at_end() const { return size_ == 0; }

  /// Goes to the next list.
  /// Contract: not at the end.
  /// Complexity: O(log archetypes), and O(1) where one archetype has tables.
  void next() noexcept {
    RankLists::Cursor& lists = lists_[archetype()];
    upwards_ ? lists.previous() : lists.next();
    keys_[0] = lists.at_end() ? keys_[--size_] : key_of(lists.rank(), archetype());
    if (size_ > 2) return sift_down(0);
    if (size_ == 2 && keys_[1] < keys_[0]) std::swap(keys_[0], keys_[1]);
  }

  std::uint32_t rank() const { return lists_[archetype()].rank(); }
  std::span<Block* const> tables() const { return lists_[archetype()].tables(); }
  std::size_t archetype() const { return static_cast<std::uint32_t>(keys_[0]); }  ///< Its position.

 private:
  static constexpr std::size_t kFew = 4;  // Need no memory of their own.

  std::uint64_t key_of(std::uint32_t rank, std::size_t archetype) const {
    return std::uint64_t{upwards_ ? ~rank : rank} << 32 | archetype;
  }
  void sift_down(std::size_t position) noexcept;

  bool upwards_;
  std::size_t size_ = 0;
  std::array<std::uint64_t, kFew> few_keys_;
  std::array<RankLists::Cursor, kFew> few_lists_;
  std::uint64_t* keys_;  // A heap: the rank of a list, or its complement to go upwards, and the archetype.
  RankLists::Cursor* lists_;              // The next list of each archetype.
  std::vector<std::uint64_t> many_keys_;  // In place of the few, if there are more.
  std::vector<RankLists::Cursor> many_lists_;
};

}  // namespace strata::detail
