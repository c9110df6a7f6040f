#include "query.hpp"

namespace strata::detail {

std::size_t count_rows(const Matcher& matcher) {
  std::size_t rows = 0;
  if (matcher.uses_side_store()) {
    for_each_batch(matcher, Order::any, [&](const Batch& batch) { rows += batch.count; });
    return rows;
  }
  for (const Archetype* archetype : matcher.matches()) {
    for (std::uint32_t rank = 0; rank < archetype->rank_count(); ++rank) {
      for (const Block* block : archetype->at_rank(rank)) rows += table_of(*block).row_count();
    }
  }
  return rows;
}

Entity find_first(const Matcher& matcher, Order order) {
  if (matcher.uses_side_store()) {
    Batch batch;
    FilteredBatches batches(matcher, order);
    return batches.next(batch) ? batch.entities[0] : Entity();
  }
  BlockCursor blocks(matcher, order);
  return blocks.next() ? blocks.block().layout->entities(blocks.block())[0] : Entity();
}

}  // namespace strata::detail
