// EntityListeners: the functions that listen to one type of event at single entities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>

#include "../../core/memory_use.hpp"
#include "../../core/observer_list.hpp"
#include "../../core/plain_list.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// The functions that listen to one type of event at single entities: a hash table from entities to lists of
/// functions. An entity without functions takes no memory.
///
/// This class is not notified when an entity is destroyed. The list of a stale entity is freed later: by a look-up of
/// an entity with the same slot (Entity::index), or before the table grows. So the size of the table depends on how
/// many live entities had functions at the same time, not on how many entities were destroyed.
///
/// The table uses open addressing with linear probing; a removal shifts later entries back. Callers cannot iterate over
/// the table, so the order of its entries has no effect.
///
/// Invariants:
///   G1. The number of entries of the table is 0 or a power of two, and at least a quarter of the entries is free.
///   G2. No entry between the first probed position of an entity and its entry is free.
class EntityListeners {
 public:
  /// `count` is the number of functions in all lists of this object together. If the same ObserverCount is given to
  /// other lists, their functions are included. If `count` is null, the functions are not counted.
  EntityListeners(const Slots& slots, ObserverCount* count, std::pmr::memory_resource* memory)
      : slots_(slots), count_(count), entries_(memory) {}
  EntityListeners(const EntityListeners&) = delete;
  EntityListeners& operator=(const EntityListeners&) = delete;
  ~EntityListeners();

  /// Returns: the list of functions that listen at a live entity; null if the entity has no list. A list that
  /// `free_unused` has not freed yet may have no functions.
  /// Complexity: O(1).
  ObserverList* find(Entity entity) noexcept {
    if (size_ == 0) return nullptr;
    for (std::size_t i = first_place(entity);; i = next(i)) {
      const Entry& entry = entries_[i];
      if (entry.node == nullptr) return nullptr;
      if (entry.entity == entity) return list_of(*entry.node);
      if (entry.entity.index() == entity.index()) [[unlikely]]
        return find_beside_stale(entity);
    }
  }

  /// Returns: the list of functions that listen at an entity. Makes an empty list if there is none. While the list is
  /// empty, `free_unused` frees it, and `get` for another entity may free it.
  /// Errors: std::bad_alloc; no list has been made then.
  /// Contract: the entity is alive, or its handle is reserved for a recorded command that creates it.
  ObserverList& get(Entity entity);

  /// Frees the lists of all destroyed entities that had the same slot as `entity`. Keeps a list whose functions are
  /// being called or removed at the moment.
  void drop(Entity entity) noexcept;
  /// Frees the lists of entities that were destroyed, and the lists without functions. Keeps a list whose functions are
  /// being called or removed at the moment.
  /// Complexity: O(entries of the table, free ones included).
  void free_unused() noexcept;

  /// Returns: the number of lists (at most one per entity), including those that `free_unused` would free.
  std::size_t size() const noexcept { return size_; }
  MemoryUse memory_use() const;
  std::string check_invariants() const;

 private:
  struct Node;
  struct Entry {
    Entity entity;
    Node* node = nullptr;  ///< Null: the entry is free.
  };

  std::size_t first_place(Entity entity) const noexcept {
    return static_cast<std::size_t>(entity.index() * 0x9E37'79B9'7F4A'7C15u >> 32) & (entries_.size() - 1);
  }
  std::size_t next(std::size_t place) const noexcept { return (place + 1) & (entries_.size() - 1); }

  static ObserverList* list_of(Node& node) noexcept;
  STRATA_COLD STRATA_NOINLINE ObserverList* find_beside_stale(Entity entity) noexcept;
  ObserverList* find_exactly(Entity entity) const noexcept;
  bool is_gone(Entity entity) const noexcept;
  bool is_unused(const Entry& entry) const noexcept;
  void make_room();
  void insert(Entry entry) noexcept;
  void erase(std::size_t place) noexcept;
  void destroy(Node* nodes) noexcept;

  const Slots& slots_;
  ObserverCount* count_;
  PlainList<Entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace strata::detail
