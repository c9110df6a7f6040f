#include "bulk_operations.hpp"

#include "../../hierarchy/relations/relation_set.hpp"
#include "../../query/matching/visit_lock.hpp"

namespace strata::detail {

std::size_t destroy_each(WorldParts& parts, std::span<const Entity> entities) {
  const Outcome may = parts.hierarchy.relations().may_destroy(entities);
  STRATA_EXPECTS(may, may.message());
  const RelationSet::Unrefused checked(parts.hierarchy.relations());
  const detail::Slots& slots = parts.store.slots();
  const auto count_alive = [&] { return slots.in_use() - slots.recorded(); };
  const std::size_t before = count_alive();
  CommandBuffer::Deferral deferral(parts.commands.buffer());
  for (const Entity entity : entities) parts.hierarchy.destroy(entity, ChildPolicy::destroy);
  const std::size_t destroyed = before - count_alive();
  deferral.finish();
  return destroyed;
}

void select(EntitySelection& selection, const Matcher& query) {
  STRATA_EXPECTS(&query.store() == &selection.store(),
                 "a query of another world does not name entities of this one: make it from this world");
  Matcher matcher(query);
  start(matcher, Order::any, false);
  const auto visit = [&](const Batch& batch) { selection.add_rows({batch.entities, batch.count}); };
  const Matcher::VisitLock lock(matcher);
  for_each_found_batch(matcher, Order::any, visit);
}

}  // namespace strata::detail
