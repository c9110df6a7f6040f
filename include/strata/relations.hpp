// Relations: pairs of entities, such as "a likes b", with or without a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../core/outcome.hpp"
#include "../../hierarchy/relations/pair.hpp"
#include "../../hierarchy/relations/related_entities.hpp"
#include "../../hierarchy/relations/relation_set.hpp"
#include "../../hierarchy/relations/topological.hpp"
#include "../../query/matching/relation.hpp"
#include "detail/child_pairs.hpp"

namespace strata {

/// The relations between the entities of a world. World::relations returns this object. One of the relations is
/// ChildOf, which leads from a child to its parent. World has more functions for parents and children. The rules below
/// about how pairs are stored, copied and removed do not apply to ChildOf.
///
/// A relation R is a type that can be a component: an empty type, or the type of the value that each pair has. A pair
/// leads from a source to a target. R has at most one pair from one source to one target. `relation_options_of<R>` says
/// whether a source has one target or many, whether pairs lead both ways, and what happens to one entity of a pair when
/// the other one is destroyed. By default, the pair is removed, so pairs never refer to destroyed entities. A relation
/// may also be described at run time; it is identified by the id of the component that describes its values.
///
/// Query::to visits the sources of one target, and Query::each_pair visits each pair. If each source of R has at most
/// one target (R is exclusive), the query term Up<const T, R> follows R from an entity to its target, from there to the
/// next target, and so on, and reads the first value of T that it finds. With RelationOptions::queried, sources have
/// the component Pair<R>, by which queries find them.
///
/// Pairs are stored outside the tables of entities, so no row moves when a pair is added or removed, unless
/// RelationOptions::storage is Storage::table. The value of a pair does not move until the pair is removed.
/// World::instantiate, which copies an entity with its subtree, also copies each pair whose source is in the subtree.
/// If the target is in the subtree, too, the copied pair leads to the copy of the target, and otherwise to the target.
///
/// Adding or removing a pair is a structural change, which is refused while a query iterates: in that case, record the
/// change with World::commands. Observers of pairs are notified of the change; see Observers::on_pair_add.
///
/// Errors: std::bad_alloc; nothing has changed in that case.
/// Contract: this world issued the ids that are passed.
/// Threads: any number of readers, or one writer.
class Relations : public detail::ChildPairs {
 public:
  Relations(detail::Store& store, detail::Hierarchy& hierarchy)
      : ChildPairs(store, hierarchy), relations_(hierarchy.relations()) {}

  using ChildPairs::add, ChildPairs::may_add, ChildPairs::remove, ChildPairs::remove_targets,
      ChildPairs::remove_sources, ChildPairs::has, ChildPairs::target, ChildPairs::targets,
      ChildPairs::sources, ChildPairs::list_sources, ChildPairs::topological, ChildPairs::size,
      ChildPairs::each, ChildPairs::relation;

  /// Adds a pair or, if there is a pair from `source` to `target` already, replaces its value. If R is exclusive (a
  /// source has at most one target), a new pair replaces the one that `source` has and, if R is also symmetric, the one
  /// that `target` has.
  /// Returns: a reference to the value; nothing for a relation without values.
  /// Contract: both entities are alive, and differ. If R is acyclic (see RelationOptions), no chain of pairs leads from
  /// the target to the source.
  /// Complexity: O(min(targets of the source, sources of the target)); if R is acyclic, plus O(entities that chains of
  /// pairs from the target reach + their pairs).
  template <Component R>
  decltype(auto) add(Entity source, Entity target, R value = R{}, CallSite at = {}) {
    const detail::UseScope use = store_.changing("relations().add");
    const ComponentId id = store_.registry().id_of<R>();
    if constexpr (is_tag<R> && detail::is_plain_relation(relation_options_of<R>))
      return relations_.add_plain(open<R>(id), source, target, at);
    void* const added = relations_.add(open<R>(id), source, target, given(id, value), at);
    if constexpr (!is_tag<R>) return *static_cast<R*>(added);
  }

  /// Returns: success; or a refusal that names both entities, if `add` of this pair would break its contract: an entity
  /// is stale, both are the same, the pairs of an acyclic relation would form a cycle, or, for ChildOf, another child
  /// of the target has the name of the source (see WorldOptions::sibling_names).
  template <Component R>
  [[nodiscard]] Outcome may_add(Entity source, Entity target) {
    return relations_.may_add(relation<R>(), source, target);
  }

  /// Removes a pair.
  /// Returns: whether there was such a pair.
  /// Complexity: O(min(targets of the source, sources of the target)).
  template <Component R>
  bool remove(Entity source, Entity target, CallSite at = {}) {
    return relations_.remove(find_pairs<R>(), source, target, at);
  }
  /// `remove_targets` removes all pairs that lead from `source`; `remove_sources`, all pairs that lead to `target`.
  /// Returns: the number of removed pairs. In a symmetric relation, a pair and its reverse count as one.
  template <Component R>
  std::size_t remove_targets(Entity source, CallSite at = {}) {
    return relations_.remove_all(find_pairs<R>(), detail::End::source, source, at);
  }
  template <Component R>
  std::size_t remove_sources(Entity target, CallSite at = {}) {
    return relations_.remove_all(find_pairs<R>(), detail::End::target, target, at);
  }

  /// Returns: whether there is a pair from `source` to `target`; without a target, whether there is a pair from
  /// `source` to any entity. False for stale entities.
  /// Complexity: O(min(targets of the source, sources of the target)); O(1) if no target is given.
  template <Component R>
  [[nodiscard]] bool has(Entity source, Entity target) const {
    const detail::UseScope use = store_.reading("relations().has");
    const detail::Pairs* const pairs = find_pairs<R>();
    return pairs != nullptr && pairs->find(source, target);
  }
  template <Component R>
  [[nodiscard]] bool has(Entity source) const {
    return static_cast<bool>(target<R>(source));
  }

  /// Returns: a pointer to the value of a pair; null if there is no such pair.
  /// Invalidates: the pointer, when the pair is removed.
  template <Component R>
  [[nodiscard]] R* find(Entity source, Entity target) {
    return static_cast<R*>(find_value<R>(source, target));
  }
  template <Component R>
  [[nodiscard]] const R* find(Entity source, Entity target) const {
    return static_cast<const R*>(find_value<R>(source, target));
  }

  /// Returns: the value of a pair.
  /// Contract: there is a pair from `source` to `target`.
  template <Component R>
  [[nodiscard]] R& get(Entity source, Entity target, CallSite at = {}) {
    void* const value = find_value<R>(source, target);
    if (value == nullptr) [[unlikely]]
      relations_.refuse_absent(name_of<R>, source, target, at);
    return *static_cast<R*>(value);
  }
  template <Component R>
  [[nodiscard]] const R& get(Entity source, Entity target, CallSite at = {}) const {
    return const_cast<Relations&>(*this).get<R>(source, target, at);
  }

  /// Returns: the target of a source; if there are several, the first one in the list that `targets` returns; a null
  /// handle if there is none.
  /// Complexity: O(1).
  template <Component R>
  [[nodiscard]] Entity target(Entity source) const {
    const detail::UseScope use = store_.reading("relations().target");
    const detail::Pairs* const pairs = find_pairs<R>();
    if (pairs == nullptr) return Entity();
    const std::span<const Entity> targets = pairs->of(detail::End::source, source);
    return targets.empty() ? Entity() : targets.front();
  }

  /// Return the targets of a source, or the sources of a target; none for a stale entity. The entities are in the order
  /// in which the pairs were added. But when a pair is removed, the last entity of the list moves to the position of
  /// the removed entity.
  /// Invalidates: the span, by any change of the relation.
  /// Complexity: O(1).
  template <Component R>
  [[nodiscard]] RelatedEntities targets(Entity source) const {
    const detail::UseScope use = store_.reading("relations().targets");
    return related(find_pairs<R>(), detail::End::source, source);
  }
  template <Component R>
  [[nodiscard]] RelatedEntities sources(Entity target) const {
    const detail::UseScope use = store_.reading("relations().sources");
    return related(find_pairs<R>(), detail::End::target, target);
  }

  /// Returns: the sources of a target, as a list that later changes do not affect; empty for a stale entity.
  /// Complexity: O(result).
  template <Component R>
  [[nodiscard]] std::vector<Entity> list_sources(Entity target) const {
    const detail::UseScope use = store_.reading("relations().list_sources");
    const RelatedEntities listed = sources<R>(target);
    return {listed.begin(), listed.end()};
  }

  /// Sets `order` to the list of all entities that are the source or the target of a pair of R. Targets come before
  /// their sources: if sources depend on targets, every entity comes after those on which it depends. Programs that
  /// make the same calls get the same order.
  /// Returns: success; or a refusal that names two entities of a cycle, after which `order` is empty.
  /// Complexity: O(pairs + greatest Entity::index of an entity that has a pair).
  template <Component R>
  Outcome topological(std::vector<Entity>& order) const {
    const detail::UseScope use = store_.reading("relations().topological");
    order.clear();
    const detail::Pairs* const pairs = find_pairs<R>();
    return pairs != nullptr ? detail::list_topological(*pairs, order) : Outcome::done();
  }

  /// Follows the chain of pairs of R: the chain begins with the target of `source`, then comes the target of that
  /// target, and so on. A cycle ends the chain; if `source` is in the cycle, `source` is the last entity of the chain.
  /// The query term Up finds the same value.
  /// Returns: a pointer to the value of T of the first entity in the chain that has T; null if no entity in the chain
  /// has T, or if `source` is stale.
  /// Complexity: O(length of the chain).
  template <Component T, Component R>
  [[nodiscard]] const T* nearest(Entity source) const {
    static_assert(detail::is_followed<R>, "nearest<T, R> follows a relation that is exclusive");
    const detail::UseScope use = store_.reading("relations().nearest");
    store_.guard().require_whole();
    if (!store_.alive(source)) return nullptr;
    const void* value = nullptr;
    detail::WalkMemo memo(store_.memory());
    const ComponentId id = store_.registry().find_or_unknown<T>();
    hierarchy_.parents().pairs()->find_nearest(detail::find_relation<R>(store_.registry()), {&source, 1}, id,
                                               id, memo, &value);
    return static_cast<const T*>(value);
  }

  /// Returns: the number of pairs of the relation R, of all entities together. In a symmetric relation, the two
  /// directions count as two pairs.
  template <Component R>
  [[nodiscard]] std::size_t size() const {
    const detail::UseScope use = store_.reading("relations().size");
    const detail::Pairs* const pairs = find_pairs<R>();
    return pairs != nullptr ? pairs->size() : 0;
  }

  /// Calls `visit(Entity source, Entity target)` for each pair; if the relation has values, an R& is the third
  /// argument. Structural changes in `visit` are refused. Programs that make the same calls get the same order.
  /// Complexity: O(pairs + greatest Entity::index of a source).
  template <Component R, class Function>
  void each(Function visit) {
    detail::Pairs* const pairs = find_pairs<R>();
    if (pairs == nullptr) return;
    {
      const detail::ChangeGuard::Iteration lock(store_.guard());
      pairs->for_each_source([&](Entity source, std::span<const Entity> targets) {
        for (std::uint32_t i = 0; i < targets.size(); ++i) {
          if constexpr (is_tag<R>) {
            visit(source, targets[i]);
          } else {
            visit(source, targets[i], *static_cast<R*>(pairs->value(source, i)));
          }
        }
      });
    }
    store_.iteration_ended();
  }

  // The functions from here on identify a relation by its id. A relation is a C++ type, or is described at run time.

  /// Returns: the id of the relation R in this world, which is also the id of the component R. Registers the relation
  /// if it is new.
  template <Component R>
  ComponentId relation() {
    const ComponentId id = store_.registry().id_of<R>();
    open<R>(id);
    return id;
  }
  /// Registers a relation that is described at run time. `value` describes the component whose values the pairs have;
  /// `value.size` is 0 if the pairs have no values.
  /// Returns: the id of the relation, which is also the id of that component.
  /// Contract: the description is valid. If the name is registered already, the description and the options agree with
  /// the registered ones.
  STRATA_API ComponentId relation(const ComponentInfo& value, const RelationOptions& options);

  /// Returns: the id of the component Pair of the relation with this id (Pair<R> if the relation is a C++ type R). All
  /// sources of its pairs have this component, so a run-time query with a term for the returned id finds them.
  /// Contract: the relation is registered, and its RelationOptions::queried is true.
  [[nodiscard]] STRATA_API ComponentId source_component(ComponentId id) const;
  /// Returns: the id of the tag that all sources of `target` have, in a relation that is stored in tables. A run-time
  /// query with the term `{Role::with, tag}` visits these sources table by table. Returns std::nullopt if `target` has
  /// no source. When a target loses its last source, its tag may be given to another target, so call this function
  /// again after changes.
  /// Contract: the relation is registered, and its storage is Storage::table.
  [[nodiscard]] STRATA_API std::optional<ComponentId> source_component(ComponentId id, Entity target) const;

  /// Do what the functions of the same names above do, for a relation identified by its id. `add` moves the value of
  /// the pair out of `*value` and ends its lifetime there; `value` is null for a relation without values. If `value` is
  /// the address of the value that this pair has already, `add` changes nothing. All but `targets` and `sources` accept
  /// ChildOf, by the id `relation<ChildOf>()` or as kChildOf; to list the pairs of ChildOf, call World::parent and
  /// World::children.
  /// Returns: from `add` and `find`, the address of the stored value; null for a relation without values, or if `find`
  /// finds no pair.
  /// Contract: `relation` has returned the id, or it is kChildOf. `add` is not given the address of any other value
  /// that this world stores for an entity or a pair.
  STRATA_API void* add(Entity source, Entity target, ComponentId id, void* value);
  [[nodiscard]] STRATA_API Outcome may_add(Entity source, Entity target, ComponentId id) const;
  STRATA_API bool remove(Entity source, Entity target, ComponentId id);
  [[nodiscard]] STRATA_API bool has(Entity source, Entity target, ComponentId id) const;
  [[nodiscard]] STRATA_API void* find(Entity source, Entity target, ComponentId id);
  [[nodiscard]] RelatedEntities targets(Entity source, ComponentId id) const {
    const detail::UseScope use = store_.reading("relations().targets");
    return related(find_listed(id), detail::End::source, source);
  }
  [[nodiscard]] RelatedEntities sources(Entity target, ComponentId id) const {
    const detail::UseScope use = store_.reading("relations().sources");
    return related(find_listed(id), detail::End::target, target);
  }

  /// Call `visit(ComponentId relation, Entity other)` for each pair, of any relation, that leads from `source`
  /// (`each_target`) or to `target` (`each_source`). `other` is the other entity of the pair. Pairs of ChildOf come
  /// first, with the id `relation<ChildOf>()`, then those of the other relations in the order of registration.
  /// Structural changes in `visit` are refused. World::component_info has the name of a relation.
  /// Complexity: O(relations + result).
  template <class Function>
  void each_target(Entity source, Function visit) {
    visit_each(list_pairs(detail::End::source, source), visit);
  }
  template <class Function>
  void each_source(Entity target, Function visit) {
    visit_each(list_pairs(detail::End::target, target), visit);
  }
  /// Calls `visit(ComponentId relation)` for each relation, ChildOf included, that has a pair from `source` to
  /// `target`. Structural changes in `visit` are refused.
  /// Complexity: that of one call of `has` for each relation of the world.
  template <class Function>
  void each_between(Entity source, Entity target, Function visit) {
    visit_each(list_between(source, target), [&](ComponentId relation, Entity) { visit(relation); });
  }

  /// Returns: success if World::destroy may destroy these entities; or a refusal that names a pair that forbids the
  /// destruction (see PairCleanup::refuse). Stale entities are ignored.
  /// Complexity: O(entities that would be destroyed + their pairs).
  [[nodiscard]] Outcome may_destroy(Entity entity) const { return may_destroy({&entity, 1}); }
  [[nodiscard]] Outcome may_destroy(std::span<const Entity> entities) const {
    const detail::UseScope use = store_.reading("relations().may_destroy");
    return relations_.may_destroy(entities);
  }

 private:
  template <Component R>
  detail::Pairs& open(ComponentId id) {
    constexpr const RelationOptions* options = &relation_options_of<R>;
    detail::Pairs* const known = relations_.find(id);
    if (known != nullptr && known->declared_options() == options) return *known;
    detail::Pairs& pairs = relations_.get(id, *options);
    pairs.set_declared_options(options);
    return pairs;
  }
  /// One pair of a given entity: the relation of the pair, and the other entity of the pair.
  struct PairOf {
    ComponentId relation;
    Entity other;
  };
  STRATA_API std::vector<PairOf> list_pairs(detail::End end, Entity entity);
  STRATA_API std::vector<PairOf> list_between(Entity source, Entity target);
  template <class Function>
  void visit_each(const std::vector<PairOf>& pairs, Function visit) {
    {
      const detail::ChangeGuard::Iteration lock(store_.guard());
      for (const auto& [relation, other] : pairs) visit(relation, other);
    }
    store_.iteration_ended();
  }
  STRATA_API const detail::Pairs* find_listed(ComponentId id) const;

  template <Component R>
  detail::Pairs* find_pairs() const {
    return relations_.find(store_.registry().find_or_unknown<R>());
  }
  static RelatedEntities related(const detail::Pairs* pairs, detail::End end, Entity entity) {
    return pairs != nullptr ? RelatedEntities(pairs->of(end, entity)) : RelatedEntities();
  }
  template <Component R>
  void* find_value(Entity source, Entity target) const {
    static_assert(!is_tag<R>, "this relation has no values: call has<R>");
    const detail::UseScope use = store_.reading("relations().find");
    const detail::Pairs* const pairs = find_pairs<R>();
    return pairs != nullptr ? pairs->find_value(source, target) : nullptr;
  }
  template <Component R>
  static detail::GivenValue given(ComponentId id, [[maybe_unused]] R& value) {
    if constexpr (is_tag<R>) {
      return {id, nullptr, nullptr};
    } else {
      return {id, &value, [](const ComponentInfo&, void* to, void* from) noexcept {
                ::new (to) R(std::move(*static_cast<R*>(from)));
              }};
    }
  }

  detail::RelationSet& relations_;
};

}  // namespace strata
