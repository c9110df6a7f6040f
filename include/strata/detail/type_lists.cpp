#include "type_lists.hpp"

#include "../../../core/reserve.hpp"

namespace strata::detail {

void TypeLists::add(TypeNumber list, Archetype& archetype, std::span<const ComponentId> ids) {
  if (!positions_.counts(list)) return;
  positions_.reserve(list);
  reserve_one(known_);
  reserve_more(prefixes_, ids.size());
  known_.push_back({&archetype, nullptr, static_cast<std::uint32_t>(prefixes_.size())});
  for (const ComponentId id : ids) prefixes_.push_back(archetype.format().prefix_of(id));
  positions_.set(list, static_cast<std::uint32_t>(known_.size() - 1));
}

}  // namespace strata::detail
