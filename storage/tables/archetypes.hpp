// Archetypes: all archetypes of a world, found by signature (the set of their components) or by a single component.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/counting_memory.hpp"
#include "../../core/owned.hpp"
#include "../../core/plain_list.hpp"
#include "archetype.hpp"

namespace strata::detail {

/// The archetypes of a world, found by signature, by component or by rank (depth of their entities). Archetypes are
/// appended and never removed, so a reader that remembers how many there were can find the new ones.
///
/// Invariants:
///   A3. No two archetypes have the same signature.
///   A4. The list of a component holds, in order of creation, exactly the archetypes that have it.
class Archetypes {
 public:
  Archetypes(const Registry& registry, std::pmr::memory_resource* memory);
  Archetypes(const Archetypes&) = delete;
  Archetypes& operator=(const Archetypes&) = delete;
  ~Archetypes();

  /// Returns: the archetype with exactly these components, created if it is new.
  /// Errors: std::bad_alloc; nothing has changed then.
  Archetype& get(const Signature& signature);

  /// Returns: the archetype without components.
  Archetype& empty() { return *all_.front(); }

  /// Returns: the archetype that has the components of `from` and also `id`; created if it is new.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(1) after the first call with these arguments.
  Archetype& with(Archetype& from, ComponentId id) {
    Archetype* const* const known = from.with_.find(id);
    return known != nullptr ? **known : find_with(from, id);
  }
  /// Returns: the archetype that has the components of `from` except `id`; created if it is new.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(1) after the first call with these arguments.
  Archetype& without(Archetype& from, ComponentId id) {
    Archetype* const* const known = from.without_.find(id);
    return known != nullptr ? **known : find_without(from, id);
  }

  /// Returns: all archetypes, in order of creation.
  std::span<Archetype* const> all() const { return {all_.data(), all_.size()}; }

  /// Returns: the archetypes that have rows of entities of this rank (depth), in order of creation. Archetypes that
  /// only have an empty list of tables for this rank may also be among them.
  /// Invalidates: the span, when a table gets its first row or first block, loses its last row, or changes
  /// rank.
  std::span<Archetype* const> at_rank(std::uint32_t rank) const { return by_rank_.at(rank); }

  /// Returns: the states that at least one archetype has; see Archetype::states.
  StateSet states() const { return states_; }

  /// Returns: the log of archetypes that are new, have got their first row or have lost their last one. It
  /// also has an entry for each call of `mark_storage_moved`.
  const OccupancyLog& occupancy() const { return occupancy_; }

  /// Adds an entry to the log `occupancy`, so that queries, which read the log, notice one of these changes: a
  /// component has moved to another storage, a first entity has a component switched off, or no entity has that
  /// component switched off any more (see toggles.hpp). An entry has to be the id of an archetype, so the id of the
  /// archetype without components is used.
  void mark_storage_moved() noexcept { occupancy_.record(empty().id()); }

  /// Returns: the archetypes that have the component, in order of creation; empty when there are none.
  std::span<Archetype* const> with_component(ComponentId id) const {
    if (to_index(id) >= by_component_.size()) return {};
    return by_component_[to_index(id)];
  }

  /// Returns: a number that is greater than the rank (depth of entities) of every table with rows; 0 if no table has
  /// rows. It may be greater than necessary; see Archetype::rank_count.
  /// Complexity: O(archetypes).
  std::uint32_t rank_count() const {
    std::uint32_t most = 0;
    for (const Archetype* archetype : all_) most = std::max(most, archetype->rank_count());
    return most;
  }
  /// Returns: an upper bound for the number of lists that contain tables. Each archetype has one list for each rank
  /// (depth of entities) of its tables.
  std::size_t rank_lists() const { return rank_count() * all_.size(); }

  /// Releases all positions that are reserved for tables in the lists of tables (see RankLists::promise).
  void release_reservations() noexcept {
    for (Archetype* archetype : all_) archetype->ranks_.take_all_back();
  }

  /// Returns: the memory of signatures, column formats, lists of tables, and edges (cached pointers to other
  /// archetypes).
  /// Complexity: O(archetypes + lists of tables).
  MemoryUse memory_use() const {
    std::size_t spare = 0;
    for (const Archetype* archetype : all_) spare += archetype->memory_use().spare();
    return {memory_.bytes() - spare, memory_.bytes()};
  }

  std::string check_invariants() const;

 private:
  using List = PlainList<Archetype*>;
  struct Signatures;  // Maps signatures to archetypes.

  Archetype& create(const Signature& signature);
  void require_by_library(const Archetype& from, ComponentId id) const;
  STRATA_API Archetype& find_with(Archetype& from, ComponentId id);
  Archetype& find_without(Archetype& from, ComponentId id);
  Archetype& follow(ComponentTable<Archetype*>& edges, ComponentId id, const Signature& target);

  const Registry& registry_;
  CountingMemory memory_;
  std::pmr::monotonic_buffer_resource lasting_;  // Memory for the archetypes and their constant data.
  OccupancyLog occupancy_;
  StateSet states_;
  RankIndex by_rank_;
  List all_;
  std::pmr::vector<PointerList<Archetype>> by_component_;
  Owned<Signatures> by_signature_;
};

}  // namespace strata::detail
