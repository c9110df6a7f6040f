// Cells: ways to address a row's argument in a batch. Each kind is indexed by row.
#pragma once

#include <cstdint>
#include <type_traits>

namespace strata::detail {

/// Values in a column.
template <class T>
struct ColumnCell {
  T* values;
  T& operator[](std::uint32_t row) const { return values[row]; }
};

/// Values in a column; null for all rows if the column is absent.
template <class T>
struct OptionalColumnCell {
  T* values;
  T* operator[](std::uint32_t row) const { return values != nullptr ? values + row : nullptr; }
};

/// One pointer per row.
template <class T>
struct GatheredCell {
  void* const* values;
  T& operator[](std::uint32_t row) const { return *static_cast<T*>(values[row]); }
};

/// One pointer per row, which may be null.
template <class T>
struct OptionalGatheredCell {
  void* const* values;
  T* operator[](std::uint32_t row) const { return static_cast<T*>(values[row]); }
};

/// Values in a column, at one position per row.
template <class T>
struct PickedCell {
  T* values;
  const std::uint32_t* rows;
  T& operator[](std::uint32_t row) const { return values[rows[row]]; }
};

/// As PickedCell; null for all rows if the column is absent.
template <class T>
struct OptionalPickedCell {
  T* values;
  const std::uint32_t* rows;
  T* operator[](std::uint32_t row) const { return values != nullptr ? values + rows[row] : nullptr; }
};

/// One value that all rows share.
template <class T>
struct SharedCell {
  T* value;
  T* operator[](std::uint32_t) const { return value; }
};

/// Related values in a column, at one position per row.
template <class T>
struct IndexedCell {
  T* column;
  const std::uint16_t* rows;
  T* operator[](std::uint32_t row) const { return column + rows[row]; }
};

/// Related values in a column. `in_group` turns it into the cell of one group of rows.
template <class T>
struct GroupedCell {
  T* column;
};

/// A copy of a shared value. The compiler knows that writing to a row does not change it.
template <class T>
struct CopiedCell {
  T value;
  const T* operator[](std::uint32_t) const { return &value; }
};

/// Small read-only values are copied for the rows that share them.
template <class T>
inline constexpr bool is_copied_when_shared = std::is_const_v<T>&& std::is_trivially_copyable_v<T> &&
                                              sizeof(T) <= 64;

/// Returns: the cell for a group of rows whose related values are at position `origin`.
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
