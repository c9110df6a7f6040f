// Operators: functions for Query::each that take the values of only some of the query's terms.
#pragma once

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "terms.hpp"

namespace strata {

namespace detail {

/// The result of `on`: a visiting function, and (as `Terms`) the terms whose values it takes as arguments.
template <class Function, class... Terms>
struct Operator {
  Function function;  ///< A reference if `on` received an lvalue.
};

}  // namespace detail

/// Turns a function that does not take the values of all terms into an argument for Query::each. The template arguments
/// name the terms whose values it takes, in the order of its parameters:
/// `query.each(on<const Velocity, Position>(move), on<const Shown, Visible>(hide))`.
///
/// Each named term is a term of the query, or the read-only form of a term of the query (`const T` for `T`,
/// `Maybe<const T>` for `Maybe<T>`, `Parent<const T>` for `Parent<T>`).
template <class... Terms, class Function>
detail::Operator<Function, Terms...> on(Function&& function) {
  return {std::forward<Function>(function)};
}

namespace detail {

/// Whether a function passed with `on<Wanted>` can receive the value of the query's term `Term`: `Wanted` is
/// `Term` or its read-only form.
template <class Wanted, class Term>
inline constexpr bool serves = std::is_same_v<Wanted, Term>;
template <class T>
inline constexpr bool serves<const T, T> = true;
template <class T>
inline constexpr bool serves<Maybe<const T>, Maybe<T>> = true;
template <class T>
inline constexpr bool serves<Parent<const T>, Parent<T>> = true;

/// Returns: the position of the first term in `Terms` whose value a function passed with `on<Wanted>` can
/// receive; sizeof...(Terms) if there is none.
template <class Wanted, class... Terms>
constexpr std::size_t position_of() {
  std::size_t position = 0;
  const bool found = ((serves<Wanted, Terms> || (++position, false)) || ...);
  return found ? position : sizeof...(Terms);
}

/// The form in which a function passed with `on<Wanted...>` receives the query's term `Term`: `type` is the first type
/// in `Wanted` that is `Term` or its read-only form; `Term` if there is none.
template <class Term, class... Wanted>
struct Form {
  using type = Term;
};
template <class Term, class First, class... Rest>
struct Form<Term, First, Rest...>
    : std::conditional_t<serves<First, Term>, std::type_identity<First>, Form<Term, Rest...>> {};

/// Returns: an array of the positions of those terms that give an argument to visiting functions. The other terms, such
/// as With<T>, only restrict the query.
template <class... Terms>
constexpr auto yielding_terms() {
  constexpr std::array<bool, sizeof...(Terms)> yields{TermTraits<Terms>::yields...};
  constexpr std::size_t count = (std::size_t{TermTraits<Terms>::yields} + ... + 0);
  std::array<std::size_t, count> positions{};
  for (std::size_t i = 0, next = 0; i < yields.size(); ++i) {
    if (yields[i]) positions[next++] = i;
  }
  return positions;
}

/// Calls `use` with a std::index_sequence of the positions of those terms that give an argument to visiting
/// functions.
/// Returns: what `use` returns.
template <class... Terms, class Use>
constexpr decltype(auto) with_yielding_terms(Use&& use) {
  return [&]<std::size_t... i>(std::index_sequence<i...>)->decltype(auto) {
    constexpr auto positions = yielding_terms<Terms...>();
    return use(std::index_sequence<positions[i]...>());
  }
  (std::make_index_sequence<yielding_terms<Terms...>().size()>());
}

/// How a visiting function is called by a query with the terms `Terms`:
/// - `Traits` is a tuple of the TermTraits of all terms. If the function is an Operator (the result of `on`), the tuple
///   has TermTraits<const T> for a term T that `on` names as `const T`, and likewise for other terms (see Form).
/// - `Arguments` is a std::index_sequence of the positions of the terms that give the function its arguments, in the
///   order of the arguments.
/// - `function_of` returns the function itself; for an Operator, that is the function inside it.
template <class Function, class... Terms>
struct Visitor {
  using Traits = std::tuple<TermTraits<Terms>...>;
  using Arguments = decltype(with_yielding_terms<Terms...>([](auto positions) { return positions; }));

  template <class Self>
  static Self& function_of(Self& function) {
    return function;
  }
};

template <class Function, class... Wanted, class... Terms>
struct Visitor<Operator<Function, Wanted...>, Terms...> {
  static_assert(((position_of<Wanted, Terms...>() < sizeof...(Terms)) && ...),
                "on<...> names a term that the query does not have: add it to the query's terms");
  static_assert((TermTraits<Wanted>::yields && ...),
                "With, Without and AnyOf hand out nothing: they are terms of the query, not of on<...>");
  using Traits = std::tuple<TermTraits<typename Form<Terms, Wanted...>::type>...>;
  using Arguments = std::index_sequence<position_of<Wanted, Terms...>()...>;

  template <class Self>
  static auto& function_of(Self& self) {
    return self.function;
  }
};

/// Checks at compile time whether a visiting function can be called with arguments of the types `HandedOut`.
/// `fits` is the result.
template <class Function, class... HandedOut>
struct VisitorCheck {
  static constexpr bool fits = std::is_invocable_v<Function&, HandedOut...>;

  /// If `fits` is false, stops the compilation with a sentence that says what the function should take. The compiler's
  /// message also names the function and the types `HandedOut`.
  static constexpr void explain() {
    static_assert(
        fits,
        "a visiting function does not take what the query hands out: the types that follow the function's in "
        "this VisitorCheck<function, ...>, one for each term in their order: T& for T, const T& for const T, "
        "T* for Maybe<T>, const T* for Parent<const T> and Up<const T>, Entity for Entity, and nothing for "
        "With, Without and AnyOf. For each_block, a std::span of the same, Parent<const T>::Span or "
        "Up<const T>::Span");
  }
};

/// Functions without a definition, for use in `decltype`. Their return type is the VisitorCheck for a
/// visiting function and the arguments that Query::each (`check_rows`) or Query::each_block (`check_blocks`)
/// passes to it.
template <class Function, class Traits, std::size_t... terms>
auto check_rows(std::index_sequence<terms...>)
    -> VisitorCheck<Function, Argument<std::tuple_element_t<terms, Traits>>...>;
template <class Function, class Traits, std::size_t... terms>
auto check_blocks(std::index_sequence<terms...>)
    -> VisitorCheck<Function, BlockArgument<std::tuple_element_t<terms, Traits>>...>;

}  // namespace detail
}  // namespace strata
