// The types that a program writes as terms of a typed query, such as Maybe<T>. What each term does in a query is in
// terms.hpp (TermTraits).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "../matching/runtime_term.hpp"

namespace strata {

namespace detail {

/// The argument of `each_block` for a Parent or Up term: for each row of the run, a pointer to the value of the parent
/// or ancestor. T is const unless the term may write.
template <class T>
class RelatedSpan {
 public:
  // One constructor for each of the ways in which the values may be stored. `shared`: all rows share one value, or, if
  // it is null, have none. `each`: an array has a pointer for each row. `rows`: an array has, for each row, the
  // position of the value in `column`.
  RelatedSpan(T* shared, std::size_t size) : values_(shared), size_(size) {}
  RelatedSpan(T* const* each, std::size_t size) : each_(each), size_(size) {}
  RelatedSpan(T* column, const std::uint16_t* rows, std::size_t size)
      : values_(column), rows_(rows), size_(size) {}

  std::size_t size() const { return size_; }

  /// Returns: true if one pointer is stored for all rows of the run: all rows share the value at this pointer or, if
  /// the pointer is null, have no value. False if each row has a stored pointer or position, even if all are equal.
  bool is_shared() const { return each_ == nullptr && rows_ == nullptr; }

  /// Returns: a pointer to the value of the row's parent or ancestor; null if there is no such value.
  T* operator[](std::size_t row) const {
    if (rows_ != nullptr) return values_ + rows_[row];
    return each_ != nullptr ? each_[row] : values_;
  }

 private:
  T* values_ = nullptr;                  // The shared value, or a column.
  const std::uint16_t* rows_ = nullptr;  // Positions in the column.
  T* const* each_ = nullptr;
  std::size_t size_;
};

}  // namespace detail

/// A term: hands out a pointer to the entity's value of T; null if it does not have T. A query leaves out entities that
/// have the tag Disabled or Prefab, unless one of its terms names the tag. `Maybe<Disabled>` and `Maybe<Prefab>` make
/// the query visit these entities together with the others, and hand out nothing.
template <class T>
struct Maybe {};

/// A term: requires entities to have T. Hands out nothing. `With<Parent<T>>` requires that the parent has T.
/// `With<Up<T>>` requires that an ancestor has T: "only below a Vehicle" is `With<Up<Vehicle>>`. T may be a
/// tag.
template <class T>
struct With {};

/// A term: excludes entities that have T. Hands out nothing. `Without<Parent<T>>` excludes entities whose
/// parent has T. `Without<Up<T>>` excludes entities with an ancestor that has T. Entities without a parent
/// match `Without<Parent<T>>` and `Without<Up<T>>`.
template <class T>
struct Without {};

/// A term: requires entities to have at least one of the components. Hands out nothing; to get the values, add Maybe
/// terms.
template <class... Ts>
struct AnyOf {};

/// A term: hands out a pointer to the parent's value of T; null if there is no parent or the parent does not
/// have T. `Parent<const T>` reads the value. `Parent<T>` may write it, for example to add the values of
/// children to the value of their parent; this term is allowed in `cascade(up)` only.
template <class T>
struct Parent {
  using Span = detail::RelatedSpan<T>;  ///< The argument of `each_block`.
};

/// A term: hands out a pointer to the value of T on the nearest ancestor that has one; null if none has. The entity
/// itself is not an ancestor. The term only reads: write `Up<const T>`. `Up<const T, R>` follows the relation R
/// instead, in which an entity has at most one target: from the entity to its target, then to the target of that
/// target, and so on. If the targets form a cycle, the search ends when it has looked at each entity of the cycle; one
/// of them may be the entity itself.
template <class T, class R = ChildOf>
struct Up {
  using Span = detail::RelatedSpan<T>;  ///< The argument of `each_block`.
};

namespace detail {

/// `FollowedRelation<R>::exclusive` says whether an entity has at most one target in the relation R. The template is
/// defined in the directory `hierarchy`, which knows relations.
template <class R>
struct FollowedRelation;

/// Whether `Up` may follow the relation R. It may if each entity has at most one target in R.
template <class R>
inline constexpr bool is_followed = FollowedRelation<R>::exclusive;
template <>
inline constexpr bool is_followed<ChildOf> = true;

template <>
inline constexpr bool is_query_term<Entity> = true;
template <class T>
inline constexpr bool is_query_term<Maybe<T>> = true;
template <class T>
inline constexpr bool is_query_term<With<T>> = true;
template <class T>
inline constexpr bool is_query_term<Without<T>> = true;
template <class... Ts>
inline constexpr bool is_query_term<AnyOf<Ts...>> = true;
template <class T>
inline constexpr bool is_query_term<Parent<T>> = true;
template <class T, class R>
inline constexpr bool is_query_term<Up<T, R>> = true;

/// Whether T is an `AnyOf` term.
template <class T>
inline constexpr bool is_any_of = false;
template <class... Ts>
inline constexpr bool is_any_of<AnyOf<Ts...>> = true;

/// Whether T is a `Parent` or `Up` term.
template <class T>
inline constexpr bool is_above = false;
template <class T>
inline constexpr bool is_above<Parent<T>> = true;
template <class T, class R>
inline constexpr bool is_above<Up<T, R>> = true;

}  // namespace detail
}  // namespace strata
