#include "entity_listeners.hpp"

#include <bit>
#include <new>
#include <utility>

namespace strata::detail {

struct EntityListeners::Node {
  Node(Entity at, std::pmr::memory_resource* memory, ObserverCount* count)
      : entity(at), list(memory, count) {}

  Entity entity;
  ObserverList list;
  Node* following = nullptr;  // The next node in a list of nodes to destroy.
};

EntityListeners::~EntityListeners() {
  Node* all = nullptr;
  for (Entry& entry : entries_) {
    if (entry.node == nullptr) continue;
    entry.node->following = std::exchange(all, entry.node);
    entry = {};
  }
  size_ = 0;
  destroy(all);
}

ObserverList* EntityListeners::list_of(Node& node) noexcept {
  return &node.list;
}

void EntityListeners::drop(Entity entity) noexcept {
  if (size_ == 0) return;
  Node* gone = nullptr;
  for (std::size_t i = first_place(entity); entries_[i].node != nullptr;) {
    const Entry entry = entries_[i];
    if (entry.entity.index() != entity.index() || !is_gone(entry.entity) || entry.node->list.busy()) {
      i = next(i);
      continue;
    }
    entry.node->following = std::exchange(gone, entry.node);
    erase(i);
  }
  destroy(gone);
}

/// Continues `find` when it has met the list of a destroyed entity that had the same slot as `entity`. Frees all such
/// lists, except one whose functions are being called or removed at the moment (see `drop`). Then looks up `entity`
/// again.
/// Returns: the functions that listen at `entity`; null if there are none.
ObserverList* EntityListeners::find_beside_stale(Entity entity) noexcept {
  drop(entity);
  return find_exactly(entity);
}

ObserverList* EntityListeners::find_exactly(Entity entity) const noexcept {
  if (size_ == 0) return nullptr;
  std::size_t i = first_place(entity);
  while (entries_[i].node != nullptr && entries_[i].entity != entity) i = next(i);
  return entries_[i].node != nullptr ? &entries_[i].node->list : nullptr;
}

ObserverList& EntityListeners::get(Entity entity) {
  if (ObserverList* const found = find(entity)) return *found;
  make_room();
  // `make_room` may have destroyed listening functions, and their destructors may have added functions for the same
  // entity.
  if (ObserverList* const found = find_exactly(entity)) return *found;
  std::pmr::memory_resource* const memory = entries_.memory();
  auto* const node = ::new (memory->allocate(sizeof(Node), alignof(Node))) Node(entity, memory, count_);
  insert({entity, node});
  ++size_;
  return node->list;
}

void EntityListeners::free_unused() noexcept {
  // Destructors of listening functions may call functions of this object. So first take all unused lists out of the
  // hash table `entries_`, and then destroy them with their functions.
  Node* unused = nullptr;
  for (std::size_t i = 0; i < entries_.size();) {
    const Entry entry = entries_[i];
    if (entry.node == nullptr || !is_unused(entry)) {
      ++i;
      continue;
    }
    entry.node->following = std::exchange(unused, entry.node);
    erase(i);
  }
  destroy(unused);
}

bool EntityListeners::is_gone(Entity entity) const noexcept {
  return !slots_.alive(entity) && !slots_.is_reserved(entity);
}

bool EntityListeners::is_unused(const Entry& entry) const noexcept {
  const ObserverList& list = entry.node->list;
  return !list.busy() && (!list.any() || is_gone(entry.entity));
}

/// Makes room for one more entry. Does nothing if at least a quarter of the table is free after adding that entry.
/// Otherwise frees unused lists. If more than half of the table would still be in use, also grows the table. So a
/// quarter of the table can be filled with new entries before this function has work to do again.
void EntityListeners::make_room() {
  if ((size_ + 1) * 4 <= entries_.size() * 3) return;
  free_unused();
  if ((size_ + 1) * 2 <= entries_.size()) return;
  PlainList<Entry> before(entries_.memory());
  before.assign(entries_.empty() ? 4 : 2 * entries_.size(), Entry());
  entries_.swap(before);
  for (const Entry& entry : before) {
    if (entry.node != nullptr) insert(entry);
  }
}

void EntityListeners::insert(Entry entry) noexcept {
  std::size_t i = first_place(entry.entity);
  while (entries_[i].node != nullptr) i = next(i);
  entries_[i] = entry;
}

void EntityListeners::erase(std::size_t place) noexcept {
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t i = next(place); entries_[i].node != nullptr; i = next(i)) {
    // `place` is the index of the free entry. A look-up of an entity starts at the index `first` and goes up, after the
    // last index on from 0. The entry at index `i` moves to `place`, unless `first` is on the way from `place` (without
    // `place`) to `i`: then the look-up would not come to `place`.
    const std::size_t first = first_place(entries_[i].entity);
    if (((i - first) & mask) < ((i - place) & mask)) continue;
    entries_[place] = entries_[i];
    place = i;
  }
  entries_[place] = {};
  --size_;
}

/// Destroys nodes that are linked by `following`, together with their listening functions. The destructors of these
/// functions may call this class.
void EntityListeners::destroy(Node* nodes) noexcept {
  while (nodes != nullptr) {
    Node* const node = std::exchange(nodes, nodes->following);
    node->~Node();
    entries_.memory()->deallocate(node, sizeof(Node), alignof(Node));
  }
}

MemoryUse EntityListeners::memory_use() const {
  const std::size_t nodes = size_ * sizeof(Node);
  return {size_ * sizeof(Entry) + nodes, entries_.capacity() * sizeof(Entry) + nodes};
}

std::string EntityListeners::check_invariants() const {
  std::size_t in_use = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.node == nullptr) continue;
    ++in_use;
    for (std::size_t k = first_place(entry.entity); k != i; k = next(k)) {
      if (entries_[k].node == nullptr) return "G2: a free entry precedes the entry of an entity";
    }
    if (std::string broken = entry.node->list.check_invariants(); !broken.empty()) return broken;
  }
  const bool fits = entries_.empty() || std::has_single_bit(entries_.size());
  return fits && in_use == size_ && in_use * 4 <= entries_.size() * 3
             ? ""
             : "G1: a table of listening functions is too full, or has lost an entry";
}

}  // namespace strata::detail
