// ValueTarget: stores the values of one component for new entities, in a column of a table or in a pool.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "typed_store.hpp"

namespace strata::detail {

/// Makes the values of one component for new entities: value-initialised ones, T(). `one` returns a value; `many`
/// builds `count` values in uninitialised memory.
template <class T>
struct ValueInitialised {
  static constexpr bool kRunsCode = initialisation_runs_code<T>;

  T one() const { return T(); }
  void many(T* to, std::size_t count) const {
    if constexpr (std::is_trivially_default_constructible_v<T> && std::is_trivially_copyable_v<T>) {
      if (is_all_zero()) {
        std::memset(static_cast<void*>(to), 0, count * sizeof(T));
        return;
      }
    }
    build_values(to, count, [](void* place, std::size_t) { ::new (place) T(); });
  }

 private:
  /// Returns: whether the bytes of a value-initialised T are all zero, so that `many` may use memset. Most types have
  /// such bytes, but not a type with a pointer to a member, whose null value has other bits.
  static bool is_all_zero() {
    alignas(T) std::array<std::byte, sizeof(T)> bytes{};
    ::new (static_cast<void*>(bytes.data())) T();
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{}; });
  }
};

/// Makes the values of one component for new entities: copies of one value. `one` returns a copy; `many`
/// builds `count` copies in uninitialised memory.
template <class T>
struct CopyOf {
  const T& value;

  T one() const { return value; }
  void many(T* to, std::size_t count) const {
    build_values(to, count, [&](void* place, std::size_t) { ::new (place) T(value); });
  }
};

/// Makes the values of one component for new entities: copies of the values in an array, in their order.
/// `one` returns a copy of the next value; `many` builds copies of the next `count` values in uninitialised
/// memory. Each call advances `next`.
template <class T>
struct CopiesOf {
  const T*& next;

  T one() const { return *next++; }
  void many(T* to, std::size_t count) const {
    copy_values<T>(to, next, count);
    next += count;
  }
};

/// Stores the values of T for new entities of one archetype: in a column of its tables or, if T is stored in the side
/// store, in T's pool (sparse set). The constructor looks up the column or the pool. A ValueTarget is valid until
/// World::set_storage moves T to the other storage.
template <Component T>
class ValueTarget {
 public:
  ValueTarget(Store& store, const Archetype& archetype) : store_(&store) {
    const ComponentId id = store.registry().id_of<T>();
    component_ = &store.registry()[id];
    if (component_->storage == Storage::sparse) {
      pool_ = &store.side().get(id);
    } else {
      prefix_ = archetype.format().prefix_of(id);
    }
  }

  /// Moves `value` into the new row at `place`. Does nothing if T is a tag, or if `storage_of<T>` is Storage::sparse:
  /// in the latter case, `build_in_side_store` stores the value.
  /// Contract: T is stored where `storage_of<T>` says; World::set_storage has not moved it to the other storage.
  void build_in_table(Place place, T& value) const noexcept {
    if constexpr (!kSparse && !is_tag<T>) {
      ::new (static_cast<void*>(column_of<T>(*place.block, prefix_) + place.row)) T(std::move(value));
    }
  }

  /// Makes a new entity a member of T's pool and, unless T is a tag, moves `value` there. Does nothing if
  /// `storage_of<T>` is Storage::table: in that case, `build_in_table` stores the value.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: T is stored where `storage_of<T>` says; World::set_storage has not moved it to the other storage.
  void build_in_side_store(Entity entity, T& value) const {
    if constexpr (kSparse) {
      void* const place = pool_->insert(entity).value;
      if constexpr (!is_tag<T>) build_value(*store_, entity, place, value);
    }
  }

  /// Builds the values of T for the entities of the new rows `run`, in a column or in a pool, wherever T is stored. A
  /// tag in tables has no values, so nothing is built. `make` makes the values; it is a ValueInitialised, a CopyOf, a
  /// CopiesOf or a RequiredFor. `made` records the values, so that NewEntities::undo can destroy them.
  /// Errors: std::bad_alloc, and what a constructor of T throws; the caller has to call NewEntities::undo then.
  template <class Make>
  void build(NewEntities& made, const RowRun& run, Make make) const {
    if (pool_ != nullptr) {
      made.reserve_members(*pool_);
      for (const Entity entity : entities_of(run)) {
        T value = make.one();
        insert(entity, value);
      }
    } else if constexpr (!is_tag<T>) {
      made.build(*component_, column_of<T>(*run.block, prefix_) + run.row, run.count,
                 [&](void* to) { make.many(static_cast<T*>(to), run.count); });
    }
  }

  /// Returns: how many of the rows of `run`, from the first one on, have contiguous values of T. In a column, the
  /// values of all rows are contiguous. In a pool, the count ends before the first row whose value is not adjacent to
  /// that of the row before.
  /// Contract: the values have been built in the order of the rows.
  std::uint32_t together(const RowRun& run) const {
    if (pool_ == nullptr) return run.count;
    return std::min(run.count, pool_->values_together(position_of(run)));
  }

  /// Returns: the argument for T of a function that writes the values of new entities (see FillsColumns), as a tuple of
  /// one element: a span of the values of the rows of `run`. For a tag, the tuple is empty.
  /// Contract: the values are contiguous (see `together`).
  auto arguments(const RowRun& run) const {
    if constexpr (is_tag<T>) {
      return std::tuple<>();
    } else {
      T* const first = pool_ != nullptr ? static_cast<T*>(pool_->value_at(position_of(run)))
                                        : column_of<T>(*run.block, prefix_) + run.row;
      return std::tuple(std::span<T>(first, run.count));
    }
  }

 private:
  static constexpr bool kSparse = storage_of<T> == Storage::sparse;

  void insert(Entity entity, T& value) const {
    void* const place = pool_->insert(entity).value;
    if constexpr (!is_tag<T>) ::new (place) T(std::move(value));
  }
  std::uint32_t position_of(const RowRun& run) const { return pool_->position_of(entities_of(run).front()); }

  Store* store_;
  const ComponentInfo* component_ = nullptr;
  SparsePool* pool_ = nullptr;  // Null: the values are in a column, or T is a tag.
  std::uint32_t prefix_ = 0;    // From which the column's address in a block is computed; see BlockFormat.
};

}  // namespace strata::detail
