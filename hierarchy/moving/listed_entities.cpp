#include "listed_entities.hpp"

namespace strata::detail {

void ListedEntities::list(std::span<const Entity> roots) {
  entities_.assign(roots.begin(), roots.end());
  root_count_ = roots.size();
  RowRun run{nullptr, 0, 0};
  for (const Entity root : roots) extend_rows(run, store_.slots().place_of(root.index()));
  if (!rows_.empty()) rows_.back() = run;
  for (std::uint32_t position = 0; position < entities_.size(); ++position) {
    const auto first = static_cast<std::uint32_t>(entities_.size());
    const Links::Family* const family = links_.find_family(entities_[position].index());
    if (family == nullptr) continue;
    if (family->chooses_layout != 0) chosen_layouts_.push_back(position);
    if (family->count == 0) continue;
    list_children(*family);
    families_.push_back({position, first, static_cast<std::uint32_t>(entities_.size()) - first});
  }
}

/// Adds the children of an entity to `entities_`, and their rows to `rows_`. `family` is the record of these children.
/// Contract: `rows_` is not empty.
void ListedEntities::list_children(const Links::Family& family) {
  entities_.resize(entities_.size() + family.count);
  Entity* next = entities_.data() + entities_.size() - family.count;
  RowRun run = rows_.back();
  for (std::uint32_t child = family.first; child != Links::kNone; child = links_.next_of_linked(child)) {
    *next++ = store_.slots().handle_of(child);
    extend_rows(run, store_.slots().place_of(child));
  }
  rows_.back() = run;
}

/// Adds `row` to `rows_`, a list of runs (ranges of adjacent rows). `run` is the caller's copy of the last run of the
/// list. If `row` directly follows this run, as most rows do, only the copy is extended. Otherwise writes the copy to
/// the list and begins a new run. After its last call, the caller writes the copy to the list.
void ListedEntities::extend_rows(RowRun& run, Place row) {
  if (row.block == run.block && row.row == run.row + run.count) {
    ++run.count;
    return;
  }
  if (!rows_.empty()) rows_.back() = run;
  run = {row.block, row.row, 1};
  rows_.push_back(run);
}

std::vector<const Archetype*> ListedEntities::archetypes() const {
  std::vector<const Archetype*> archetypes;
  std::vector<bool> is_listed;
  const Block* last = nullptr;
  for (const RowRun& run : rows_) {
    if (run.block == last) continue;
    last = run.block;
    const Archetype& archetype = table_of(*last).archetype();
    if (archetype.id() >= is_listed.size()) is_listed.resize(archetype.id() + 1);
    if (is_listed[archetype.id()]) continue;
    is_listed[archetype.id()] = true;
    archetypes.push_back(&archetype);
  }
  return archetypes;
}

}  // namespace strata::detail
