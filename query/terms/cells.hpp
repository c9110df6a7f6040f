// Cells: small classes that turn the index of a row into the argument that a visiting function receives.
#pragma once

#include <cstdint>
#include <type_traits>

namespace strata::detail {

/// Values in a column: `cell[row]` is the value at index `row`.
template <class T>
struct ColumnCell {
  T* values;
  T& operator[](std::uint32_t row) const { return values[row]; }
};

/// Values of an optional component in a column: `cell[row]` is a pointer to the value at index `row`. If
/// there is no column, `values` and all these pointers are null.
template <class T>
struct OptionalColumnCell {
  T* values;
  T* operator[](std::uint32_t row) const { return values != nullptr ? values + row : nullptr; }
};

/// Values at different places in memory: `values` has a pointer for each row, and `cell[row]` is the value to
/// which the pointer leads.
template <class T>
struct GatheredCell {
  void* const* values;
  T& operator[](std::uint32_t row) const { return *static_cast<T*>(values[row]); }
};

/// Values of an optional component at different places in memory: `cell[row]` is the pointer for the row,
/// which may be null.
template <class T>
struct OptionalGatheredCell {
  void* const* values;
  T* operator[](std::uint32_t row) const { return static_cast<T*>(values[row]); }
};

/// Values at arbitrary positions of one column, `values`: `cell[row]` is the value at position `rows[row]` of
/// the column.
template <class T>
struct PickedCell {
  T* values;
  const std::uint32_t* rows;
  T& operator[](std::uint32_t row) const { return values[rows[row]]; }
};

/// Values of an optional component at arbitrary positions of one column, `values`: `cell[row]` is a pointer
/// to the value at position `rows[row]` of the column. If there is no column, `values` and all these pointers
/// are null.
template <class T>
struct OptionalPickedCell {
  T* values;
  const std::uint32_t* rows;
  T* operator[](std::uint32_t row) const { return values != nullptr ? values + rows[row] : nullptr; }
};

/// One value that all rows share, such as the value of their common parent: for any row, `cell[row]` is a
/// pointer to the value.
template <class T>
struct SharedCell {
  T* value;
  T* operator[](std::uint32_t) const { return value; }
};

/// Values of parents, at arbitrary positions of one column: `cell[row]` is a pointer to the value of the
/// row's parent, which is at position `rows[row]` of the column.
template <class T>
struct IndexedCell {
  T* column;
  const std::uint16_t* rows;
  T* operator[](std::uint32_t row) const { return column + rows[row]; }
};

/// Values of parents in a column, for a batch whose rows come in groups of siblings. A GroupedCell has no
/// `cell[row]`: the function `in_group` makes a cell for the rows of one group, which share a parent.
template <class T>
struct GroupedCell {
  T* column;
};

/// A copy of one value that all rows share: for any row, `cell[row]` is a pointer to the copy. The compiler knows that
/// writing to the values of a row does not change the copy, so it may keep the copy in registers.
template <class T>
struct CopiedCell {
  T value;
  const T* operator[](std::uint32_t) const { return &value; }
};

/// Returns: a cell for the rows of the batch from `first` on: index 0 of the new cell is row `first`. A cell of a value
/// that all rows share is returned unchanged.
template <class T>
SharedCell<T> starting_at(std::uint32_t, SharedCell<T> cell) {
  return cell;
}
template <class T>
ColumnCell<T> starting_at(std::uint32_t first, ColumnCell<T> cell) {
  return {cell.values + first};
}
template <class T>
OptionalColumnCell<T> starting_at(std::uint32_t first, OptionalColumnCell<T> cell) {
  return {cell.values != nullptr ? cell.values + first : nullptr};
}

/// Whether rows that share a value of T receive a pointer to a copy of the value (see CopiedCell), not to the value
/// itself. They do if T is read-only, can be copied as bytes, and takes at most 64 bytes.
template <class T>
inline constexpr bool is_copied_when_shared = std::is_const_v<T>&& std::is_trivially_copyable_v<T> &&
                                              sizeof(T) <= 64;

/// Returns: the cell for the rows of one group of siblings. For a GroupedCell, that is a cell of one shared value: the
/// value of the siblings' parent, at position `origin` of `GroupedCell::column`. Any other cell is returned unchanged.
template <class Cell>
Cell in_group(Cell cell, std::uint16_t) {
  return cell;
}
template <class T>
auto in_group(GroupedCell<T> cell, std::uint16_t origin) {
  if constexpr (is_copied_when_shared<T>) {
    return CopiedCell<std::remove_const_t<T>>{cell.column[origin]};
  } else {
    return SharedCell<T>{cell.column + origin};
  }
}

}  // namespace strata::detail
