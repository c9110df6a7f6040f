#include "world_stats.hpp"

#include <array>
#include <cstdio>
#include <ostream>
#include <utility>

#include "world.hpp"

namespace strata {
namespace {

/// Returns: a number of bytes as text, in the unit that gives a figure below 1,024: "1.5 KiB".
std::string in_bytes(std::size_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < kUnits.size(); ++unit) amount /= 1024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", amount, kUnits[unit]);
  return text.data();
}

std::string in_percent(double share) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", share * 100);
  return text.data();
}

std::string amount(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

std::string names_of(const WorldStats::Archetype& archetype) {
  std::string names;
  for (const std::string& name : archetype.components) names += (names.empty() ? "" : ", ") + name;
  return '[' + names + ']';
}

std::string in_numbers(const WorldStats& stats) {
  return amount(stats.entities, "entity", "entities") + " in " + amount(stats.slots, "slot", "slots") + ", " +
         amount(stats.archetypes, "archetype", "archetypes") + ", " +
         amount(stats.tables, "table", "tables") + ", " + amount(stats.blocks, "block", "blocks") + ", " +
         amount(stats.side_store_members, "side-store member", "side-store members") + ", " +
         amount(stats.resources, "resource", "resources") + "\nrows: " + in_percent(stats.unused_share()) +
         " of " + std::to_string(stats.capacity) + " reserved hold none\n";
}

std::string in_memory(const WorldStats::Memory& memory) {
  std::string text;
  for (const auto& [what, use] : {std::pair("memory", memory.total()),
                                  {"  slots", memory.slots},
                                  {"  values", memory.values},
                                  {"  block headers", memory.block_headers},
                                  {"  caches", memory.caches},
                                  {"  tables", memory.tables},
                                  {"  components", memory.components},
                                  {"  side store", memory.side_store},
                                  {"  hierarchy", memory.hierarchy},
                                  {"  move log", memory.move_log},
                                  {"  resources", memory.resources},
                                  {"  events", memory.events},
                                  {"  pool, spare", MemoryUse{0, memory.pool_spare}}}) {
    text += std::string(what) + ": " + in_bytes(use.used) + " used of " + in_bytes(use.reserved) + '\n';
  }
  return text;
}

std::string in_rows(const WorldStats::Archetype& archetype) {
  return "archetype " + names_of(archetype) + ": " + amount(archetype.rows, "row", "rows") + " in " +
         amount(archetype.tables, "table", "tables") + " and " + amount(archetype.blocks, "block", "blocks") +
         ", filled to " + in_percent(archetype.fill()) + '\n';
}

/// Adds a table and its blocks to the statistics of its archetype, and their memory to that of the world.
void count_in(const detail::Table& table, WorldStats::Archetype& stats, WorldStats::Memory& memory) {
  ++stats.tables;
  stats.rows += table.row_count();
  for (const detail::Block* block = table.first_block(); block != nullptr; block = block->next) {
    ++stats.blocks;
    stats.capacity += block->capacity;
    const std::size_t row_bytes = block->format->row_bytes();
    const std::size_t values = row_bytes * block->capacity;
    const std::size_t header = detail::TableBlocks::bytes_of(*block) - values;
    memory.values += {row_bytes * block->count, values};
    memory.block_headers += {header, header};
    if (block->cache == nullptr) continue;
    const std::size_t cache = block->cache->bytes;
    memory.caches += {block->cache->valid ? cache : 0, cache};
  }
}

}  // namespace

double WorldStats::Archetype::fill() const {
  return capacity != 0 ? static_cast<double>(rows) / static_cast<double>(capacity) : 1;
}

MemoryUse WorldStats::Memory::total() const {
  return slots + values + block_headers + caches + tables + components + side_store + hierarchy + move_log +
         resources + events + MemoryUse{0, pool_spare};
}

double WorldStats::unused_share() const {
  return capacity != 0 ? static_cast<double>(capacity - rows) / static_cast<double>(capacity) : 0;
}

double WorldStats::tables_per_row() const {
  return rows != 0 ? static_cast<double>(tables) / static_cast<double>(rows) : 0;
}

WorldStats World::stats() const {
  const detail::Store& store = parts_->store;
  const detail::UseScope use = store.reading("stats");
  WorldStats stats;
  for (const detail::Archetype* archetype : store.archetypes().all()) {
    WorldStats::Archetype& of_archetype = stats.by_archetype.emplace_back();
    for (const ComponentId id : archetype->signature().ids()) {
      of_archetype.components.push_back(store.registry()[id].name);
    }
  }
  WorldStats::Memory& memory = stats.memory;
  store.tables().for_each([&](const detail::Table& table) {
    count_in(table, stats.by_archetype[table.archetype().id()], memory);
  });
  for (const WorldStats::Archetype& archetype : stats.by_archetype) {
    stats.tables += archetype.tables;
    stats.blocks += archetype.blocks;
    stats.rows += archetype.rows;
    stats.capacity += archetype.capacity;
  }
  store.side().for_each([&](const detail::SparsePool& pool) { stats.side_store_members += pool.size(); });
  memory.side_store = store.side().memory_use();
  memory.slots = store.slots().memory_use();
  memory.tables = store.tables().memory_use() + store.archetypes().memory_use();
  memory.components = store.registry().memory_use() + parts_->layers.memory_use();
  memory.hierarchy = parts_->hierarchy.memory_use();
  memory.move_log = store.rows().changes().moved().memory_use();
  memory.resources = parts_->resources.memory_use();
  memory.events = parts_->events.router().memory_use();
  memory.pool_spare = store.pool().memory_use().spare();
  stats.entities = size();
  stats.slots = store.slots().size();
  stats.archetypes = stats.by_archetype.size();
  stats.resources = parts_->resources.size();
  stats.query_costs = store.query_costs().total();
  return stats;
}

std::string describe(const WorldStats& stats) {
  std::string text = in_numbers(stats) + in_memory(stats.memory);
  for (const WorldStats::Archetype& archetype : stats.by_archetype) text += in_rows(archetype);
  const WorldStats::QueryCosts& costs = stats.query_costs;
  return text + "queries: looked at " + amount(costs.archetypes_seen, "archetype", "archetypes") +
         ", matched " + std::to_string(costs.archetypes_matched) + "; patched " +
         amount(costs.patches, "block", "blocks") + " of " + amount(costs.patched_rows, "row", "rows") + '\n';
}

std::ostream& operator<<(std::ostream& out, const WorldStats& stats) {
  return out << describe(stats);
}

}  // namespace strata
