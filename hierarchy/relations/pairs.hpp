// Pairs: the pairs of one relation, listed by source and by target.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory_resource>
#include <string>

#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"
#include "../../storage/side_store/paged_index.hpp"
#include "../../storage/side_store/value_pages.hpp"
#include "relation_options.hpp"

namespace strata::detail {

/// An end of a pair.
enum class End : std::uint8_t { source, target };

constexpr End other_end(End end) {
  return end == End::source ? End::target : End::source;
}

/// The pairs of one relation. Each pair is a record that is in two doubly linked lists: that of the pairs with
/// its source, and that of the pairs with its target, both in the order in which the pairs were added. Two
/// paged arrays lead from entities to the first pairs of their lists. So adding, removing and listing pairs
/// takes the same time however many there are, and no table is touched.
///
/// A pair is known by its number, which stays the same until it is removed. Records and values are on pages
/// and do not move. In a symmetric relation, a pair and its reverse have the numbers 2k and 2k + 1 and share a
/// value.
///
/// Whether entities are alive is not checked here: RelationSet removes the pairs of entities that go.
///
/// Invariants:
///   I9. Every pair is once in the list of its source and once in the list of its target.
///   I10. The ends of a pair differ, and no two pairs have the same source and target.
///   I11. In an exclusive relation, a source has one pair.
///   I12. In a symmetric relation, the number of a pair's reverse differs in the lowest bit alone.
///   I13. Records that are no pairs have null ends, and are free or have a value that waits to be destroyed.
///
/// Threads: any number of readers, or one writer.
class Pairs {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  /// `value` describes the values of pairs; a tag for none. `source_component` is the component that the sources
  /// have, if the relation is queried.
  /// Contract: `value` outlives this object.
  Pairs(ComponentId id, const ComponentInfo& value, const RelationOptions& options,
        ComponentId source_component, std::pmr::memory_resource* memory);
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;
  /// Contract: values with a destructor have been destroyed.
  ~Pairs();

  ComponentId id() const noexcept { return id_; }
  const ComponentInfo& component() const noexcept { return component_; }
  const RelationOptions& options() const noexcept { return options_; }
  /// Returns: the component that the sources have, if the relation is queried.
  ComponentId source_component() const noexcept { return source_component_; }

  /// Returns: the number of pairs; in a symmetric relation, each reverse counts.
  std::uint32_t size() const noexcept { return size_; }

  /// Returns: the pair from `source` to `target`; kNone if there is none.
  /// Complexity: O(min(targets of the source, sources of the target)).
  STRATA_API std::uint32_t find(Entity source, Entity target) const noexcept;

  /// Returns: the first pair that has the entity at this end; kNone if there is none, also for a stale entity.
  std::uint32_t first(End end, Entity entity) const noexcept {
    const std::uint32_t pair = heads_[to_position(end)].find(entity.index());
    return pair != kNone && record(pair).ends[to_position(end)] == entity ? pair : kNone;
  }
  /// Returns: the next pair with the same entity at this end; kNone if there is none.
  std::uint32_t next(End end, std::uint32_t pair) const noexcept {
    return record(pair).links[to_position(end)].next;
  }
  /// Returns: the entity at an end of a pair.
  Entity entity(End end, std::uint32_t pair) const noexcept { return record(pair).ends[to_position(end)]; }
  /// Returns: the value of a pair; null if the relation has none.
  void* value(std::uint32_t pair) const noexcept { return values_.at(pair >> options_.symmetric); }

  /// Returns: one more than the highest number of a pair so far. Numbers below may be of no pair: the entities
  /// at their ends are null.
  std::uint32_t numbers() const noexcept { return used_; }

  /// Makes room for a pair, which is not listed until `link` is called. The caller builds the value in between.
  /// Returns: its number.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: there is no such pair, and no change comes before `link` or `cancel`.
  std::uint32_t prepare(Entity source, Entity target);
  /// Frees what `prepare` has returned, if no value could be built.
  void cancel(std::uint32_t pair, Entity source, Entity target) noexcept;
  /// Lists the pair that `prepare` has returned, and its reverse if the relation is symmetric.
  void link(std::uint32_t pair, Entity source, Entity target) noexcept;

  /// Removes a pair, and its reverse if the relation is symmetric. A value that has a destructor waits for
  /// `destroy_dead`.
  /// Returns: the number of pairs removed.
  std::uint32_t remove(std::uint32_t pair) noexcept;
  /// Removes all pairs, as `remove` does.
  void clear() noexcept;

  /// Returns: whether values wait to be destroyed.
  bool has_dead() const noexcept { return dead_.first != kNone; }
  /// Destroys the values of removed pairs.
  void destroy_dead() noexcept;

  /// Frees pages behind the last pair, and unused capacity.
  /// Complexity: O(pairs + free records).
  void shrink() noexcept;

  MemoryUse memory_use() const noexcept;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  std::string check_invariants() const;

 private:
  static constexpr std::uint32_t kPageBits = 9;
  static constexpr std::uint32_t kPerPage = 1u << kPageBits;

  struct Neighbours {
    std::uint32_t next;      ///< kNone: this is the last one.
    std::uint32_t previous;  ///< Of the first one: the last one.
  };
  struct Record {
    std::array<Entity, 2> ends;
    std::array<Neighbours, 2> links;  ///< Of a record that is no pair: links[0].next is the next of its list.
  };
  /// A list of records that are no pairs.
  struct Unused {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };

  static constexpr std::size_t to_position(End end) { return static_cast<std::size_t>(end); }

  Record& record(std::uint32_t pair) const noexcept {
    return pages_[pair >> kPageBits][pair & (kPerPage - 1)];
  }
  /// Returns: the number of records that a pair takes.
  std::uint32_t step() const noexcept { return options_.symmetric ? 2 : 1; }
  bool is_pair(std::uint32_t number) const noexcept { return static_cast<bool>(record(number).ends[0]); }

  void make_room();
  void enter(End end, Entity entity, std::uint32_t pair);
  void leave_if_entered(End end, Entity entity, std::uint32_t pair) noexcept;
  void leave_heads(std::uint32_t pair, Entity source, Entity target) noexcept;
  void list(End end, std::uint32_t pair) noexcept;
  void unlist(End end, std::uint32_t pair) noexcept;
  void release(std::uint32_t pair) noexcept;
  std::string check_pair(std::uint32_t pair) const;
  std::string check_list(End end, std::uint32_t first, std::uint32_t& seen) const;

  ComponentId id_;
  const ComponentInfo& component_;
  RelationOptions options_;
  ComponentId source_component_;
  std::array<PagedIndex, 2> heads_;  // By end: from an entity's index to its first pair.
  PlainList<Record*> pages_;
  ValuePages values_;
  std::uint32_t size_ = 0;
  std::uint32_t used_ = 0;      // Records with a number below have been pairs.
  std::uint32_t free_ = kNone;  // The free record that was freed last; the next one is in links[0].next.
  Unused dead_;                 // Removed pairs whose values wait to be destroyed.
};

/// A range of the entities at the other ends of the pairs that an entity has, in the order in which the pairs
/// were added.
/// Invalidates: the range and its iterators, by any change of the relation.
class RelatedEntities {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Entity;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entity*;
    using reference = Entity;

    iterator() = default;
    iterator(const Pairs* pairs, End end, std::uint32_t pair) : pairs_(pairs), end_(end), pair_(pair) {}

    Entity operator*() const { return pairs_->entity(other_end(end_), pair_); }
    iterator& operator++() {
      pair_ = pairs_->next(end_, pair_);
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) { return a.pair_ == b.pair_; }

   private:
    const Pairs* pairs_ = nullptr;
    End end_ = End::source;
    std::uint32_t pair_ = Pairs::kNone;
  };

  RelatedEntities() = default;
  explicit RelatedEntities(iterator first) : first_(first) {}
  /// The entities at the other ends of the pairs that have `entity` at this end. `pairs` may be null.
  RelatedEntities(const Pairs* pairs, End end, Entity entity)
      : first_(pairs, end, pairs != nullptr ? pairs->first(end, entity) : Pairs::kNone) {}

  iterator begin() const { return first_; }
  iterator end() const { return {}; }
  bool empty() const { return begin() == end(); }

 private:
  iterator first_;
};

}  // namespace strata::detail
