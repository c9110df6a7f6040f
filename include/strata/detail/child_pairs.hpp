// ChildPairs: the functions of the class Relations for ChildOf, the relation from a child to its parent. Relations
// inherits them from ChildPairs.
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "../../../core/contract.hpp"
#include "../../../core/outcome.hpp"
#include "../../../hierarchy/hierarchy.hpp"
#include "../../../hierarchy/relations/relation_options.hpp"
#include "../../../query/matching/pair_reader.hpp"

template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::ChildOf> = {.exclusive = true,
                                                                                         .acyclic = true};

namespace strata::detail {

/// A range of at most one entity: what `targets` returns for a relation in which a source has at most one target.
class OneEntity {
 public:
  explicit OneEntity(Entity entity) : entity_(entity) {}

  const Entity* begin() const { return &entity_; }
  const Entity* end() const { return &entity_ + (entity_ ? 1 : 0); }
  std::size_t size() const { return entity_ ? 1 : 0; }
  bool empty() const { return !entity_; }

 private:
  Entity entity_;
};

/// The functions of Relations for the relation ChildOf, in which the source is a child and the target is its parent.
/// ChildPairs is a base class of Relations. The comments of Relations describe the functions. The ChildPolicy of
/// World::destroy determines what happens to children when their parent is destroyed.
class ChildPairs {
 public:
  ChildPairs(Store& store, Hierarchy& hierarchy) : store_(store), hierarchy_(hierarchy) {}

  /// Makes `source` the last child of `target`, as World::set_parent does.
  /// Contract: both entities are alive, and `target` is neither `source` nor below `source`.
  template <Component R>
  void add(Entity source, Entity target, R = R{},
           CallSite at = {}) requires std::same_as<R, strata::ChildOf> {
    add_parent(source, target, at);
  }
  template <Component R>
  [[nodiscard]] Outcome may_add(Entity source, Entity target) requires std::same_as<R, strata::ChildOf> {
    return may_add_parent(source, target);
  }
  /// Makes `source` a root, as World::clear_parent does.
  /// Returns: false if `target` is not the parent of `source`; nothing has changed then.
  template <Component R>
  bool remove(Entity source, Entity target, CallSite = {}) requires std::same_as<R, strata::ChildOf> {
    return has<R>(source, target) && hierarchy_.clear_parent(source);
  }
  template <Component R>
  std::size_t remove_targets(Entity source, CallSite = {}) requires std::same_as<R, strata::ChildOf> {
    return hierarchy_.clear_parent(source) ? 1 : 0;
  }
  /// Takes all children away from the parent `target`; they become roots.
  /// Returns: the number of these children.
  template <Component R>
  std::size_t remove_sources(Entity target, CallSite at = {}) requires std::same_as<R, strata::ChildOf> {
    return clear_children(target, at);
  }

  /// Returns: whether `target` is the parent of `source`.
  /// Complexity: O(1).
  template <Component R>
  [[nodiscard]] bool has(Entity source, Entity target) const requires std::same_as<R, strata::ChildOf> {
    const UseScope use = store_.reading("relations().has");
    return target && hierarchy_.parent(source) == target;
  }
  template <Component R>
  [[nodiscard]] bool has(Entity source) const requires std::same_as<R, strata::ChildOf> {
    const UseScope use = store_.reading("relations().has");
    return static_cast<bool>(hierarchy_.parent(source));
  }
  template <Component R>
  [[nodiscard]] Entity target(Entity source) const requires std::same_as<R, strata::ChildOf> {
    const UseScope use = store_.reading("relations().target");
    return hierarchy_.parent(source);
  }
  template <Component R>
  [[nodiscard]] OneEntity targets(Entity source) const requires std::same_as<R, strata::ChildOf> {
    const UseScope use = store_.reading("relations().targets");
    return OneEntity(hierarchy_.parent(source));
  }
  /// Returns: the children of `target`, in their order.
  template <Component R>
  [[nodiscard]] ChildRange sources(Entity target) const requires std::same_as<R, strata::ChildOf> {
    const UseScope use = store_.reading("relations().sources");
    return hierarchy_.children(target);
  }
  template <Component R>
  [[nodiscard]] std::vector<Entity> list_sources(
      Entity target) const requires std::same_as<R, strata::ChildOf> {
    const UseScope use = store_.reading("relations().list_sources");
    const ChildRange children = hierarchy_.children(target);
    return {children.begin(), children.end()};
  }

  /// Sets `order` to the list of all entities that have a parent or a child. Parents come before their children.
  /// Complexity: O(n log n + archetypes + entities), where n is the number of roots.
  template <Component R>
  Outcome topological(std::vector<Entity>& order) const requires std::same_as<R, strata::ChildOf> {
    const UseScope use = store_.reading("relations().topological");
    list_parents_first(order);
    return Outcome::done();
  }
  /// Returns: the number of entities that have a parent.
  /// Complexity: O(tables).
  template <Component R>
  [[nodiscard]] std::size_t size() const requires std::same_as<R, strata::ChildOf> {
    const UseScope use = store_.reading("relations().size");
    return count_children();
  }
  /// Calls `visit(child, parent)` for each entity that has a parent; parents are visited before their children.
  /// Errors: std::bad_alloc.
  /// Complexity: that of `topological`.
  template <Component R, class Function>
  void each(Function visit) requires std::same_as<R, strata::ChildOf> {
    std::vector<Entity> order;
    list_parents_first(order);
    {
      const ChangeGuard::Iteration lock(store_.guard());
      for (const Entity child : order) {
        if (const Entity parent = hierarchy_.parent(child)) visit(child, parent);
      }
    }
    store_.iteration_ended();
  }
  template <Component R>
  ComponentId relation() requires std::same_as<R, strata::ChildOf> {
    return store_.registry().id_of<R>();
  }

 protected:
  Store& store_;
  Hierarchy& hierarchy_;

  STRATA_API Outcome may_add_parent(Entity child, Entity parent) const;

 private:
  STRATA_API void add_parent(Entity child, Entity parent, CallSite at);
  STRATA_API std::size_t clear_children(Entity parent, CallSite at);
  STRATA_API void list_parents_first(std::vector<Entity>& order) const;
  STRATA_API std::size_t count_children() const;
};

}  // namespace strata::detail
