// RowView and BlockView: what the visiting functions of a RuntimeQuery receive, and read values from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"
#include "../terms/terms.hpp"

namespace strata::detail {

/// What a read-only RuntimeQuery passes to a function of `each_block`: a number of rows of one table whose
/// values are contiguous. A term is named by its position in the query. Valid until the function returns.
class ConstBlockView {
 public:
  ConstBlockView(const Matcher& matcher, const Batch& batch, Run run)
      : matcher_(matcher), batch_(batch), run_(run) {}

  std::uint32_t size() const { return run_.count; }
  std::span<const Entity> entities() const { return {batch_.entities + run_.first, run_.count}; }

  /// Returns: the bytes of the term's values, one value after the other; empty if the term is optional and
  /// the rows do not have the component.
  /// Contract: the term is of Role::value or Role::optional.
  std::span<const std::byte> bytes(std::size_t term) const { return find_bytes(term); }

  /// Returns: the term's values, one for each row; empty if the term is optional and the rows do not have the
  /// component.
  /// Contract: the term is of Role::value or Role::optional; its component's values have the size of T.
  template <class T>
  std::span<const T> values(std::size_t term) const {
    return find_values<const T>(term);
  }

  /// Returns: the value that the term finds on the parent or ancestor of a row; null if there is none.
  /// Contract: row < size(), the term is of Role::related or Role::nearest.
  const void* related(std::size_t term, std::uint32_t row) const;

 protected:
  STRATA_API std::span<std::byte> find_bytes(std::size_t term) const;

  template <class T>
  std::span<T> find_values(std::size_t term) const {
    const std::span<std::byte> found = find_bytes(term);
    require_size(term, sizeof(T));
    return {reinterpret_cast<T*>(found.data()), found.size() / sizeof(T)};
  }

 private:
  STRATA_API void require_size(std::size_t term, std::size_t size) const;

  const Matcher& matcher_;
  const Batch& batch_;
  Run run_;
};

/// What a RuntimeQuery that may write passes to a function of `each_block`: a ConstBlockView whose values are
/// writable.
class BlockView : public ConstBlockView {
 public:
  using ConstBlockView::ConstBlockView;

  std::span<std::byte> bytes(std::size_t term) const { return find_bytes(term); }
  template <class T>
  std::span<T> values(std::size_t term) const {
    return find_values<T>(term);
  }
};

/// What a read-only RuntimeQuery passes to a function of `each`: one row. A term is named by its position in
/// the query. Valid until the function returns.
class ConstRowView {
 public:
  ConstRowView(const Matcher& matcher, const Batch& batch, std::uint32_t row, std::uint16_t origin)
      : matcher_(matcher), batch_(batch), row_(row), origin_(origin) {}

  Entity entity() const { return batch_.entities[row_]; }

  /// Returns: a pointer to the term's value; null if the term is optional and the entity does not have the
  /// component.
  /// Contract: the term is of Role::value or Role::optional.
  const void* value(std::size_t term) const { return find_value(term); }

  /// Returns: the value that the term finds on the parent or ancestor of the row's entity; null if there is
  /// none.
  /// Contract: the term is of Role::related or Role::nearest.
  STRATA_API const void* related(std::size_t term) const;

 protected:
  STRATA_API void* find_value(std::size_t term) const;

 private:
  const Matcher& matcher_;
  const Batch& batch_;
  std::uint32_t row_;
  std::uint16_t origin_;  // For a row in a group of siblings: OriginGroup::origin.
};

/// What a RuntimeQuery that may write passes to a function of `each`: a ConstRowView whose values are
/// writable.
class RowView : public ConstRowView {
 public:
  using ConstRowView::ConstRowView;

  void* value(std::size_t term) const { return find_value(term); }
};

}  // namespace strata::detail
