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

/// Value-initialises new values.
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

/// Copies one value into all new values.
template <class T>
struct CopyOf {
  const T& value;

  T one() const { return value; }
  void many(T* to, std::size_t count) const { std::uninitialized_fill_n(to, count, value); }
};

/// Copies the next values of a column.
template <class T>
struct CopiesOf {
  const T*& next;

  T one() const { return *next++; }
  void many(T* to, std::size_t count) const {
    std::uninitialized_copy_n(next, count, to);
    next += count;
  }
};

/// The column or pool of T for rows of one archetype, according to the storage of T at construction.
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

  /// Builds the value of a new row if T is declared as a table component.
  /// Contract: T is stored as its type declares.
  void build_in_table(Place place, T& value) const noexcept {
    if constexpr (!kSparse && !is_tag<T>) {
      ::new (static_cast<void*>(column_of<T>(*place.block, prefix_) + place.row)) T(std::move(value));
    }
  }

  /// Builds the value of a new entity if T is declared as a side-store component.
  /// Contract: as `build_in_table`.
  void build_in_side_store(Entity entity, T& value) const {
    if constexpr (kSparse) {
      void* const place = pool_->insert(entity).value;
      if constexpr (!is_tag<T>) build_value(*store_, entity, place, value);
    }
  }

  /// Builds the values of new rows.
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

  /// Returns: the number of rows of the run, from its first one on, whose values are adjacent.
  /// Contract: the values have been built in the order of the rows.
  std::uint32_t together(const RowRun& run) const {
    if (pool_ == nullptr) return run.count;
    return std::min(run.count, pool_->values_together(position_of(run)));
  }

  /// Returns: the arguments of a fill function for adjacent values of T; none for a tag.
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
