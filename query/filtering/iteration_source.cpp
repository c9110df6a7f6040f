#include "iteration_source.hpp"

#include <algorithm>

namespace strata::detail {
namespace {

/// The data of so few members stays in the near caches, so the order of lookups does not matter.
constexpr std::size_t kFewMembers = 16'384;

// Costs in units of skipping one row: looking up a member in a random place, the same in a large world, and
// going to another table.
constexpr std::size_t kRowsPerMember = 3;
constexpr std::size_t kRowsPerFarMember = 8;
constexpr std::size_t kRowsPerTable = 16;

/// The data of so many entities does not fit into the caches.
constexpr std::size_t kManyEntities = 500'000;

/// Returns: whether neighbouring members are mostly near each other in memory. Tests a sample.
bool lie_in_order(const SparsePool& pool) {
  constexpr std::uint32_t kSamples = 16;
  constexpr std::uint32_t kNear = 64;
  const std::span<const Entity> members = pool.entities();
  if (members.size() <= kSamples) return true;
  std::uint32_t near = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const std::size_t position = (members.size() - 1) / kSamples * i;
    const std::uint32_t distance = members[position + 1].index() - members[position].index() + kNear;
    near += distance <= 2 * kNear ? 1 : 0;
  }
  return near >= kSamples / 2;
}

/// Returns: whether walking the matched tables costs at most as much as skipping `rows` rows.
bool take_at_most(const Matcher& matcher, std::size_t rows) {
  const std::span<Archetype* const> matches = matcher.occupied();
  if (matches.size() > rows / kRowsPerTable) return false;
  std::size_t taken = 0;
  for (const Archetype* const archetype : matches) {
    taken += archetype->ranks().tables() * kRowsPerTable;
    if (taken > rows) return false;
  }
  // This upper bound usually decides without reading the tables.
  if (taken + matcher.store().slots().in_use() <= rows) return true;
  for (const Archetype* const archetype : matches) {
    for (auto lists = archetype->ranks().first(); !lists.at_end(); lists.next()) {
      for (const Block* const block : lists.tables()) {
        taken += table_of(*block).row_count();
        if (taken > rows) return false;
      }
    }
  }
  return true;
}

}  // namespace

IterationSource choose_iteration_source(const Matcher& matcher, const GatheredRows& rows) {
  const std::span<const SparsePool* const> pools = rows.leaders();
  if (pools.empty()) return IterationSource::tables;
  if (!rows.asks_tables() || rows.leader_member_count() <= kFewMembers) return IterationSource::pools;
  const auto has_order = [](const SparsePool* pool) { return pool->arranged(); };
  if (std::any_of(pools.begin(), pools.end(), has_order)) return IterationSource::pools;
  if (std::all_of(pools.begin(), pools.end(), [](const SparsePool* pool) { return lie_in_order(*pool); })) {
    return IterationSource::pools;
  }
  const bool far = matcher.store().slots().in_use() >= kManyEntities;
  return take_at_most(matcher, rows.leader_member_count() * (far ? kRowsPerFarMember : kRowsPerMember))
             ? IterationSource::tables
             : IterationSource::pools;
}

}  // namespace strata::detail
