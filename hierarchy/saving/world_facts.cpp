#include "world_facts.hpp"

#include "../../core/values/value_type.hpp"
#include "../../storage/toggles.hpp"
#include "../names/name_value.hpp"

namespace strata::detail {

bool WorldFacts::is_off(Entity entity, ComponentId id) const {
  const ComponentId off = parts_.store.registry().off_tag_of(id);
  return off != Registry::kUnknown && has(entity, off) && has(entity, id);
}

std::int32_t WorldFacts::layer(Entity entity) const {
  const Archetype* const of = archetype(entity);
  return of != nullptr ? parts_.layers.key_of(parts_.layers.find(*of)) : Layers::kDefaultKey;
}

Entity LiveFacts::parent(Entity entity) const {
  const std::uint32_t node = parts().links.parent(entity.index());
  return node != Links::kNone ? parts().store.slots().handle_of(node) : Entity();
}

Entity LiveFacts::previous(Entity entity) const {
  const std::uint32_t node = parts().links.previous(entity.index());
  return node != Links::kNone ? parts().store.slots().handle_of(node) : Entity();
}

const Archetype* LiveFacts::archetype(Entity entity) const {
  const Place place = parts().store.slots().find(entity);
  return place.block != nullptr ? &table_of(*place.block).archetype() : nullptr;
}

const void* LiveFacts::value(Entity entity, ComponentId id) const {
  const Place place = parts().store.slots().find(entity);
  return place.block != nullptr ? parts().store.value_of(place, entity, id) : nullptr;
}

bool ImageFacts::has_row_of(const ImageFacts& other, Entity entity) const {
  const std::uint64_t place = place_of(entity.index());
  const std::uint64_t there = other.place_of(entity.index());
  return static_cast<std::uint32_t>(place) == static_cast<std::uint32_t>(there) &&
         image_.store->blocks[place >> 32] == other.image_.store->blocks[there >> 32];
}

const SparsePool* ImageFacts::pool(ComponentId id) const {
  const auto& pools = image_.store->pools;
  return to_index(id) < pools.size() && pools[to_index(id)] != nullptr ? &pools[to_index(id)]->pool : nullptr;
}

const Archetype* ImageFacts::archetype(Entity entity) const {
  return alive(entity) ? &archetype_of_block(place_of(entity.index()) >> 32) : nullptr;
}

bool ImageFacts::has(Entity entity, ComponentId id) const {
  const Archetype* const of = archetype(entity);
  if (of == nullptr) return false;
  const SparsePool* const members = pool(id);
  return of->signature().contains(id) || (members != nullptr && members->contains(entity));
}

const void* ImageFacts::value(Entity entity, ComponentId id) const {
  const Archetype* const of = archetype(entity);
  if (of == nullptr || parts().store.registry()[id].is_tag()) return nullptr;
  if (!of->signature().contains(id)) {
    const SparsePool* const members = pool(id);
    return members != nullptr ? members->find(entity) : nullptr;
  }
  const std::uint64_t place = place_of(entity.index());
  const std::uint32_t rows = image_.store->rows->blocks[place >> 32];
  const auto row = static_cast<std::uint32_t>(place);
  std::size_t page = 0;
  for (const Column& column : of->format().columns()) {
    const std::uint32_t step = rows_per_page(column.size);
    if (column.id == id)
      return at_offset((*image_.store->blocks[place >> 32])[page + row / step].values(),
                       std::size_t{row % step} * column.size);
    page += (rows + step - 1) / step;
  }
  return nullptr;
}

std::string_view ImageFacts::name(Entity entity) const {
  if (image_.names == nullptr || !alive(entity)) return {};
  const void* const value = image_.names->names.pool.find(entity);
  return value != nullptr ? static_cast<const NameValue*>(value)->node().text() : std::string_view();
}

const Pairs* ImageFacts::pairs(ComponentId id) const {
  const KnownRelations all = parts().relations.all();
  for (std::size_t i = 0; i < all.size() && i < image_.pairs.size(); ++i) {
    if (all[i]->id() == id) return image_.pairs[i] != nullptr ? &image_.pairs[i]->pairs : nullptr;
  }
  return nullptr;
}

const ResourceNode* ImageFacts::resource(std::string_view name) const {
  for (const auto& image : image_.resources) {
    if (image->resource().type->name == name) return &image->resource();
  }
  return nullptr;
}

}  // namespace strata::detail
