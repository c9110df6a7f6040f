// WorldStats: the numbers of objects in a world, its memory, and the costs of its queries.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/memory_use.hpp"
#include "../../storage/observing/query_costs.hpp"

namespace strata {

/// The numbers of objects in a world, its memory use and the costs of its queries; made by World::stats. It
/// can be printed.
struct WorldStats {
  /// The tables that hold all entities with the same set of table components.
  struct Archetype {
    std::vector<std::string> components;  ///< The names of table components, in the order of their ids.
    std::size_t tables = 0;               ///< Including empty ones.
    std::size_t blocks = 0;
    std::size_t rows = 0;
    std::size_t capacity = 0;  ///< The number of rows that fit into the blocks.

    /// Returns: the share of reserved rows that are in use; 1 if none are reserved.
    double fill() const;
  };

  /// The memory of a world by use, without scratch memory and memory that values own.
  /// Units: bytes.
  struct Memory {
    MemoryUse slots;
    MemoryUse values;         ///< In the blocks of tables: the columns, and the entity of each row.
    MemoryUse block_headers;  ///< Includes unusable rests of blocks.
    MemoryUse caches;         ///< Data that queries have derived from rows, attached to blocks.
    MemoryUse tables;         ///< Tables, branches, archetypes and their lists, without blocks.
    MemoryUse components;     ///< Descriptions of components, and keys of layers.
    MemoryUse side_store;
    MemoryUse hierarchy;  ///< Links between entities, and indices of rows of families.
    MemoryUse move_log;
    MemoryUse resources;
    std::size_t pool_spare = 0;  ///< Held by the block pool for future blocks and caches.

    /// Returns: the sum of all parts.
    MemoryUse total() const;
  };

  /// The work of queries to build and update their plans.
  using QueryCosts = detail::QueryCosts;

  std::size_t entities = 0;
  std::size_t slots = 0;  ///< Live entities, free slots and retired slots.
  std::size_t archetypes = 0;
  std::size_t tables = 0;
  std::size_t blocks = 0;
  std::size_t rows = 0;
  std::size_t capacity = 0;
  std::size_t side_store_members = 0;  ///< In all pools.
  std::size_t resources = 0;
  Memory memory;
  std::vector<Archetype> by_archetype;  ///< In order of creation.
  QueryCosts query_costs;

  /// Returns: the share of reserved rows that are not in use; 0 if none are reserved.
  double unused_share() const;

  /// Returns: the number of tables per row; it is high with many small families.
  double tables_per_row() const;
};

/// Returns: the statistics as text.
std::string describe(const WorldStats& stats);
std::ostream& operator<<(std::ostream& out, const WorldStats& stats);

}  // namespace strata
