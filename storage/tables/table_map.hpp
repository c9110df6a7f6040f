// TableMap: a hash table that finds a table by its archetype and its branch. A branch is a group of tables, such as
// those of the children of one parent.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../core/memory_use.hpp"
#include "../../core/plain_list.hpp"
#include "table.hpp"

namespace strata::detail {

/// A hash table of pointers to Table objects, keyed by (archetype, branch). An entry is only the pointer, because each
/// Table stores its own key.
///
/// The map uses open addressing with linear probing. A removal shifts later entries back, so there are no tombstones.
/// The hash is computed from the address of the branch and the id of the archetype. So the order of the entries may
/// differ between two runs of a program. This has no visible effect, because callers cannot iterate over the map.
class TableMap {
 public:
  explicit TableMap(std::pmr::memory_resource* memory) : entries_(memory) {}

  /// Returns: the table of this archetype and branch; null when there is none.
  Table* find(const Archetype& archetype, const Branch& branch) const noexcept;

  /// Replaces the array of entries by a smaller one, of at least 16 entries, if at most a quarter of the entries is in
  /// use. Frees the array if the map is empty.
  /// Errors: std::bad_alloc; nothing has changed then.
  void shrink();

  MemoryUse memory_use() const { return {size_ * sizeof(Table*), entries_.capacity() * sizeof(Table*)}; }

  /// Makes room for `additional` more tables, so that `insert` does not throw.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve(std::size_t additional);

  /// Adds a table.
  /// Contract: there is room for the table (see `reserve`), and the map has no table of the same archetype
  /// and branch.
  void insert(Table& table) noexcept;

  /// Removes a table.
  /// Contract: the table is in the map.
  void erase(const Table& table) noexcept;

  std::size_t size() const { return size_; }

 private:
  void resize(std::size_t entries);
  std::size_t home_of(const Archetype& archetype, const Branch& branch) const noexcept;
  std::size_t next(std::size_t position) const { return (position + 1) & (entries_.size() - 1); }

  PlainList<Table*> entries_;  // Its size is a power of two; at most three quarters are in use.
  std::size_t size_ = 0;
};

}  // namespace strata::detail
