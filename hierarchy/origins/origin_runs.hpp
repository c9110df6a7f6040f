// OriginRuns: runs of rows with the same origin, from which the stored form is written.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../core/slots.hpp"
#include "../../query/matching/origins.hpp"

namespace strata::detail {

/// A change to one row of a block: the place of its new origin.
struct OriginPatch {
  std::uint32_t row;
  Place origin;
};

/// A list of the origins of a block's rows (see Origins) in the order of the rows, from which the stored form
/// is written. A group is a run of rows with the same origin; a segment is a run of groups with origins in
/// one block.
class OriginRuns {
 public:
  explicit OriginRuns(std::pmr::memory_resource* memory) : groups_(memory), segments_(memory) {}

  void clear() noexcept {
    groups_.clear();
    segments_.clear();
    rows_ = 0;
    jumps_ = 0;
  }

  /// Adds the next `count` rows. Their origin is row `row` of `block`.
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

  /// Replaces the list by the runs of the segments [first, last) of `kept`, with the origin of one row
  /// changed.
  /// Errors: std::bad_alloc.
  void list_patched(const Origins& kept, std::size_t first, std::size_t last, const OriginPatch& patch);

  /// Replaces the segments [first, last) of `kept` by these runs.
  /// Returns: false if there is no room; nothing has changed then.
  bool splice_into(Origins& kept, std::size_t first, std::size_t last) const noexcept;

  /// Writes the runs in the form of `origins`, which has room for them.
  void write_to(Origins& origins) const noexcept;

  /// Returns: whether `row` is close enough behind `before` that the hardware has probably prefetched it.
  static bool follows(std::uint16_t before, std::uint16_t row) {
    constexpr unsigned kNear = 8;
    return static_cast<std::uint16_t>(row - before) <= kNear;
  }

  /// Returns: the number of runs whose origin does not follow that of the previous run.
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
