#include "subtree_pass.hpp"

#include <algorithm>
#include <memory_resource>

#include "../../core/rollback.hpp"

namespace strata::detail {

void SubtreePass::run(const Matcher& matcher, std::span<const ComponentId> ids, std::uint64_t since,
                      BatchVisitor visit, const PassThreads& threads) {
  STRATA_EXPECTS(matcher.relation() != nullptr,
                 "changed_subtrees needs a hierarchy: make the query with World::query");
  STRATA_EXPECTS(!running_,
                 "changed_subtrees is nested in a visit of the same query by changed_subtrees: use "
                 "two queries");
  running_ = true;
  const Rollback done([this] { running_ = false; });
  list_archetypes(matcher.store(), ids);
  positions_.resize(std::max(positions_.size(), std::size_t{matcher.store().slots().size()}));
  ChangeFilter filter(ids, since);
  RankOrder tables(archetypes_, Order::down);
  const Borrowed<GatheredRows> rows(matcher.scratch(), matcher);
  level_.clear();
  above_.clear();
  for (std::uint32_t depth = 0; !level_.empty() || !tables.at_end(); ++depth) {
    if (level_.empty()) depth = tables.rank();
    if (!tables.at_end() && tables.rank() == depth) remember_reached();
    for (; !tables.at_end() && tables.rank() == depth; tables.next()) add_written(tables.tables(), filter);
    if (threads.divides(level_.size())) {
      visit_wide_level(matcher, visit, threads);
    } else {
      visit_part(*rows, visit, 0, level_.size());
    }
    above_.swap(level_);
    level_.clear();
    matcher.relation()->append_children(above_, level_);
  }
}

void SubtreePass::list_archetypes(const Store& store, std::span<const ComponentId> ids) {
  archetypes_.clear();
  for (const ComponentId id : ids) {
    if (id == Registry::kUnknown) continue;
    const std::span<Archetype* const> with = store.archetypes().with_component(id);
    archetypes_.insert(archetypes_.end(), with.begin(), with.end());
  }
  if (ids.size() == 1) return;
  std::sort(archetypes_.begin(), archetypes_.end(),
            [](const Archetype* a, const Archetype* b) { return a->id() < b->id(); });
  archetypes_.erase(std::unique(archetypes_.begin(), archetypes_.end()), archetypes_.end());
}

/// Stores in `positions_` the positions of the entities in `level_`, the list of entities to visit at one depth. At
/// this point, `level_` has only children of entities of the depth above, so the stored entities are those that
/// `add_written` must not add again.
void SubtreePass::remember_reached() {
  reached_ = level_.size();
  for (std::size_t i = 0; i < reached_; ++i) {
    positions_[level_[i].entity.index()] = static_cast<std::uint32_t>(i);
  }
}

/// Adds to `level_`, the list of entities to visit at one depth, the entities of some tables that `filter` accepts,
/// unless they are in the list already. `tables` has the first block of each of the tables.
/// Contract: `remember_reached`, which stores the positions of the entities in `level_`, was called for this depth.
void SubtreePass::add_written(std::span<Block* const> tables, ChangeFilter& filter) {
  for (const Block* block : tables) {
    for (; block != nullptr && block->count != 0; block = block->next) {
      if (!filter.look_at(*block)) continue;
      const Entity* const entities = block->format->entities(*block);
      for (std::uint32_t row = 0; row < block->count; ++row) {
        if (!filter.holds(row)) continue;
        const std::uint32_t position = positions_[entities[row].index()];
        const bool is_reached = position < reached_ && level_[position].entity == entities[row];
        if (!is_reached) level_.push_back({entities[row], block, row, VisitedRow::kNone});
      }
    }
  }
}

/// Visits the matching entities in `level_`, which all have the same depth, on several threads.
void SubtreePass::visit_wide_level(const Matcher& matcher, BatchVisitor visit,
                                   const PassThreads& threads) const {
  auto part = [&](std::size_t, std::size_t begin, std::size_t end) {
    Scratch scratch;
    const Borrowed<GatheredRows> rows(scratch, matcher, nullptr, std::pmr::new_delete_resource());
    visit_part(*rows, visit, begin, end);
  };
  const Registry::Shared no_new_types(matcher.store().registry());
  threads.divide(level_.size(), part);
}

/// Visits the matching entities at the positions from `begin` up to `end` in `level_`.
void SubtreePass::visit_part(GatheredRows& rows, BatchVisitor visit, std::size_t begin,
                             std::size_t end) const {
  Batch batch;
  for (; begin < end; begin += kRun) {
    rows.take(std::span(level_).subspan(begin, std::min(kRun, end - begin)));
    rows.take_related(above_, batch);
    if (batch.count != 0) visit(batch);
  }
}

}  // namespace strata::detail
