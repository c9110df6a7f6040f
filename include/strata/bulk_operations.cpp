#include "bulk_operations.hpp"

namespace strata::detail {

std::size_t destroy_each(WorldParts& parts, std::span<const Entity> entities) {
  std::size_t destroyed = 0;
  CommandBuffer::Deferral deferral(parts.commands.buffer());
  for (const Entity entity : entities) {
    const std::size_t below = parts.hierarchy.breadth_first(entity).size();
    destroyed += parts.hierarchy.destroy(entity, ChildPolicy::destroy) ? below : 0;
  }
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
