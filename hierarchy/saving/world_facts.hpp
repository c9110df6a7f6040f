// WorldFacts: the interface for reading the components, parents, names and pairs of entities in some state of a world.
// ImageFacts reads an earlier state from a copy of the world, LiveFacts reads the present state.
#pragma once

#include <cstdint>
#include <string_view>

#include "../../core/resource_list.hpp"
#include "../../storage/tables/archetype.hpp"
#include "../layers/layers.hpp"
#include "../relations/pairs.hpp"
#include "saved_parts.hpp"
#include "world_images.hpp"

namespace strata::detail {

/// Reads a state of a world: the present one or an earlier one. For an entity that is not alive in this state, `parent`
/// and `previous` must not be called, `layer` returns the key of the default layer (Layers::kDefaultKey), and the other
/// functions return false, null or an empty text.
///
/// Contract: the state does not change during a call.
class WorldFacts {
 public:
  explicit WorldFacts(const SavedParts& parts) : parts_(parts) {}
  WorldFacts(const WorldFacts&) = delete;
  WorldFacts& operator=(const WorldFacts&) = delete;
  virtual ~WorldFacts() = default;

  virtual bool alive(Entity entity) const = 0;
  /// Returns: the parent of an entity; null if it is a root.
  /// Contract: the entity is alive in this state.
  virtual Entity parent(Entity entity) const = 0;
  /// Returns: the sibling before an entity; null if there is none.
  /// Contract: the entity is alive in this state.
  virtual Entity previous(Entity entity) const = 0;
  /// Returns: the archetype of an entity; null if it is not alive.
  virtual const Archetype* archetype(Entity entity) const = 0;
  virtual bool has(Entity entity, ComponentId id) const = 0;
  /// Returns: the value of a component; null if the entity does not have the component, or if the component is a tag.
  virtual const void* value(Entity entity, ComponentId id) const = 0;
  /// Returns: the name of an entity; empty if it has none.
  virtual std::string_view name(Entity entity) const = 0;
  /// Returns: the pairs of the relation with this id; null if there is no such relation. For a relation without pairs
  /// in this state, either null or a Pairs object without pairs.
  virtual const Pairs* pairs(ComponentId id) const = 0;
  /// Returns: the resource whose type has this name; null if there is none.
  virtual const ResourceNode* resource(std::string_view name) const = 0;

  /// Returns: whether an entity has a component, and the component is switched off for it.
  bool is_off(Entity entity, ComponentId id) const;
  /// Returns: the integer key of the layer (group of entities) to which an entity belongs; 0, the key of the default
  /// layer, if the entity is not alive in this state.
  std::int32_t layer(Entity entity) const;

 protected:
  const SavedParts& parts() const { return parts_; }

 private:
  const SavedParts parts_;
};

/// The present state of a world.
class LiveFacts : public WorldFacts {
 public:
  using WorldFacts::WorldFacts;

  bool alive(Entity entity) const override { return parts().store.alive(entity); }
  Entity parent(Entity entity) const override;
  Entity previous(Entity entity) const override;
  const Archetype* archetype(Entity entity) const override;
  bool has(Entity entity, ComponentId id) const override { return parts().store.has(entity, id); }
  const void* value(Entity entity, ComponentId id) const override;
  std::string_view name(Entity entity) const override { return parts().names.name(entity); }
  const Pairs* pairs(ComponentId id) const override { return parts().relations.find(id); }
  const ResourceNode* resource(std::string_view name) const override { return parts().resources.find(name); }
};

/// The state of a world that is stored in an image (a copy of its contents).
class ImageFacts : public WorldFacts {
 public:
  /// Finds out where the rows of all entities are in the image.
  /// Errors: std::bad_alloc.
  ImageFacts(const SavedParts& parts, const WorldImage& image)
      : WorldFacts(parts), image_(image), places_(places_of(*image.store)) {}

  const WorldImage& image() const { return image_; }
  const Links& links() const { return image_.tree->links; }
  /// Returns: the number of slots, including those that have no live entity.
  std::uint32_t slots() const { return image_.store->rows->slots.size(); }
  /// Returns: the live entity with a slot index; null if there is none.
  Entity entity_at(std::uint32_t index) const {
    return place_of(index) != ImagePlaces::kNone ? image_.store->rows->slots.handle_of(index) : Entity();
  }
  /// Returns: the archetype of the rows in the block with this number in the image.
  const Archetype& archetype_of_block(std::size_t block) const { return *places_.archetypes[block]; }
  /// Returns: the entity in row `row` of the block with the number `block` in the image.
  Entity entity_in(std::size_t block, std::uint32_t row) const {
    return detail::entity_in(*image_.store->blocks[block], image_.store->rows->blocks[block], row);
  }
  /// Returns: whether the entity is in the same row of one BlockImage (copy of a block) that this image and `other`
  /// share. If so, its values in tables are the same in both images. If not, they may still be equal.
  /// Contract: the entity is alive in both images.
  bool has_row_of(const ImageFacts& other, Entity entity) const;
  /// Returns: the pool (sparse set) of a component; null if the pool has no members.
  const SparsePool* pool(ComponentId id) const;

  bool alive(Entity entity) const override { return entity && entity_at(entity.index()) == entity; }
  Entity parent(Entity entity) const override { return handle_of(links().parent(entity.index())); }
  Entity previous(Entity entity) const override { return handle_of(links().previous(entity.index())); }
  const Archetype* archetype(Entity entity) const override;
  bool has(Entity entity, ComponentId id) const override;
  const void* value(Entity entity, ComponentId id) const override;
  std::string_view name(Entity entity) const override;
  const Pairs* pairs(ComponentId id) const override;
  const ResourceNode* resource(std::string_view name) const override;

 private:
  std::uint64_t place_of(std::uint32_t index) const {
    return index < places_.by_index.size() ? places_.by_index[index] : ImagePlaces::kNone;
  }
  Entity handle_of(std::uint32_t node) const {
    return node != Links::kNone ? image_.store->rows->slots.handle_of(node) : Entity();
  }

  const WorldImage& image_;
  const ImagePlaces& places_;
};

}  // namespace strata::detail
