// RowView and BlockView: the rows of a run-time query, as its visiting functions receive them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../matching/matcher.hpp"
#include "../terms/terms.hpp"

namespace strata::detail {

/// A run of rows of one table; terms are named by position. Valid until the function that received it
/// returns.
class ConstBlockView {
 public:
  ConstBlockView(const Matcher& matcher, const Batch& batch, Run run)
      : matcher_(matcher), batch_(batch), run_(run) {}

  std::uint32_t size() const { return run_.count; }
  std::span<const Entity> entities() const { return {batch_.entities + run_.first, run_.count}; }

  /// Returns: the contiguous values of a term; empty if the rows do not have the component of a
  /// Role::optional.
  /// Contract: the term is of Role::value or Role::optional.
  std::span<const std::byte> bytes(std::size_t term) const { return find_bytes(term); }

  /// Returns: `bytes` as values of T.
  /// Contract: the component's values have the size of T.
  template <class T>
  std::span<const T> values(std::size_t term) const {
    return find_values<const T>(term);
  }

  /// Returns: the related value of a row; null if there is none.
  /// Contract: row < size(), the term is of Role::related or Role::nearest.
  const void* related(std::size_t term, std::uint32_t row) const;

 protected:
  std::span<std::byte> find_bytes(std::size_t term) const;

  template <class T>
  std::span<T> find_values(std::size_t term) const {
    const std::span<std::byte> found = find_bytes(term);
    require_size(term, sizeof(T));
    return {reinterpret_cast<T*>(found.data()), found.size() / sizeof(T)};
  }

 private:
  void require_size(std::size_t term, std::size_t size) const;

  const Matcher& matcher_;
  const Batch& batch_;
  Run run_;
};

/// A ConstBlockView of a query that may write.
class BlockView : public ConstBlockView {
 public:
  using ConstBlockView::ConstBlockView;

  std::span<std::byte> bytes(std::size_t term) const { return find_bytes(term); }
  template <class T>
  std::span<T> values(std::size_t term) const {
    return find_values<T>(term);
  }
};

/// One row of a query; terms are named by position. Valid until the function that received it returns.
class ConstRowView {
 public:
  ConstRowView(const Matcher& matcher, const Batch& batch, std::uint32_t row, std::uint16_t origin)
      : matcher_(matcher), batch_(batch), row_(row), origin_(origin) {}

  Entity entity() const { return batch_.entities[row_]; }

  /// Returns: the value of a term; null if the entity does not have the component of a Role::optional.
  /// Contract: the term is of Role::value or Role::optional.
  const void* value(std::size_t term) const { return find_value(term); }

  /// Returns: the related value of the row; null if there is none.
  /// Contract: the term is of Role::related or Role::nearest.
  const void* related(std::size_t term) const;

 protected:
  void* find_value(std::size_t term) const;

 private:
  const Matcher& matcher_;
  const Batch& batch_;
  std::uint32_t row_;
  std::uint16_t origin_;  // Origin of the row's group, if it is in one.
};

/// A ConstRowView of a query that may write.
class RowView : public ConstRowView {
 public:
  using ConstRowView::ConstRowView;

  void* value(std::size_t term) const { return find_value(term); }
};

}  // namespace strata::detail
