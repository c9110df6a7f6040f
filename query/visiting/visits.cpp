#include "visits.hpp"

#include <algorithm>
#include <string>

namespace strata::detail {
namespace {

/// Returns: the entity in the first row of the first matching table that has rows; a null handle if there is
/// none.
Entity find_first_row(const Matcher& matcher) {
  for (const Archetype* const archetype : matcher.occupied()) {
    for (auto lists = archetype->ranks().first(); !lists.at_end(); lists.next()) {
      const std::span<Block* const> tables = lists.tables();
      if (!tables.empty()) return tables.front()->format->entities(*tables.front())[0];
    }
  }
  return {};
}

}  // namespace

std::size_t count_rows(const Matcher& matcher, Selection selection) {
  const UseScope use = matcher.store().reading("count of a query");
  matcher.store().guard().require_whole();
  std::size_t rows = 0;
  const auto count = [&](const Batch& batch) { rows += batch.count; };
  if (selection.scope != Scope::all || matcher.filters_rows()) {
    const Matcher::VisitLock lock(matcher);
    for_each_found_batch(matcher, selection, count);
    return rows;
  }
  if (!selection.depths.all()) {
    for (BlockCursor blocks(matcher, selection); blocks.next();) rows += blocks.block().count;
    return rows;
  }
  for (const Archetype* archetype : matcher.occupied()) {
    archetype->ranks().for_each([&](std::span<Block* const> tables) {
      for (const Block* block : tables) rows += table_of(*block).row_count();
    });
  }
  return rows;
}

Entity find_first(const Matcher& matcher, Selection selection) {
  const UseScope use = matcher.store().reading("first of a query");
  matcher.store().guard().require_whole();
  if (selection.scope != Scope::all || matcher.filters_rows()) {
    Batch batch;
    FoundBatches batches(matcher, selection);
    return batches.next(batch) ? batch.entities[0] : Entity();
  }
  if (selection.order == Order::any) return find_first_row(matcher);
  BlockCursor blocks(matcher, selection);
  return blocks.next() ? blocks.block().format->entities(blocks.block())[0] : Entity();
}

bool lies_within(const Matcher& matcher, Depths depths, Entity entity) {
  return depths.all() || depths.contains(table_of(*matcher.store().slots().find(entity).block).rank());
}

bool contains(const Matcher& matcher, Selection selection, Entity entity) {
  const UseScope use = matcher.store().reading("contains of a query");
  if (!matcher.accepts(entity) || !lies_within(matcher, selection.depths, entity)) return false;
  if (selection.scope == Scope::paired) return selection.pairs->passes(entity);
  if (selection.scope == Scope::all) return true;
  const Entity parent = matcher.relation()->find_parent(entity);
  return parent && parent == selection.parent;
}

void require_tables(Matcher& matcher) {
  matcher.refresh();
  STRATA_EXPECTS(!matcher.has_side_terms(),
                 "each_block needs all of its terms in tables: use each, or store the component in tables");
}

void require_declared(const Matcher& matcher, const char* operation, std::string_view component,
                      ComponentId id) {
  const auto names = [id](const Term& term) { return term.role != Role::entity && term.id == id; };
  const bool is_declared = id != Registry::kUnknown &&
                           matcher.store().registry()[id].tracking != Tracking::none &&
                           std::any_of(matcher.terms().begin(), matcher.terms().end(), names);
  STRATA_EXPECTS(is_declared, std::string(operation) + " reads \"" + std::string(component) +
                                  "\", which the terms of the system's query do not declare: add the "
                                  "component to these terms, without With");
}

void refuse_pairs() {
  contract_failed("relation != nullptr",
                  "a query for the sources of a target needs relations: make it with World::query", __FILE__,
                  __LINE__);
}

const PairReader& require_relation(const Matcher& matcher, ComponentId relation) {
  const PairReader& pairs = require_pairs(matcher);
  STRATA_EXPECTS(pairs.knows(relation),
                 "a query asks for pairs of the component \"" + matcher.store().registry()[relation].name +
                     "\", which is no relation: call Relations::relation for it first");
  return pairs;
}

void refuse_families() {
  contract_failed("relation != nullptr",
                  "a query for the children of an entity needs a hierarchy: make it with World::query",
                  __FILE__, __LINE__);
}

}  // namespace strata::detail
