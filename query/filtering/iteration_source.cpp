#include "iteration_source.hpp"

#include <algorithm>

namespace strata::detail {
namespace {

/// If the leading pools of a query (the sparse sets that it could iterate instead of tables) have at most this number
/// of members together, the data of the members stay in the processor's fast caches. Then looking up the members costs
/// the same in any order.
constexpr std::size_t kFewMembers = 16'384;

// Estimated costs, in units of the time to skip one row of a table: looking up a member at a random place in memory
// (kRowsPerMember), looking it up in a world of kManyEntities or more (kRowsPerFarMember), and going to another table
// (kRowsPerTable).
constexpr std::size_t kRowsPerMember = 3;
constexpr std::size_t kRowsPerFarMember = 8;
constexpr std::size_t kRowsPerTable = 16;

/// If a world has at least this number of entities, their data do not fit into the caches.
constexpr std::size_t kManyEntities = 500'000;

/// Returns: whether successive members of the pool are mostly near each other in memory; true if there are at most
/// kSamples members. Otherwise looks at kSamples pairs of successive members: in at least half of them, the slot
/// indices of the two members have to differ by at most kNear.
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

/// Estimates the time to walk through all rows of the matching tables, including the time to go from table to table.
/// Returns: whether this is at most the time to skip `rows` rows.
bool take_at_most(const Matcher& matcher, std::size_t rows) {
  const std::span<Archetype* const> matches = matcher.occupied();
  if (matches.size() > rows / kRowsPerTable) return false;
  std::size_t taken = 0;
  for (const Archetype* const archetype : matches) {
    taken += archetype->ranks().tables() * kRowsPerTable;
    if (taken > rows) return false;
  }
  // If all live entities together are few enough, which is usual, the rows of the tables need not be counted.
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
  if (!rows.uses_tables() || rows.leader_member_count() <= kFewMembers) return IterationSource::pools;
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
