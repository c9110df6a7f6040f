// RelationSet: the relations between the entities of a world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../../core/compiler.hpp"
#include "../../core/outcome.hpp"
#include "../../core/plain_list.hpp"
#include "../../storage/observed_changes.hpp"
#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "pair_components.hpp"
#include "pairs.hpp"
#include "target_tables.hpp"

namespace strata::detail {

class Dependents;
class TableChange;

/// The relations of a RelationSet, in the order of the first calls of RelationSet::get for them. While a loop visits
/// the relations, user code such as a destructor may call `get` for further relations. The loop does not visit these
/// new relations.
class KnownRelations {
 public:
  class Iterator {
   public:
    using value_type = Pairs*;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const PlainList<Pairs*>& list, std::size_t index) : list_(&list), index_(index) {}
    Pairs* operator*() const { return (*list_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++index_;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const PlainList<Pairs*>* list_ = nullptr;  // Not a pointer to its elements: they may move during a visit.
    std::size_t index_ = 0;
  };

  explicit KnownRelations(const PlainList<Pairs*>& list) : list_(list) {}

  Iterator begin() const { return {list_, 0}; }
  Iterator end() const { return {list_, list_.size()}; }
  std::size_t size() const { return list_.size(); }
  Pairs* operator[](std::size_t i) const { return list_[i]; }

 private:
  const PlainList<Pairs*>& list_;
};

/// The relations of a world. A relation is identified by the component that describes the values of its pairs (links
/// from a source entity to a target entity). The pairs of one relation are stored in an object of class Pairs. While
/// there is any pair, the flag TreeListener::relations is set in the ChangeGuard of the store (see
/// ChangeGuard::mark_tree_listened). Because of this flag, the class Hierarchy removes the pairs of the entities that
/// it destroys.
///
/// Invariants (I8 to I14 are those of PairComponents, Pairs, PairValues and TargetTables):
///   I6. The entities at both ends of every pair are alive.
///   I7. `count_` is the number of the pairs of all relations.
///
/// Threads: any number of readers, or one writer.
class RelationSet {
 public:
  RelationSet(Store& store, const Links& links);
  RelationSet(const RelationSet&) = delete;
  RelationSet& operator=(const RelationSet&) = delete;
  ~RelationSet();

  /// Returns: the pairs of a relation; null before the first call of `get` for it.
  Pairs* find(ComponentId id) const noexcept {
    return to_index(id) < by_id_.size() ? by_id_[to_index(id)] : nullptr;
  }
  /// Returns: the pairs of a relation. If the relation is not known yet, it becomes known with these options.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: if the relation is known already, it has the same options.
  STRATA_API Pairs& get(ComponentId id, const RelationOptions& options);
  /// Returns: the Pairs object of each known relation, in the order in which `get` made the relations known.
  KnownRelations all() const noexcept { return KnownRelations(all_); }
  /// Returns: whether an address lies in the memory for the values of pairs. The function of the same name in
  /// given_values.hpp does the same for the values of entities.
  /// Complexity: O(relations + pages of values).
  bool holds_value_at(const void* address) const noexcept {
    for (const Pairs* const pairs : all_) {
      if (pairs->holds_value_at(address)) return true;
    }
    return false;
  }

  /// Adds a pair or, if there is such a pair, replaces its value. In an exclusive relation, in which a source has at
  /// most one target, a new pair replaces the pair that the source has. If the relation is also symmetric, it replaces
  /// the pair that the target has, too.
  /// Returns: the value; null if the relation has none.
  /// Errors: std::bad_alloc; nothing has changed then. Exceptions of observers; the change is complete then.
  /// Contract: both entities are alive and differ; nothing is being iterated. If the relation is acyclic, the pair
  /// closes no cycle.
  STRATA_API void* add(Pairs& pairs, Entity source, Entity target, const GivenValue& given, CallSite at);
  /// Does what `add` does, for a relation without values whose options make it plain (see is_plain_relation).
  STRATA_API void add_plain(Pairs& pairs, Entity source, Entity target, CallSite at);
  /// Returns: success; or a refusal that names both entities, if one of them is stale, if they are the same, or if this
  /// pair would close a cycle of an acyclic relation.
  /// Errors: std::bad_alloc.
  STRATA_API Outcome may_add(ComponentId id, Entity source, Entity target) const;
  /// Removes a pair.
  /// Returns: whether there was such a pair; false if `pairs` is null.
  /// Contract: no query iterates, and no other change is under way.
  STRATA_API bool remove(Pairs* pairs, Entity source, Entity target, CallSite at);
  /// Removes all pairs of one relation of which `entity` is the source (with End::source) or the target (with
  /// End::target).
  /// Returns: the number of removed pairs; 0 if `pairs` is null.
  /// Contract: nothing is being iterated.
  STRATA_API std::size_t remove_all(Pairs* pairs, End end, Entity entity, CallSite at);

  /// A relation has two lists of observers, functions that are notified when pairs are added (PairHappening::add) or
  /// removed (PairHappening::remove). The first call for a relation makes both lists. They keep a pointer to `count`,
  /// and add the number of their functions to it.
  /// Returns: the list for `happening`.
  /// Errors: std::bad_alloc; nothing has changed then.
  ObserverList& observers(Pairs& pairs, PairHappening happening, ObserverCount& count);

  /// Reports a broken contract: there is no pair of this relation from `source` to `target`.
  [[noreturn]] STRATA_API void refuse_absent(std::string_view name, Entity source, Entity target,
                                             CallSite at) const;

  /// Returns: success; or a refusal if PairCleanup::refuse forbids destroying these entities together. The refusal
  /// names a pair of which only one entity would be destroyed. Stale entities are ignored.
  /// Errors: std::bad_alloc.
  STRATA_API Outcome may_destroy(std::span<const Entity> entities) const;

  // The following functions are for callers that have begun a structural change of the store, such as Hierarchy.

  /// Does what `add` does, but checks nothing and notifies no observers. If the new pair replaces another pair of an
  /// exclusive relation, the value of that pair is kept until `destroy_dead` is called.
  /// Contract: both entities are alive and differ. If the relation is acyclic, the caller makes sure that there is no
  /// cycle.
  void connect(Pairs& pairs, Entity source, Entity target, const GivenValue& given);

  /// Returns: the handle of the entity with the slot index `node`.
  /// Contract: there is such an entity.
  Entity entity_of(std::uint32_t node) const noexcept { return store_.slots().handle_of(node); }
  /// Returns: whether any relation has a pair.
  bool any() const noexcept { return count_ != 0; }
  /// Returns: whether a caller that destroys entities has to list beforehand all that are destroyed together; see
  /// Dependents. That is necessary if there are pairs of a relation that is stored in tables, or of a relation in which
  /// destroying a source or a target may do more than remove the pair (see PairCleanup).
  bool needs_dependents() const noexcept;
  /// Returns: whether there are pairs of a relation that is stored in tables.
  bool any_in_tables() const noexcept;
  /// If a relation is stored in tables, each target has tables that contain only rows of its sources (see
  /// TargetTables). Called before the entities in `listed` are destroyed: moves the rows of their sources out of these
  /// tables. Sources that are in `listed` themselves are not moved, because they are destroyed, too.
  /// Errors: std::bad_alloc; no row has left its table then, but rows may have moved within their tables.
  /// Contract: the pairs of the listed entities are removed next.
  void leave_tables(const Dependents& listed);
  /// Adds to `change` the moves of rows that `leave_tables(listed)` would make, for a caller that makes them together
  /// with moves of other rows.
  /// Errors: std::bad_alloc; `change` may have some of the moves then.
  void add_leaving(TableChange& change, const Dependents& listed) const;
  /// Removes all pairs of which an entity is the source or the target. The entity may be stale by now.
  void remove_pairs_of(Entity entity) noexcept;
  /// Removes all pairs of which the entity with this slot index or one of its descendants is the source or the target.
  void remove_pairs_below(std::uint32_t index) noexcept;
  /// Removes all pairs.
  void remove_all_pairs() noexcept;
  /// Notifies the observers that all pairs of all relations are about to be removed. PairReport does this for the pairs
  /// of given entities.
  /// Contract: Store::listened is true: the world has observers, and notifications are not paused.
  void notify_all_removed() noexcept;
  /// Ends all observers of pairs: they are not notified any more.
  void end_observers() noexcept;
  /// Destroys the values of removed pairs, which were kept until now. Does nothing if no such values are left.
  void destroy_dead() noexcept {
    if (has_dead_) [[unlikely]]
      destroy_dead_values();
  }
  /// While an object of this class exists, PairCleanup::refuse is ignored: an entity may be destroyed although it has
  /// pairs of a relation with this option. Used for changes that were checked before they began.
  class Unrefused {
   public:
    explicit Unrefused(RelationSet& relations) : relations_(relations) { ++relations_.unrefused_; }
    Unrefused(const Unrefused&) = delete;
    Unrefused& operator=(const Unrefused&) = delete;
    ~Unrefused() { --relations_.unrefused_; }

   private:
    RelationSet& relations_;
  };
  bool refuses() const noexcept { return unrefused_ == 0; }

  /// Called after the pairs of relations were exchanged by Pairs::swap: counts the pairs of all relations again. In
  /// relations with the option `queried`, also updates the component Pair of each source.
  /// Contract: all sources in relations with the option `queried` have the component Pair; its contents may be out of
  /// date.
  /// Complexity: O(sources).
  void pairs_exchanged() noexcept;

  /// Removes all pairs and destroys their values. Called when the world is destroyed.
  void end() noexcept;

  /// Checks the contract of `copy_pairs`: each pair whose source is one of `originals` has no value, or a value that
  /// can be copied. The message names an original and the relation.
  void require_copyable(std::span<const Entity> originals) const;
  /// Copies the pairs whose sources are `originals`, once for each set of copies. `copies` has one set after the other;
  /// a set has one copy of each original, in the order of `originals`. The source of a new pair is the copy of the old
  /// source. The target of the new pair is the copy of the old target in the same set if the old target is an original,
  /// too; otherwise the old target itself. Exception: in an exclusive symmetric relation, a pair whose target is no
  /// original is not copied. Such a target can have only one pair, so the new pair would replace its pair with the
  /// original.
  /// Errors: std::bad_alloc, and exceptions of a copy; the caller then removes the pairs of the copies.
  void copy_pairs(std::span<const Entity> originals, std::span<const Entity> copies);

  MemoryUse memory_use() const;
  void shrink() noexcept;
  std::string check_invariants() const;

 private:
  class Copier;

  void cancel(Pairs& pairs, const Pairs::Prepared& pair, Entity source, Entity target) noexcept;
  void show(Pairs& pairs, const Pairs::Prepared& pair, Entity source, Entity target, Entity before);
  void* build_value(const Pairs& pairs, std::uint32_t number, const GivenValue& given) noexcept;
  template <class BeforeDisplacing>
  STRATA_ALWAYS_INLINE void* add_or_replace(Pairs& pairs, Entity source, Entity target,
                                            const GivenValue& given, BeforeDisplacing before);
  STRATA_NOINLINE void* add_special(Pairs& pairs, Entity source, Entity target, const GivenValue& given);
  STRATA_ALWAYS_INLINE void add_to_lists(Pairs& pairs, Entity source, Entity target);
  void* replace(const Pairs& pairs, const Pairs::Found& pair, Entity source, const GivenValue& given);
  void displace_others(Pairs& pairs, const Pairs::Prepared& pair, Entity source, Entity target) noexcept;
  void displace(Pairs& pairs, const PairComponents::Shown& shown) noexcept;
  void remove_special(Pairs& pairs, const Pairs::Found& found, Entity source, Entity target);
  std::size_t remove_listed(Pairs& pairs, End end, Entity entity) noexcept;
  STRATA_NOINLINE void destroy_dead_values() noexcept;

  STRATA_COLD STRATA_NOINLINE void* add_observed(Pairs& pairs, Entity source, Entity target,
                                                 const GivenValue& given);

  STRATA_COLD STRATA_NOINLINE std::size_t remove_all_observed(Pairs& pairs, End end, Entity entity);

  // The following functions are defined in observed_pairs.cpp.
  STRATA_COLD STRATA_NOINLINE void add_plain_observed(Pairs& pairs, Entity source, Entity target);
  STRATA_COLD STRATA_NOINLINE void remove_observed(Pairs& pairs, const Pairs::Found& found, Entity source,
                                                   Entity target);
  void notify(Pairs& pairs, PairHappening happening, Entity source, Entity target) noexcept;
  void notify_displaced(Pairs& pairs, Entity source, Entity target) noexcept;
  void notify_listed(Pairs& pairs, End end, Entity entity) noexcept;
  void end_observed_change();

  STRATA_NOINLINE void require_no_cycle(const Pairs& pairs, Entity source, Entity target, CallSite at) const;
  [[noreturn]] STRATA_NOINLINE void refuse(const Pairs& pairs, Entity source, Entity target,
                                           CallSite at) const;

  STRATA_ALWAYS_INLINE void link(Pairs& pairs, const Pairs::Prepared& pair, Entity source,
                                 Entity target) noexcept {
    pairs.link(pair, source, target);
    if (!any()) [[unlikely]]
      mark(true);
    count_ += pairs.options().symmetric ? 2 : 1;
  }
  /// Removes a pair. If the relation has the option `queried`, the source has a component Pair, so that queries find it
  /// (see PairComponents). This function does not update that component; the caller does.
  STRATA_ALWAYS_INLINE void unlink(Pairs& pairs, const Pairs::Found& pair, Entity source) noexcept {
    const bool in_tables = pairs.tags() != nullptr;
    const Entity target = in_tables ? pair.source->entities()[pair.position] : Entity();
    subtract_count(pairs.remove(pair, source));
    if (in_tables && pair.target->empty()) pairs.tags()->release(target);
    has_dead_ |= pairs.has_dead();
  }
  /// Removes a pair, and updates the component Pair of its source and, in a symmetric relation, of its target.
  /// Contract: if the relation is stored in tables, the row of the source has left the tables of the target (see
  /// TargetTables).
  STRATA_ALWAYS_INLINE void remove_pair(Pairs& pairs, const Pairs::Found& pair, Entity source,
                                        Entity target) noexcept {
    unlink(pairs, pair, source);
    if (pairs.options().queried) components_.update_ends(pairs, source, target);
  }
  void subtract_count(std::size_t removed) noexcept {
    count_ -= removed;
    if (!any()) [[unlikely]]
      mark(false);
  }
  /// Records in the store's ChangeGuard whether any relation has a pair.
  void mark(bool any) noexcept { store_.guard().mark_tree_listened(TreeListener::relations, any); }

  Store& store_;
  const Links& links_;
  PairComponents components_;
  TargetTables tables_;
  PlainList<Pairs*> by_id_;  // By the id of the component; null for components that are no relation.
  PlainList<Pairs*> all_;
  std::size_t count_ = 0;        // The pairs of all relations.
  std::uint32_t unrefused_ = 0;  // The number of Unrefused objects.
  bool has_dead_ = false;
};

}  // namespace strata::detail
