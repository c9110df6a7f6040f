// StorageCosts: the cost of operations on components in each storage, as far as it affects the choice between
// them.
#pragma once

namespace strata {

/// The defaults were measured by `bench/run --layout --calibrate` on one machine, with 100,000 entities that
/// are looked up and changed in random order. A choice only depends on their ratios, which differ less
/// between machines.
/// Units: nanoseconds, unless named otherwise.
struct StorageCosts {
  // An iteration over tables.
  double table = 4;         ///< Each table with rows.
  double row = 0.7;         ///< Each row,
  double row_value = 0.01;  ///< and each value of it that lies in a column.

  // An iteration with terms of the side store.
  double member = 1;           ///< Each member of the leading pool,
  double member_row = 1.1;     ///< the look-up of its row, if the query has table terms,
  double member_value = 0.1;   ///< each value there,
  double pool_look_up = 1.25;  ///< and each look-up in another pool; if tables lead, in each pool.

  // A random look-up.
  double find_in_table = 6.7;
  double find_in_pool = 7;

  // An addition or removal.
  double move = 29;         ///< A row of a table,
  double move_column = 7;   ///< each of its columns,
  double move_byte = 0.4;   ///< and each byte of them.
  double pool_change = 10;  ///< A member of a pool.

  /// The least share of a component's costs that another storage has to save to be recommended.
  double least_saving = 0.1;
  /// The least number of uses for a recommendation: visited rows, look-ups and changes.
  double least_uses = 1'000;
};

}  // namespace strata
