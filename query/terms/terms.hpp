// TermTraits: the run-time term of each term of a typed query, and the argument that it gives to a visiting function.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../core/registry.hpp"
#include "../matching/batch.hpp"
#include "cells.hpp"
#include "term_types.hpp"

namespace strata::detail {

/// Successive rows of a batch: `count` rows, from row `first` of the batch on. One call of a function of `each_block`
/// receives one run. If the rows of the batch come in groups of siblings (Access::columns_grouped), a run is one group;
/// otherwise, it is the whole batch.
struct Run {
  std::uint32_t first;
  std::uint32_t count;
  std::uint16_t origin;  ///< For a group: OriginGroup::origin, the parent's row in the parent's block.
};

/// The properties of a term T of a typed query:
/// - `role` and `Value`: the Role and the component of its run-time term
/// - `yields`: whether it gives an argument to visiting functions
/// - `cell`: returns an object whose `[row]` is the argument of a function of `each`
/// - `span`: returns the argument of a function of `each_block`
/// In `cell` and `span`, `term` is the position of the term. `Rows` is Batch or another type with a member `lanes` (an
/// address for each term, see Batch), and `access` says how to find the values of rows through the lanes (see Access).
template <class T>
struct TermTraits {
  static_assert(
      Component<std::remove_const_t<T>>,
      "a term is a component type, Entity, Maybe<T>, With<T>, Without<T>, AnyOf<...>, Parent<const T> "
      "or Up<const T>");
  static_assert(!is_tag<std::remove_const_t<T>>, "a tag has no value: use With<T> or Without<T>");
  using Value = std::remove_const_t<T>;
  static constexpr Role role = Role::value;
  static constexpr bool yields = true;

  template <Access access, class Rows>
  static auto cell(const Rows& batch, std::size_t term) {
    if constexpr (access == Access::gathered) {
      return GatheredCell<T>{static_cast<void* const*>(batch.lanes[term])};
    } else if constexpr (access == Access::columns_picked) {
      return PickedCell<T>{static_cast<T*>(batch.lanes[term]), batch.picks[term]};
    } else {
      return ColumnCell<T>{static_cast<T*>(batch.lanes[term])};
    }
  }
  static std::span<T> span(const Batch& batch, std::size_t term, Run run) {
    return {static_cast<T*>(batch.lanes[term]) + run.first, run.count};
  }
};

/// The component T that a term such as With<T> or Maybe<T> names, without const. If T is no component, this type is
/// Disabled instead, so that the compiler reports only the sentence of `explain_filter` or a similar function, and no
/// further errors.
template <class T>
using FilteredComponent =
    std::conditional_t<Component<std::remove_const_t<T>>, std::remove_const_t<T>, Disabled>;

/// Fails to compile, with a sentence that says what to write instead, if Maybe<T> has no value to hand out.
/// Returns: Role::optional, so that the check can stand in the initialiser of TermTraits::role.
template <class T>
constexpr Role explain_maybe() {
  static_assert(Component<std::remove_const_t<T>>, "Maybe<T> needs a component type T, no other term");
  static_assert(!Component<std::remove_const_t<T>> || !is_tag<std::remove_const_t<T>>,
                "Maybe<T> hands out a value, and a tag has none: add the term Entity and call "
                "world.has<T>(entity), or make two queries, one with With<T> and one with Without<T>");
  return Role::optional;
}

template <class T>
struct TermTraits<Maybe<T>> {
  using Value = FilteredComponent<T>;
  static constexpr Role role = explain_maybe<T>();
  static constexpr bool yields = true;

  template <Access access, class Rows>
  static auto cell(const Rows& batch, std::size_t term) {
    if constexpr (access == Access::gathered) {
      return OptionalGatheredCell<T>{static_cast<void* const*>(batch.lanes[term])};
    } else if constexpr (access == Access::columns_picked) {
      return OptionalPickedCell<T>{static_cast<T*>(batch.lanes[term]), batch.picks[term]};
    } else {
      return OptionalColumnCell<T>{static_cast<T*>(batch.lanes[term])};
    }
  }
  /// Returns: the values of T in these rows; an empty span if the entities of the batch do not have T.
  static std::span<T> span(const Batch& batch, std::size_t term, Run run) {
    T* const values = static_cast<T*>(batch.lanes[term]);
    return values != nullptr ? std::span<T>(values + run.first, run.count) : std::span<T>();
  }
};

/// Maybe<T> for the tag T of a state, such as Disabled. Queries leave out entities in a state unless a term names its
/// tag; with this term, the query visits these entities, too. The term hands out nothing.
template <class T>
requires is_state<T>
struct TermTraits<Maybe<T>> {
  using Value = T;
  static constexpr Role role = Role::either;
  static constexpr bool yields = false;
};

/// What the TermTraits of Parent<T> and Up<T> have in common. The value that these terms hand out does not belong to
/// the visited entity. It belongs to the parent or another ancestor or, for Up<T, R>, to an entity that is found by
/// following the relation R.
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

template <class T, class R>
struct TermTraits<Up<T, R>> : RelatedTraits<T> {
  static_assert(std::is_const_v<T>,
                "Up<T> only reads: many entities share the ancestor's value, so write Up<const T>");
  static_assert(is_followed<R>,
                "Up<const T, R> follows a relation in which a source has one target at most; write after the "
                "definition of R: template <> inline constexpr strata::RelationOptions "
                "strata::relation_options_of<R> = {.exclusive = true};");
  static constexpr Role role = Role::nearest;
  using Followed = R;
};

/// Whether a term follows a relation other than the one to the parent.
template <class Term>
inline constexpr bool follows_relation = false;
template <class T, class R>
inline constexpr bool follows_relation<Up<T, R>> = !std::is_same_v<R, ChildOf>;

/// Fails to compile, with a sentence that says what to write instead, if T in With<T> or Without<T> is a term that
/// cannot be nested, such as Entity or AnyOf<...>.
/// Returns: `role`, so that the check can stand in the initialiser of TermTraits::role.
template <class T, Role role>
constexpr Role explain_filter() {
  static_assert(!is_any_of<T> || role != Role::with,
                "With<AnyOf<A, B>> is written without With: AnyOf<A, B>");
  static_assert(!is_any_of<T> || role != Role::without,
                "Without<AnyOf<A, B>> is written as two terms: Without<A>, Without<B>");
  static_assert(
      is_any_of<T> || Component<std::remove_const_t<T>>,
      "With<T> and Without<T> take one component type, Parent<T> or Up<T>: terms such as Entity and "
      "Maybe<T> are not nested, so write each as a term of its own");
  return role;
}

template <class T>
struct TermTraits<With<T>> {
  using Value = FilteredComponent<T>;
  static constexpr Role role = explain_filter<T, Role::with>();
  static constexpr bool yields = false;
};

template <class T>
struct TermTraits<Without<T>> {
  using Value = FilteredComponent<T>;
  static constexpr Role role = explain_filter<T, Role::without>();
  static constexpr bool yields = false;
};

/// The TermTraits of terms that filter by components of the parent or an ancestor, and hand out nothing.
template <class T, Role role_of_term>
struct AboveTraits {
  static_assert(Component<std::remove_const_t<T>>, "With<Parent<T>> and the like need a component T");
  using Value = std::remove_const_t<T>;
  static constexpr Role role = role_of_term;
  static constexpr bool yields = false;
};
template <class T>
struct TermTraits<With<Parent<T>>> : AboveTraits<T, Role::parent_with> {};
template <class T>
struct TermTraits<Without<Parent<T>>> : AboveTraits<T, Role::parent_without> {};
template <class T>
struct TermTraits<With<Up<T>>> : AboveTraits<T, Role::ancestor_with> {};
template <class T>
struct TermTraits<Without<Up<T>>> : AboveTraits<T, Role::ancestor_without> {};
template <class T, class R>
struct TermTraits<With<Up<T, R>>> {
  static_assert(
      sizeof(With<Up<T, R>>) == 0,
      "With<Up<T>> and Without<Up<T>> ask ancestors, not along another relation: test the pointer that "
      "Up<const T, R> hands out");
};
template <class T, class R>
struct TermTraits<Without<Up<T, R>>> : TermTraits<With<Up<T, R>>> {};

/// Checks the arguments of AnyOf<Ts...>: there must be at least one, and each must be a component type, not a term such
/// as With<A> or Parent<A>. Otherwise compilation fails, with a sentence that says what to write instead.
/// Returns: Role::any_of, so that the check can stand in the initialiser of TermTraits::role.
template <class... Ts>
constexpr Role explain_any_of() {
  static_assert(sizeof...(Ts) != 0, "AnyOf<A, B, ...> needs at least one component");
  static_assert(
      (!is_above<Ts> && ...),
      "AnyOf<...> takes components of the entity itself: use With<Parent<T>> or With<Up<T>> for one "
      "of the parent or an ancestor");
  static_assert(((is_above<Ts> || Component<std::remove_const_t<Ts>>)&&...),
                "AnyOf<A, B, ...> takes component types, not terms: write AnyOf<A, B> for AnyOf<With<A>, B>");
  return Role::any_of;
}

/// The TermTraits of AnyOf describe only the first component of the AnyOf. `typed_terms` adds a run-time term for each
/// other component.
template <class... Ts>
struct TermTraits<AnyOf<Ts...>> {
  using Value = FilteredComponent<std::tuple_element_t<0, std::tuple<Ts..., void>>>;
  static constexpr Role role = explain_any_of<Ts...>();
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

/// Whether a term only reads, that is, gives visiting functions no writable value.
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
inline constexpr bool reads_only<Maybe<T>> = std::is_const_v<T> || is_state<T>;
template <class T>
inline constexpr bool reads_only<Parent<T>> = std::is_const_v<T>;
template <class T, class R>
inline constexpr bool reads_only<Up<T, R>> = std::is_const_v<T>;

/// The type of the argument that a function of `each` receives for a term with these TermTraits.
template <class Traits>
using Argument = decltype(Traits::template cell<Access::columns>(std::declval<const Batch&>(), 0)[0]);
/// The type of the argument that a function of `each_block` receives for a term with these TermTraits.
template <class Traits>
using BlockArgument = decltype(Traits::span(std::declval<const Batch&>(), 0, Run{}));

/// Where a query looks for the component T:
/// - `uses_ancestor`: whether the term `Term` looks for it on the parent or an ancestor
/// - `uses_own`: whether the term `Term` looks for it on the visited entity
/// - `uses_only_ancestor`: whether one of the terms `Terms` looks for it on the parent or an ancestor, and none on the
///   visited entity
template <class T, class Term>
inline constexpr bool uses_ancestor = false;
template <class T, class Value>
inline constexpr bool uses_ancestor<T, Parent<Value>> = std::is_same_v<T, std::remove_const_t<Value>>;
template <class T, class Value, class R>
inline constexpr bool uses_ancestor<T, Up<Value, R>> = std::is_same_v<T, std::remove_const_t<Value>>;
template <class T, class Value>
inline constexpr bool uses_ancestor<T, With<Parent<Value>>> = std::is_same_v<T, std::remove_const_t<Value>>;
template <class T, class Value>
inline constexpr bool uses_ancestor<T, Without<Parent<Value>>> =
    std::is_same_v<T, std::remove_const_t<Value>>;
template <class T, class Value>
inline constexpr bool uses_ancestor<T, With<Up<Value>>> = std::is_same_v<T, std::remove_const_t<Value>>;
template <class T, class Value>
inline constexpr bool uses_ancestor<T, Without<Up<Value>>> = std::is_same_v<T, std::remove_const_t<Value>>;
template <class T, class Term>
inline constexpr bool uses_own =
    !uses_ancestor<T, Term> && std::is_same_v<T, std::remove_const_t<typename TermTraits<Term>::Value>>;
template <class T, class... Ts>
inline constexpr bool uses_own<T, AnyOf<Ts...>> = (std::is_same_v<T, FilteredComponent<Ts>> || ...);
template <class T>
inline constexpr bool uses_own<T, Entity> = false;
template <class T, class... Terms>
inline constexpr bool uses_only_ancestor = (uses_ancestor<T, Terms> || ...) && !(uses_own<T, Terms> || ...);

/// Whether a term gives visiting functions a writable value of the parent: it is Parent<T> with T not const.
template <class Term>
inline constexpr bool writes_parent = false;
template <class T>
inline constexpr bool writes_parent<Parent<T>> = !std::is_const_v<T>;

}  // namespace strata::detail
