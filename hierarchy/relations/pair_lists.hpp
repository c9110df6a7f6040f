// PairLists: for each entity, a list of the entities to which pairs (links) of one relation connect it.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "../../core/block_pool.hpp"
#include "../../core/compiler.hpp"
#include "../../core/entity.hpp"
#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"

namespace strata::detail {

/// The pairs of a relation as seen from one end (the sources or the targets): for each entity, a list of the entities
/// at the other ends of its pairs. Each pair has two entries, called twins: one in the list of its source, and one in
/// the list of its target (in another PairLists, unless the relation is symmetric). Each entry has the position of its
/// twin, so a pair that was found in one list is removed from both lists in constant time. If the relation has values,
/// each entry also has the number of the pair's value. When an entry is removed, the last entry of the list takes its
/// position.
///
/// A paged array has one Head for each slot index. The first entry of a list is stored in the Head itself. When a
/// second entry is added, both entries move to a piece of memory from the BlockPool, in which the entities of all
/// entries are contiguous. The Head then has the number of entries and the address of the first entity, so a reader
/// learns both without reading the piece. A list that has become empty keeps its piece, for the next entry of an entity
/// with this slot index, until `shrink` is called.
///
/// This class does not check whether entities are alive, or whether two entries that name each other as twins are for
/// the same pair.
///
/// Threads: any number of readers, or one writer.
class PairLists {
  /// The beginning of a piece of memory with a list. Behind it are first the entities of all entries, then the
  /// positions of the entries' twins (the entries for the same pairs in other lists), then, if the relation has values,
  /// the numbers of the pairs' values.
  struct alignas(Entity) Header {
    std::uint32_t capacity;
  };
  static Header& header_of(Entity* list) noexcept { return reinterpret_cast<Header*>(list)[-1]; }

 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  /// The list of an entity: the other ends of its pairs. The address of a Head stays the same until `shrink` is called,
  /// also while the list is empty.
  class Head {
   public:
    /// Returns: the entities at the other ends of the pairs.
    STRATA_ALWAYS_INLINE std::span<const Entity> entities() const noexcept {
      if (is_only()) return {&entries_.only, 1};
      return {entries_.list, size_};
    }
    /// Returns: the entity of the only entry, if that entry is stored in this Head; a null handle if the list is in a
    /// piece of memory from the block pool, even if it has only one entry there.
    /// Contract: the list is not empty.
    Entity only() const noexcept { return is_only() ? entries_.only : Entity(); }
    /// Returns: whether the list has entries, and they belong to `entity`, not to another entity with the same slot
    /// index. For a null handle: whether the list is empty.
    bool is_of(Entity entity) const noexcept { return generation_ == entity.generation(); }
    bool empty() const noexcept { return generation_ == 0; }
    std::uint32_t size() const noexcept { return is_only() ? 1 : size_; }

    /// Returns: for the entry at `position`, the position of its twin: the entry for the same pair in the list of the
    /// other entity.
    /// Contract: there is an entry at this position.
    std::uint32_t twin(std::uint32_t position) const noexcept {
      return is_only() ? only_twin() : twins()[position];
    }
    void set_twin(std::uint32_t position, std::uint32_t twin) noexcept {
      (is_only() ? size_ : twins()[position]) = is_only() ? kOnly | twin : twin;
    }

   private:
    friend class PairLists;
    static constexpr std::uint32_t kOnly = 0x8000'0000;

    bool is_only() const noexcept { return (size_ & kOnly) != 0; }
    std::uint32_t only_twin() const noexcept { return size_ & ~kOnly; }
    /// Returns: whether the list has a piece of memory from the block pool. An empty list may have one.
    bool is_listed() const noexcept { return !is_only() && entries_.list != nullptr; }
    std::uint32_t capacity() const noexcept { return header_of(entries_.list).capacity; }
    std::uint32_t* twins() const noexcept {
      return reinterpret_cast<std::uint32_t*>(entries_.list + capacity());
    }
    std::uint32_t* numbers() const noexcept { return twins() + capacity(); }

    union Entries {
      explicit Entries(Entity* of_list) noexcept : list(of_list) {}
      explicit Entries(Entity entity) noexcept : only(entity) {}

      Entity* list;
      Entity only;
    };

    Entries entries_{nullptr};
    std::uint32_t size_ = 0;        // Entry count of `entries_.list`; or kOnly | twin of `entries_.only`.
    std::uint32_t generation_ = 0;  // The generation of the entity; 0 if the list is empty.
  };

  /// If `numbered` is true, each entry also contains the number by which PairValues identifies the value of its pair.
  PairLists(bool numbered, BlockPool& pool, std::pmr::memory_resource* memory)
      : pages_(memory), pool_(pool), numbered_(numbered) {}
  PairLists(const PairLists&) = delete;
  PairLists& operator=(const PairLists&) = delete;
  ~PairLists();

  /// Returns: the list at the slot index of `entity`; null if no page of Heads was allocated for this index. The list
  /// may be empty, or belong to an entity that had or has the same index; Head::is_of tells whether it is the list of
  /// `entity`.
  STRATA_ALWAYS_INLINE Head* find(Entity entity) const noexcept {
    if (entity.index() >= index_limit_) return nullptr;
    Head* const page = pages_[entity.index() >> kPageBits];
    return page != nullptr ? &page[entity.index() & (kPerPage - 1)] : nullptr;
  }
  /// Returns: the list of an entity.
  /// Contract: memory was allocated for it; see `open`.
  Head& get(Entity entity) const noexcept { return head(entity.index()); }
  /// Returns: the entities at the other ends of the pairs of an entity; none for a stale entity.
  /// Invalidates: the span, by any change.
  std::span<const Entity> of(Entity entity) const noexcept {
    const Head* const found = find(entity);
    return found != nullptr && found->is_of(entity) ? found->entities() : std::span<const Entity>();
  }
  /// Returns: for the pair at this position in the list of an entity, the number of the pair's value; 0 if entries have
  /// no numbers.
  /// Contract: the entity has an entry at this position.
  std::uint32_t number(Entity entity, std::uint32_t position) const noexcept {
    if (!numbered_) return 0;
    const Head& found = head(entity.index());
    return found.is_only() ? only_number(entity.index()) : found.numbers()[position];
  }

  /// Allocates memory for the list of an entity, if there is none yet.
  /// Returns: the list.
  /// Errors: std::bad_alloc; nothing has changed then.
  STRATA_ALWAYS_INLINE Head& open(Entity entity) {
    Head* const found = find(entity);
    return found != nullptr ? *found : make_page(entity.index());
  }
  /// Makes room for one more entry in `to`, the list of `entity`.
  /// Errors: std::bad_alloc; no entry has changed then.
  STRATA_ALWAYS_INLINE void reserve(const Head& to, Entity entity) { next_position(to, entity); }

  /// The contents of an entry: the entity `other` at the other end of the pair; the position of the pair's other entry
  /// (`twin`), which is in the list of `other`; and the number by which PairValues finds the pair's value.
  struct Entry {
    Entity other;
    std::uint32_t twin;
    std::uint32_t number;
  };
  /// Appends an entry to `to`, the list of `entity`.
  /// Contract: `reserve` has made room for it.
  STRATA_ALWAYS_INLINE void append(Head& to, Entity entity, const Entry& entry) noexcept {
    numbered_ ? append_as<true>(to, entity, entry) : append_as<false>(to, entity, entry);
  }

  /// Makes room for one more entry in `to`, the list of `entity`, as `reserve` does.
  /// Returns: the position that the next entry appended to this list will have.
  STRATA_ALWAYS_INLINE std::uint32_t next_position(const Head& to, Entity entity) {
    if (to.is_only()) {
      grow(entity.index());
      return 1;
    }
    const std::uint32_t next = to.size_;
    if (to.entries_.list != nullptr && next == to.capacity()) [[unlikely]]
      grow(entity.index());
    return next;
  }
  /// Does what `append` does, without a test of `numbered_`.
  /// Contract: the entries have no numbers of values: the constructor was called with `numbered` = false.
  STRATA_ALWAYS_INLINE void append_plain(Head& to, Entity entity, Entity other, std::uint32_t twin) noexcept {
    append_as<false>(to, entity, {other, twin, 0});
  }

  /// What `erase` returns about the entry that has moved to the position of the removed entry. `other` is the entity at
  /// the other end of the moved entry's pair, and `twin` is the position of this pair in the list of `other`.
  struct Moved {
    Entity other;  ///< Null if no entry has moved.
    std::uint32_t twin;
  };
  /// Removes an entry. The last entry of the list takes its position.
  /// Returns: the entry that has moved; `other` of the result is null if no entry has moved.
  /// Contract: there is an entry at this position.
  STRATA_ALWAYS_INLINE Moved erase(Head& from, std::uint32_t position) noexcept {
    return numbered_ ? erase_as<true>(from, position) : erase_as<false>(from, position);
  }
  /// Does what `erase` does, without a test of `numbered_`.
  /// Contract: the entries have no numbers of values: the constructor was called with `numbered` = false.
  STRATA_ALWAYS_INLINE Moved erase_plain(Head& from, std::uint32_t position) noexcept {
    return erase_as<false>(from, position);
  }

  /// Removes all entries.
  void clear() noexcept;

  /// Copies all entries of `other` to this object, which has none.
  /// Errors: std::bad_alloc. If it throws, a part of the entries has been copied.
  void assign(const PairLists& other);
  /// Exchanges all entries with `other`, which uses the same memory resource and block pool.
  void swap(PairLists& other) noexcept {
    pages_.swap(other.pages_);
    std::swap(index_limit_, other.index_limit_);
  }
  /// Returns: whether `other` has the same entries, in the same order.
  bool equals(const PairLists& other) const noexcept;

  /// Calls `visit(Entity, std::span<const Entity> others)` for each entity whose list has entries, by ascending slot
  /// index. `others` are the entities to which its pairs connect it, in the order of the list.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t page = 0; page < pages_.size(); ++page) {
      if (pages_[page] == nullptr) continue;
      for (std::uint32_t i = 0; i < kPerPage; ++i) {
        const Head& found = pages_[page][i];
        if (found.generation_ != 0) visit(Entity(page << kPageBits | i, found.generation_), found.entities());
      }
    }
  }
  /// Returns: a number that is greater than the index of each entity that has an entry.
  std::size_t index_limit() const noexcept { return index_limit_; }

  /// Frees memory that no entry needs: unused capacity of lists, and pages on which all lists are empty.
  /// Invalidates: references to lists (Head), and spans of their entities.
  /// Complexity: O(pages + n), where n is the number of entries of the lists with unused capacity: these entries move
  /// to smaller pieces of memory.
  void shrink() noexcept;

  /// Returns: the bytes that this object has allocated, except the memory that lists have from the world's BlockPool.
  std::size_t reserved() const noexcept;

  /// Returns: a sentence about a list that has entries but belongs to no entity, that belongs to an entity but has no
  /// entries, or that has more entries than its memory can hold; empty if there is no such list.
  std::string check_invariants() const;

 private:
  static constexpr std::uint32_t kPageBits = 9;
  static constexpr std::uint32_t kPerPage = 1u << kPageBits;
  static constexpr std::size_t kFirstBytes = BlockPool::kAlignment;
  static constexpr std::size_t kEntryBytes = sizeof(Entity) + sizeof(std::uint32_t);
  static constexpr std::size_t kNumberedEntryBytes = kEntryBytes + sizeof(std::uint32_t);

  Head& head(std::uint32_t index) const noexcept {
    return pages_[index >> kPageBits][index & (kPerPage - 1)];
  }
  /// Returns: the number of the value (see PairValues) of an entity's only pair, if the pair's entry is stored in the
  /// entity's Head. `index` is the slot index of the entity. The Head has no room for this number: a page of memory
  /// contains first its Heads, then one such number for each Head.
  /// Contract: entries have numbers, and there is a page for this index.
  std::uint32_t& only_number(std::uint32_t index) const noexcept {
    Head* const page = pages_[index >> kPageBits];
    return reinterpret_cast<std::uint32_t*>(page + kPerPage)[index & (kPerPage - 1)];
  }
  std::size_t page_bytes() const noexcept {
    return kPerPage * (sizeof(Head) + (numbered_ ? sizeof(std::uint32_t) : 0));
  }
  std::size_t list_bytes(std::size_t capacity) const noexcept {
    return sizeof(Header) + capacity * (numbered_ ? kNumberedEntryBytes : kEntryBytes);
  }

  template <bool numbered>
  STRATA_ALWAYS_INLINE void append_as(Head& to, Entity entity, const Entry& entry) noexcept {
    to.generation_ = entity.generation();
    if (to.entries_.list == nullptr) {
      to.size_ = Head::kOnly | entry.twin;
      to.entries_ = Head::Entries(entry.other);
      if constexpr (numbered) only_number(entity.index()) = entry.number;
      return;
    }
    const std::uint32_t position = to.size_++;
    ::new (to.entries_.list + position) Entity(entry.other);
    to.twins()[position] = entry.twin;
    if constexpr (numbered) to.numbers()[position] = entry.number;
  }
  template <bool numbered>
  STRATA_ALWAYS_INLINE Moved erase_as(Head& from, std::uint32_t position) noexcept {
    if (from.is_only()) {
      from = {};
      return {{}, 0};
    }
    const std::uint32_t last = --from.size_;
    if (last == position) {
      if (last == 0) from.generation_ = 0;
      return {{}, 0};
    }
    Entity* const list = from.entries_.list;
    std::uint32_t* const twins = from.twins();
    list[position] = list[last];
    twins[position] = twins[last];
    if constexpr (numbered) from.numbers()[position] = from.numbers()[last];
    return {list[position], twins[position]};
  }

  STRATA_NOINLINE Head& make_page(std::uint32_t index);
  STRATA_NOINLINE void grow(std::uint32_t index);
  Entity* make_list(std::size_t bytes);
  void free_list(Entity* list) noexcept;
  void move_to_list(Head& head, std::size_t bytes);
  void release(Head& head) noexcept;
  void shrink_list(std::uint32_t index) noexcept;
  void free_page(std::uint32_t page) noexcept;

  PlainList<Head*> pages_;       // By index >> kPageBits; null for pages without memory.
  std::size_t index_limit_ = 0;  // The number of slot indices that the pages have lists for.
  BlockPool& pool_;
  bool numbered_;
};

}  // namespace strata::detail
