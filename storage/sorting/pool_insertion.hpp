// PoolInsertion: an insertion sort of a pool (sparse set) that can be interrupted and continued later.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "../../core/plain_list.hpp"
#include "../../core/rollback.hpp"
#include "member_order.hpp"
#include "pool_arranger.hpp"

namespace strata::detail {

/// Rotates members of a pool, and records the rotations of a sort, so that they can be undone if the sort
/// fails.
class RotationLog {
 public:
  /// `reversible` is false if the sort cannot fail. In this case, nothing is recorded, and `undo` does nothing.
  RotationLog(PoolArranger& arranger, bool reversible)
      : arranger_(arranger), rotations_(arranger.memory()), reversible_(reversible) {}

  /// Rotates members (see PoolArranger::rotate). Records the rotation if the constructor was called with `reversible` =
  /// true.
  /// Errors: std::bad_alloc, if rotations are recorded; nothing has moved then.
  void rotate(std::uint32_t first, std::uint32_t middle, std::uint32_t last) {
    if (reversible_) rotations_.push_back({first, middle, last});
    arranger_.rotate(first, middle, last);
  }

  /// Reverts all recorded rotations, last to first.
  void undo() noexcept {
    for (; !rotations_.empty(); rotations_.pop_back()) {
      const auto& [first, middle, last] = rotations_.back();
      arranger_.rotate(first, first + (last - middle), last);
    }
  }

 private:
  struct Rotation {
    std::uint32_t first, middle, last;
  };

  PoolArranger& arranger_;
  PlainList<Rotation> rotations_;
  bool reversible_;
};

/// An insertion sort of a pool that can stop after any step and continue later (see SortProgress). The cursor is the
/// position of the next member to check; the members before the cursor are in order, unless members were inserted or
/// erased during the sweep. A member at the cursor that is less than the one before it moves back to the place where it
/// belongs. The members right after it move together with it, as far as they are in order and belong to the same
/// place.
///
/// A sweep is one pass over all members. Forward and backward sweeps alternate. In a backward sweep, positions count
/// from the end of the pool, and the comparison is reversed.
template <class Ordering>
class PoolInsertion {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  PoolInsertion(SparsePool& pool, const Ordering& less, SortProgress& progress)
      : less_(less),
        progress_(progress),
        arranger_(pool),
        log_(arranger_, !Ordering::is_noexcept()),
        size_(pool.size()) {}

  /// Continues the sort. Stops when the members are in order, or before this call has made more than `budget`
  /// comparisons and moves of members (both counted together). Stores in the SortProgress where the sort has stopped.
  /// Returns: true if this call has completed a sweep (pass over all members) and all members are in order; false if
  /// the budget ended before.
  /// Errors: exceptions of the comparison, and std::bad_alloc; members and progress are restored then.
  bool run(std::size_t budget) {
    const SortProgress before = progress_;
    Rollback undo([&] {
      log_.undo();
      progress_ = before;
    });
    left_ = budget;
    resume();
    const bool sorted = sweep();
    undo.dismiss();
    suspend();
    return sorted;
  }

 private:
  /// Converts between two ways to count the position of a boundary between members: from the front of the pool, and
  /// from the end at which the current sweep (pass over all members) begins. The same formula converts in both
  /// directions. `turned_member` does the same for the position of a member.
  std::uint32_t turned(std::uint32_t position) const {
    return progress_.backward ? size_ - position : position;
  }
  const typename Ordering::Value& at(std::uint32_t position) const {
    return Ordering::at(arranger_.pool(), progress_.backward ? size_ - 1 - position : position);
  }
  bool before(std::uint32_t a, std::uint32_t b) {
    --left_;
    return progress_.backward ? less_(at(b), at(a)) : less_(at(a), at(b));
  }

  /// Loads the cursor and the held member (the member that still has to move) that the last call of `run` has stored in
  /// the SortProgress. If members were erased since that call, the members that the sweep has passed may be out of
  /// order. The same is true in a backward sweep if members were inserted, because they were inserted at the end of the
  /// pool, where the sweep began. In both cases, sets `undisturbed` to false, so that another sweep follows. If the
  /// sweep has passed at most one member and there is no held member, begins the sweep again instead, because the sweep
  /// has compared nothing yet.
  void resume() {
    const bool displaced = progress_.displacements != arranger_.pool().displacements();
    const bool behind = progress_.backward && progress_.members != size_;
    const std::uint32_t swept = progress_.backward ? progress_.members - progress_.cursor : progress_.cursor;
    held_ = progress_.held < size_ ? turned_member(progress_.held) : SortProgress::kNone;
    if (swept <= 1 && held_ == SortProgress::kNone) return begin_sweep();
    if (displaced || behind) progress_.undisturbed = false;
    cursor_ = std::max(turned(std::min(progress_.cursor, size_)), std::min(1u, size_));
  }
  void begin_sweep() {
    progress_.undisturbed = true;
    cursor_ = std::min(1u, size_);
  }
  void suspend() {
    progress_.cursor = turned(cursor_);
    progress_.held = held_ != SortProgress::kNone ? turned_member(held_) : SortProgress::kNone;
    progress_.members = size_;
    progress_.displacements = arranger_.pool().displacements();
  }
  std::uint32_t turned_member(std::uint32_t position) const {
    return progress_.backward ? size_ - 1 - position : position;
  }

  bool sweep() {
    for (;;) {
      if (held_ != SortProgress::kNone) {
        if (left_ < kLeastMove) return false;
        const std::uint32_t member = std::exchange(held_, SortProgress::kNone);
        if (member != 0 && before(member, member - 1)) insert(member, member + 1);
        continue;
      }
      if (cursor_ >= size_) {
        const bool sorted = progress_.undisturbed;
        progress_.backward = !progress_.backward;
        begin_sweep();
        if (sorted) return true;
        continue;
      }
      if (!find_next()) return false;
    }
  }

  /// Advances the cursor to the next member that is less than the one before it, and moves that member back to its
  /// place (see `insert`). If there is no such member, advances the cursor to the end.
  /// Returns: false when the rest of the budget does not suffice to find this member and to begin to move it, or to
  /// reach the end.
  bool find_next() {
    const std::uint32_t end =
        cursor_ + static_cast<std::uint32_t>(std::min<std::size_t>(size_ - cursor_, left_));
    const std::uint32_t from = cursor_;
    cursor_ = progress_.backward ? find_backward(cursor_, end)
                                 : find_disorder(arranger_.pool(), less_, cursor_, end);
    if (cursor_ == end) {
      left_ -= end - from;
      return end == size_;
    }
    left_ -= cursor_ + 1 - from;
    if (left_ < 2) return false;
    cursor_ = insert(cursor_, size_);
    return true;
  }
  std::uint32_t find_backward(std::uint32_t begin, std::uint32_t end) const {
    // Keeps the address of the previous value, so that each member is looked up once.
    const auto* before = address_of(at(begin - 1));
    for (; begin < end; ++begin) {
      const auto* const here = address_of(at(begin));
      if (less_(*before, *here)) break;
      before = here;
    }
    return begin;
  }

  /// Moves the member at `first`, which is less than the member before it, back to the place where it belongs.
  /// Following members before position `most` that belong to the same place move along. If the rest of the budget does
  /// not suffice, moves only the member at `first`, as near to its place as possible. In this case, stores in `held_`
  /// the position that this member has reached, so that a later step moves it further.
  /// Returns: the position after the one that the last of the moved members had before the move.
  std::uint32_t insert(std::uint32_t first, std::uint32_t most) {
    std::uint32_t place = first - 1;
    const bool found = find_place(first, place);
    const std::uint32_t last = found ? extend(place, first, most) : first + 1;
    rotate(place, first, last);
    if (!found) held_ = place;
    return last;
  }

  /// Finds the position to which the member at `first` belongs. Searches backward from `place`, where a greater member
  /// is, for the nearest member that is not greater than the one at `first`. Sets `place` to the position behind the
  /// member found, or to 0 if there is none.
  /// If no member was inserted or erased during the sweep, the members before `first` are in order, so an exponential
  /// search is possible: its step doubles each time. Otherwise, the search checks one member after the other.
  /// Returns: false when the rest of the budget is not sufficient for the search and for the moves that follow; in this
  /// case, `place` is the last position that was reached.
  bool find_place(std::uint32_t first, std::uint32_t& place) {
    std::uint32_t lowest = 0;
    std::uint32_t step = 1;
    bool growing = true;
    while (place > lowest) {
      const std::size_t reach = std::max<std::size_t>(lowest, left_ < first + 2u ? first + 2u - left_ : 0);
      if (place <= reach) return false;
      if (!growing) step = (place - lowest + 1) / 2;
      step = std::min(step, place - static_cast<std::uint32_t>(reach));
      if (before(first, place - step)) {
        place -= step;
        if (growing && progress_.undisturbed) step *= 2;
      } else {
        lowest = place - step + 1;
        growing = false;
      }
    }
    return true;
  }

  /// Finds the run of members that `insert` moves to `place` at once. The run begins at `first` and ends before the
  /// position `most`. Its members are sorted and less than the member at `place`. The budget suffices to move the run,
  /// and the shorter of the two ranges that `rotate` exchanges is not longer than PoolArranger::room. If members were
  /// inserted or erased during the sweep, members behind `first` may not be sorted, so the run is only one member.
  /// Returns: the position behind the last member of the run.
  std::uint32_t extend(std::uint32_t place, std::uint32_t first, std::uint32_t most) {
    std::uint32_t last = first + 1;
    if (!progress_.undisturbed) return last;
    if (first - place > arranger_.room()) most = std::min(most, first + arranger_.room());
    while (last < most && left_ >= std::size_t{last} + 3 - place) {
      if (before(last, last - 1) || !before(last, place)) break;
      ++last;
    }
    return last;
  }

  /// Exchanges the ranges [first, middle) and [middle, last) of members, and subtracts the number of these members from
  /// the budget. If the current sweep goes backward, positions count from the end of the pool.
  void rotate(std::uint32_t first, std::uint32_t middle, std::uint32_t last) {
    left_ -= last - first;
    if (progress_.backward) {
      log_.rotate(size_ - last, size_ - middle, size_ - first);
    } else {
      log_.rotate(first, middle, last);
    }
  }

  // The least budget with which a member can move by one position: one comparison, and two moves, because the member
  // before it moves, too.
  static constexpr std::size_t kLeastMove = 3;

  const Ordering& less_;
  SortProgress& progress_;
  PoolArranger arranger_;
  RotationLog log_;
  std::uint32_t size_;
  std::uint32_t cursor_ = 0;
  std::uint32_t held_ = SortProgress::kNone;
  std::size_t left_ = 0;
};

}  // namespace strata::detail
