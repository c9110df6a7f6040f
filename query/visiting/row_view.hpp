// RowView and BlockView: what the visiting functions of a RuntimeQuery receive, and read values from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"
#include "../terms/terms.hpp"

namespace strata::detail {

/// What a read-only RuntimeQuery passes to a function of `each_block`: a run of rows of one table whose
/// values are contiguous. A term is named by its position in the query. A view is valid until the function
/// returns.
class ConstBlockView {
 public:
  ConstBlockView(const Matcher& matcher, const Batch& batch, Run run)
      : matcher_(matcher), batch_(batch), run_(run) {}

  std::uint32_t size() const { return run_.count; }
  std::span<const Entity> entities() const { return {batch_.entities + run_.first, run_.count}; }

  /// Returns: the bytes of the term's values, one value after the other; empty if the term is optional and
  /// the rows do not have the component.
  /// Contract: the term hands out values of the entity itself (Role::value, optional, read, read_optional).
  STRATA_API std::span<const std::byte> read_bytes(std::size_t term) const;
  std::span<const std::byte> bytes(std::size_t term) const { return read_bytes(term); }

  /// Returns: the term's values, one for each row; empty if the term is optional and the rows do not have the
  /// component.
  /// Contract: that of `read_bytes`; the values of the term's component have the size of T.
  template <class T>
  std::span<const T> values(std::size_t term) const {
    const std::span<const std::byte> found = read_bytes(term);
    require_size(term, sizeof(T));
    return {reinterpret_cast<const T*>(found.data()), found.size() / sizeof(T)};
  }

  /// Returns: a pointer to the value that the term finds on another entity: the parent, another ancestor, or a target
  /// of a relation; null if it finds none.
  /// Contract: row < size(), the term is of Role::related or Role::nearest.
  const void* related(std::size_t term, std::uint32_t row) const;

 protected:
  STRATA_API std::span<std::byte> find_writable_bytes(std::size_t term) const;
  STRATA_API void require_size(std::size_t term, std::size_t size) const;

 private:
  const Matcher& matcher_;
  const Batch& batch_;
  Run run_;
};

/// What a RuntimeQuery that is not read-only passes to a function of `each_block`: a ConstBlockView that also gives
/// write access to values of the visited entities, except to those of terms that only read (Role::read, read_optional).
class BlockView : public ConstBlockView {
 public:
  using ConstBlockView::ConstBlockView;

  /// Returns: what ConstBlockView::bytes returns, for writing.
  /// Contract: the term is of Role::value or Role::optional.
  std::span<std::byte> bytes(std::size_t term) const { return find_writable_bytes(term); }

  /// Returns: the term's values: for reading with `values<const T>`, for writing with `values<T>`.
  /// Contract: that of ConstBlockView::values. With `values<T>`, the term is of Role::value or
  /// Role::optional.
  template <class T>
  std::span<T> values(std::size_t term) const {
    if constexpr (std::is_const_v<T>) {
      return ConstBlockView::values<std::remove_const_t<T>>(term);
    } else {
      const std::span<std::byte> found = bytes(term);
      require_size(term, sizeof(T));
      return {reinterpret_cast<T*>(found.data()), found.size() / sizeof(T)};
    }
  }
};

/// One matching row: the argument of a function that is given to `each` of a read-only RuntimeQuery. In the member
/// functions, `term` is the position of a term in the query. A view is valid until the function returns.
class ConstRowView {
 public:
  ConstRowView(const Matcher& matcher, const Batch& batch, std::uint32_t row, std::uint16_t origin)
      : matcher_(matcher), batch_(batch), row_(row), origin_(origin) {}

  Entity entity() const { return batch_.entities[row_]; }

  /// Returns: a pointer to the term's value, for reading; null if the term is optional and the entity does
  /// not have the component.
  /// Contract: the term hands out values of the entity itself (Role::value, optional, read, read_optional).
  STRATA_API const void* read(std::size_t term) const;
  const void* value(std::size_t term) const { return read(term); }

  /// Returns: a pointer to the value that the term finds on another entity: the parent, another ancestor, or a target
  /// of a relation; null if it finds none.
  /// Contract: the term is of Role::related or Role::nearest.
  STRATA_API const void* related(std::size_t term) const;

 protected:
  STRATA_API void* find_writable(std::size_t term) const;

 private:
  const Matcher& matcher_;
  const Batch& batch_;
  std::uint32_t row_;
  std::uint16_t origin_;  // For a row in a group of siblings: OriginGroup::origin.
};

/// What a RuntimeQuery that may write passes to a function of `each`: a ConstRowView whose values are
/// writable, except those of terms that only read.
class RowView : public ConstRowView {
 public:
  using ConstRowView::ConstRowView;

  /// Returns: a pointer to the term's value, for writing; null if the term is optional and the entity does not have the
  /// component.
  /// Contract: the term is of Role::value or Role::optional.
  void* value(std::size_t term) const { return find_writable(term); }
};

}  // namespace strata::detail
