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

/// An additional term that restricts a typed query and is known only at run time. It gives no argument to
/// visiting functions.
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

/// Translates the terms of a typed query into a list of run-time terms (see Term). Term i of the list is
/// translated from template argument i; its values are at `lanes[i]` of a Batch. After these terms come
/// others, which give no argument to visiting functions:
/// - for each `AnyOf`, a term for each of its components but the first; Term::group is the position of the
///   AnyOf
/// - the additional term `narrowing`, if there is one
template <class... Terms>
class TermList {
 public:
  /// Registers the components of the terms if the registry is not const. With a const registry, a term whose
  /// component is not registered gets the id Registry::kUnknown.
  template <class AnyRegistry>
  TermList(AnyRegistry& registry, std::optional<Narrowing> narrowing) {
    (push<Terms>(registry), ...);
    std::uint8_t position = 0;
    (push_others(registry, position++, static_cast<Terms*>(nullptr)), ...);
    if (!narrowing) return;
    finders_[size_] = narrowing->find;
    terms_[size_++] = narrowing->term;
  }

  std::span<const Term> terms() const { return {terms_.data(), size_}; }

  /// Returns: for each term, a function that looks up the id of the term's component later. It is null if the
  /// constructor has registered the component, and for the term Entity, which has no component.
  std::span<const Matcher::FindId> finders() const { return {finders_.data(), size_}; }

 private:
  static constexpr std::size_t kCount = (untyped_terms<Terms> + ... + 0);
  static_assert(kCount <= kMaxTerms,
                "a query has at most kMaxTerms terms; each component of AnyOf<...> counts as one");

  template <class T>
  static ComponentId find_id(const Registry& registry) {
    return registry.find_or_unknown<T>();
  }
  template <class T>
  static ComponentId id_in(Registry& registry) {
    return registry.id_of<T>();
  }
  template <class T>
  static ComponentId id_in(const Registry& registry) {
    return find_id<T>(registry);
  }

  template <class T, class AnyRegistry>
  void push(AnyRegistry& registry) {
    const auto group = static_cast<std::uint8_t>(TermTraits<T>::role == Role::any_of ? size_ : 0);
    if constexpr (TermTraits<T>::role == Role::entity) {
      terms_[size_++] = {Role::entity, ComponentId{}};
    } else {
      push_component<typename TermTraits<T>::Value>(registry, TermTraits<T>::role, group);
      if constexpr (follows_relation<T>) terms_[size_ - 1].along = Registry::kUnknown;
    }
  }
  template <class T, class AnyRegistry>
  void push_component(AnyRegistry& registry, Role role, std::uint8_t group) {
    if constexpr (std::is_const_v<AnyRegistry>) finders_[size_] = find_id<T>;
    terms_[size_++] = {role, id_in<T>(registry), group};
  }
  static void push_others(const Registry&, std::uint8_t, const void*) {}
  template <class AnyRegistry, class First, class... Others>
  void push_others(AnyRegistry& registry, std::uint8_t group, AnyOf<First, Others...>*) {
    (push_component<FilteredComponent<Others>>(registry, Role::any_of, group), ...);
  }

  std::array<Term, kCount + 1> terms_{};
  std::array<Matcher::FindId, kCount + 1> finders_{};
  std::size_t size_ = 0;
};

/// If a term searches along a relation other than that to the parent, tells the matcher how to find the relation's id.
template <class Term>
void follow_relation(Matcher& matcher, std::size_t position) {
  if constexpr (follows_relation<Term>) {
    matcher.follow(position, find_relation<typename TermTraits<Term>::Followed>);
  }
}

/// Returns: the untyped part of a query with these terms. `narrowing` is an additional term, if there is one.
template <class... Terms, class AnyStore>
Matcher make_matcher(AnyStore& store, const Relation* relation, std::optional<Narrowing> narrowing) {
  const TermList<Terms...> list(store.registry(), narrowing);
  if constexpr ((follows_relation<Terms> || ...)) {
    Matcher matcher(store, list.terms(), relation, list.finders());
    std::size_t position = 0;
    (follow_relation<Terms>(matcher, position++), ...);
    return matcher;
  } else {
    return {store, list.terms(), relation, list.finders()};
  }
}

}  // namespace strata::detail
