// Pairs: the pairs (links from a source to a target entity) of one relation, listed by source and by target.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>

#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "../../core/memory_use.hpp"
#include "pair_lists.hpp"
#include "pair_observers.hpp"
#include "pair_values.hpp"
#include "relation_options.hpp"
#include "target_tags.hpp"

namespace strata::detail {

/// An end of a pair.
enum class End : std::uint8_t { source, target };

constexpr End other_end(End end) {
  return end == End::source ? End::target : End::source;
}

/// The pairs of one relation. A pair leads from a source entity to a target entity. Each pair is an entry in the list
/// of its source and an entry in the list of its target; see PairLists. So the time to add, remove or list pairs of an
/// entity does not depend on the pairs of other entities, and this class moves no rows of tables. A pair is identified
/// by its source and its position in the list of the source.
///
/// In a symmetric relation, the targets of an entity are also its sources, so each entity has one list for both. A pair
/// and its reverse share a value.
///
/// This class does not check whether entities are alive: RelationSet removes the pairs of destroyed entities.
///
/// Invariants:
///   I9. Every pair is an entry in the list of its source and an entry in the list of its target. Each of the two
///       entries, called twins, contains the position of the other.
///   I10. The ends of a pair differ, and no two pairs have the same source and target.
///   I11. In an exclusive relation, a source has one pair.
///   I12. `size_` is the number of entries in the lists of the sources.
///
/// Threads: any number of readers, or one writer.
class Pairs {
 public:
  /// Makes a relation without pairs. `value` describes the type of the values of pairs; if it is a tag (a component
  /// without data), pairs have no values. `source_component` is the component that sources of pairs get if the relation
  /// has the option `queried`.
  /// Contract: `value`, `registry`, `pool` and `memory` outlive this object.
  Pairs(ComponentId id, const ComponentInfo& value, const RelationOptions& options,
        ComponentId source_component, Registry& registry, BlockPool& pool, std::pmr::memory_resource* memory);
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;
  ~Pairs();

  ComponentId id() const noexcept { return id_; }
  const ComponentInfo& component() const noexcept { return values_.component(); }
  const RelationOptions& options() const noexcept { return options_; }
  /// Returns: the address that was passed to `set_declared_options`; null if this function was not called yet. The
  /// address is that of `relation_options_of<R>` for a C++ type R. These options are known to be equal to those of this
  /// relation. So a caller whose own options have the same address need not compare the options themselves.
  const RelationOptions* declared_options() const noexcept { return declared_options_; }
  /// Sets what `declared_options` returns from then on.
  /// Contract: `options` is the address of an inline variable `relation_options_of<R>`, so it stays valid. The variable
  /// is equal to `options()`.
  void set_declared_options(const RelationOptions* options) noexcept { declared_options_ = options; }
  /// Returns: the component by which queries find the sources of the pairs (see Pair), if the relation has the option
  /// `queried`; otherwise the same as `id`.
  ComponentId source_component() const noexcept { return source_component_; }
  /// Returns: whether adding or removing a pair changes only the lists of its two entities: the relation has no values,
  /// is_plain_relation is true for its options, and `was_observed` is false.
  bool is_plain() const noexcept { return is_plain_; }
  /// Returns: whether queries can select entities by their pairs: the sources of pairs have the component
  /// `source_component()`, or are in tables of their own for each target.
  bool is_shown() const noexcept { return options_.queried || tags_.has_value(); }
  /// Returns: the tag components of a relation that is stored in tables (Storage::table); null for other relations.
  /// There is one tag for each target. The sources of the target have this tag, so they are in tables of their own. The
  /// caller adds the tags to sources, and frees the tags of targets that have no source left.
  TargetTags* tags() noexcept { return tags_ ? &*tags_ : nullptr; }
  const TargetTags* tags() const noexcept { return tags_ ? &*tags_ : nullptr; }

  /// Returns: the functions that are notified when pairs are added or removed; null if `observe` was never called. The
  /// caller calls these functions: this class does not.
  PairObservers* observers() const noexcept { return observers_; }
  /// Returns: whether `observe` was called. Testing this flag takes fewer instructions than comparing `observers()`
  /// with null.
  bool was_observed() const noexcept { return was_observed_; }
  /// Returns: whether there are functions that are notified when pairs are added (PairHappening::add) or removed
  /// (PairHappening::remove).
  bool observes(PairHappening happening) const noexcept {
    return observers_ != nullptr && observers_->list(happening).any();
  }
  /// Makes the lists of functions that are notified when pairs are added or removed, if there are none yet. The lists
  /// keep a pointer to `count`, and add the number of their functions to it.
  /// Returns: the lists, which `observers` returns from then on.
  /// Errors: std::bad_alloc; nothing has changed then.
  PairObservers& observe(std::pmr::memory_resource* memory, ObserverCount& count);

  /// Returns: the number of pairs. In a symmetric relation, the reverse of a pair counts as a pair, too.
  std::size_t size() const noexcept { return size_; }

  /// Returns: with End::source, the targets of the pairs whose source is `entity`; with End::target, the sources of the
  /// pairs whose target is `entity`. Empty for a stale entity.
  /// Invalidates: the span, by any change of the pairs of this relation.
  std::span<const Entity> of(End end, Entity entity) const noexcept { return lists(end).of(entity); }

  /// Returns: whether adding a pair of these entities, which does not exist yet, would replace another pair, because
  /// the relation is exclusive.
  bool displaces(Entity source, Entity target) const noexcept {
    return options_.exclusive &&
           (!of(End::source, source).empty() || (options_.symmetric && !of(End::source, target).empty()));
  }

  /// The list of the targets of one source, and the list of the sources of one target.
  struct Ends {
    PairLists::Head* source;
    PairLists::Head* target;
  };
  /// Makes the list of the targets of `source` and the list of the sources of `target`, unless they exist. Adds no
  /// pair, so the lists may stay empty.
  /// Returns: the two lists.
  /// Errors: std::bad_alloc; nothing has changed then, except that an empty list may have memory.
  STRATA_ALWAYS_INLINE Ends open(Entity source, Entity target) {
    return {&lists(End::source).open(source), &lists(End::target).open(target)};
  }

  /// The result of `find`: the two lists that contain the pair, and the positions of the pair in them.
  struct Found {
    PairLists::Head* source;  ///< The list of the source's targets; null if there is no such pair.
    PairLists::Head* target;  ///< The list of the target's sources; null if there is no such pair.
    std::uint32_t position;   ///< The position of the target in the list `source`.
    std::uint32_t twin;       ///< The position of the source in the list `target`.

    explicit operator bool() const noexcept { return source != nullptr; }
  };
  /// Returns: the pair from a source to a target; if there is no such pair, a result whose `source` is null.
  /// Invalidates: the result, by any change.
  /// Complexity: O(min(targets of the source, sources of the target)).
  STRATA_ALWAYS_INLINE Found find(Entity source, Entity target) const noexcept {
    PairLists::Head* const from = lists(End::source).find(source);
    PairLists::Head* const to = lists(End::target).find(target);
    if (from == nullptr || to == nullptr) return {};
    return find(Ends{from, to}, source, target);
  }
  /// Does what `find(source, target)` does, but takes the lists of the source and the target as `ends` (for example,
  /// from `open`) instead of searching for them.
  STRATA_ALWAYS_INLINE Found find(const Ends& ends, Entity source, Entity target) const noexcept {
    if (!ends.source->is_of(source) || !ends.target->is_of(target)) return {};
    if (const Entity only = ends.source->only()) {
      if (only != target) return {};
      return {ends.source, ends.target, 0, ends.source->twin(0)};
    }
    return search(ends, source, target);
  }
  /// Returns: the last pair in the list of the entity's targets (End::source) or in the list of its sources
  /// (End::target).
  /// Contract: there is such a pair.
  Found last(End end, Entity entity) const noexcept;

  /// Returns: the targets of a source, as a list whose address stays the same until `shrink` is called.
  /// Contract: the source has a pair.
  const PairLists::Head& targets_of(Entity source) const noexcept { return lists(End::source).get(source); }
  /// Returns: the number of the value of the pair at `position` in the list of a source (see PairValues); 0 if the
  /// relation has no values.
  std::uint32_t number(Entity source, std::uint32_t position) const noexcept {
    return lists(End::source).number(source, position);
  }
  /// Returns: the value of the pair at `position` in the list of a source; null if the relation has no values.
  void* value(Entity source, std::uint32_t position) const noexcept {
    return values_.at(number(source, position));
  }
  /// Returns: the value of a pair; null if there is no such pair, or the relation has no values.
  void* find_value(Entity source, Entity target) const noexcept {
    const Found found = find(source, target);
    return found ? value(source, found.position) : nullptr;
  }
  /// Returns: the address of the value with this number; null if the relation has no values. The value may not be built
  /// yet, if the number is that of a prepared pair (see Prepared).
  void* value(std::uint32_t number) const noexcept { return values_.at(number); }
  /// Returns: whether an address lies in the memory of the values of the pairs.
  bool holds_value_at(const void* address) const noexcept { return values_.holds(address); }

  /// The result of `prepare`: a new pair that is in no list yet. `link` adds it to the lists `source` (the targets of
  /// its source) and `target` (the sources of its target). `number` identifies the pair's value (see PairValues).
  struct Prepared {
    PairLists::Head* source;
    PairLists::Head* target;
    std::uint32_t number;
  };
  /// Makes room for a new pair in the lists that `open` has returned, and takes a number for its value. The caller
  /// builds the value, and then calls `link`, which adds the pair to the lists.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: there is no pair from `source` to `target` yet, and the relation's pairs do not change before `link` or
  /// `cancel` is called. Exception: in an exclusive relation, the caller removes the present pair of the source before
  /// it calls `link`. If the relation is also symmetric, the caller removes the present pair of the target, too.
  STRATA_ALWAYS_INLINE Prepared prepare(const Ends& ends, Entity source, Entity target) {
    // In an exclusive relation, the list of the source needs no more room: it has at most one entry, and the caller
    // removes an old pair before `link` adds the new one. If the relation is also symmetric, the same holds for the
    // list of the target.
    if (!options_.exclusive) lists(End::source).reserve(*ends.source, source);
    if (!options_.exclusive || !options_.symmetric) lists(End::target).reserve(*ends.target, target);
    return {ends.source, ends.target, values_.take()};
  }
  /// Called instead of `link` if the value of the pair could not be built: frees Prepared::number for other values.
  void cancel(const Prepared& pair) noexcept { values_.give_back(pair.number); }
  /// Adds a prepared pair, and its reverse if the relation is symmetric, to the lists of the source and the target.
  /// Contract: `prepare` has returned `pair` for `source` and `target`. In an exclusive relation, the source has no
  /// other pair. If the relation is also symmetric, the target has no other pair, either.
  STRATA_ALWAYS_INLINE void link(const Prepared& pair, Entity source, Entity target) noexcept {
    const std::uint32_t position = pair.source->size();
    const std::uint32_t twin = pair.target->size();
    lists(End::source).append(*pair.source, source, {target, twin, pair.number});
    lists(End::target).append(*pair.target, target, {source, position, pair.number});
    size_ += step();
  }

  /// Adds a pair of a plain relation, in which a pair changes only the lists of its two entities (see is_plain).
  /// Returns: whether the pair is new.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_ALWAYS_INLINE bool add_plain(Entity source, Entity target) {
    PairLists::Head& from = lists_[0].open(source);
    PairLists::Head& to = lists_[1].open(target);
    if (find(Ends{&from, &to}, source, target)) return false;
    const std::uint32_t position = lists_[0].next_position(from, source);
    const std::uint32_t twin = lists_[1].next_position(to, target);
    lists_[0].append_plain(from, source, target, twin);
    lists_[1].append_plain(to, target, source, position);
    ++size_;
    return true;
  }
  /// Removes a pair of a plain relation, in which a pair changes only the lists of its two entities (see is_plain).
  /// Returns: whether there was such a pair.
  STRATA_ALWAYS_INLINE bool remove_plain(Entity source, Entity target) noexcept {
    PairLists::Head* const from = lists_[0].find(source);
    PairLists::Head* const to = lists_[1].find(target);
    if (from == nullptr || to == nullptr) return false;
    const Found found = find(Ends{from, to}, source, target);
    if (!found) return false;
    const PairLists::Moved target_moved = lists_[0].erase_plain(*from, found.position);
    if (target_moved.other) lists_[1].get(target_moved.other).set_twin(target_moved.twin, found.position);
    const PairLists::Moved source_moved = lists_[1].erase_plain(*to, found.twin);
    if (source_moved.other) lists_[0].get(source_moved.other).set_twin(source_moved.twin, found.twin);
    --size_;
    return true;
  }

  /// Removes a pair, and its reverse if the relation is symmetric, from the lists of its entities. Does not free the
  /// pair's value; `remove` does that.
  /// Returns: the number of pairs removed.
  STRATA_ALWAYS_INLINE std::uint32_t unlist_pair(const Found& pair) noexcept {
    unlist(End::source, *pair.source, pair.position);
    unlist(End::target, *pair.target, pair.twin);
    size_ -= step();
    return step();
  }
  /// Removes `pair`, whose source is `source`, and its reverse if the relation is symmetric. If values have a
  /// destructor, keeps the value of the pair until `destroy_dead` is called: the destructor may run user code, so the
  /// caller chooses when.
  /// Returns: the number of pairs removed: 2 if the relation is symmetric, otherwise 1.
  STRATA_ALWAYS_INLINE std::uint32_t remove(const Found& pair, Entity source) noexcept {
    const std::uint32_t number = this->number(source, pair.position);
    unlist_pair(pair);
    if (!component().is_tag()) values_.end(number);
    return step();
  }
  /// Removes all pairs. Values that have a destructor are kept until `destroy_dead` is called.
  void clear() noexcept;

  /// A relation that is stored in tables has a tag component for each target (see TargetTags). This function adds all
  /// tags of `known`, another object for the same relation, to this object, as free tags: no target has them yet. It
  /// does nothing for relations that are not stored in tables. Call it before a `swap` with `known`: the tags stay
  /// registered as components, so the object that takes the place of `known` must have them all.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: this object has no tags yet.
  void take_over_tags(const Pairs& known);
  /// Copies the pairs of `other`, another object for the same relation, to this object, which has none.
  /// Errors: std::bad_alloc, and what copying a value throws; this object can only be destroyed then.
  /// Contract: before, `take_over_tags` has given this object all tags that `other` has. Values can be copied, and no
  /// value of `other` waits to be destroyed (see `has_dead`).
  void assign(const Pairs& other);
  /// Exchanges the pairs with those of another object for the same relation, which uses the same memory resource and
  /// block pool.
  void swap(Pairs& other) noexcept;
  /// Returns: whether another object for the same relation has the same pairs, in the same order, and their values have
  /// the same bytes.
  bool equals(const Pairs& other) const noexcept;

  /// Returns: whether there are values of removed pairs that `destroy_dead` has to destroy.
  bool has_dead() const noexcept { return values_.has_dead(); }
  /// Destroys the values of removed pairs.
  void destroy_dead() noexcept { values_.destroy_dead(); }

  /// Calls `visit(Entity source, std::span<const Entity> targets)` for each source, by ascending index.
  template <class Visit>
  void for_each_source(Visit visit) const {
    lists(End::source).for_each(visit);
  }
  /// Returns: a number that is greater than Entity::index of each entity that is the source or the target of a pair.
  std::size_t index_limit() const noexcept;

  /// Frees unused capacity.
  /// Complexity: O(pairs + values).
  void shrink() noexcept;

  MemoryUse memory_use() const noexcept;

  /// Returns: a sentence about the first invariant that does not hold; an empty string if all hold.
  std::string check_invariants() const;

 private:
  PairLists& lists(End end) noexcept { return end == End::source ? lists_[0] : *of_targets_; }
  const PairLists& lists(End end) const noexcept { return end == End::source ? lists_[0] : *of_targets_; }
  /// Returns: how many entries the lists of the sources get for one pair: in a symmetric relation, there is one for the
  /// reverse pair, too.
  std::uint32_t step() const noexcept { return options_.symmetric ? 2 : 1; }

  /// Removes the entry of a pair from the list of the entity at `end`. If another entry moves to the position of the
  /// removed entry, updates the position that the twin of the moved entry contains.
  STRATA_ALWAYS_INLINE void unlist(End end, PairLists::Head& from, std::uint32_t position) noexcept {
    const PairLists::Moved moved = lists(end).erase(from, position);
    if (moved.other) lists(other_end(end)).get(moved.other).set_twin(moved.twin, position);
  }
  STRATA_API Found search(const Ends& ends, Entity source, Entity target) const noexcept;
  std::string check_pair(Entity source, std::uint32_t position) const;

  ComponentId id_;
  RelationOptions options_;
  const RelationOptions* declared_options_ = nullptr;
  ComponentId source_component_;
  std::array<PairLists, 2>
      lists_;  // The lists of sources, and those of targets. Symmetric relations only use the first.
  PairLists* of_targets_;  // The lists of targets: `lists_[1]`, or `lists_[0]` if the relation is symmetric.
  PairValues values_;
  std::optional<TargetTags> tags_;
  bool is_plain_;
  bool was_observed_ = false;
  std::size_t size_ = 0;
  PairObservers* observers_ = nullptr;  // Owned; null until there is an observer.
};

}  // namespace strata::detail
