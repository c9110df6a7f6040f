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

/// The names of entities, and an index that finds an entity by its parent and name. Names are values of a component in
/// the side store (see NameValue), so they end with their entities, and copies of entities have copies of them. This
/// class only has to be notified of new parents, by `moved` and `place_copies`. ChangeGuard::tree_listened is true
/// while there are names.
///
/// Invariants (beyond those of the index):
///   I4. The index has exactly the names that entities have, each below the entity's parent.
///   I5. If siblings have unique names (see SiblingNames), no two children of one parent have equal names.
///
/// Threads: any number of readers, or one writer.
class EntityNames {
 public:
  EntityNames(Store& store, const Links& links);
  EntityNames(const EntityNames&) = delete;
  EntityNames& operator=(const EntityNames&) = delete;
  ~EntityNames();

  /// Sets whether siblings have unique names.
  /// Contract: there are no names yet.
  void set_unique(bool unique) noexcept { unique_ = unique; }

  bool unique() const noexcept { return unique_; }
  /// Calls `visit(entity, text)` for each name; equal names below one parent come in the order in which they were added
  /// there.
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

  /// As Store::reading.
  UseScope reading(const char* operation) const { return store_.reading(operation); }

  // The functions of Names (include/strata/names.hpp).

  Outcome set(Entity entity, std::string_view text);
  bool remove(Entity entity);
  std::string_view name(Entity entity) const noexcept;
  Entity find(Entity from, std::string_view path) const;
  std::string path(Entity from, Entity entity) const;
  std::size_t size() const noexcept { return index_.size(); }

  // The following functions are for the changes of the hierarchy.

  /// Returns: success; or a refusal if `child` cannot become a child of `parent` because another child has its
  /// name. Whether the entities are alive is not checked.
  Outcome check_move(Entity child, Entity parent) const;
  /// Returns: success; or a refusal if `children` cannot be the children of `parent` because two of them have
  /// the same name.
  /// Errors: std::bad_alloc.
  /// Complexity: O(n log n) for n children.
  Outcome check_children(Entity parent, std::span<const Entity> children) const;
  /// Called when an entity may have got another parent.
  void moved(Entity child) noexcept;

  /// Makes room for the names of copies of a subtree.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: there is room for the copies in the slots.
  void reserve_copies(Entity root, std::size_t copies);
  /// Called for new entities that are copies of named ones. Those of them that are children of `above` lose their
  /// names if siblings have unique names and another child of it has the name.
  /// Contract: `reserve_copies` was called.
  void place_copies(std::span<const Entity> copies, Entity above) noexcept;

  // The following functions restore an earlier state of the world.

  /// Returns: whether a copy of the pool of names has the present names, and `order` lists the entities as `for_each`
  /// does.
  bool equals(const SparsePool& copy, std::span<const Entity> order) const noexcept;
  /// Makes room for `names` more names.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t names) { index_.reserve(names); }
  /// Exchanges the pool of names with another one. `order` lists the entities with the new names, as `for_each` does.
  /// Contract: `reserve` was called; the entities have the parents below which their names are to be found.
  void exchange(SparsePool& other, std::span<const Entity> order) noexcept;

  /// Returns: the id of the component of names; Registry::kUnknown before the first name.
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
