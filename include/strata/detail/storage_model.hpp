// StorageModel: estimates how much time the recorded uses of components would take, with each component in tables or in
// the side store (sparse sets).
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "../../../storage/observing/access_log.hpp"
#include "../../../storage/store.hpp"
#include "../storage_advice.hpp"

namespace strata::detail {

/// Estimates what the recorded uses of components (see AccessLog) would cost if each component were stored in a given
/// storage. The constructor counts the entities and tables of the store. The cost of moving a row is computed from the
/// columns and bytes of the recorded moves; the model keeps this cost the same when other components leave the tables,
/// although rows have fewer columns then.
/// Contract: the store and the log outlive the model, and do not change while the model exists.
class StorageModel {
 public:
  StorageModel(const Store& store, const AccessLog& log, const StorageAdvice::Costs& costs);

  /// Returns: the present storage of each component, indexed by component id.
  const std::vector<Storage>& current() const { return current_; }

  /// Returns: whether StorageAdvisor may recommend to move the component from tables to a sparse set or back.
  /// StorageAdvisor may not recommend this if a recorded query read the component as arrays of adjacent values
  /// (`each_block`), if writes to the component are tracked, or if the library itself gives the component to entities,
  /// as it does with the tags of states (Disabled and Prefab).
  bool movable(ComponentId id) const;
  /// Returns: whether only the library adds and removes the component.
  bool is_of_library(ComponentId id) const;

  /// Returns: what all recorded uses (`cost`), or those that involve one component (`cost_of`), would cost if each
  /// component had the storage that `storages` has at the index of the component's id.
  /// Units: nanoseconds.
  double cost(const std::vector<Storage>& storages) const;
  double cost_of(ComponentId id, const std::vector<Storage>& storages) const;

  /// Returns: the cost of all recorded additions and removals of a component (`cost_of_changes`), or of all
  /// look-ups and replacements of its values (`cost_of_look_ups`), if the component is stored in `storage`.
  /// Units: nanoseconds.
  double cost_of_changes(ComponentId id, Storage storage) const;
  double cost_of_look_ups(ComponentId id, Storage storage) const;

  /// Returns: how often the component was used: the number of rows visited by queries with a term for the component,
  /// plus the number of its look-ups, additions and removals, plus the number of replacements of its values.
  double uses_of(ComponentId id) const;

  /// Returns: the number of entities that have the component.
  std::uint64_t members(ComponentId id) const { return members_[to_index(id)]; }
  /// Returns: the number of archetypes in which at least one entity has the component.
  std::uint64_t archetypes(ComponentId id) const;

  /// Finds the storages to recommend. Starts from the present storages, and again and again moves the one component
  /// whose move saves most, until no move saves enough (StorageAdvice::Costs::least_saving). Each component is moved at
  /// most once, and only if it is `movable` and has enough uses (Costs::least_uses).
  /// Returns: the recommended storage of each component, indexed by component id.
  std::vector<Storage> best() const;

 private:
  struct Population {
    const Archetype* archetype;
    std::uint64_t rows;
    std::uint64_t tables;
  };
  struct Reach {
    std::uint64_t rows;
    std::uint64_t tables;
  };

  void count_tables();
  void count_pools();
  double cost_of(const IterationCounts& iteration, const std::vector<Storage>& storages) const;
  double cost_in_tables(const IterationCounts& iteration, const std::vector<Storage>& storages) const;
  double cost_of_family(const IterationCounts& iteration, const std::vector<Storage>& storages) const;
  bool satisfies(const Archetype& archetype, const IterationCounts& iteration,
                 const std::vector<Storage>& storages) const;
  Reach reach_of(const IterationCounts& iteration, const std::vector<Storage>& storages) const;
  double saving_of(ComponentId id, const std::vector<Storage>& storages, double before) const;

  const Store& store_;
  const AccessLog& log_;
  const StorageAdvice::Costs& costs_;
  std::vector<Storage> current_;
  std::vector<Population> populations_;
  // By component id: the number of entities that have the component.
  std::vector<std::uint64_t> members_;
  // By component id: the archetypes of the entities that have the component; empty for a component in tables.
  std::vector<std::set<const Archetype*>> rows_of_pool_;
};

}  // namespace strata::detail
