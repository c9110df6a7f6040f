// Pairs: the pairs of one relation, listed by source and by target.
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

/// The pairs of one relation. Each pair is an entry in the list of its source and one in that of its target; see
/// PairLists. So adding, removing and listing pairs takes the same time however many there are, and no table is
/// touched. A pair is identified by its source and its position in the list of the source.
///
/// In a symmetric relation, one list of an entity has its targets and its sources, as these are the same. A pair
/// and its reverse share a value.
///
/// Whether entities are alive is not checked here: RelationSet removes the pairs of destroyed entities.
///
/// Invariants:
///   I9. Every pair is an entry in the list of its source and in that of its target, and each is the twin of the
///       other.
///   I10. The ends of a pair differ, and no two pairs have the same source and target.
///   I11. In an exclusive relation, a source has one pair.
///   I12. `size_` is the number of entries in the lists of the sources.
///
/// Threads: any number of readers, or one writer.
class Pairs {
 public:
  /// `value` describes the values of pairs; a tag for none. `source_component` is the component that the sources
  /// have, if the relation is queried.
  /// Contract: `value`, `registry` and `pool` outlive this object.
  Pairs(ComponentId id, const ComponentInfo& value, const RelationOptions& options,
        ComponentId source_component, Registry& registry, BlockPool& pool, std::pmr::memory_resource* memory);
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;
  ~Pairs();

  ComponentId id() const noexcept { return id_; }
  const ComponentInfo& component() const noexcept { return values_.component(); }
  const RelationOptions& options() const noexcept { return options_; }
  /// Returns: the address of `relation_options_of<R>` for a C++ type R whose options were found to be equal to those of
  /// this relation; null before `set_declared_options`. A caller compares the address, which is faster than comparing
  /// all options.
  const RelationOptions* declared_options() const noexcept { return declared_options_; }
  /// Contract: `options` is an inline variable that is equal to `options()`.
  void set_declared_options(const RelationOptions* options) noexcept { declared_options_ = options; }
  /// Returns: the component that the sources have, if the relation is queried.
  ComponentId source_component() const noexcept { return source_component_; }
  /// Returns: whether the relation has no values, is_plain_relation is true for its options, and `was_observed` is
  /// false.
  bool is_plain() const noexcept { return is_plain_; }
  /// Returns: whether sources show in queries, by a component or by their tables.
  bool is_shown() const noexcept { return options_.queried || tags_.has_value(); }
  /// Returns: the tags of the targets; null if the relation is not stored in tables. The caller gives them to the
  /// sources, and frees them.
  TargetTags* tags() noexcept { return tags_ ? &*tags_ : nullptr; }
  const TargetTags* tags() const noexcept { return tags_ ? &*tags_ : nullptr; }

  /// Returns: the functions that are notified of pairs; null if there never were any. The caller calls them.
  PairObservers* observers() const noexcept { return observers_; }
  /// Returns: whether `observe` was called. Its test takes fewer instructions than that of `observers`.
  bool was_observed() const noexcept { return was_observed_; }
  /// Returns: whether there is a function that is notified when this happens.
  bool observes(PairHappening happening) const noexcept {
    return observers_ != nullptr && observers_->list(happening).any();
  }
  /// Returns: what `observers` returns from then on. Functions are counted in `count`.
  /// Errors: std::bad_alloc; nothing has changed then.
  PairObservers& observe(std::pmr::memory_resource* memory, ObserverCount& count);

  /// Returns: the number of pairs; in a symmetric relation, each reverse counts.
  std::size_t size() const noexcept { return size_; }

  /// Returns: the entities at the other ends of the pairs that have an entity at `end`; none for a stale entity.
  /// Invalidates: the span, by any change.
  std::span<const Entity> of(End end, Entity entity) const noexcept { return lists(end).of(entity); }

  /// The list of the targets of a source, and that of the sources of a target.
  struct Ends {
    PairLists::Head* source;
    PairLists::Head* target;
  };
  /// Makes lists for two entities, which may stay empty.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_ALWAYS_INLINE Ends open(Entity source, Entity target) {
    return {&lists(End::source).open(source), &lists(End::target).open(target)};
  }

  /// A pair that is listed: the lists of its ends, and its positions in them.
  struct Found {
    PairLists::Head* source;  ///< Null: there is no such pair.
    PairLists::Head* target;
    std::uint32_t position;  ///< In the list of the source.
    std::uint32_t twin;      ///< In the list of the target.

    explicit operator bool() const noexcept { return source != nullptr; }
  };
  /// Returns: the pair from a source to a target, if there is one.
  /// Invalidates: the result, by any change.
  /// Complexity: O(min(targets of the source, sources of the target)).
  STRATA_ALWAYS_INLINE Found find(Entity source, Entity target) const noexcept {
    PairLists::Head* const from = lists(End::source).find(source);
    PairLists::Head* const to = lists(End::target).find(target);
    if (from == nullptr || to == nullptr) return {};
    return find(Ends{from, to}, source, target);
  }
  /// The same, for the lists that `open` has returned.
  STRATA_ALWAYS_INLINE Found find(const Ends& ends, Entity source, Entity target) const noexcept {
    if (!ends.source->is_of(source) || !ends.target->is_of(target)) return {};
    if (const Entity only = ends.source->only()) {
      if (only != target) return {};
      return {ends.source, ends.target, 0, ends.source->twin(0)};
    }
    return search(ends, source, target);
  }
  /// Returns: the last pair that has an entity at `end`.
  /// Contract: there is one.
  Found last(End end, Entity entity) const noexcept;

  /// Returns: the targets of a source, as a list that stays where it is until `shrink` is called.
  /// Contract: the source has a pair.
  const PairLists::Head& targets_of(Entity source) const noexcept { return lists(End::source).get(source); }
  /// Returns: the number of the value of the pair from a source to the target at this position; 0 if the relation has
  /// no values.
  std::uint32_t number(Entity source, std::uint32_t position) const noexcept {
    return lists(End::source).number(source, position);
  }
  /// Returns: the value of the pair from a source to the target at this position; null if the relation has none.
  void* value(Entity source, std::uint32_t position) const noexcept {
    return values_.at(number(source, position));
  }
  /// Returns: the value of a pair; null if there is no such pair, or the relation has no values.
  void* find_value(Entity source, Entity target) const noexcept {
    const Found found = find(source, target);
    return found ? value(source, found.position) : nullptr;
  }
  /// Returns: the place of the value of a pair that was prepared; null if the relation has none.
  void* value(std::uint32_t number) const noexcept { return values_.at(number); }

  /// A pair that is not listed yet: the lists of its ends, with room for it, and the number of its value.
  struct Prepared {
    PairLists::Head* source;
    PairLists::Head* target;
    std::uint32_t number;
  };
  /// Makes room for a new pair in the lists that `open` has returned, and takes a number for its value. The caller
  /// builds the value, and then calls `link`, which adds the pair to the lists.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: there is no such pair, and no change comes before `link` or `cancel`. Exception: an exclusive relation
  /// removes the other pairs of the source and, if it is symmetric, of the target.
  STRATA_ALWAYS_INLINE Prepared prepare(const Ends& ends, Entity source, Entity target) {
    // In an exclusive relation, the old pair of the source is removed before the new one is listed, so there is room.
    if (!options_.exclusive) lists(End::source).reserve(*ends.source, source);
    if (!options_.exclusive || !options_.symmetric) lists(End::target).reserve(*ends.target, target);
    return {ends.source, ends.target, values_.take()};
  }
  /// Frees what `prepare` has returned, if no value could be built.
  void cancel(const Prepared& pair) noexcept { values_.give_back(pair.number); }
  /// Lists a pair, and its reverse if the relation is symmetric.
  /// Contract: `prepare` has returned `pair`. In an exclusive relation, the source has no other pair, nor has the
  /// target if the relation is symmetric.
  STRATA_ALWAYS_INLINE void link(const Prepared& pair, Entity source, Entity target) noexcept {
    const std::uint32_t position = pair.source->size();
    const std::uint32_t twin = pair.target->size();
    lists(End::source).append(*pair.source, source, {target, twin, pair.number});
    lists(End::target).append(*pair.target, target, {source, position, pair.number});
    size_ += step();
  }

  /// Adds a pair of a plain relation (see is_plain).
  /// Returns: whether it is new.
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
  /// Removes a pair of a plain relation, if there is one.
  /// Returns: whether there was one.
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

  /// Removes a pair, and its reverse if the relation is symmetric, but not its value.
  STRATA_ALWAYS_INLINE std::uint32_t unlist_pair(const Found& pair) noexcept {
    unlist(End::source, *pair.source, pair.position);
    unlist(End::target, *pair.target, pair.twin);
    size_ -= step();
    return step();
  }
  /// Removes a pair, and its reverse if the relation is symmetric. A value that has a destructor waits for
  /// `destroy_dead`.
  /// Returns: the number of pairs removed.
  STRATA_ALWAYS_INLINE std::uint32_t remove(const Found& pair, Entity source) noexcept {
    const std::uint32_t number = this->number(source, pair.position);
    unlist_pair(pair);
    if (!component().is_tag()) values_.end(number);
    return step();
  }
  /// Removes all pairs, as `remove` does.
  void clear() noexcept;

  /// Makes the pairs of a relation without pairs equal to those of another object for the same relation. `known` has
  /// all tags that the relation uses.
  /// Errors: std::bad_alloc, and what copying a value throws; this object can only be destroyed then.
  /// Contract: values can be copied, and none waits to be destroyed.
  void assign(const Pairs& other, const Pairs& known);
  /// Exchanges the pairs with those of another object for the same relation, with the same memory.
  void swap(Pairs& other) noexcept;
  /// Returns: whether another object for the same relation has the same pairs, in the same order, and values of the
  /// same bytes.
  bool equals(const Pairs& other) const noexcept;

  /// Returns: whether values wait to be destroyed.
  bool has_dead() const noexcept { return values_.has_dead(); }
  /// Destroys the values of removed pairs.
  void destroy_dead() noexcept { values_.destroy_dead(); }

  /// Calls `visit(Entity source, std::span<const Entity> targets)` for each source, by ascending index.
  template <class Visit>
  void for_each_source(Visit visit) const {
    lists(End::source).for_each(visit);
  }
  /// Returns: a number that is greater than the index of each entity that has a pair.
  std::size_t index_limit() const noexcept;

  /// Frees unused capacity.
  /// Complexity: O(pairs + values).
  void shrink() noexcept;

  MemoryUse memory_use() const noexcept;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  std::string check_invariants() const;

 private:
  PairLists& lists(End end) noexcept { return end == End::source ? lists_[0] : *of_targets_; }
  const PairLists& lists(End end) const noexcept { return end == End::source ? lists_[0] : *of_targets_; }
  /// Returns: the number of entries that a pair makes in the lists of the sources.
  std::uint32_t step() const noexcept { return options_.symmetric ? 2 : 1; }

  /// Removes an entry at one end of a pair.
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
      lists_;  // Of sources and of targets. In a symmetric relation, the first list is used for both.
  PairLists* of_targets_;  // The second list, or the first if the relation is symmetric.
  PairValues values_;
  std::optional<TargetTags> tags_;
  bool is_plain_;
  bool was_observed_ = false;
  std::size_t size_ = 0;
  PairObservers* observers_ = nullptr;  // Owned; null until there is an observer.
};

}  // namespace strata::detail
