// Tables: creates, finds and drops the tables of a world and their branches.
#pragma once

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <string>
#include <vector>

#include "archetypes.hpp"
#include "table_map.hpp"

namespace strata::detail {

/// Owns the tables and branches of a world. A table is identified by its archetype and its branch.
///
/// A branch usually has one table. Up to eight tables of a branch are found by walking its list. Further ones
/// are in a hash table as well.
///
/// Invariants:
///   K1. Every table is found by its key, and is in its branch's list.
///   K2. An archetype's rank lists contain all of its tables that have rows.
///   K3. They reserve a position for exactly the tables that have blocks but no rows.
class Tables {
 public:
  explicit Tables(std::pmr::memory_resource* memory) : tables_(memory), branches_(memory), map_(memory) {
    root_.lasts = 1;
  }

  /// The default branch; rank 0.
  Branch& root() { return root_; }

  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& create_branch(std::uint32_t rank, std::uint32_t label);

  /// Returns: the branch with this number.
  Branch& branch(std::uint32_t number) { return branches_[number]; }
  const Branch& branch(std::uint32_t number) const { return branches_[number]; }

  /// Drops a branch and its tables.
  /// Contract: the tables are empty.
  void drop_branch(Branch& branch) noexcept;

  /// Returns: the table with this key, created if it is new.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(1).
  Table& get(Archetype& archetype, Branch& branch) {
    Table* const recent = archetype.recent_table_;
    if (recent != nullptr && &recent->branch() == &branch) return *recent;
    Table* const first = branch.first_table;
    if (first != nullptr && &first->archetype() == &archetype) return *first;
    return find_or_create(archetype, branch);
  }

  /// Returns: the table with this key; null when there is none.
  Table* find(const Archetype& archetype, const Branch& branch) const;

  /// Ensures that `set_rank` of the branch to `rank` does not fail.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve_rank(const Branch& branch, std::uint32_t rank);

  /// Changes the rank of a branch. Its tables keep their rows, and are listed under the new rank.
  /// Contract: `reserve_rank` was called.
  /// Complexity: O(tables of the branch).
  void set_rank(Branch& branch, std::uint32_t rank) noexcept;

  std::size_t size() const { return table_count_; }

  /// Returns: the upper bounds of the numbers of tables and branches.
  std::size_t numbered() const { return tables_.size(); }
  std::size_t branch_count() const { return branches_.size(); }

  /// Returns: the table with this number, in order of creation; null when it was dropped.
  Table* at(std::size_t number) { return tables_[number].archetype_ != nullptr ? &tables_[number] : nullptr; }

  /// Drops the empty tables of the branch with this number. Tables of the root branch are never dropped, so
  /// pointers to them stay valid.
  /// Complexity: O(tables of the branch).
  void drop_empty_tables(std::uint32_t branch) noexcept;

  /// Frees the memory after the last tables and branches in use, and that of an oversized hash table.
  /// Errors: std::bad_alloc; tables and branches are unchanged then.
  /// Complexity: O(tables + branches), in use or not.
  void shrink();

  MemoryUse memory_use() const;

  /// Calls `visit(Table&)` for every table, in order of creation except for recycled ones.
  template <class Visit>
  void for_each(Visit visit) {
    for (Table& table : tables_) {
      if (table.archetype_ != nullptr) visit(table);
    }
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Table& table : tables_) {
      if (table.archetype_ != nullptr) visit(table);
    }
  }

  std::string check_invariants(const Archetypes& archetypes) const;

 private:
  /// The number of tables of a branch that are searched in its list.
  static constexpr std::uint32_t kListed = 8;

  Table& find_or_create(Archetype& archetype, Branch& branch);
  Table& create(Archetype& archetype, Branch& branch);
  void retire(Table& table, bool mapped) noexcept;

  std::pmr::deque<Table> tables_;  // A deque, so addresses do not change. A dropped table has no archetype.
  Table* first_free_ = nullptr;    // Linked by `next_in_branch_`.
  std::size_t table_count_ = 0;
  std::pmr::deque<Branch> branches_;
  Branch* first_free_branch_ = nullptr;
  TableMap map_;  // For branches with more than kListed tables.
  Branch root_;
};

}  // namespace strata::detail
