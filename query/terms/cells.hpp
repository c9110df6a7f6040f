// Cells: ways to address a row's argument in a batch. Each kind is indexed by row.
#pragma once

#include <cstdint>
#include <type_traits>

namespace strata::detail {

/// Hands out values in a column: row i has the i-th value.
template <class T>
struct ColumnCell {
  T* values;
  T& operator[](std::uint32_t row) const { return values[row]; }
};

/// Hands out pointers to values in a column: row i has the i-th value. Null for all rows if the column is
/// absent.
template <class T>
struct OptionalColumnCell {
  T* values;
  T* operator[](std::uint32_t row) const { return values != nullptr ? values + row : nullptr; }
};

/// Hands out values through an array of one pointer per row.
template <class T>
struct GatheredCell {
  void* const* values;
  T& operator[](std::uint32_t row) const { return *static_cast<T*>(values[row]); }
};

/// Hands out pointers from an array of one pointer per row, which may be null.
template <class T>
struct OptionalGatheredCell {
  void* const* values;
  T* operator[](std::uint32_t row) const { return static_cast<T*>(values[row]); }
};

/// Hands out values in a column, at positions in an array of one position per row.
template <class T>
struct PickedCell {
  T* values;
  const std::uint32_t* rows;
  T& operator[](std::uint32_t row) const { return values[rows[row]]; }
};

/// Hands out pointers to values in a column, at positions in an array of one position per row. Null for all
/// rows if the column is absent.
template <class T>
struct OptionalPickedCell {
  T* values;
  const std::uint32_t* rows;
  T* operator[](std::uint32_t row) const { return values != nullptr ? values + rows[row] : nullptr; }
};

/// Hands out a pointer to one value that all rows share.
template <class T>
struct SharedCell {
  T* value;
  T* operator[](std::uint32_t) const { return value; }
};

/// Hands out pointers to values of related entities, which are in a column, at positions in an array of one
/// position per row.
template <class T>
struct IndexedCell {
  T* column;
  const std::uint16_t* rows;
  T* operator[](std::uint32_t row) const { return column + rows[row]; }
};

/// Values of related entities, which are in a column and shared by groups of rows. `in_group` makes the cell
/// of one group of it.
template <class T>
struct GroupedCell {
  T* column;
};

/// Hands out a pointer to a copy of one value that all rows share. Because it is a copy, the compiler knows
/// that writing to a row does not change it.
template <class T>
struct CopiedCell {
  T value;
  const T* operator[](std::uint32_t) const { return &value; }
};

/// Whether rows that share a value of T receive a pointer to a copy of it: it is read-only and small.
template <class T>
inline constexpr bool is_copied_when_shared = std::is_const_v<T>&& std::is_trivially_copyable_v<T> &&
                                              sizeof(T) <= 64;

/// Returns: the cell for a group of rows whose related values are at position `origin` of the column. For a
/// GroupedCell, a cell that shares that value; any other cell is returned unchanged.
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
