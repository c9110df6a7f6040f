// The words of which a typed query is made, and what each hands to the function that visits rows.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../core/registry.hpp"
#include "../matching/batch.hpp"
#include "cells.hpp"

namespace strata {

/// The value of T where the entity has one: a pointer, null where it has none.
template <class T>
struct Maybe {};

/// Only entities that have T; hands out nothing.
template <class T>
struct With {};

/// Only entities that do not have T; hands out nothing.
template <class T>
struct Without {};

/// Only entities that have at least one of the components; hands out nothing: ask for their values with
/// Maybe.
template <class... Ts>
struct AnyOf {};

/// The value of T on the entity's parent: a pointer, null where it has no parent or the parent has no T.
/// `Parent<const T>` is to read; `Parent<T>` is to fold children into their parents, in `cascade(up)` alone.
template <class T>
struct Parent {};

/// The value of T on the nearest ancestor that has one, which the entity itself does not count as: a pointer,
/// null where none has. `Up<const T>` only: it is to read.
template <class T>
struct Up {};

/// The values that each row of a block relates to, as `each_block` hands them out: of const T, unless the
/// term is one to write.
template <class T>
class RelatedSpan {
 public:
  RelatedSpan(T* shared, std::size_t size) : values_(shared), size_(size) {}
  RelatedSpan(T* const* each, std::size_t size) : each_(each), size_(size) {}
  RelatedSpan(T* column, const std::uint16_t* rows, std::size_t size)
      : values_(column), rows_(rows), size_(size) {}

  std::size_t size() const { return size_; }

  /// Returns: whether all rows relate to the same value.
  bool is_shared() const { return each_ == nullptr && rows_ == nullptr; }

  /// Returns: the value for a row; null where there is none.
  T* operator[](std::size_t row) const {
    if (rows_ != nullptr) return values_ + rows_[row];
    return each_ != nullptr ? each_[row] : values_;
  }

 private:
  T* values_ = nullptr;                  // The shared one, or a column.
  const std::uint16_t* rows_ = nullptr;  // Positions in the column.
  T* const* each_ = nullptr;
  std::size_t size_;
};

namespace detail {

/// Rows of a batch that `each_block` hands out together.
struct Run {
  std::uint32_t first;
  std::uint32_t count;
  std::uint16_t origin;  ///< Of a group.
};

/// What a term means to the engine (`role`, `Value`) and to the visiting function (`cell`, `span`). Rows are
/// those of a Batch, or of whatever else has a lane for each term.
template <class T>
struct TermTraits {
  static_assert(
      Component<std::remove_const_t<T>>,
      "a term is a component type, Entity, Maybe<T>, With<T>, Without<T>, AnyOf<...>, Parent<const T> "
      "or Up<const T>");
  static_assert(!is_tag<std::remove_const_t<T>>, "a tag has no value: ask for With<T> or Without<T>");
  using Value = std::remove_const_t<T>;
  static constexpr Role role = Role::value;
  static constexpr bool yields = true;

  template <Access access, class Rows>
  static auto cell(const Rows& batch, std::size_t term) {
    if constexpr (access == Access::gathered) {
      return GatheredCell<T>{static_cast<void* const*>(batch.lanes[term])};
    } else if constexpr (access == Access::columns_picked) {
      return PickedCell<T>{static_cast<T*>(batch.lanes[term]), batch.picks[term]};
    } else if constexpr (access == Access::placed) {
      return PlacedCell<T>{batch.blocks, batch.block_rows, batch.starts[term]};
    } else {
      return ColumnCell<T>{static_cast<T*>(batch.lanes[term])};
    }
  }
  static std::span<T> span(const Batch& batch, std::size_t term, Run run) {
    return {static_cast<T*>(batch.lanes[term]) + run.first, run.count};
  }
};

template <class T>
struct TermTraits<Maybe<T>> {
  static_assert(Component<std::remove_const_t<T>> && !is_tag<std::remove_const_t<T>>,
                "Maybe<T> needs a component with a value");
  using Value = std::remove_const_t<T>;
  static constexpr Role role = Role::optional;
  static constexpr bool yields = true;

  template <Access access, class Rows>
  static auto cell(const Rows& batch, std::size_t term) {
    if constexpr (access == Access::gathered) {
      return OptionalGatheredCell<T>{static_cast<void* const*>(batch.lanes[term])};
    } else if constexpr (access == Access::columns_picked) {
      return OptionalPickedCell<T>{static_cast<T*>(batch.lanes[term]), batch.picks[term]};
    } else if constexpr (access == Access::placed) {
      return OptionalPlacedCell<T>{{batch.blocks, batch.block_rows, batch.starts[term]},
                                   batch.starts[term] == Batch::kAbsent};
    } else {
      return OptionalColumnCell<T>{static_cast<T*>(batch.lanes[term])};
    }
  }
  /// An empty span where the block's entities have none.
  static std::span<T> span(const Batch& batch, std::size_t term, Run run) {
    T* const values = static_cast<T*>(batch.lanes[term]);
    return values != nullptr ? std::span<T>(values + run.first, run.count) : std::span<T>();
  }
};

/// A value of T on another entity than the row's.
template <class T>
struct RelatedTraits {
  static_assert(Component<std::remove_const_t<T>> && !is_tag<std::remove_const_t<T>>,
                "Parent<T> and Up<const T> need a component with a value");
  using Value = std::remove_const_t<T>;
  static constexpr bool yields = true;

  template <Access access, class Rows>
  static auto cell(const Rows& batch, std::size_t term) {
    if constexpr (access == Access::columns) {
      return SharedCell<T>{static_cast<T*>(batch.lanes[term])};
    } else if constexpr (access == Access::columns_grouped) {
      return GroupedCell<T>{static_cast<T*>(batch.lanes[term])};
    } else if constexpr (access == Access::columns_indexed) {
      return IndexedCell<T>{static_cast<T*>(batch.lanes[term]), batch.origin_rows};
    } else {
      return OptionalGatheredCell<T>{static_cast<void* const*>(batch.lanes[term])};
    }
  }
  static RelatedSpan<T> span(const Batch& batch, std::size_t term, Run run) {
    T* const values = static_cast<T*>(batch.lanes[term]);
    switch (batch.access) {
      case Access::columns:
        return {values, run.count};
      case Access::columns_grouped:
        return {values + run.origin, run.count};
      case Access::columns_indexed:
        return {values, batch.origin_rows + run.first, run.count};
      default:
        return {static_cast<T* const*>(batch.lanes[term]) + run.first, run.count};
    }
  }
};

template <class T>
struct TermTraits<Parent<T>> : RelatedTraits<T> {
  static constexpr Role role = Role::related;
};

template <class T>
struct TermTraits<Up<T>> : RelatedTraits<T> {
  static_assert(std::is_const_v<T>,
                "Up<T> only reads: many entities share the ancestor's value, so write Up<const T>");
  static constexpr Role role = Role::nearest;
};

template <class T>
struct TermTraits<With<T>> {
  using Value = T;
  static constexpr Role role = Role::with;
  static constexpr bool yields = false;
};

template <class T>
struct TermTraits<Without<T>> {
  using Value = T;
  static constexpr Role role = Role::without;
  static constexpr bool yields = false;
};

/// The first of the alternatives; TermList has the others follow behind all terms.
template <class... Ts>
struct TermTraits<AnyOf<Ts...>> {
  static_assert(sizeof...(Ts) != 0 && (Component<Ts> && ...),
                "AnyOf<A, B, ...> names one component or several");
  using Value = std::tuple_element_t<0, std::tuple<Ts..., void>>;
  static constexpr Role role = Role::any_of;
  static constexpr bool yields = false;
};

template <>
struct TermTraits<Entity> {
  static constexpr Role role = Role::entity;
  static constexpr bool yields = true;

  template <Access access, class Rows>
  static auto cell(const Rows& batch, std::size_t) {
    return ColumnCell<const Entity>{batch.entities};
  }
  static std::span<const Entity> span(const Batch& batch, std::size_t, Run run) {
    return {batch.entities + run.first, run.count};
  }
};

/// Whether a term hands out nothing that may be written.
template <class Term>
inline constexpr bool reads_only = std::is_const_v<Term>;
template <>
inline constexpr bool reads_only<Entity> = true;
template <class T>
inline constexpr bool reads_only<With<T>> = true;
template <class T>
inline constexpr bool reads_only<Without<T>> = true;
template <class... Ts>
inline constexpr bool reads_only<AnyOf<Ts...>> = true;
template <class T>
inline constexpr bool reads_only<Maybe<T>> = std::is_const_v<T>;
template <class T>
inline constexpr bool reads_only<Parent<T>> = std::is_const_v<T>;
template <class T>
inline constexpr bool reads_only<Up<T>> = std::is_const_v<T>;

/// What a term hands to a visiting function.
template <class Traits>
using Argument = decltype(Traits::template cell<Access::columns>(std::declval<const Batch&>(), 0)[0]);
/// The same to a function of `each_block`.
template <class Traits>
using BlockArgument = decltype(Traits::span(std::declval<const Batch&>(), 0, Run{}));

/// Whether T is asked for on the parent or an ancestor, and whether it is asked of the entity itself.
template <class T, class Term>
inline constexpr bool asks_above = false;
template <class T, class Value>
inline constexpr bool asks_above<T, Parent<Value>> = std::is_same_v<T, std::remove_const_t<Value>>;
template <class T, class Value>
inline constexpr bool asks_above<T, Up<Value>> = std::is_same_v<T, std::remove_const_t<Value>>;
template <class T, class Term>
inline constexpr bool asks_itself =
    !asks_above<T, Term> && std::is_same_v<T, std::remove_const_t<typename TermTraits<Term>::Value>>;
template <class T>
inline constexpr bool asks_itself<T, Entity> = false;
template <class T, class... Terms>
inline constexpr bool asks_only_above = (asks_above<T, Terms> || ...) && !(asks_itself<T, Terms> || ...);

/// Whether a term hands out what may be written on another entity than the row's.
template <class Term>
inline constexpr bool writes_parent = false;
template <class T>
inline constexpr bool writes_parent<Parent<T>> = !std::is_const_v<T>;

}  // namespace detail
}  // namespace strata
