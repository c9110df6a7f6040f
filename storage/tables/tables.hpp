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

/// Owns the tables and branches (see Branch) of a world. A table is identified by its key: its archetype
/// and its branch.
///
/// A branch usually has one table. Up to eight are found by walking the list of the branch. If it has
/// more, all of them are in a hash table as well.
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

  /// Returns: the branch of entities without a parent; its rank is 0.
  Branch& root() { return root_; }

  /// Creates a branch without tables. `label` is copied into its blocks; only the caller reads it.
  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& create_branch(std::uint32_t rank, std::uint32_t label);

  /// Returns: the branch with this `Branch::number`. The root branch is not numbered.
  Branch& branch(std::uint32_t number) { return branches_[number]; }
  const Branch& branch(std::uint32_t number) const { return branches_[number]; }

  /// Drops a branch and its tables. Their memory is reused for later ones.
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

  /// Reserves the positions in rank lists that `set_rank(branch, rank)` needs. Changes no rank.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve_rank(const Branch& branch, std::uint32_t rank);

  /// Changes the rank of a branch. Its tables keep their rows, and are listed under the new rank.
  /// Contract: `reserve_rank` was called with these arguments.
  /// Complexity: O(tables of the branch).
  void set_rank(Branch& branch, std::uint32_t rank) noexcept;

  std::size_t size() const { return table_count_; }

  /// Returns: the number of tables, dropped ones included: an upper bound for `at`.
  std::size_t numbered() const { return tables_.size(); }
  /// Returns: the number of branches, dropped ones included: an upper bound for `branch`.
  std::size_t branch_count() const { return branches_.size(); }

  /// Returns: the table with this number, in order of creation; null when it was dropped.
  Table* at(std::size_t number) { return tables_[number].archetype_ != nullptr ? &tables_[number] : nullptr; }

  /// Drops those tables of the branch with this number that have no rows and no blocks. Tables of the root
  /// branch, which has no number, are never dropped, so pointers to them stay valid.
  /// Complexity: O(tables of the branch).
  void drop_empty_tables(std::uint32_t branch) noexcept;

  /// Frees the memory of dropped tables and branches that were created after the last one in use, and that
  /// of an oversized hash table.
  /// Errors: std::bad_alloc; tables and branches are unchanged then.
  /// Complexity: O(tables + branches), in use or not.
  void shrink();

  MemoryUse memory_use() const;

  /// Calls `visit(Table&)` for every table, in order of creation; a table in reused memory takes the turn
  /// of the dropped one.
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
  /// Up to this number, the tables of a branch are searched in its list only.
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
