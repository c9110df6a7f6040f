// OriginRuns: a list that tells, for successive rows of a block (memory with rows of a table), where the parent of each
// row is stored. The block's cache of these locations (class Origins) is written from this list.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../core/slots.hpp"
#include "../../query/matching/origins.hpp"

namespace strata::detail {

/// A change of the parent's location for one row of a block: `origin` is where the parent is stored now.
struct OriginPatch {
  std::uint32_t row;
  Place origin;
};

/// A growing list of the origins of a block's rows, in the order of the rows, from which the block's cache of origins
/// (class Origins) is written. The origin of a row is the block and row in which its parent is stored. Successive rows
/// with one parent form a group; successive groups whose parents are in one block form a segment.
class OriginRuns {
 public:
  explicit OriginRuns(std::pmr::memory_resource* memory) : groups_(memory), segments_(memory) {}

  void clear() noexcept {
    groups_.clear();
    segments_.clear();
    rows_ = 0;
    jumps_ = 0;
  }

  /// Adds the next `count` rows to the list, at least one. The parent of all of them is stored in row `row`
  /// of `block`.
  /// Errors: std::bad_alloc.
  void append(const Block* block, std::uint32_t row, std::uint32_t count) {
    const auto origin = static_cast<std::uint16_t>(row);
    if (segments_.empty() || segments_.back().origin != block) {
      ++jumps_;
      segments_.push_back({block, rows_, 0, static_cast<std::uint32_t>(groups_.size())});
      groups_.push_back({origin, 0});
    } else if (groups_.back().origin != origin) {
      jumps_ += follows(groups_.back().origin, origin) ? 0 : 1;
      groups_.push_back({origin, 0});
    }
    groups_.back().count = static_cast<std::uint16_t>(groups_.back().count + count);
    segments_.back().count += count;
    rows_ += count;
  }

  /// Fills this list with the origins (locations of parents) that `kept` has in its segments from index `first` up to
  /// `last` (not included), but with `patch.origin` for row `patch.row`. A segment describes successive rows whose
  /// parents are in one block. Row 0 of the list is the first row of segment `first`.
  /// Contract: `patch.row` is in one of these segments.
  /// Errors: std::bad_alloc.
  void list_patched(const Origins& kept, std::size_t first, std::size_t last, const OriginPatch& patch);

  /// Replaces the segments of `kept` from index `first` up to `last` (not included) by the segments of this list. A
  /// segment describes successive rows whose parents are in one block. If the form of `kept` is Form::rows, the caller
  /// must update the array Origins::rows.
  /// Contract: a call of `list_patched` with the same `kept`, `first` and `last` has filled this list.
  /// Returns: false if `kept` has no room for the segments and groups of this list; if so, `kept` is unchanged.
  bool splice_into(Origins& kept, std::size_t first, std::size_t last) const noexcept;

  /// Writes the list to `origins`, in the form `origins.form`. For Form::scattered, writes nothing.
  /// Contract: `origins` has room for the list, and its members, such as the number of segments, are set already.
  void write_to(Origins& origins) const noexcept;

  /// `before` and `row` are two rows of one block, in which the parents of two successive rows are stored.
  /// Returns: whether `row` is `before` or one of the kNear rows after `before`, so that the hardware has probably
  /// prefetched `row`.
  static bool follows(std::uint16_t before, std::uint16_t row) {
    constexpr unsigned kNear = 8;
    return static_cast<std::uint16_t>(row - before) <= kNear;
  }

  /// Returns: the number of groups (successive rows with one parent) whose parent is stored in another block than the
  /// parent of the previous group, or in a row of the same block for which `follows` is false. The first group counts,
  /// too.
  std::uint32_t jumps() const { return jumps_; }

  std::span<const OriginGroup> groups() const { return groups_; }
  std::span<const OriginSegment> segments() const { return segments_; }

 private:
  std::pmr::vector<OriginGroup> groups_;
  std::pmr::vector<OriginSegment> segments_;
  std::uint32_t rows_ = 0;
  std::uint32_t jumps_ = 0;
};

}  // namespace strata::detail
