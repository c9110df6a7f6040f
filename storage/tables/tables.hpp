// Tables: creates, finds and drops the tables of a world and their branches. A branch is a group of tables, such as
// those of the children of one parent.
#pragma once

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <string>

#include "../../core/compiler.hpp"
#include "archetypes.hpp"
#include "table_map.hpp"

namespace strata::detail {

/// Owns the tables of a world and their branches. A branch is a group of tables, such as those of the children of one
/// parent. A table is identified by its archetype and its branch. All tables of a branch have the rank of the branch:
/// the depth of their entities in the hierarchy.
///
/// A branch usually has one table. The tables of a branch are in a linked list. If there are more than eight, they are
/// also in a hash table, so that finding one takes constant time.
///
/// Invariants:
///   K1. Every table is found by its archetype and branch, and is in its branch's list.
///   K2. The rank lists of an archetype (see RankLists) contain all of its tables that have rows.
///   K3. The rank lists have one reserved position for each table that has blocks but no rows, and no other reserved
///       positions.
class Tables {
 public:
  explicit Tables(std::pmr::memory_resource* memory);
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;
  ~Tables();

  /// Returns: the branch of entities without a parent. Its rank (the depth of its entities) is 0.
  Branch& root() { return root_; }

  /// Creates a branch (a group of tables), at first without tables. All tables of the branch will have the rank `rank`
  /// (the depth of their entities). `label` is any number that the caller chooses. The label is copied into the blocks
  /// of these tables, so that the caller can read it there.
  /// Errors: std::bad_alloc; nothing has changed then.
  Branch& create_branch(std::uint32_t rank, std::uint32_t label);

  /// Returns: the branch with this `Branch::number`. The root branch is not numbered.
  /// Contract: `number` is less than `branch_count()`.
  Branch& branch(std::uint32_t number) { return branches_[number]; }
  const Branch& branch(std::uint32_t number) const { return branches_[number]; }

  /// Drops a branch and its tables. Their memory is reused for branches and tables that are created later.
  /// Contract: `create_branch` returned the branch, and its tables have no rows and no blocks.
  void drop_branch(Branch& branch) noexcept;

  /// Returns: the table of this archetype and branch, created if there is none.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(1).
  Table& get(Archetype& archetype, Branch& branch) {
    Table* const recent = archetype.recent_table_;
    if (recent != nullptr && &recent->branch() == &branch) return *recent;
    Table* const first = branch.first_table;
    if (first != nullptr && &first->archetype() == &archetype) return *first;
    return find_or_create(archetype, branch);
  }

  /// Returns: the table of this archetype and branch; null when there is none.
  Table* find(const Archetype& archetype, const Branch& branch) const;

  /// Allocates the memory that a later call of `set_rank` with the same arguments needs, because `set_rank` must not
  /// fail. Changes no rank.
  /// Errors: std::bad_alloc; nothing has changed then.
  void reserve_rank(const Branch& branch, std::uint32_t rank);

  /// Changes the rank of a branch and of its tables (the depth of their entities) to `rank`. The tables keep their
  /// rows.
  /// Contract: `reserve_rank` was called with these arguments. Since then, no table of the branch has got its first
  /// block.
  /// Complexity: O(tables of the branch).
  void set_rank(Branch& branch, std::uint32_t rank) noexcept;

  std::size_t size() const { return table_count_; }

  /// Returns: one more than the highest table number that `at` accepts. Dropped tables whose memory is kept
  /// for reuse have numbers, too.
  std::size_t numbered() const { return tables_.size(); }
  /// Returns: one more than the highest number that `branch` accepts. Dropped branches whose memory is kept
  /// for reuse have numbers, too.
  std::size_t branch_count() const { return branches_.size(); }

  /// Returns: the table with this number; null when it was dropped. Numbers count from 0 in order of
  /// creation, and the numbers of dropped tables are reused.
  /// Contract: `number` is less than `numbered()`.
  Table* at(std::size_t number) { return tables_[number].archetype_ != nullptr ? &tables_[number] : nullptr; }

  /// Drops those tables of a branch that have no rows and no blocks. `branch` is the number of the branch;
  /// does nothing if that branch was dropped. The root branch has no number: its tables are never dropped, so
  /// pointers to them stay valid.
  /// Complexity: O(tables of the branch).
  void drop_empty_tables(std::uint32_t branch) noexcept;

  /// Frees the memory of dropped tables whose numbers are above those of all tables in use, and of dropped branches
  /// whose numbers are above those of all branches in use. Reduces an oversized hash table (see TableMap::shrink).
  /// Errors: std::bad_alloc; tables and branches are unchanged then.
  /// Complexity: O(tables + branches), in use or not.
  void shrink();

  MemoryUse memory_use() const;

  /// Calls `visit(Table&)` for every table, in order of their numbers (see `at`).
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

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do. `at_rest` is true if no change
  /// of the store is under way; see Table::check_invariants.
  std::string check_invariants(const Archetypes& archetypes, bool at_rest = true) const;

 private:
  /// If a branch has at most this number of tables, `find` searches the linked list of the branch. If it has more,
  /// `find` uses the hash table.
  static constexpr std::uint32_t kListed = 8;

  STRATA_API Table& find_or_create(Archetype& archetype, Branch& branch);
  Table& create(Archetype& archetype, Branch& branch);
  void retire(Table& table, bool mapped) noexcept;

  std::pmr::deque<Table> tables_;  // A deque, so addresses do not change. A dropped table has no archetype.
  Table* first_free_ = nullptr;    // The first dropped table; links to the others by `next_in_branch_`.
  std::size_t table_count_ = 0;
  std::pmr::deque<Branch> branches_;
  Branch* first_free_branch_ = nullptr;
  TableMap map_;  // Finds tables in branches with more than kListed tables.
  Branch root_;
};

}  // namespace strata::detail
