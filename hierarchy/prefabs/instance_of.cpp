#include "instance_of.hpp"

#include <algorithm>

namespace strata {

InstanceOf::InstanceOf(const InstanceOf& other) : nodes_(other.nodes_.memory()) {
  nodes_.reserve(other.nodes_.size());
  for (const detail::Counterpart& node : other.nodes_) nodes_.append(node);
}

Entity InstanceOf::find(Entity original) const noexcept {
  const auto index = [](const detail::Counterpart& node) { return node.original.index(); };
  const auto* const found = std::ranges::lower_bound(nodes_, original.index(), {}, index);
  return found != nodes_.end() && found->original == original ? found->copy : Entity();
}

void InstanceOf::remap_entities(const EntityMap& map) {
  for (detail::Counterpart& node : nodes_) {
    node.original = map(node.original);
    const Entity copy = map(node.copy);
    node.copy = copy != node.copy ? copy : Entity();
  }
  std::ranges::sort(nodes_, {}, [](const detail::Counterpart& node) { return node.original.index(); });
}

}  // namespace strata
