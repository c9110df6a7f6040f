// WorldStats: how much of everything a world holds, where its memory goes, and what its queries cost.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "../../core/memory_use.hpp"
#include "../../storage/observing/query_costs.hpp"

namespace strata {

/// The tables of one signature, together.
struct ArchetypeStats {
  std::vector<std::string> components;  ///< The names of those in tables, in the order of their ids.
  std::size_t tables = 0;               ///< With and without rows.
  std::size_t blocks = 0;
  std::size_t rows = 0;
  std::size_t capacity = 0;  ///< How many rows the blocks have room for.

  /// Returns: the share of the reserved rows that hold one; 1 where none are reserved.
  double fill() const;
};

/// Where the memory of a world goes, without scratch memory and without what values own themselves.
/// Units: bytes.
struct WorldMemory {
  MemoryUse slots;
  MemoryUse values;         ///< In the blocks of tables: the columns, and the entity of each row.
  MemoryUse block_headers;  ///< With what a block cannot use.
  MemoryUse companions;     ///< What queries have derived from rows, kept beside the blocks.
  MemoryUse tables;         ///< Tables, branches, archetypes and the lists of them, without the blocks.
  MemoryUse components;     ///< Their descriptions, and the keys of layers.
  MemoryUse side_store;
  MemoryUse hierarchy;  ///< Links between entities, and what finds the rows of families.
  MemoryUse move_log;
  MemoryUse resources;
  std::size_t pool_spare = 0;  ///< Held by the block pool for blocks and companions to come.

  /// Returns: the sum of all parts.
  MemoryUse total() const;
};

/// How much of everything a world holds; made by World::stats. It can be printed.
struct WorldStats {
  std::size_t entities = 0;
  std::size_t slots = 0;  ///< Entities, handles that wait to be recycled, and retired ones.
  std::size_t archetypes = 0;
  std::size_t tables = 0;
  std::size_t blocks = 0;
  std::size_t rows = 0;
  std::size_t capacity = 0;
  std::size_t side_store_members = 0;  ///< Over all pools.
  std::size_t resources = 0;
  WorldMemory memory;
  std::vector<ArchetypeStats> by_archetype;  ///< In order of creation.
  QueryCosts query_costs;

  /// Returns: the share of the reserved rows that hold none; 0 where none are reserved.
  double unused_share() const;

  /// Returns: how many tables there are for each row; small families have many.
  double tables_per_row() const;
};

/// Returns: the figures in words, line by line.
std::string describe(const WorldStats& stats);
std::ostream& operator<<(std::ostream& out, const WorldStats& stats);

}  // namespace strata
