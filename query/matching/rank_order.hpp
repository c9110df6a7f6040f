// RankOrder: visits the tables of several archetypes in the order of their entities' depth in the hierarchy.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../../storage/tables/archetype.hpp"
#include "batch.hpp"

namespace strata::detail {

/// A cursor over the tables of several archetypes, in the order of their rank. The rank of a table is the
/// depth of its entities in the hierarchy. Each archetype has one list of tables per rank (see RankLists);
/// the cursor goes from one such list to the next. Lists of equal rank follow each other in the order of the
/// archetypes. A heap holds the next list of each archetype, so at each rank, archetypes without tables of
/// that rank cost nothing.
/// Contract: no structural change while the cursor is in use.
class RankOrder {
 public:
  /// Starts at the tables of the lowest depth (Order::down) or of the highest depth (Order::up). With Order::any, the
  /// cursor has no tables: `at_end` is true at once.
  /// Errors: std::bad_alloc.
  /// Complexity: O(archetypes); O(1) with Order::any.
  RankOrder(std::span<Archetype* const> archetypes, Order order);

  RankOrder(const RankOrder&) = delete;
  RankOrder& operator=(const RankOrder&) = delete;

  bool at_end() const { return size_ == 0; }

  /// Goes to the next list of tables. After the last one, `at_end` is true.
  /// Contract: not at the end.
  /// Complexity: O(log archetypes); O(1) if one archetype has tables.
  void next() noexcept {
    RankLists::Cursor& lists = lists_[archetype()];
    upwards_ ? lists.previous() : lists.next();
    keys_[0] = lists.at_end() ? keys_[--size_] : key_of(lists.rank(), archetype());
    if (size_ > 2) return sift_down(0);
    if (size_ == 2 && keys_[1] < keys_[0]) std::swap(keys_[0], keys_[1]);
  }

  std::uint32_t rank() const { return lists_[archetype()].rank(); }
  std::span<Block* const> tables() const { return lists_[archetype()].tables(); }
  /// Returns: which archetype the current list belongs to, as an index into the span that the constructor
  /// received.
  /// Contract: not at the end.
  std::size_t archetype() const { return static_cast<std::uint32_t>(keys_[0]); }

 private:
  static constexpr std::size_t kFew = 4;  // Up to this number of archetypes, nothing is allocated.

  std::uint64_t key_of(std::uint32_t rank, std::size_t archetype) const {
    return std::uint64_t{upwards_ ? ~rank : rank} << 32 | archetype;
  }
  void sift_down(std::size_t position) noexcept;

  bool upwards_;
  std::size_t size_ = 0;
  std::array<std::uint64_t, kFew> few_keys_;
  std::array<RankLists::Cursor, kFew> few_lists_;
  // A heap with a key for each archetype that has a list of tables left. The upper half of a key is the rank of the
  // next such list (with Order::up, the complement of the rank, so that the highest rank has the lowest key). The lower
  // half is the result of `archetype` for that list. The lowest key is at the top.
  std::uint64_t* keys_;
  RankLists::Cursor* lists_;              // The next list of each archetype.
  std::vector<std::uint64_t> many_keys_;  // Used if there are more than kFew archetypes.
  std::vector<RankLists::Cursor> many_lists_;
};

}  // namespace strata::detail
