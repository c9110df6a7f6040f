// EntityNames: the names of the entities of a world.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

#include "../../core/memory_use.hpp"
#include "../../core/outcome.hpp"
#include "../../core/registry.hpp"
#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "name_index.hpp"

namespace strata::detail {

/// The names of entities, and an index that finds an entity by its parent and name. Names are values of the component
/// NameValue in the side store (the sparse sets beside the tables). So a name is destroyed with its entity, and a copy
/// of an entity gets a copy of its name. Operations that give entities other parents must call `moved`, and operations
/// that copy entities must call `place_copies`; no other change has to be reported to this class. While there are
/// names, ChangeGuard::tree_listened returns true, which tells these operations that the calls are necessary.
///
/// Invariants (I1 to I3 are those of NameIndex):
///   I4. The index contains the names of all entities and no others, each with the present parent of its entity.
///   I5. If siblings must have unique names (see SiblingNames), no two children of one parent have equal names.
///
/// Threads: any number of readers, or one writer.
class EntityNames {
 public:
  EntityNames(Store& store, const Links& links);
  EntityNames(const EntityNames&) = delete;
  EntityNames& operator=(const EntityNames&) = delete;
  ~EntityNames();

  /// Sets whether siblings must have unique names.
  /// Contract: there are no names yet.
  void set_unique(bool unique) noexcept { unique_ = unique; }

  bool unique() const noexcept { return unique_; }
  /// Calls `visit(entity, text)` for each name. Entities that have equal names and the same parent are visited one
  /// after the other, in the order in which their names were inserted into `index_`. Otherwise, the order is that of
  /// the pool (sparse set) of names.
  template <class Visit>
  void for_each(Visit visit) const {
    const SparsePool* const names = pool();
    if (names == nullptr) return;
    for (const Entity entity : names->entities()) {
      const NameNode* const first = node_of(entity);
      if (first == nullptr || index_.find(first->parent, first->text()) != first) continue;
      const NameNode* node = first;
      do {
        visit(node->entity, node->text());
        node = node->next;
      } while (node != first);
    }
  }

  /// Returns: a scope object that the caller keeps while it reads names, so that checked builds find conflicts with
  /// other threads; see Store::reading.
  UseScope reading(const char* operation) const { return store_.reading(operation); }

  // Programs call these functions through the class Names, which documents them (include/strata/names.hpp).

  Outcome set(Entity entity, std::string_view text);
  bool remove(Entity entity);
  std::string_view name(Entity entity) const noexcept;
  Entity find(Entity from, std::string_view path) const;
  std::string path(Entity from, Entity entity) const;
  std::size_t size() const noexcept { return index_.size(); }

  // The following functions are called by operations that change the hierarchy.

  /// Returns: success; or a refusal if `child` cannot become a child of `parent` because names must be unique and
  /// another child of `parent` has the name of `child`. Does not check whether the entities are alive.
  Outcome check_move(Entity child, Entity parent) const;
  /// Returns: success; or a refusal if `children` cannot be the children of `parent` because names must be unique and
  /// two of them have the same name.
  /// Errors: std::bad_alloc.
  /// Complexity: O(n log n) for n children.
  Outcome check_children(Entity parent, std::span<const Entity> children) const;
  /// Makes the index find the name of `child`, if it has one, below the present parent of `child`. Call this function
  /// when `child` may have got another parent.
  void moved(Entity child) noexcept;

  /// Makes room in the index for the names of new entities: `copies` copies of `root` and of all entities below `root`.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the world has room for these new entities (see Slots::require_room), so the number of their names does
  /// not overflow.
  void reserve_copies(Entity root, std::size_t copies);
  /// Adds the names of `copies` to the index. These are new entities that are copies of other entities. If siblings
  /// must have unique names, a copy that is a child of `above` loses its name if another child of `above` has an equal
  /// name.
  /// Contract: `reserve_copies` was called.
  void place_copies(std::span<const Entity> copies, Entity above) noexcept;

  // The following functions are for restoring an earlier state of the world.

  /// `copy` is an earlier copy of the pool (sparse set) that holds the names.
  /// Returns: whether `copy` has the same entities and names as the present pool, and `order` lists these entities in
  /// the order in which `for_each` visits them.
  bool equals(const SparsePool& copy, std::span<const Entity> order) const noexcept;
  /// Makes room for `names` more names in the index.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t names) { index_.reserve(names); }
  /// Exchanges the pool (sparse set) that holds the names with `other`, and indexes the names of the new pool. `order`
  /// lists the entities of these names in the order in which `for_each` is to visit them.
  /// Contract: `reserve` was called for the new names. Their entities already have the parents that the index is to
  /// store.
  void exchange(SparsePool& other, std::span<const Entity> order) noexcept;

  /// Returns: the id of the component NameValue; Registry::kUnknown before the first name is set.
  ComponentId component() const { return component_; }

  MemoryUse memory_use() const noexcept { return index_.memory_use(); }
  void shrink() noexcept;

  /// Returns: a sentence about the first invariant that is violated; empty if all hold.
  std::string check_invariants() const;

 private:
  Outcome rename(Entity entity, std::string_view text);
  void put(Entity entity, std::string_view text);
  NameNode* node_of(Entity entity) const noexcept;
  const NameNode* find_below(Entity parent, std::string_view text) const noexcept;
  Entity parent_of(Entity entity) const noexcept;
  SparsePool* pool() const noexcept { return store_.side().find(component_); }

  Store& store_;
  const Links& links_;
  NameIndex index_;
  ComponentId component_ = Registry::kUnknown;
  bool unique_ = false;
};

}  // namespace strata::detail
