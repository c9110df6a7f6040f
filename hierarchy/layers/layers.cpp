#include "layers.hpp"

#include <unordered_map>
#include <utility>

#include "../../core/reserve.hpp"
#include "../../storage/store_change.hpp"

namespace strata::detail {

struct Layers::Keys : std::pmr::unordered_map<std::int32_t, Index> {
  using unordered_map::unordered_map;
};

Layers::Layers(Store& store)
    : store_(store),
      memory_(store.memory()),
      layers_(&memory_),
      by_key_(std::in_place, &memory_),
      by_tag_(&memory_) {}

Layers::~Layers() = default;

void Layers::set(Entity entity, std::int32_t key) {
  const Store::Change change(store_, "set_layer", entity);
  const Place place = store_.require_alive("set_layer", entity);
  Archetype& from = table_of(*place.block).archetype();
  const Index layer = open(key);
  if (find(from) != layer) store_.change_archetype(entity, neighbour(from, layer));
}

void Layers::list_tags(std::int32_t key, std::vector<ComponentId>& tags) {
  const Index layer = open(key);
  if (layer == Index{}) return;
  tags.push_back(store_.registry().id_of<Layered>());
  tags.push_back(term_of(layer).id);
}

Layers::Index Layers::find(const Archetype& archetype) const {
  for (const ComponentId id : archetype.signature().ids()) {
    if (to_index(id) < by_tag_.size() && by_tag_[to_index(id)] != Index{}) return by_tag_[to_index(id)];
  }
  return Index{};
}

Term Layers::term_of(Index layer) const {
  if (layer == Index{}) return {Role::without, find_common(store_.registry())};
  return {Role::with, layers_[to_position(layer)].tag};
}

/// Returns: the layer with the key `key`; Index{} for the key of the default layer, which has no tag. If another key is
/// new, creates the layer and its tag.
Layers::Index Layers::open(std::int32_t key) {
  if (key == kDefaultKey) return Index{};
  if (const auto found = by_key_->find(key); found != by_key_->end()) return found->second;
  ComponentInfo tag;
  tag.name = std::string(Registry::kInternal) + "layer " + std::to_string(key);
  const ComponentId id = store_.registry().add_internal(tag);
  store_.registry().protect(id);
  store_.registry().protect(store_.registry().id_of<Layered>());
  while (to_index(id) >= by_tag_.size()) by_tag_.push_back(Index{});
  reserve_one(layers_);
  const Index layer{count()};
  by_key_->emplace(key, layer);
  by_tag_[to_index(id)] = layer;
  layers_.push_back({key, id});
  return layer;
}

ComponentId Layers::find_common(const Registry& registry) {
  return registry.find_or_unknown<Layered>();
}

/// Returns: the archetype to which an entity of archetype `from` moves when the entity is put into `layer`. The result
/// has the same components as `from`, but with the tags of `layer` instead of those of the old layer. A layer has two
/// tags: one of its own, and Layered, which is common to all layers. The default layer, Index{}, has none.
Archetype& Layers::neighbour(Archetype& from, Index layer) {
  Archetypes& archetypes = store_.archetypes();
  const ComponentId common = store_.registry().id_of<Layered>();
  const Index before = find(from);
  Archetype& bare = before != Index{} ? archetypes.without(from, term_of(before).id) : from;
  if (layer == Index{}) return archetypes.without(bare, common);
  Archetype& layered = before != Index{} ? bare : archetypes.with(bare, common);
  return archetypes.with(layered, term_of(layer).id);
}

std::string Layers::check_invariants() const {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const auto [key, tag] = layers_[i];
    const auto found = by_key_->find(key);
    if (found == by_key_->end() || to_position(found->second) != i ||
        by_tag_[to_index(tag)] != found->second) {
      return "Y1: the layer of key " + std::to_string(key) + " is not found by its key or its tag";
    }
  }
  const auto common = store_.registry().find<Layered>();
  for (const Archetype* archetype : store_.archetypes().all()) {
    const bool used = archetype->ranks().tables() != 0;
    std::size_t tags = 0;
    for (const Layer& layer : layers_) tags += archetype->format().contains(layer.tag) ? 1 : 0;
    const bool layered = common && archetype->format().contains(*common);
    if (used && tags != (layered ? 1 : 0)) {
      return "Y2: entities of archetype " + std::to_string(archetype->id()) + " have the tags of " +
             std::to_string(tags) + " layers";
    }
  }
  return "";
}

}  // namespace strata::detail
