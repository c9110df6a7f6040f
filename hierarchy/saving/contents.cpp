#include "contents.hpp"

#include <algorithm>

#include "../../core/contract.hpp"
#include "../relations/pair.hpp"

namespace strata::detail {

bool Contents::counts(ComponentId id) const {
  for (const Registry::Toggled& toggled : store_.registry().toggled()) {
    if (toggled.off == id) return counts(toggled.id);  // Being switched off is a fact about the component.
  }
  const ComponentInfo& info = store_.registry()[id];
  if (id == names_.component() || is_of_pairs(info.name)) return false;
  if (info.is_tag() || info.value != nullptr) return true;
  STRATA_EXPECTS(undescribed_ != Undescribed::refuse,
                 "the values of component \"" + info.name +
                     "\" are not described: write members_of for it, or pass Undescribed::leave_out");
  return false;
}

bool Contents::counts(const ResourceNode& resource) const {
  const ResourceType& type = *resource.type;
  if (!type.is_saved) return false;
  const bool is_described = type.value_type() != nullptr;
  STRATA_EXPECTS(is_described || undescribed_ != Undescribed::refuse,
                 "the values of resource \"" + std::string(type.name) +
                     "\" are not described: write members_of or is_saved_resource for it, or pass "
                     "Undescribed::leave_out");
  return is_described;
}

std::vector<const ResourceNode*> Contents::list_resources() const {
  std::vector<const ResourceNode*> list;
  for (const ResourceNode* resource = resources_.first(); resource != nullptr; resource = resource->next) {
    if (counts(*resource)) list.push_back(resource);
  }
  std::sort(list.begin(), list.end(),
            [](const ResourceNode* a, const ResourceNode* b) { return a->type->name < b->type->name; });
  return list;
}

void Contents::list(Entity entity, std::vector<Content>& contents) const {
  contents.clear();
  const Place place = store_.slots().place_of(entity.index());
  const BlockFormat& format = *place.block->format;
  for (const ComponentId id : table_of(*place.block).archetype().signature().ids()) {
    if (counts(id)) contents.push_back({&store_.registry()[id], format.find(*place.block, place.row, id)});
  }
  store_.side().for_each([&](const SparsePool& pool) {
    if (pool.contains(entity) && counts(pool.id()))
      contents.push_back({&pool.component(), pool.find(entity)});
  });
  std::sort(contents.begin(), contents.end(),
            [](const Content& a, const Content& b) { return a.info->name < b.info->name; });
}

}  // namespace strata::detail
