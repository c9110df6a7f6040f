// RowIterator: the iterator of a range-for over a typed query.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../core/compiler.hpp"
#include "../terms/operators.hpp"
#include "row_cursor.hpp"

namespace strata::detail {

/// The type that a range-for over a query yields for one term. It is the type of the argument that a visiting function
/// receives for this term. The only exception is the term Entity, for which a range-for yields an Entity, not a
/// reference.
template <class Term>
using RowElement = std::conditional_t<std::is_same_v<Term, Entity>, Entity,
                                      decltype(TermTraits<Term>::template cell<Access::gathered>(
                                          std::declval<const Batch&>(), 0)[0])>;

/// The iterator of a range-for over a query. It yields a tuple for each row, with an element for each term that hands
/// something out: an Entity for the term Entity; a pointer for `Maybe`, `Parent` and `Up`; a reference for the other
/// terms. A tuple is valid until the iterator is advanced.
///
/// The iterator cannot be copied or moved: a range-for creates it in place. The members that each row needs are never
/// passed by address to a function that is not inlined, so the compiler keeps them in registers.
template <class... Terms>
class RowIterator {
 public:
  /// `writer` is the store whose recorded commands are applied at the end of the iteration. If it is null, which is so
  /// for a query that only reads, none are applied.
  RowIterator(Store* writer, const Matcher& matcher, Selection selection)
      : cursor_(matcher.scratch(), writer, matcher, selection, tracked_writes<Terms...>()) {
    next_run();
  }

  STRATA_ALWAYS_INLINE auto operator*() const {
    return with_yielding_terms<Terms...>([&]<std::size_t... term>(std::index_sequence<term...>) {
      return std::tuple<RowElement<TermAt<term>>...>(element<term>()...);
    });
  }
  STRATA_ALWAYS_INLINE RowIterator& operator++() {
    if (++row_ == end_) [[unlikely]]
      next_run();
    return *this;
  }
  friend bool operator==(const RowIterator& iterator, std::default_sentinel_t) {
    return iterator.row_ == iterator.end_;
  }

 private:
  template <std::size_t term>
  using TermAt = typename std::tuple_element_t<term, std::tuple<std::type_identity<Terms>...>>::type;

  /// A copy of those members of the Batch that `element` reads if all values are in columns (Access::columns).
  struct Columns {
    const Entity* entities;
    std::array<void*, sizeof...(Terms)> lanes;
  };

  STRATA_ALWAYS_INLINE void next_run() {
    const RowCursor::Run run = cursor_->next();
    row_ = run.row;
    end_ = run.end;
    const Batch& batch = cursor_->batch();
    in_columns_ = batch.access == Access::columns;
    columns_.entities = batch.entities;
    for (std::size_t term = 0; term < sizeof...(Terms); ++term) columns_.lanes[term] = batch.lanes[term];
  }

  template <std::size_t term>
  STRATA_ALWAYS_INLINE RowElement<TermAt<term>> element() const {
    if (in_columns_) [[likely]]
      return TermTraits<TermAt<term>>::template cell<Access::columns>(columns_, term)[row_];
    return element_of<term>(*cursor_, row_);
  }

  /// Returns: the element of the tuple for a term, whatever the batch's way of addressing values (Access).
  template <std::size_t term>
  static RowElement<TermAt<term>> element_of(const RowCursor& cursor, std::uint32_t row) {
    const Batch& batch = cursor.batch();
    const auto at = [&]<Access access>() -> RowElement<TermAt<term>> {
      return TermTraits<TermAt<term>>::template cell<access>(batch, term)[row];
    };
    if (batch.access == Access::gathered) return at.template operator()<Access::gathered>();
    if (batch.access == Access::columns_picked) return at.template operator()<Access::columns_picked>();
    if constexpr (is_related({TermTraits<TermAt<term>>::role, ComponentId{}})) {
      if (batch.access == Access::columns_grouped) {
        const auto cell = TermTraits<TermAt<term>>::template cell<Access::columns_grouped>(batch, term);
        return cell.column + cursor.origin();
      }
      if (batch.access == Access::columns_indexed) return at.template operator()<Access::columns_indexed>();
      if (batch.access == Access::columns_gathered) return at.template operator()<Access::columns_gathered>();
    }
    return at.template operator()<Access::columns>();
  }

  Borrowed<RowCursor> cursor_;
  std::uint32_t row_ = 0;
  std::uint32_t end_ = 0;  // The end of the run of rows. Equal to row_ at the end of the iteration.
  bool in_columns_ = false;
  Columns columns_;
};

}  // namespace strata::detail
