// OriginRuns: a list of where the parents of a block's rows are stored, from which Origins are written.
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

/// A growing list of the origins of a block's rows, in the order of the rows, from which `Origins` are
/// written. The origin of a row is the block and row in which its parent is stored. Successive rows with one
/// parent form a group; successive groups whose parents are in one block form a segment.
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

  /// Replaces this list by the OriginSegments of `kept` with the indices from `first` up to (not including)
  /// `last`, with the parent of one row changed as `patch` says. The list counts rows from the first of these
  /// segments on.
  /// Contract: `patch.row` is in one of these segments.
  /// Errors: std::bad_alloc.
  void list_patched(const Origins& kept, std::size_t first, std::size_t last, const OriginPatch& patch);

  /// Replaces the OriginSegments of `kept` with the indices from `first` up to (not including) `last` by
  /// those of this list. With Form::rows, leaves the numbers of parents' rows as they are; the caller changes
  /// them.
  /// Contract: `list_patched` was called with these arguments.
  /// Returns: false if `kept` has no room for them; nothing has changed then.
  bool splice_into(Origins& kept, std::size_t first, std::size_t last) const noexcept;

  /// Writes the list to `origins`, in the form that `origins.form` says; nothing for Form::scattered.
  /// Contract: `origins` has room for it, and its counts are set already.
  void write_to(Origins& origins) const noexcept;

  /// Compares the rows of two parents in one block.
  /// Returns: whether `row` is `before` or one of the kNear rows after it, so that the hardware has probably
  /// prefetched it.
  static bool follows(std::uint16_t before, std::uint16_t row) {
    constexpr unsigned kNear = 8;
    return static_cast<std::uint16_t>(row - before) <= kNear;
  }

  /// Returns: the number of groups whose parent is not stored near that of the group before it (see
  /// `follows`).
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
