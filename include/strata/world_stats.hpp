// WorldStats: how many objects a world has, how much memory they take, and how much work its queries have done.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/memory_use.hpp"
#include "../../storage/observing/query_costs.hpp"

namespace strata {

/// How many objects a world has, how much memory they take, and how much work its queries have done. World::stats
/// returns a WorldStats, and `out << stats` prints it.
struct WorldStats {
  /// The entities with one set of table components, and the tables in which they are stored.
  struct Archetype {
    std::vector<std::string> components;  ///< The names of table components, in the order of their ids.
    std::size_t tables = 0;               ///< The number of tables, including empty ones.
    std::size_t blocks = 0;
    std::size_t rows = 0;
    std::size_t capacity = 0;  ///< The number of rows that fit into the blocks.

    /// Returns: `rows` divided by `capacity`; 1 if `capacity` is 0.
    STRATA_API double fill() const;
  };

  /// The memory of a world, by what it is used for. Each MemoryUse has the memory in use and the memory reserved.
  /// Temporary memory of operations is not counted, nor is memory that component values own themselves, such as the
  /// characters of a std::string.
  /// Units: bytes.
  struct Memory {
    MemoryUse slots;
    MemoryUse values;         ///< Blocks of tables: their columns, and the entity of each row.
    MemoryUse block_headers;  ///< Headers of blocks, and the parts of blocks into which no row fits.
    MemoryUse caches;         ///< Data that queries keep for blocks, such as parents' locations.
    MemoryUse tables;         ///< Archetypes, and tables and groups of tables, without the blocks.
    MemoryUse components;     ///< Descriptions of components, and keys of layers (see World::set_layer).
    MemoryUse side_store;
    MemoryUse hierarchy;  ///< Links between entities, names, pairs, and indices of the rows of children.
    MemoryUse move_log;   ///< A list of entities whose rows have moved, by which caches are updated.
    MemoryUse resources;
    MemoryUse events;            ///< Queued events, and tables of functions that listen at entities.
    std::size_t pool_spare = 0;  ///< Free memory that the world keeps for new blocks and caches.

    /// Returns: the sum of all members. `pool_spare` counts as reserved memory that is not used.
    STRATA_API MemoryUse total() const;
  };

  /// The work of queries besides visiting rows: finding the archetypes that match, and finding where the parents of
  /// rows are stored.
  using QueryCosts = detail::QueryCosts;

  std::size_t entities = 0;
  std::size_t slots = 0;  ///< Entity indices in use, free ones, and retired ones, which are never used again.
  std::size_t archetypes = 0;
  std::size_t tables = 0;
  std::size_t blocks = 0;
  std::size_t rows = 0;
  std::size_t capacity = 0;
  std::size_t side_store_members = 0;  ///< The sum of the sizes of all pools (sparse sets).
  std::size_t resources = 0;
  Memory memory;
  std::vector<Archetype> by_archetype;  ///< The archetypes in the order of creation.
  QueryCosts query_costs;

  /// Returns: (`capacity` - `rows`) divided by `capacity`; 0 if `capacity` is 0.
  STRATA_API double unused_share() const;

  /// Returns: `tables` divided by `rows`; 0 if `rows` is 0. The result is high if many parents have few children in
  /// tables of their own.
  STRATA_API double tables_per_row() const;
};

/// Returns: the statistics as text, line by line. `out << stats` writes the same text.
STRATA_API std::string describe(const WorldStats& stats);
STRATA_API std::ostream& operator<<(std::ostream& out, const WorldStats& stats);

}  // namespace strata
