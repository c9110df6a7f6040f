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

/// Lists the entities that are destroyed together: those that are given, the entities below them, those that
/// PairCleanup::destroy adds for one of these, and so on. Each is listed once, so cycles end. The list itself serves as
/// the queue of entities to process, without recursion.
///
/// Contract: no change while it is in use.
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

  /// Adds an entity that is to be destroyed, if it is not listed.
  /// Errors: std::bad_alloc.
  void add(Entity entity);
  /// Adds all entities that are destroyed with those listed. With ChildPolicy::orphan, the children of those that
  /// were listed before are left out.
  /// Errors: std::bad_alloc.
  /// Complexity: O(entities * relations + their pairs).
  void complete(ChildPolicy children = ChildPolicy::destroy);

  /// Returns: a sentence about the first pair that refuses the destruction (PairCleanup::refuse): one of its entities
  /// is listed and the other is not. Empty if there is none.
  /// Contract: `complete` was called.
  std::string find_refusal() const;

  /// Returns: the entities, in the order in which they were found: parents before their children, unless one
  /// was found first for another reason.
  std::span<const Entity> entities() const { return {entities_.data(), entities_.size()}; }
  /// Returns: whether the entity with this slot index is listed.
  bool contains(std::uint32_t index) const noexcept {
    return index < positions_.size() && positions_[index] < entities_.size() &&
           entities_[positions_[index]].index() == index;
  }
  /// Returns: whether a listed entity has no parent, or one that is not listed.
  bool is_top(Entity entity) const noexcept { return !contains(links_.parent(entity.index())); }

 private:
  void add_children(Entity entity);
  void add_related(Entity entity);
  std::string find_refusal_of(Entity entity) const;

  const RelationSet& relations_;
  const Links& links_;
  PlainList<Entity> entities_;
  PlainList<std::uint32_t> positions_;  // By slot index: the position in `entities_`, if it is listed.
};

}  // namespace strata::detail
