// TermList: translates the terms of a typed query (template arguments) into run-time terms.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "../../core/registry.hpp"
#include "../matching/matcher.hpp"
#include "../matching/pair_reader.hpp"
#include "terms.hpp"

namespace strata::detail {

/// An additional term that restricts a typed query and is known only at run time. A LayeredQuery uses it to visit only
/// entities of one layer (the entities that World::set_layer gave one key). The term gives no argument to visiting
/// functions.
struct Narrowing {
  Term term;
  Matcher::FindId find = nullptr;  ///< Looks up the component's id, if `term` does not have it.

  Narrowing(Term narrowing, Matcher::FindId finder = nullptr) : term(narrowing), find(finder) {}
};

/// The number of run-time terms into which one term of a typed query is translated: one, or one for each
/// component of an AnyOf.
template <class Term>
inline constexpr std::size_t untyped_terms = 1;
template <class... Ts>
inline constexpr std::size_t untyped_terms<AnyOf<Ts...>> = sizeof...(Ts);

/// What is known of a run-time term at compile time: all but the ids of its component and relation, which each world
/// assigns anew.
struct TypedTerm {
  Role role = Role::entity;
  bool yields = false;                                 ///< Gives an argument to visiting functions.
  bool writes = false;                                 ///< The argument is writable.
  std::uint8_t group = 0;                              ///< See Term::group.
  ComponentId (*id_in)(Registry& registry) = nullptr;  ///< Registers the component. Null: the term has none.
  Matcher::FindId find_id = nullptr;                   ///< Looks up the id of the component.
  Matcher::FindId find_relation =
      nullptr;  ///< Looks up the id of the relation that the term follows. Null: none.
};

/// Returns: a term with this role for the component T, which gives no argument to visiting functions. If the role is
/// Role::any_of, `group` is the position of the AnyOf among the terms of the query.
template <Component T>
constexpr TypedTerm typed_term(Role role, std::size_t group) {
  return {role,
          false,
          false,
          static_cast<std::uint8_t>(role == Role::any_of ? group : 0),
          [](Registry& registry) { return registry.id_of<T>(); },
          [](const Registry& registry) { return registry.find_or_unknown<T>(); }};
}
/// Returns: the run-time term into which Term is translated; for an AnyOf, the term of its first component. `position`
/// is the position of Term among the terms of the query.
template <class Term>
constexpr TypedTerm typed_term(std::size_t position) {
  if constexpr (TermTraits<Term>::role == Role::entity) {
    return {Role::entity, true};
  } else {
    TypedTerm term = typed_term<typename TermTraits<Term>::Value>(TermTraits<Term>::role, position);
    term.yields = TermTraits<Term>::yields;
    term.writes = !reads_only<Term>;
    if constexpr (follows_relation<Term>)
      term.find_relation = detail::find_relation<typename TermTraits<Term>::Followed>;
    return term;
  }
}

/// Translates the components of an AnyOf except the first: writes a term for each of them to `next`, and advances
/// `next`. `typed_term` translates the first component. `group` is the position of the AnyOf among the terms of the
/// query. Does nothing for a term that is not an AnyOf.
constexpr void add_alternatives(TypedTerm*&, std::size_t, const void*) {}
template <class First, class... Others>
constexpr void add_alternatives(TypedTerm*& next, std::size_t group, const AnyOf<First, Others...>*) {
  ((*next++ = typed_term<FilteredComponent<Others>>(Role::any_of, group)), ...);
}

template <class... Terms>
constexpr auto make_typed_terms() {
  constexpr std::size_t kCount = (untyped_terms<Terms> + ... + 0);
  static_assert(kCount <= kMaxTerms,
                "a query has at most kMaxTerms terms; each component of AnyOf<...> counts as one");
  std::array<TypedTerm, kCount> terms{};
  std::size_t position = 0;
  ((terms[position] = typed_term<Terms>(position), ++position), ...);
  [[maybe_unused]] TypedTerm* next = terms.data() + position;
  position = 0;
  (add_alternatives(next, position++, static_cast<const Terms*>(nullptr)), ...);
  return terms;
}
/// The run-time terms into which the template arguments of a typed query are translated. First comes one term for each
/// template argument, in the same order; the values of term i are at `lanes[i]` of a Batch. The term of an AnyOf is for
/// its first component. Then come terms for the other components of each AnyOf; they give no argument to visiting
/// functions. In all terms of an AnyOf, Term::group is the index of the AnyOf among the template arguments.
template <class... Terms>
inline constexpr auto typed_terms = make_typed_terms<Terms...>();

/// The run-time terms of a typed query, with the ids that one world has assigned to their components.
class TermList {
 public:
  /// Registers the components of the terms if the registry is not const. With a const registry, a term whose component
  /// is not registered gets the id Registry::kUnknown. If `narrowing` (see Narrowing) has a value, Narrowing::term is
  /// the last term of the list.
  STRATA_API TermList(Registry& registry, std::span<const TypedTerm> typed,
                      const std::optional<Narrowing>& narrowing);
  TermList(const Registry& registry, std::span<const TypedTerm> typed,
           const std::optional<Narrowing>& narrowing);

  std::span<const Term> terms() const { return {terms_.data(), size_}; }

  /// Returns: for each term, a function that looks up the id of the term's component; the query calls it until the
  /// component is registered. The function is null for these terms: Entity, which has no component; all terms whose
  /// components the constructor has registered; and the term of `narrowing`, if its id was given.
  std::span<const Matcher::FindId> finders() const { return {finders_.data(), size_}; }

 private:
  void push(const TypedTerm& typed, ComponentId id, Matcher::FindId finder);
  void push(const std::optional<Narrowing>& narrowing);

  std::array<Term, kMaxTerms + 1> terms_{};
  std::array<Matcher::FindId, kMaxTerms + 1> finders_{};
  std::size_t size_ = 0;
};

/// Make a query's untyped part, the Matcher, from the run-time terms `typed`. `relation` finds values of parents and
/// ancestors; it is null if there is no hierarchy. `narrowing` is an additional term, or empty. The overload for a
/// store that is not const registers the components of the terms. The overload for a const store registers none: the
/// query looks up the ids of components that are not registered yet until they are (see TermList::finders).
STRATA_API Matcher make_matcher(Store& store, std::span<const TypedTerm> typed, const Relation* relation,
                                const std::optional<Narrowing>& narrowing);
STRATA_API Matcher make_matcher(const Store& store, std::span<const TypedTerm> typed,
                                const Relation* relation, const std::optional<Narrowing>& narrowing);

}  // namespace strata::detail
