#include "subtree.hpp"

#include <algorithm>

namespace strata::detail {

Subtree::Subtree(Store& store, const Links& links)
    : store_(store),
      links_(links),
      entities_(store.memory()),
      archetypes_(store.memory()),
      families_(store.memory()),
      chosen_layouts_(store.memory()),
      side_values_(store.memory()),
      side_parts_(store.memory()) {}

void Subtree::list(Entity root) {
  store_.require_alive("instantiate", root);
  has_references_ = false;
  list_nodes(root);
  list_archetypes();
  side_values_.clear();
  side_parts_.clear();
  for (std::uint32_t id = 0; id < store_.registry().size(); ++id) {
    SparsePool* const pool = store_.side().find(ComponentId{id});
    if (pool != nullptr && pool->size() != 0) list_side_values(*pool);
  }
}

void Subtree::list_nodes(Entity root) {
  entities_.clear();
  families_.clear();
  chosen_layouts_.clear();
  entities_.push_back(root);
  for (std::uint32_t position = 0; position < entities_.size(); ++position) {
    const auto first = static_cast<std::uint32_t>(entities_.size());
    const Links::Family* const family = links_.find_family(entities_[position].index());
    if (family == nullptr) continue;
    if (family->chooses_layout != 0) {
      chosen_layouts_.push_back({position, static_cast<Layout>(family->layout), family->count != 0});
    }
    for (std::uint32_t child = family->first; child != Links::kNone; child = links_.next(child)) {
      entities_.push_back(store_.slots().handle_of(child));
    }
    if (entities_.size() != first) families_.push_back({position, first, size() - first});
  }
}

void Subtree::list_archetypes() {
  archetypes_.clear();
  const Archetype* checked = nullptr;
  for (const Entity entity : entities_) {
    Archetype& archetype = table_of(*store_.slots().place_of(entity.index()).block).archetype();
    archetypes_.push_back(&archetype);
    if (&archetype == checked) continue;
    checked = &archetype;
    for (const Column& column : archetype.format().columns()) require_copyable(*column.component, entity);
  }
}

void Subtree::list_side_values(SparsePool& pool) {
  const auto first = static_cast<std::uint32_t>(side_values_.size());
  for (std::uint32_t position = 0; position < size(); ++position) {
    const std::uint32_t member = pool.position_of(entities_[position]);
    if (member != SparsePool::kAbsent) side_values_.push_back({position, pool.value_at(member)});
  }
  const auto end = static_cast<std::uint32_t>(side_values_.size());
  if (end == first) return;
  require_copyable(pool.component(), entities_[side_values_[first].position]);
  side_parts_.push_back({&pool, first, end});
}

bool Subtree::replace_side_value(ComponentId id, std::uint32_t position, const void* value) {
  for (const SidePart& part : side_parts_) {
    if (part.pool->id() != id) continue;
    const auto values = std::span(side_values_).subspan(part.first, part.end - part.first);
    const auto found = std::ranges::lower_bound(values, position, {}, &SideValue::position);
    if (found == values.end() || found->position != position) return false;
    found->value = value;
    return true;
  }
  return false;
}

void Subtree::require_copyable(const ComponentInfo& component, Entity entity) {
  STRATA_EXPECTS(component.can_copy(), "instantiate: component \"" + component.name + "\" of entity " +
                                           to_string(entity) +
                                           " cannot be copied: remove it first, or give it a copy operation");
  has_references_ = has_references_ || component.remap != nullptr;
}

}  // namespace strata::detail
