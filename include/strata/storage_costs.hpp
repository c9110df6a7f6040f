// StorageCosts: what operations on components cost in each storage, as far as a choice between them needs it.
#pragma once

namespace strata {

/// The defaults were measured by `bench/run --layout --calibrate`, on one machine, with 100,000 entities that
/// are looked up and changed in random order. What matters for a choice are the ratios, which differ less
/// from machine to machine.
/// Units: nanoseconds, unless named otherwise.
struct StorageCosts {
  // Of an iteration over tables.
  double table = 4;         ///< Each table with rows.
  double row = 0.7;         ///< Each row,
  double row_value = 0.01;  ///< and each value of it that lies in a column.

  // Of an iteration in which terms ask the side store.
  double member = 1;           ///< Each member of the pool that leads,
  double member_row = 1.1;     ///< if the query asks tables, too: finding its row,
  double member_value = 0.1;   ///< each value there,
  double pool_look_up = 1.25;  ///< and each other pool that is asked; of rows that tables lead to, each pool.

  // Of an entity at random.
  double find_in_table = 6.7;
  double find_in_pool = 7;

  // Of adding or removing.
  double move = 29;         ///< A row of a table,
  double move_column = 7;   ///< each of its columns,
  double move_byte = 0.4;   ///< and each byte of them.
  double pool_change = 10;  ///< A member of a pool.

  /// Share of what a component has a part in that another storage has to save, to be recommended.
  double least_saving = 0.1;
  /// Uses that a component needs for a recommendation: rows visited, look-ups, and changes.
  double least_uses = 1'000;
};

}  // namespace strata
