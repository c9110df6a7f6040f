// Functions that sort the members of a pool (sparse set).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <type_traits>

#include "../../core/compiler.hpp"
#include "../../core/scratch_array.hpp"
#include "member_order.hpp"
#include "merge_sort.hpp"
#include "pool_arranger.hpp"
#include "pool_insertion.hpp"
#include "pool_swaps.hpp"
#include "radix_sort.hpp"
#include "sorting.hpp"

namespace strata::detail {

/// Moves the members of a pool into the order of the array `placed`, which has one record for each member. The
/// `position` of a record is the position of its member in the pool before the call.
template <class Placed>
void arrange_as(PoolArranger& arranger, const Placed* placed) {
  const std::size_t count = arranger.pool().size();
  const ScratchArray<std::uint32_t> order(count, arranger.memory());
  for (std::size_t i = 0; i < count; ++i) order[i] = placed[i].position;
  arranger.arrange({order.data(), count});
}

/// Sorts a pool by records. Makes an array with one record per member by `make(position, value)`, and calls
/// `sort(records, records_end)`, which returns an array of sorted records. Then moves the members to the order of that
/// array. Behind the records, there is uninitialised memory for `spare` times as many records, which `sort` may use.
/// Errors: std::bad_alloc, and exceptions of `make` and `sort`; the pool is unchanged then.
template <class Ordering, class Placed, class Make, class Sort>
void sort_records(SparsePool& pool, std::size_t spare, Make make, Sort sort) {
  PoolArranger arranger(pool);
  const ScratchArray<Placed> records(pool.size() * (spare + 1), arranger.memory());
  for_each_value<Ordering>(pool, [&](std::uint32_t position, const typename Ordering::Value& value) {
    ::new (static_cast<void*>(records.data() + position)) Placed(make(position, value));
  });
  arrange_as(arranger, sort(records.data(), records.data() + pool.size()));
}

/// Up to this number of members, numeric keys are sorted by comparisons, because a radix sort would take
/// longer.
inline constexpr std::uint32_t kFewKeys = 256;

template <class Ordering>
void sort_members(SparsePool& pool, const Ordering& less, const sorting::Stable&) {
  const std::uint32_t count = pool.size();
  if (find_disorder(pool, less, 1, count) >= count) return;
  using Value = typename Ordering::Value;
  if constexpr (Ordering::kByKey) {
    using Key = std::decay_t<decltype(less.key(std::declval<const Value&>()))>;
    if constexpr (has_key_bits<Key>) {
      using Placed = PlacedKey<KeyBits<Key>>;
      return sort_records<Ordering, Placed>(
          pool, 1,
          [&](std::uint32_t position, const Value& value) {
            return Placed{key_bits<Key>(less.key(value)), position};
          },
          [&](Placed* records, Placed* spare) {
            if (count > kFewKeys) return radix_sort(records, spare, count);
            return merge_sort(records, spare, count,
                              [](const Placed& a, const Placed& b) { return a.key < b.key; });
          });
    }
  }
  using Placed = PlacedValue<Value>;
  sort_records<Ordering, Placed>(
      pool, 1, [](std::uint32_t position, const Value& value) { return Placed::of(value, position); },
      [&](Placed* records, Placed* spare) {
        return merge_sort(records, spare, count,
                          [&](const Placed& a, const Placed& b) { return less(a.value(), b.value()); });
      });
}

template <class Ordering, class Algorithm>
void sort_members(SparsePool& pool, const Ordering& less, const sorting::ByPermutation<Algorithm>& way) {
  using Placed = PlacedValue<typename Ordering::Value>;
  sort_records<Ordering, Placed>(
      pool, 0,
      [](std::uint32_t position, const typename Ordering::Value& value) {
        return Placed::of(value, position);
      },
      [&](Placed* first, Placed* last) {
        way.algorithm(first, last,
                      [&](const Placed& a, const Placed& b) { return less(a.value(), b.value()); });
        return first;
      });
}

/// Wraps a comparison that may throw, for sorting::InPlace. An exception must not interrupt the sorting algorithm: the
/// algorithm may have moved a member from the array to a local variable, and this member would be lost. So the wrapper
/// does not throw: it stores the first exception, and returns false from then on.
template <class Less>
class PatientLess {
 public:
  explicit PatientLess(const Less& less) : less_(less) {}

  bool operator()(Entity a, Entity b) noexcept {
#if defined(__cpp_exceptions)
    if (failure_ != nullptr) return false;
    try {
      return less_(a, b);
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
#else
    return less_(a, b);
#endif
  }

  bool failed() const {
    return failure_ != nullptr;
  }
  void rethrow() const {
    std::rethrow_exception(failure_);
  }

 private:
  const Less& less_;
  std::exception_ptr failure_;
};

template <class Ordering, class Algorithm>
void sort_members(SparsePool& pool, const Ordering& order, const sorting::InPlace<Algorithm>& way) {
  PoolArranger arranger(pool);
  const auto less = [&](Entity a, Entity b) {
    if constexpr (Ordering::kByValue) {
      using Value = typename Ordering::Value;
      return order(*static_cast<const Value*>(arranger.value_before(a)),
                   *static_cast<const Value*>(arranger.value_before(b)));
    } else {
      return order(a, b);
    }
  };
  PatientLess patient(less);
  const std::span<Entity> members = arranger.members();
  way.algorithm(members.data(), members.data() + members.size(),
                [&](Entity a, Entity b) { return patient(a, b); });
  if (!patient.failed()) return arranger.follow_members();
  arranger.restore_members();
  patient.rethrow();
}

template <class Ordering, class Algorithm>
void sort_members(SparsePool& pool, const Ordering& less, const sorting::BySwaps<Algorithm>& way) {
  PoolArranger arranger(pool);
  PoolSwaps swaps(arranger, !Ordering::is_noexcept());
  Rollback undo([&] { swaps.undo(); });
  way.algorithm(swaps.begin(), swaps.end(), [&](std::uint32_t a, std::uint32_t b) {
    return less(Ordering::at(pool, a), Ordering::at(pool, b));
  });
  undo.dismiss();
}

template <class Ordering>
void sort_members(SparsePool& pool, const Ordering& less, const sorting::Insertion&) {
  SortProgress whole;
  PoolInsertion<Ordering>(pool, less, whole).run(PoolInsertion<Ordering>::kUnlimited);
}

/// A variable whose address identifies the type Less. The pool stores the address that the last sort_pool_step of this
/// pool used. If the next call uses another address, its function has another type, so the sort starts again.
template <class Less>
inline constexpr char kOrderMark = 0;

/// Sorts the members of a pool of T, with their values, by a comparison or a key function (see OrderKind). `way` is an
/// object of a type in strata::sorting; its type chooses the algorithm. T is void if the type of the values is not
/// known. Afterwards, queries visit the members in this order (see SparsePool::arranged).
/// Errors: std::bad_alloc, and exceptions of the function; the pool is unchanged then.
/// Contract: the function does not change the pool.
template <class T, class Function, class Way = sorting::Stable>
void sort_pool(SparsePool& pool, Function&& less_or_key, const Way& way = {}) {
  using Ordering = MemberOrder<T, std::remove_reference_t<Function>>;
  detail::sort_members(pool, Ordering(less_or_key), way);
  pool.set_arranged();
}

/// Sorts the members of a pool a bit further by a comparison or a key function (see sort_pool), so that a
/// sort can be spread over many calls; the pool stores how far the sort has come. The sort works in sweeps
/// over all members, forward and backward in turns. Members that compare equal keep their order.
///
/// Between two calls, members may be added and removed, and values may change. If members that a sweep has already
/// passed get out of order in this way, the next sweep sorts them. If the type of the function differs from that of the
/// previous call, the sort starts again from the beginning.
/// Returns: true if this call has completed a sweep during which no member was removed and, if the sweep went backward,
/// none was added; otherwise false. If true, all members are in order, unless values have changed after the sweep had
/// passed them.
/// Errors: std::bad_alloc, and exceptions of the function; the pool is unchanged then.
/// Contract: the function does not change the pool.
/// Complexity: at most `budget` comparisons and moves of members in all. With a budget below 3, no member
/// moves.
template <class T, class Function>
bool sort_pool_step(SparsePool& pool, Function&& less_or_key, std::size_t budget) {
  using Ordering = MemberOrder<T, std::remove_reference_t<Function>>;
  SortProgress& progress = pool.sort_progress();
  const void* const mark = &kOrderMark<std::remove_cvref_t<Function>>;
  if (progress.order != mark) progress = SortProgress{.order = mark};
  const Ordering order(less_or_key);
  const bool sorted = PoolInsertion<Ordering>(pool, order, progress).run(budget);
  pool.set_arranged();  // Set now, because queries should keep the order even while it is not exact.
  return sorted;
}

/// Sorts a pool by the order of another one: moves the members that are also members of `other` to the front, in the
/// order that they have in `other`. All other members follow, and keep their order. Afterwards, queries visit the
/// members in this order (see SparsePool::arranged).
/// Errors: std::bad_alloc; the pool is unchanged then.
/// Complexity: O(members of `pool` and `other`).
STRATA_API void sort_pool_like(SparsePool& pool, const SparsePool& other);

template <class Less>
void SparsePool::sort(Less less) {
  sort_pool<void>(*this, less);
}

}  // namespace strata::detail
