// StorageModel: what recorded uses of components would cost in tables and in the side store.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "../../../storage/observing/access_log.hpp"
#include "../../../storage/store.hpp"
#include "../storage_costs.hpp"

namespace strata::detail {

/// An estimate: populations are those of the moment at which the model is made; what a row move costs is
/// taken from the rows that changed, whatever else leaves the tables.
/// Contract: the store and the log outlive it, and do not change meanwhile.
class StorageModel {
 public:
  StorageModel(const Store& store, const AccessLog& log, const StorageCosts& costs);

  /// Returns: by component id, where each lives.
  const std::vector<Storage>& current() const { return current_; }

  /// Returns: whether the component could live in the other storage: no query visits it in blocks, and its
  /// changes are not tracked.
  bool movable(ComponentId id) const;

  /// Returns: the cost of all recorded uses, or of those that a component has a part in, with each component
  /// where `storages` says. Units: nanoseconds.
  double cost(const std::vector<Storage>& storages) const;
  double cost_of(ComponentId id, const std::vector<Storage>& storages) const;

  /// Returns: the cost of adding and removing a component alone, and of looking it up.
  double cost_of_changes(ComponentId id, Storage storage) const;
  double cost_of_look_ups(ComponentId id, Storage storage) const;

  /// Returns: rows visited in iterations that ask of the component, look-ups of it, and its changes.
  double uses_of(ComponentId id) const;

  /// Returns: how many entities have the component, and how many archetypes with rows have it or would.
  std::uint64_t members(ComponentId id) const { return members_[to_index(id)]; }
  std::uint64_t archetypes(ComponentId id) const;

  /// Returns: where each component costs the least, starting from where they live: the change that saves the
  /// most is made first, the next one weighed with it made, until none saves enough.
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
  const StorageCosts& costs_;
  std::vector<Storage> current_;
  std::vector<Population> populations_;
  std::vector<std::uint64_t> members_;                    // By component id.
  std::vector<std::set<const Archetype*>> rows_of_pool_;  // By component id: where the members' rows are.
};

}  // namespace strata::detail
