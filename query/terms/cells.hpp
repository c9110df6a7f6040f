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
/// there is no column, it is null for all rows.
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

/// The values for a run of rows, anywhere in one column: `cell[row]` is the value for the row,
/// `values[rows[row]]`.
template <class T>
struct PickedCell {
  T* values;
  const std::uint32_t* rows;
  T& operator[](std::uint32_t row) const { return values[rows[row]]; }
};

/// The values of an optional component for a run of rows, anywhere in one column: `cell[row]` points to the
/// value for the row, `values[rows[row]]`. If there is no column, it is null for all rows.
template <class T>
struct OptionalPickedCell {
  T* values;
  const std::uint32_t* rows;
  T* operator[](std::uint32_t row) const { return values != nullptr ? values + rows[row] : nullptr; }
};

/// One value that all rows share, such as that of their parent: `cell[row]` is a pointer to it for any row.
template <class T>
struct SharedCell {
  T* value;
  T* operator[](std::uint32_t) const { return value; }
};

/// The parents' values for a run of rows: `cell[row]` points to the value of the row's parent,
/// `column[rows[row]]`.
template <class T>
struct IndexedCell {
  T* column;
  const std::uint16_t* rows;
  T* operator[](std::uint32_t row) const { return column + rows[row]; }
};

/// Values of parents in a column, for a batch whose rows come in groups of siblings. It has no `cell[row]`:
/// `in_group` makes a cell for the rows of one group, which share a parent.
template <class T>
struct GroupedCell {
  T* column;
};

/// A copy of one value that all rows share: `cell[row]` is a pointer to the copy for any row. Because it is a
/// copy, the compiler knows that writing to the values of a row does not change it.
template <class T>
struct CopiedCell {
  T value;
  const T* operator[](std::uint32_t) const { return &value; }
};

/// Whether rows that share a value of T receive a pointer to a copy of it (CopiedCell): T is read-only, can
/// be copied as bytes, and takes at most 64 bytes.
template <class T>
inline constexpr bool is_copied_when_shared = std::is_const_v<T>&& std::is_trivially_copyable_v<T> &&
                                              sizeof(T) <= 64;

/// Returns: the cell for the rows of one group of siblings. For a GroupedCell, that is a cell of the parent's
/// value, which is at position `origin` of the column. Any other cell is returned unchanged.
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
