// Contents: which components belong to the contents of a world, for saving and comparing it.
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

/// What to do with components and resources whose values are not described; see members_of.
enum class Undescribed : std::uint8_t {
  refuse,     ///< Breaks a contract; the message names the resource or component.
  leave_out,  ///< Leaves it out.
};

}  // namespace strata

namespace strata::detail {

/// One component of an entity.
struct Content {
  const ComponentInfo* info;
  const void* value;  ///< Null for a tag.
};

/// The contents of a world, independent of how they are stored.
///
/// Contract: the parts outlive it, and do not change meanwhile.
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

  /// Returns: whether a component of an entity belongs to the contents. Names and pairs do not count as components.
  /// Contract: if undescribed values are refused, its values are described.
  bool counts(ComponentId id) const;

  /// Returns: whether a resource is a part of the contents.
  /// Contract: as above.
  bool counts(const ResourceNode& resource) const;

  /// Lists the resources that are a part of the contents, by name.
  /// Contract: if undescribed values are refused, their values are described.
  std::vector<const ResourceNode*> list_resources() const;

  /// Returns: the live entity with a slot index; null if there is none.
  Entity entity_at(std::uint32_t index) const {
    const Slots& slots = store_.slots();
    return index < slots.size() && slots.is_live(index) ? slots.handle_of(index) : Entity();
  }
  /// Returns: the parent of an entity, or the child before it of the same parent; null if there is none.
  Entity parent_of(Entity entity) const { return handle_of(links_.parent(entity.index())); }
  Entity before(Entity entity) const { return handle_of(links_.previous(entity.index())); }

  /// Lists the components of an entity, by name.
  /// Contract: as `counts`.
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
