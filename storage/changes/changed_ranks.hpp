// ChangedRanks: the set of depths in the hierarchy at which rows of tables have changed. A reader removes a depth when
// it has processed the changes there.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory_resource>

#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"

namespace strata::detail {

/// A set of ranks (depths below the root, see Branch), stored as a bitmap. It is used for the ranks of tables in which
/// rows have changed. A reader erases a rank from the set when it has processed the changes at that rank. Adding a rank
/// never allocates: if the bitmap has no room for the rank, the set contains all ranks until `clear`.
class ChangedRanks {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  explicit ChangedRanks(std::pmr::memory_resource* memory) : words_(memory) {}

  /// Makes room in the bitmap for all ranks up to `rank`, so that `note` can add these ranks one by one. Adds no rank
  /// itself.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::uint32_t rank);

  /// Adds a rank to the set. If the bitmap has no room for it (see `reserve`), adds all ranks instead.
  void note(std::uint32_t rank) noexcept {
    if (rank / kBits >= words_.size()) {
      all_ = true;
      return;
    }
    words_[rank / kBits] |= std::uint64_t{1} << rank % kBits;
    least_ = std::min(least_, rank);
    most_ = std::max(most_, rank);
  }

  /// Adds all ranks to the set.
  void mark_all() noexcept { all_ = true; }

  /// Removes a rank, if the set contains it.
  /// Contract: `has_all` is false.
  void erase(std::uint32_t rank) noexcept {
    if (rank / kBits >= words_.size()) return;
    words_[rank / kBits] &= ~(std::uint64_t{1} << rank % kBits);
    if (rank != least_) return;
    least_ = next(rank + 1);
    if (least_ == kNone) most_ = 0;
  }

  void clear() noexcept {
    std::fill(words_.begin(), words_.end(), 0);
    least_ = kNone;
    most_ = 0;
    all_ = false;
  }

  bool empty() const { return least_ == kNone && !all_; }

  /// Returns: whether the set contains all ranks.
  bool has_all() const { return all_; }
  /// Returns: whether the set contains a rank.
  bool contains(std::uint32_t rank) const {
    return all_ || (rank / kBits < words_.size() && (words_[rank / kBits] >> rank % kBits & 1) != 0);
  }

  /// Finds ranks that were added one by one by `note`. Ranks that are in the set only because it contains all ranks
  /// (see has_all) are not found.
  /// Returns: the lowest such rank that is at least `from`; kNone when there is none.
  /// Complexity: O(1 + n / 64), where n is the number of ranks from the lowest one in the set to the highest one that
  /// was added since the set was last empty.
  std::uint32_t next(std::uint32_t from) const {
    from = std::max(from, least_ == kNone ? from : least_);
    if (least_ == kNone || from > most_) return kNone;
    std::size_t word = from / kBits;
    std::uint64_t bits = words_[word] >> from % kBits << from % kBits;
    while (bits == 0) {
      if (++word > most_ / kBits) return kNone;
      bits = words_[word];
    }
    return static_cast<std::uint32_t>(word * kBits) + static_cast<std::uint32_t>(std::countr_zero(bits));
  }

  MemoryUse memory_use() const { return memory_use_of(words_); }

 private:
  static constexpr std::uint32_t kBits = 64;

  PlainList<std::uint64_t> words_;
  std::uint32_t least_ = kNone;  // The lowest rank in the bitmap. None is higher than `most_`.
  std::uint32_t most_ = 0;
  bool all_ = false;
};

}  // namespace strata::detail
