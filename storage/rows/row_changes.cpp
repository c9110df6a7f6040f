#include "row_changes.hpp"

#include "../tables/table.hpp"

namespace strata::detail {

void RowChanges::mark_watched(Block& block) noexcept {
  block.version &= ~Block::kWatched;
  ranks_.note(table_of(block).rank());
}

}  // namespace strata::detail
