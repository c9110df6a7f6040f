#include "instance_of.hpp"

#include <algorithm>

namespace strata {

// A copy may go to another world, which may outlive the memory resource of the world of `other`. So copies use the
// default heap.
InstanceOf::InstanceOf(const InstanceOf& other) : nodes_(std::pmr::new_delete_resource()) {
  nodes_.reserve(other.nodes_.size());
  for (const detail::Counterpart& node : other.nodes_) nodes_.append(node);
}

Entity InstanceOf::find(Entity original) const noexcept {
  const auto bits = [](const detail::Counterpart& node) { return node.original.bits(); };
  const auto* const found = std::ranges::lower_bound(nodes_, original.bits(), {}, bits);
  return found != nodes_.end() && found->original == original ? found->copy : Entity();
}

void InstanceOf::write(ByteWriter& writer) const {
  writer.write_size(nodes_.size());
  for (const detail::Counterpart& node : nodes_) {
    writer.write(node.original);
    writer.write(node.copy);
  }
}

bool InstanceOf::read(ByteReader& reader) {
  nodes_.clear();
  const std::size_t count = reader.read_count(2 * sizeof(Entity), sizeof(detail::Counterpart));
  nodes_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Entity original = reader.read_entity();
    nodes_.append({original, reader.read_entity()});
  }
  return !reader.failed();
}

void InstanceOf::remap_entities(const EntityMap& map) {
  for (detail::Counterpart& node : nodes_) {
    node.original = map(node.original);
    node.copy = map.contains(node.copy) ? map(node.copy) : Entity();
  }
  std::ranges::sort(nodes_, {}, [](const detail::Counterpart& node) { return node.original.bits(); });
}

}  // namespace strata
