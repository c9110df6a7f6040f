// RowIterator: what a range-for over a typed query runs on.
#pragma once

#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "operators.hpp"
#include "row_cursor.hpp"

namespace strata::detail {

/// What a row is for a term: that which a visiting function is given, but an Entity by value.
template <class Term>
using RowElement = std::conditional_t<std::is_same_v<Term, Entity>, Entity,
                                      decltype(TermTraits<Term>::template cell<Access::gathered>(
                                          std::declval<const Batch&>(), 0)[0])>;

/// Yields, for each row, a tuple of the terms that hand something out: references, and pointers for `Maybe`,
/// `Parent` and `Up`. Good until the next step.
template <class... Terms>
class RowIterator {
 public:
  /// `writer` is null for a query that only reads.
  RowIterator(Store* writer, const Matcher& matcher, Selection selection)
      : cursor_(writer, matcher, selection, tracked_writes<Terms...>()) {}

  auto operator*() const {
    return with_yielding_terms<Terms...>([&]<std::size_t... term>(std::index_sequence<term...>) {
      return std::tuple<RowElement<TermAt<term>>...>(element<term>()...);
    });
  }
  RowIterator& operator++() {
    cursor_.advance();
    return *this;
  }
  friend bool operator==(const RowIterator& iterator, std::default_sentinel_t) {
    return iterator.cursor_.ended();
  }

 private:
  template <std::size_t term>
  using TermAt = typename std::tuple_element_t<term, std::tuple<std::type_identity<Terms>...>>::type;

  template <std::size_t term>
  RowElement<TermAt<term>> element() const {
    const Batch& batch = cursor_.batch();
    const std::uint32_t row = cursor_.row();
    const auto at = [&]<Access access>() -> RowElement<TermAt<term>> {
      return TermTraits<TermAt<term>>::template cell<access>(batch, term)[row];
    };
    if (batch.access == Access::gathered) return at.template operator()<Access::gathered>();
    if (batch.access == Access::columns_picked) return at.template operator()<Access::columns_picked>();
    if (batch.access == Access::placed) return at.template operator()<Access::placed>();
    if constexpr (is_related({TermTraits<TermAt<term>>::role, ComponentId{}})) {
      if (batch.access == Access::columns_grouped) {
        const auto cell = TermTraits<TermAt<term>>::template cell<Access::columns_grouped>(batch, term);
        return cell.column + cursor_.origin();
      }
      if (batch.access == Access::columns_indexed) return at.template operator()<Access::columns_indexed>();
      if (batch.access == Access::columns_gathered) return at.template operator()<Access::columns_gathered>();
    }
    return at.template operator()<Access::columns>();
  }

  RowCursor cursor_;
};

}  // namespace strata::detail
