#include "entity_selection.hpp"

namespace strata::detail {
namespace {

constexpr std::size_t kSlotsAhead = 12;

}  // namespace

void EntitySelection::add(std::span<const Entity> entities) {
  const Slots& slots = store_.slots();
  for (std::size_t i = 0; i < entities.size(); ++i) {
    if (i + kSlotsAhead < entities.size() && entities[i + kSlotsAhead].index() < slots.size())
      slots.prefetch(entities[i + kSlotsAhead].index());
    const Place place = slots.find(entities[i]);
    if (place.block == nullptr || !rows_.add(place)) continue;
    if (lists_) listed_.push_back(entities[i]);
  }
}

void EntitySelection::add_rows(std::span<const Entity> entities) {
  if (entities.empty()) return;
  const Place first = store_.slots().place_of(entities.front().index());
  const bool adjacent = entities.data() == first.block->format->entities(*first.block) + first.row;
  if (!adjacent || lists_) return add(entities);
  rows_.add({first.block, first.row, static_cast<std::uint32_t>(entities.size())});
}

}  // namespace strata::detail
