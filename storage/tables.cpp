#include "tables.hpp"

namespace strata {
namespace {

/// Makes room in the free list for everything that could be freed, so that dropping cannot throw.
template <class List>
void reserve_for(List& free_list, std::size_t owned) {
  if (owned > free_list.capacity()) free_list.reserve(owned * 2);
}

}  // namespace

Branch& Tables::create_branch(std::uint32_t rank, std::uint64_t label) {
  if (free_branches_.empty()) {
    reserve_for(free_branches_, branches_.size() + 1);
    return branches_.emplace_back(Branch{rank, label});
  }
  Branch& branch = *free_branches_.back();
  free_branches_.pop_back();
  branch = Branch{rank, label};
  return branch;
}

void Tables::drop_branch(Branch& branch) noexcept {
  for (Table* table = branch.first_table; table != nullptr;) {
    Table* const next = table->next_in_branch_;
    map_.erase(*table);
    if (table->archetype_->recent_table_ == table) table->archetype_->recent_table_ = nullptr;
    table->archetype_ = nullptr;
    free_tables_.push_back(table);
    table = next;
  }
  branch.first_table = nullptr;
  branch.recent_table = nullptr;
  free_branches_.push_back(&branch);
}

Table& Tables::find_or_create(Archetype& archetype, Branch& branch) {
  Table* table = archetype.recent_table_;
  if (table == nullptr || &table->branch() != &branch) table = map_.find(archetype, branch);
  if (table == nullptr) table = &create(archetype, branch);
  archetype.recent_table_ = table;
  branch.recent_table = table;
  return *table;
}

Table& Tables::create(Archetype& archetype, Branch& branch) {
  archetype.reserve_rank(branch.rank);
  map_.reserve_one();
  Table* table = nullptr;
  if (free_tables_.empty()) {
    reserve_for(free_tables_, tables_.size() + 1);
    table = &tables_.emplace_back(archetype, branch);
  } else {
    table = free_tables_.back();
    free_tables_.pop_back();
    *table = Table(archetype, branch);
  }
  table->next_in_branch_ = branch.first_table;
  branch.first_table = table;
  map_.insert(*table);
  return *table;
}

void Tables::reserve_rank(const Branch& branch, std::uint32_t rank) {
  for (Table* table = branch.first_table; table != nullptr; table = table->next_in_branch_) {
    table->archetype_->reserve_rank(rank);
  }
}

void Tables::set_rank(Branch& branch, std::uint32_t rank) noexcept {
  if (branch.rank == rank) return;
  for (Table* table = branch.first_table; table != nullptr; table = table->next_in_branch_) {
    if (!table->empty()) table->archetype_->leave_rank(*table);
  }
  branch.rank = rank;
  for (Table* table = branch.first_table; table != nullptr; table = table->next_in_branch_) {
    if (!table->empty()) table->archetype_->enter_rank(*table);
  }
}

std::string Tables::check_invariants(const Archetypes& archetypes) const {
  std::string complaint;
  std::size_t with_rows = 0;
  for_each([&](const Table& table) {
    if (!complaint.empty()) return;
    complaint = table.check_invariants();
    if (find(table.archetype(), table.branch()) != &table) complaint = "K1: a table is not found by its key";
    with_rows += table.empty() ? 0 : 1;
  });
  if (!complaint.empty()) return complaint;

  std::size_t listed = 0;
  for (const Archetype* archetype : archetypes.all()) {
    for (std::uint32_t rank = 0; rank < archetype->rank_count(); ++rank) {
      for (const Table* t = archetype->first_at_rank(rank); t != nullptr; t = t->next_at_rank()) ++listed;
    }
  }
  if (listed != with_rows) return "K2: rank lists and tables with rows do not match";

  std::size_t in_branches = 0;
  const auto count_tables = [&](const Branch& branch) {
    for (const Table* table = branch.first_table; table != nullptr; table = table->next_in_branch()) {
      if (&table->branch() != &branch) complaint = "K1: a branch lists the table of another one";
      ++in_branches;
    }
  };
  count_tables(root_);
  for (const Branch& branch : branches_) count_tables(branch);
  if (complaint.empty() && in_branches != size()) complaint = "K1: a table is missing from its branch's list";
  return complaint;
}

}  // namespace strata
