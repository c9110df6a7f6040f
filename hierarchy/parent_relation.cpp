#include "parent_relation.hpp"

#include "branches.hpp"

namespace strata {

bool ParentRelation::find_shared(const Block& block, ComponentId id, const void** value) const {
  const Branch& branch = table_of(block).branch();
  if (Branches::is_level(branch) && branch.rank != 0) return false;
  const std::uint32_t parent = Branches::parent_of(branch);
  *value = parent != Links::kNone ? find_value(parent, id, store_.registry()[id]) : nullptr;
  return true;
}

void ParentRelation::find_each(std::span<const Entity> rows, ComponentId id, const void** values) const {
  const ComponentDescription& component = store_.registry()[id];
  // Siblings mostly lie side by side: the parent's value is looked up once for each run of them.
  std::uint32_t recent = Links::kNone;
  const void* value = nullptr;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t parent = links_.parent(rows[i].index());
    if (parent != recent) {
      recent = parent;
      value = parent != Links::kNone ? find_value(parent, id, component) : nullptr;
    }
    values[i] = value;
  }
}

const void* ParentRelation::find_value(std::uint32_t node, ComponentId id,
                                       const ComponentDescription& component) const {
  if (component.storage == Storage::sparse) {
    const SparsePool* pool = store_.side().find(id);
    return pool != nullptr ? pool->find(store_.slots().handle_of(node)) : nullptr;
  }
  const Place place = store_.slots().place_of(node);
  const std::uint32_t prefix = place.block->layout->prefix_of(id);
  if (prefix >= ColumnLayout::kTag) return nullptr;
  return place.block->value(prefix, place.row, component.size);
}

}  // namespace strata
