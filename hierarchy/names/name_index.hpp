// NameIndex: a hash table of the names of entities. It finds, among the children of one parent or among the roots, the
// name with a given text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"
#include "name_value.hpp"

namespace strata::detail {

/// A hash table of the names of all entities, by the parent of the entity and the text of the name. All names with the
/// same parent and text share one entry. They form a ring, a doubly linked list whose ends are connected, so a name is
/// inserted and erased in O(1), however many equal names there are.
///
/// Collisions are resolved by linear probing. Erasing closes the gap, so no entry is ever marked as deleted.
///
/// Invariants:
///   I1. Each entry is found: no free entry lies between the position that its key selects and its own position. At
///       least a quarter of all entries are free.
///   I2. The names of an entry form a ring. They have the same parent and text, from which the entry's key is computed,
///       and their NameNode::index points to this object.
///   I3. `size()` is the number of names in all rings, and the names of two entries differ in parent or text.
///
/// Threads: any number of readers, or one writer.
class NameIndex {
 public:
  explicit NameIndex(std::pmr::memory_resource* memory) : entries_(memory) {}
  NameIndex(const NameIndex&) = delete;
  NameIndex& operator=(const NameIndex&) = delete;

  /// Makes room for `more` names in addition to the present ones.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t more);

  /// Inserts `node`, a name that is in no index, as the name of `entity`, which is a child of `parent` or, if `parent`
  /// is null, a root. If the index already has equal names below this parent, `node` is inserted after them: `find`
  /// still returns the oldest one.
  /// Contract: `reserve` has made room for the name.
  /// Complexity: O(size of the text), on average.
  void insert(NameNode& node, Entity entity, Entity parent) noexcept;

  /// Erases a name that is in this index.
  /// Complexity: O(1), on average.
  void erase(NameNode& node) noexcept;

  /// Searches the names of the children of `parent`, or of roots if `parent` is null.
  /// Returns: the name with this text; the one that was inserted first if there are several; null if there is none.
  /// Complexity: O(size of the text), on average.
  NameNode* find(Entity parent, std::string_view text) const noexcept;

  /// Returns: the number of names.
  std::size_t size() const noexcept { return size_; }

  /// Returns: the memory of the hash table and of the texts of the names.
  MemoryUse memory_use() const noexcept;

  /// Moves the entries to a smaller table, if a smaller one has room for the names. Changes nothing if the memory for
  /// the new table cannot be allocated.
  /// Complexity: O(size of the table).
  void shrink() noexcept;

  /// Returns: a sentence about the first invariant that is violated; empty if all hold.
  std::string check_invariants() const;

 private:
  struct Entry {
    std::uint64_t key;
    NameNode* first;  ///< Null: the entry is free.
  };

  static std::uint64_t key_of(Entity parent, std::uint64_t hash) noexcept;
  static std::uint64_t key_of(const NameNode& node) noexcept { return key_of(node.parent, node.hash); }
  static bool equal(const NameNode& a, const NameNode& b) noexcept;
  std::size_t mask() const noexcept { return entries_.size() - 1; }
  void resize(std::size_t entries);
  void remove_entry(std::size_t position) noexcept;
  std::string check_ring(const Entry& entry, std::size_t& names) const;

  PlainList<Entry> entries_;  // The size is a power of two, or 0.
  std::size_t size_ = 0;
  std::size_t text_bytes_ = 0;
};

}  // namespace strata::detail
