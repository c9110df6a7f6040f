// Contents: tells which components and resources of a world are saved, hashed and compared.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "../../core/resource_list.hpp"
#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "../names/entity_names.hpp"
#include "../relations/relation_set.hpp"

namespace strata {

/// What to do with components and resources whose types are not described for saving; see members_of.
enum class Undescribed : std::uint8_t {
  refuse,     ///< Refuses the operation; breaks a contract if the operation cannot return a refusal.
  leave_out,  ///< Leaves the component or resource out.
};

}  // namespace strata

namespace strata::detail {

/// One component of an entity.
struct Content {
  const ComponentInfo* info;
  const void* value;  ///< Null for a tag.
};

/// Tells which components and resources belong to the contents of a world: those that are saved, hashed and compared,
/// however they are stored.
///
/// Contract: the objects that the constructor receives outlive this object, and do not change while it exists.
class Contents {
 public:
  Contents(const Store& store, const Links& links, const EntityNames& names, const RelationSet& relations,
           const ResourceList& resources, Undescribed undescribed)
      : store_(store),
        links_(links),
        names_(names),
        relations_(relations),
        resources_(resources),
        undescribed_(undescribed) {}

  const Store& store() const { return store_; }
  const Links& links() const { return links_; }
  const EntityNames& names() const { return names_; }
  const RelationSet& relations() const { return relations_; }

  /// Returns: whether a component belongs to the contents. This is true for tags, and for components whose types are
  /// described for saving (see members_of). It is false for components in which the library stores names and pairs:
  /// names and pairs are saved, hashed and compared separately.
  /// Contract: with Undescribed::refuse, the type of the component is described, unless the component is a tag or
  /// stores names or pairs.
  bool counts(ComponentId id) const;

  /// Returns: whether a resource belongs to the contents: it is to be saved (see is_saved_resource), and its type is
  /// described for saving (see members_of).
  /// Contract: with Undescribed::refuse, the type of a resource that is to be saved is described.
  bool counts(const ResourceNode& resource) const;

  /// Returns: the resources that belong to the contents, sorted by name.
  /// Contract: with Undescribed::refuse, the types of all resources that are to be saved are described (see
  /// members_of).
  std::vector<const ResourceNode*> list_resources() const;

  /// Returns: the live entity with a slot index; null if there is none.
  Entity entity_at(std::uint32_t index) const {
    const Slots& slots = store_.slots();
    return index < slots.size() && slots.is_live(index) ? slots.handle_of(index) : Entity();
  }
  /// `parent_of` returns the parent of an entity, and `before` the sibling before it; both return null if there is
  /// none.
  Entity parent_of(Entity entity) const { return handle_of(links_.parent(entity.index())); }
  Entity before(Entity entity) const { return handle_of(links_.previous(entity.index())); }

  /// Sets `contents` to the components of an entity that belong to the contents of the world (see `counts`), sorted by
  /// name.
  /// Contract: with Undescribed::refuse, the types of all components of the entity are described for saving (see
  /// members_of).
  void list(Entity entity, std::vector<Content>& contents) const;

 private:
  Entity handle_of(std::uint32_t node) const {
    return node != Links::kNone ? store_.slots().handle_of(node) : Entity();
  }

  const Store& store_;
  const Links& links_;
  const EntityNames& names_;
  const RelationSet& relations_;
  const ResourceList& resources_;
  Undescribed undescribed_;
};

}  // namespace strata::detail
