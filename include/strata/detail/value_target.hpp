// ValueTarget: the place of one component's values in new rows, looked up once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "typed_store.hpp"

namespace strata::detail {

/// Makes value-initialised values of new entities: `one` returns a value, `many` builds `count` values in
/// uninitialised memory.
template <class T>
struct ValueInitialised {
  T one() const { return T(); }
  void many(T* to, std::size_t count) const {
    if constexpr (std::is_trivially_default_constructible_v<T> && std::is_trivially_copyable_v<T>) {
      if (is_all_zero()) {
        std::memset(static_cast<void*>(to), 0, count * sizeof(T));
        return;
      }
    }
    std::uninitialized_value_construct_n(to, count);
  }

 private:
  /// True for most types, but not with a pointer to a member, whose null value has another bit pattern.
  static bool is_all_zero() {
    alignas(T) std::array<std::byte, sizeof(T)> bytes{};
    ::new (static_cast<void*>(bytes.data())) T();
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{}; });
  }
};

/// Makes copies of one value for new entities: `one` returns a copy, `many` builds `count` copies in
/// uninitialised memory.
template <class T>
struct CopyOf {
  const T& value;

  T one() const { return value; }
  void many(T* to, std::size_t count) const { std::uninitialized_fill_n(to, count, value); }
};

/// Makes copies of the values in an array, in order, for new entities: `one` returns a copy of the next
/// value, `many` builds copies of the next `count` values in uninitialised memory. Each call advances `next`.
template <class T>
struct CopiesOf {
  const T*& next;

  T one() const { return *next++; }
  void many(T* to, std::size_t count) const {
    std::uninitialized_copy_n(next, count, to);
    next += count;
  }
};

/// Knows where the values of T are for new entities of one archetype: in a column of its tables, or in a pool
/// of the side store. Uses the storage that T had when this object was made.
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

  /// Moves `value` into the column of a new row if T is declared as a table component; otherwise does
  /// nothing.
  /// Contract: T is stored as its type declares.
  void build_in_table(Place place, T& value) const noexcept {
    if constexpr (!kSparse && !is_tag<T>) {
      ::new (static_cast<void*>(column_of<T>(*place.block, prefix_) + place.row)) T(std::move(value));
    }
  }

  /// Moves `value` into the pool as that of a new entity if T is declared as a side-store component;
  /// otherwise does nothing.
  /// Contract: as `build_in_table`.
  void build_in_side_store(Entity entity, T& value) const {
    if constexpr (kSparse) {
      void* const place = pool_->insert(entity).value;
      if constexpr (!is_tag<T>) build_value(*store_, entity, place, value);
    }
  }

  /// Builds the values of T for the entities of new rows, in the column or in the pool. `make` is a
  /// ValueInitialised, a CopyOf or a CopiesOf.
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

  /// Returns: the number of rows of the run, from the first row on, whose values of T are adjacent in memory.
  /// Contract: the values have been built in the order of the rows.
  std::uint32_t together(const RowRun& run) const {
    if (pool_ == nullptr) return run.count;
    return std::min(run.count, pool_->values_together(position_of(run)));
  }

  /// Returns: a tuple with the argument that a fill function gets for T: a span of the values of the run. For
  /// a tag, the tuple is empty.
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
  std::uint32_t prefix_ = 0;
};

}  // namespace strata::detail
