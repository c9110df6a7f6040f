#include "name_index.hpp"

#include <bit>

#include "../../core/try_allocating.hpp"

namespace strata::detail {
namespace {

/// Returns: the size of the hash table for `names` names, in entries. At least a third of the entries stay free.
std::size_t entries_for(std::size_t names) {
  return names == 0 ? 0 : std::bit_ceil(names + names / 2 + 2);
}

}  // namespace

std::uint64_t NameIndex::key_of(Entity parent, std::uint64_t hash) noexcept {
  const std::uint64_t mixed = (hash ^ (parent.bits() * 0xD6E8'FEB8'6659'FD93)) * 0x9E37'79B9'7F4A'7C15;
  return mixed ^ (mixed >> 32);
}

bool NameIndex::equal(const NameNode& a, const NameNode& b) noexcept {
  return a.parent == b.parent && a.text() == b.text();
}

void NameIndex::reserve(std::size_t more) {
  const std::size_t names = size_ + more;
  if (names + names / 2 + 2 > entries_.size() && names != 0) resize(entries_for(names));
}

/// Moves the contents of the hash table to a new table that has `entries` entries.
/// Errors: std::bad_alloc; nothing has changed then.
void NameIndex::resize(std::size_t entries) {
  PlainList<Entry> larger(entries_.memory());
  larger.resize(entries);
  entries_.swap(larger);
  for (const Entry& entry : larger) {
    if (entry.first == nullptr) continue;
    std::size_t position = entry.key & mask();
    while (entries_[position].first != nullptr) position = (position + 1) & mask();
    entries_[position] = entry;
  }
}

void NameIndex::insert(NameNode& node, Entity entity, Entity parent) noexcept {
  node.index = this;
  node.entity = entity;
  node.parent = parent;
  ++size_;
  text_bytes_ += node.bytes();
  const std::uint64_t key = key_of(node);
  std::size_t position = key & mask();
  for (; entries_[position].first != nullptr; position = (position + 1) & mask()) {
    NameNode* const first = entries_[position].first;
    if (entries_[position].key != key || !equal(*first, node)) continue;
    node.next = first;
    node.previous = first->previous;
    first->previous->next = &node;
    first->previous = &node;
    return;
  }
  node.next = node.previous = &node;
  entries_[position] = {key, &node};
}

void NameIndex::erase(NameNode& node) noexcept {
  --size_;
  text_bytes_ -= node.bytes();
  node.index = nullptr;
  std::size_t position = key_of(node) & mask();
  while (entries_[position].first != nullptr && entries_[position].first != &node)
    position = (position + 1) & mask();
  const bool is_first = entries_[position].first != nullptr;  // Entries point to the first name of a ring.
  if (node.next == &node) return remove_entry(position);
  if (is_first) entries_[position].first = node.next;
  node.next->previous = node.previous;
  node.previous->next = node.next;
}

/// Frees the entry at `position`. A search ends at the first free entry, so this function moves later entries into the
/// gap if searches for them would end there.
void NameIndex::remove_entry(std::size_t position) noexcept {
  std::size_t free = position;
  for (std::size_t at = (free + 1) & mask(); entries_[at].first != nullptr; at = (at + 1) & mask()) {
    const std::size_t home = entries_[at].key & mask();
    // The entry stays if the position that its key selects is after the gap: a search for the key begins there, and so
    // does not meet the gap.
    if (((at - home) & mask()) < ((at - free) & mask())) continue;
    entries_[free] = entries_[at];
    free = at;
  }
  entries_[free] = {};
}

NameNode* NameIndex::find(Entity parent, std::string_view text) const noexcept {
  if (size_ == 0) return nullptr;
  const std::uint64_t key = key_of(parent, hash_of_name(text));
  for (std::size_t position = key & mask();; position = (position + 1) & mask()) {
    const Entry& entry = entries_[position];
    if (entry.first == nullptr) return nullptr;
    if (entry.key == key && entry.first->parent == parent && entry.first->text() == text) return entry.first;
  }
}

MemoryUse NameIndex::memory_use() const noexcept {
  const std::size_t entries = memory_use_of(entries_).reserved;
  return {size_ * sizeof(Entry) + text_bytes_, entries + text_bytes_};
}

void NameIndex::shrink() noexcept {
  const std::size_t entries = entries_for(size_);
  if (entries == entries_.size()) return;
  try_allocating([&] { resize(entries); });
}

std::string NameIndex::check_ring(const Entry& entry, std::size_t& names) const {
  const NameNode* node = entry.first;
  do {
    const std::string name = "the name of entity " + to_string(node->entity);
    if (node->next->previous != node) return "I2: " + name + " is not in a ring";
    if (node->index != this || !equal(*node, *entry.first) || key_of(*node) != entry.key ||
        hash_of_name(node->text()) != node->hash) {
      return "I2: " + name + " is in the ring of another name";
    }
    ++names;
    node = node->next;
  } while (node != entry.first && names <= size_);
  return "";
}

std::string NameIndex::check_invariants() const {
  std::size_t names = 0;
  std::size_t used = 0;
  for (std::size_t position = 0; position < entries_.size(); ++position) {
    const Entry& entry = entries_[position];
    if (entry.first == nullptr) continue;
    ++used;
    for (std::size_t at = entry.key & mask(); at != position; at = (at + 1) & mask()) {
      const std::string name = "the name of entity " + to_string(entry.first->entity);
      if (entries_[at].first == nullptr) return "I1: " + name + " is not found";
      if (equal(*entries_[at].first, *entry.first)) return "I3: " + name + " has two entries";
    }
    if (std::string broken = check_ring(entry, names); !broken.empty()) return broken;
  }
  if (used + used / 3 > entries_.size()) return "I1: the table of names is too full";
  return names == size_ ? "" : "I3: the number of names is wrong";
}

}  // namespace strata::detail
