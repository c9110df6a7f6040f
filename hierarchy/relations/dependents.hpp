// Dependents: lists the entities that are destroyed together, because of parents and relations.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>

#include "../../core/plain_list.hpp"
#include "../links/links.hpp"
#include "../links/policies.hpp"
#include "relation_set.hpp"

namespace strata::detail {

/// Lists the entities that are destroyed together: the entities that were passed to `add`, the descendants of listed
/// entities in the hierarchy, and the other ends of pairs of listed entities, if the relation has the option
/// PairCleanup::destroy for the listed end (see RelationOptions::target_destroyed and source_destroyed). Each entity is
/// listed once, so the search ends even if pairs form a cycle. The list also serves as the queue of entities to
/// process, so there is no recursion.
///
/// Contract: no parent and no pair changes while this object is in use.
class Dependents {
 public:
  Dependents(const RelationSet& relations, const Links& links, std::pmr::memory_resource* memory)
      : relations_(relations), links_(links), entities_(memory), positions_(memory) {}

  /// Empties the list, and keeps its memory.
  void clear() noexcept { entities_.clear(); }
  /// Empties the list, and gives its memory back.
  void shrink() noexcept {
    entities_.clear();
    entities_.shrink_to_fit();
    positions_.clear();
    positions_.shrink_to_fit();
  }

  /// Adds an entity that is to be destroyed, if it is not listed yet.
  /// Errors: std::bad_alloc.
  void add(Entity entity);
  /// Adds all entities that are destroyed together with the listed ones. With ChildPolicy::orphan, the children of the
  /// entities that were listed before this call become roots: they are added only if a relation requires that they are
  /// destroyed. The children of entities that this call adds are always added, too.
  /// Errors: std::bad_alloc.
  /// Complexity: O(e * r + p), where e is the number of entities in the complete list, r is the number of relations,
  /// and p is the number of pairs of these entities.
  void complete(ChildPolicy children = ChildPolicy::destroy);

  /// Returns: a sentence about the first pair that refuses the destruction: its relation has the option
  /// PairCleanup::refuse, one of its entities is in the list of entities to destroy, and the other one is not. An empty
  /// string if there is no such pair.
  /// Contract: `complete` was called.
  std::string find_refusal() const;

  /// Returns: the entities to destroy, in the order in which they were added. A parent comes before its children,
  /// unless a child was passed to `add`, or found through a relation, before its parent.
  std::span<const Entity> entities() const { return {entities_.data(), entities_.size()}; }
  /// Returns: whether the entity with this slot index is in the list of entities to destroy.
  bool contains(std::uint32_t index) const noexcept {
    return index < positions_.size() && positions_[index] < entities_.size() &&
           entities_[positions_[index]].index() == index;
  }
  /// Returns: whether the entity has no parent, or a parent that is not in the list of entities to destroy.
  /// Contract: the entity itself is in the list.
  bool is_top(Entity entity) const noexcept { return !contains(links_.parent(entity.index())); }

 private:
  void add_children(Entity entity);
  void add_related(Entity entity);
  std::string find_refusal_of(Entity entity) const;

  const RelationSet& relations_;
  const Links& links_;
  PlainList<Entity> entities_;
  PlainList<std::uint32_t> positions_;  // By slot index: the position of a listed entity in `entities_`.
};

}  // namespace strata::detail
