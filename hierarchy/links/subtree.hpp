// Subtree: lists an entity and all entities below it, with their values, in order to copy them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../storage/store.hpp"
#include "links.hpp"

namespace strata::detail {

/// Lists an entity and all entities below it, in order to copy them: depth by depth, with their archetypes and the
/// addresses of their values in the side store (sparse sets). A position is an index in this list. After a structural
/// change, the contents of a Subtree are not valid any more. Its memory is kept for the next call of `list`.
class Subtree {
 public:
  /// An entity of the subtree that has children. A position is an index in the list of all entities of the
  /// subtree; the children have successive positions.
  struct Family {
    std::uint32_t parent;       ///< Position of the entity.
    std::uint32_t first_child;  ///< Position of its first child.
    std::uint32_t child_count;
    // The following members describe copies of the entity. They are set by Instantiator, which makes the copies.
    Layout layout = Layout::adaptive;  ///< The layout of the children's copies.
    std::uint32_t depth = 0;           ///< The depth of the entity's copies.
    /// The set of tables for the children's copies. If each copy of the subtree has such a set of its own, `branch` is
    /// the set for copy number 0.
    Branch* branch = nullptr;
  };

  /// An entity for which World::set_layout was called. `layout` says which tables hold the rows of its children.
  /// `position` is its index in the list of all entities of the subtree.
  struct ChosenLayout {
    std::uint32_t position;
    Layout layout;
    bool has_children;
  };

  /// The value of one side-store (sparse-set) component of one entity. `position` is the index of that entity
  /// in the list of all entities of the subtree.
  struct SideValue {
    std::uint32_t position;
    const void* value;  ///< Null for a tag.
  };
  /// The values that entities of the subtree have of one side-store component, whose sparse set is `pool`. These values
  /// are the elements from `first` up to, and not including, `end` in the list of all SideValues. They are sorted by
  /// SideValue::position.
  struct SidePart {
    SparsePool* pool;
    std::uint32_t first;
    std::uint32_t end;
  };

  Subtree(Store& store, const Links& links);

  /// Lists `root` and all entities below it, with the addresses of their values.
  /// Contract: `root` is alive, and every component of the subtree can be copied; if not, the message of the
  /// broken contract names the first one that cannot.
  /// Errors: std::bad_alloc.
  /// Complexity: O(entities * pools); a pool is the sparse set of one component.
  void list(Entity root);

  std::uint32_t size() const { return static_cast<std::uint32_t>(entities_.size()); }
  std::span<const Entity> entities() const { return entities_; }
  Archetype& archetype(std::uint32_t position) const { return *archetypes_[position]; }
  /// Sets the archetype for the copies of the entity at `position`. The new archetype may differ from the archetype of
  /// that entity only in tags.
  void set_archetype(std::uint32_t position, Archetype& archetype) { archetypes_[position] = &archetype; }
  std::span<Family> families() { return families_; }
  /// Returns: those entities of the subtree for which World::set_layout was called, by ascending position.
  std::span<const ChosenLayout> chosen_layouts() const { return chosen_layouts_; }
  std::span<const SidePart> side_parts() const { return side_parts_; }
  std::span<const SideValue> values_of(const SidePart& part) const {
    return std::span(side_values_).subspan(part.first, part.end - part.first);
  }

  /// Makes copies of the entity `entities()[position]` get another value of the component `id`, which is in the side
  /// store (sparse sets): the one at the address `value` instead of the entity's own value.
  /// Returns: false if the entity does not have this component; nothing has changed then.
  bool replace_side_value(ComponentId id, std::uint32_t position, const void* value);

  /// Returns: whether some component of the subtree may contain entity handles, which have to be replaced in copies
  /// (see ComponentInfo::remap).
  bool has_references() const { return has_references_; }

 private:
  void list_nodes(Entity root);
  void list_archetypes();
  void list_side_values(SparsePool& pool);
  void require_copyable(const ComponentInfo& component, Entity entity);

  Store& store_;
  const Links& links_;
  std::pmr::vector<Entity> entities_;
  std::pmr::vector<Archetype*> archetypes_;
  std::pmr::vector<Family> families_;
  std::pmr::vector<ChosenLayout> chosen_layouts_;
  std::pmr::vector<SideValue> side_values_;
  std::pmr::vector<SidePart> side_parts_;
  bool has_references_ = false;
};

}  // namespace strata::detail
