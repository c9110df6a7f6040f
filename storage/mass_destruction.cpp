#include "mass_destruction.hpp"

namespace strata::detail {

void MassDestruction::destroy_run(Place first, std::uint32_t count) noexcept {
  const std::span<const Entity> entities = entities_of({first.block, first.row, count});
  for (const Entity entity : entities) store_.side().erase(entity);
  for (std::uint32_t i = count; i-- > 0;) store_.slots().release(entities[i].index());
  Table& table = table_of(*first.block);
  count == table.row_count() ? store_.rows().clear(table) : store_.rows().erase(first, count);
}

void MassDestruction::destroy_all() noexcept {
  store_.side().clear();
  for_each_table([&](Table& table) { store_.rows().clear(table); });
  Slots& slots = store_.slots();
  for (std::uint32_t index = slots.size(); index-- > 0;) {
    if (slots.is_live(index)) slots.release(index);
  }
}

}  // namespace strata::detail
