// TermList: the untyped terms of a typed query.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "../core/registry.hpp"
#include "terms.hpp"

namespace strata::detail {

/// How many untyped terms a term takes.
template <class Term>
inline constexpr std::size_t untyped_terms = 1;
template <class... Ts>
inline constexpr std::size_t untyped_terms<AnyOf<Ts...>> = sizeof...(Ts);

/// One untyped term for each term, at its position, where batches have its lane. What hands out nothing
/// follows: the other alternatives of each `AnyOf`, whose group is its position, and what narrows the query.
template <class... Terms>
class TermList {
 public:
  /// Components that are new are registered now.
  TermList(Registry& registry, std::optional<Term> narrowing) {
    (push<Terms>(registry), ...);
    std::uint8_t position = 0;
    (push_others(registry, position++, static_cast<Terms*>(nullptr)), ...);
    if (narrowing) terms_[size_++] = *narrowing;
  }

  std::span<const Term> terms() const { return std::span(terms_).first(size_); }

 private:
  static constexpr std::size_t kCount = (untyped_terms<Terms> + ... + 0);
  static_assert(kCount <= kMaxTerms, "a query has at most 16 terms; of AnyOf<...>, each component counts");

  template <class T>
  void push(Registry& registry) {
    Term term{TermTraits<T>::role, ComponentId{}};
    if constexpr (TermTraits<T>::role != Role::entity) {
      term.id = registry.id_of<typename TermTraits<T>::Value>();
    }
    if constexpr (TermTraits<T>::role == Role::any_of) term.group = static_cast<std::uint8_t>(size_);
    terms_[size_++] = term;
  }

  static void push_others(Registry&, std::uint8_t, const void*) {}
  template <class First, class... Others>
  void push_others(Registry& registry, std::uint8_t group, AnyOf<First, Others...>*) {
    ((terms_[size_++] = {Role::any_of, registry.id_of<Others>(), group}), ...);
  }

  std::array<Term, kCount + 1> terms_{};
  std::size_t size_ = 0;
};

}  // namespace strata::detail
