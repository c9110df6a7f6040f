#include "storage_model.hpp"

#include <algorithm>
#include <map>

#include "../../../hierarchy/relations/pair.hpp"

namespace strata::detail {
namespace {

bool needs_rows(const ComponentAccess& one) {
  return one.kind != AccessKind::relative;
}

bool requires_it(const ComponentAccess& one) {
  return one.kind == AccessKind::value || one.kind == AccessKind::with;
}

bool hands_out(const ComponentAccess& one) {
  return one.kind == AccessKind::value || one.kind == AccessKind::maybe;
}

double as_double(std::uint64_t number) {
  return static_cast<double>(number);
}

bool is_sparse(const std::vector<Storage>& storages, ComponentId id) {
  return storages[to_index(id)] == Storage::sparse;
}

}  // namespace

StorageModel::StorageModel(const Store& store, const AccessLog& log, const StorageAdvice::Costs& costs)
    : store_(store), log_(log), costs_(costs) {
  const std::uint32_t components = store.registry().size();
  for (std::uint32_t i = 0; i < components; ++i) current_.push_back(store.registry()[ComponentId{i}].storage);
  members_.resize(components);
  rows_of_pool_.resize(components);
  count_tables();
  count_pools();
}

void StorageModel::count_tables() {
  for (const Archetype* archetype : store_.archetypes().all()) {
    Population population{archetype, 0, 0};
    archetype->ranks().for_each([&](std::span<Block* const> tables) {
      population.tables += tables.size();
      for (const Block* block : tables) population.rows += table_of(*block).row_count();
    });
    if (population.tables == 0) continue;
    populations_.push_back(population);
    for (const ComponentId id : archetype->signature().ids()) members_[to_index(id)] += population.rows;
  }
}

void StorageModel::count_pools() {
  store_.side().for_each([&](const SparsePool& pool) {
    members_[to_index(pool.id())] += pool.size();
    const Block* recent = nullptr;
    for (const Entity entity : pool.entities()) {
      const Block* const block = store_.slots().find(entity).block;
      if (block == nullptr || block == recent) continue;
      recent = block;
      rows_of_pool_[to_index(pool.id())].insert(&table_of(*block).archetype());
    }
  });
}

bool StorageModel::is_of_library(ComponentId id) const {
  return store_.registry().is_of_library(id) || store_.registry().is_state_tag(id);
}

bool StorageModel::movable(ComponentId id) const {
  const ComponentInfo& component = store_.registry()[id];
  if (component.tracking != Tracking::none || is_of_library(id)) return false;
  return std::none_of(log_.iterations().begin(), log_.iterations().end(), [&](const IterationCounts& one) {
    return one.visited == Visited::blocks && one.has_term_of(id);
  });
}

std::uint64_t StorageModel::archetypes(ComponentId id) const {
  const auto have = std::count_if(
      populations_.begin(), populations_.end(),
      [&](const Population& population) { return population.archetype->format().contains(id); });
  return static_cast<std::uint64_t>(have) + rows_of_pool_[to_index(id)].size();
}

double StorageModel::cost_of_changes(ComponentId id, Storage storage) const {
  const AccessCounts counts = log_.counts_of(id);
  if (storage == Storage::sparse) return as_double(counts.changes()) * costs_.pool_change;
  return as_double(counts.changes()) * costs_.move + as_double(counts.changed_columns) * costs_.move_column +
         as_double(counts.changed_bytes) * costs_.move_byte;
}

double StorageModel::cost_of_look_ups(ComponentId id, Storage storage) const {
  const AccessCounts counts = log_.counts_of(id);
  return as_double(counts.look_ups() + counts.replaced) *
         (storage == Storage::sparse ? costs_.find_in_pool : costs_.find_in_table);
}

double StorageModel::cost(const std::vector<Storage>& storages) const {
  double sum = 0;
  for (std::uint32_t i = 0; i < storages.size(); ++i) {
    sum += cost_of_changes(ComponentId{i}, storages[i]) + cost_of_look_ups(ComponentId{i}, storages[i]);
  }
  for (const IterationCounts& iteration : log_.iterations()) sum += cost_of(iteration, storages);
  return sum;
}

double StorageModel::cost_of(ComponentId id, const std::vector<Storage>& storages) const {
  const Storage storage = storages[to_index(id)];
  double sum = cost_of_changes(id, storage) + cost_of_look_ups(id, storage);
  for (const IterationCounts& iteration : log_.iterations()) {
    if (iteration.has_term_of(id)) sum += cost_of(iteration, storages);
  }
  return sum;
}

double StorageModel::cost_of(const IterationCounts& iteration, const std::vector<Storage>& storages) const {
  if (iteration.visited == Visited::family) return cost_of_family(iteration, storages);
  const auto in_pool = [&](const ComponentAccess& one) {
    return needs_rows(one) && is_sparse(storages, one.id);
  };
  const auto& terms = iteration.terms;
  if (std::none_of(terms.begin(), terms.end(), in_pool)) return cost_in_tables(iteration, storages);

  const double runs = as_double(iteration.iterations);
  double pools = 0, columns = 0;
  std::uint64_t lead = ~std::uint64_t{0};
  bool uses_tables = false;
  for (const ComponentAccess& one : terms) {
    if (in_pool(one)) {
      ++pools;
      if (requires_it(one) && iteration.visited == Visited::rows) lead = std::min(lead, members(one.id));
    } else {
      uses_tables = uses_tables || needs_rows(one);
      columns += hands_out(one) ? 1 : 0;
    }
  }
  const double values = as_double(iteration.rows) * columns * costs_.member_value;
  if (lead == ~std::uint64_t{0}) {
    const Reach reach = reach_of(iteration, storages);
    return values + runs * (as_double(reach.tables) * costs_.table +
                            as_double(reach.rows) * (costs_.row + pools * costs_.pool_look_up));
  }
  const double each =
      costs_.member + (uses_tables ? costs_.member_row : 0) + (pools - 1) * costs_.pool_look_up;
  return values + runs * as_double(lead) * each;
}

double StorageModel::cost_in_tables(const IterationCounts& iteration,
                                    const std::vector<Storage>& storages) const {
  double each = costs_.row;
  for (const ComponentAccess& one : iteration.terms) {
    if (hands_out(one)) each += costs_.row_value;
    if (!needs_rows(one)) each += is_sparse(storages, one.id) ? costs_.pool_look_up : costs_.row_value;
  }
  return as_double(iteration.iterations) * as_double(reach_of(iteration, storages).tables) * costs_.table +
         as_double(iteration.rows) * each;
}

double StorageModel::cost_of_family(const IterationCounts& iteration,
                                    const std::vector<Storage>& storages) const {
  double each = costs_.member_row;
  for (const ComponentAccess& one : iteration.terms) {
    each += is_sparse(storages, one.id) ? costs_.pool_look_up : hands_out(one) ? costs_.member_value : 0;
  }
  return as_double(iteration.rows) * each;
}

/// Returns: whether an iteration would go through the rows of the archetype if each component were stored in the
/// storage `storages[id]`. Only terms for components that would be in tables can exclude a whole archetype. Other terms
/// are ignored, because the iteration would test them for each row.
bool StorageModel::satisfies(const Archetype& archetype, const IterationCounts& iteration,
                             const std::vector<Storage>& storages) const {
  return std::all_of(iteration.terms.begin(), iteration.terms.end(), [&](const ComponentAccess& one) {
    if (is_sparse(storages, one.id)) return true;
    const bool here = archetype.format().contains(one.id);
    const bool moved = current_[to_index(one.id)] == Storage::sparse;
    if (requires_it(one)) return here || (moved && rows_of_pool_[to_index(one.id)].contains(&archetype));
    return one.kind != AccessKind::without || !here;
  });
}

/// Returns: through how many rows and tables an iteration would go if each component were stored in the storage
/// `storages[id]`. The number of tables is an estimate, which differs from the present number in two cases:
/// - Archetypes that differ only in components that would move from tables to sparse sets would become one archetype.
///   Of these archetypes, the estimate counts only the tables of the one with the most tables.
/// - If only some entities of an archetype have a component that would move into tables, the archetype would be divided
///   into one with the component and one without. The estimate counts the tables of the archetype once more for each
///   such component, unless the iteration has a term for the component.
StorageModel::Reach StorageModel::reach_of(const IterationCounts& iteration,
                                           const std::vector<Storage>& storages) const {
  Reach reach{0, 0};
  std::map<std::vector<ComponentId>, std::uint64_t> tables;
  for (const Population& population : populations_) {
    if (!satisfies(*population.archetype, iteration, storages)) continue;
    reach.rows += population.rows;
    std::vector<ComponentId> left;
    for (const ComponentId id : population.archetype->signature().ids()) {
      if (!is_sparse(storages, id)) left.push_back(id);
    }
    std::uint64_t& most = tables[std::move(left)];
    std::uint64_t split = population.tables;
    for (std::uint32_t i = 0; i < storages.size(); ++i) {
      const bool enters = current_[i] == Storage::sparse && storages[i] == Storage::table;
      if (enters && !iteration.has_term_of(ComponentId{i}) &&
          rows_of_pool_[i].contains(population.archetype)) {
        split += population.tables;
      }
    }
    most = std::max(most, split);
  }
  for (const auto& [signature, count] : tables) reach.tables += count;
  return reach;
}

/// Returns: how much less all recorded uses of components cost if component `id` is moved from tables to the side
/// store, or back; negative if they cost more. `before` is the cost of all uses if components are stored in `storages`.
double StorageModel::saving_of(ComponentId id, const std::vector<Storage>& storages, double before) const {
  std::vector<Storage> moved = storages;
  Storage& storage = moved[to_index(id)];
  storage = storage == Storage::table ? Storage::sparse : Storage::table;
  return before - cost(moved);
}

std::vector<Storage> StorageModel::best() const {
  std::vector<Storage> storages = current_;
  std::vector<bool> moved(storages.size(), false);
  for (;;) {
    const double before = cost(storages);
    double most = 0;
    std::uint32_t choice = 0;
    for (std::uint32_t i = 0; i < storages.size(); ++i) {
      const ComponentId id{i};
      if (moved[i] || !movable(id) || uses_of(id) < costs_.least_uses) continue;
      const double saving = saving_of(id, storages, before);
      if (saving <= most || saving < costs_.least_saving * cost_of(id, storages)) continue;
      most = saving;
      choice = i;
    }
    if (most == 0) return storages;
    storages[choice] = storages[choice] == Storage::table ? Storage::sparse : Storage::table;
    moved[choice] = true;
  }
}

double StorageModel::uses_of(ComponentId id) const {
  const AccessCounts counts = log_.counts_of(id);
  double uses = as_double(counts.look_ups() + counts.replaced + counts.changes());
  for (const IterationCounts& iteration : log_.iterations()) {
    if (iteration.has_term_of(id)) uses += as_double(iteration.rows);
  }
  return uses;
}

}  // namespace strata::detail
