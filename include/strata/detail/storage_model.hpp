// StorageModel: estimates what the recorded uses of components cost in tables and in the side store.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "../../../storage/observing/access_log.hpp"
#include "../../../storage/store.hpp"
#include "../storage_advice.hpp"

namespace strata::detail {

/// Estimates what the recorded uses of components would cost if each component were stored in a given
/// storage. The numbers of entities are those at construction. The cost of a row move is computed from the
/// columns and bytes of the recorded moves; it does not fall when other components leave the tables.
/// Contract: the store and the log outlive the model, and do not change meanwhile.
class StorageModel {
 public:
  StorageModel(const Store& store, const AccessLog& log, const StorageAdvice::Costs& costs);

  /// Returns: the present storages, by component id.
  const std::vector<Storage>& current() const { return current_; }

  /// Returns: whether the component could be in the other storage: no query visits it in blocks, and its
  /// changes are not tracked.
  bool movable(ComponentId id) const;

  /// Returns: the cost of all recorded uses if components are stored in `storages`, which is indexed by
  /// component id. `cost_of` only adds the uses that involve the component.
  /// Units: nanoseconds.
  double cost(const std::vector<Storage>& storages) const;
  double cost_of(ComponentId id, const std::vector<Storage>& storages) const;

  /// Returns: the cost of all recorded additions and removals of a component, or of its look-ups, if it is
  /// stored in `storage`.
  double cost_of_changes(ComponentId id, Storage storage) const;
  double cost_of_look_ups(ComponentId id, Storage storage) const;

  /// Returns: the number of rows visited in iterations that involve the component, its look-ups and its
  /// changes.
  double uses_of(ComponentId id) const;

  /// Returns: the number of entities that have the component.
  std::uint64_t members(ComponentId id) const { return members_[to_index(id)]; }
  /// Returns: the number of archetypes of these entities.
  std::uint64_t archetypes(ComponentId id) const;

  /// Returns: recommended storages, by component id. Starts from the present ones, and makes the change of
  /// one component that saves the most, until no change saves enough.
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
  std::vector<std::uint64_t> members_;                    // By component id.
  std::vector<std::set<const Archetype*>> rows_of_pool_;  // By id: the archetypes of the members.
};

}  // namespace strata::detail
