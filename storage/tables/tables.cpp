#include "tables.hpp"

#include <utility>

#include "../../core/rollback.hpp"

namespace strata::detail {

Tables::Tables(std::pmr::memory_resource* memory) : tables_(memory), branches_(memory), map_(memory) {
  root_.lasts = 1;
}

Tables::~Tables() = default;

Branch& Tables::create_branch(std::uint32_t rank, std::uint32_t label) {
  if (first_free_branch_ == nullptr) {
    const auto number = static_cast<std::uint32_t>(branches_.size());
    Branch& branch = branches_.emplace_back(rank, label);
    branch.number = number;
    return branch;
  }
  Branch& branch = *first_free_branch_;
  const std::uint32_t number = branch.number;
  first_free_branch_ = branch.next_free;
  branch = Branch(rank, label);
  branch.number = number;
  return branch;
}

void Tables::drop_branch(Branch& branch) noexcept {
  while (branch.first_table != nullptr) {
    Table& table = *branch.first_table;
    branch.first_table = table.next_in_branch_;
    retire(table, branch.table_count > kListed);
  }
  table_count_ -= branch.table_count;
  branch.table_count = 0;
  branch.rank = Branch::kFree;
  branch.next_free = first_free_branch_;
  first_free_branch_ = &branch;
}

/// Makes the memory of a table available for new tables. If `mapped` is true, removes the table from the hash table
/// `map_`, which contains the tables of branches with more than kListed tables. The caller removes the table from the
/// linked list of its branch (Table::next_in_branch), and reduces the counts of tables.
void Tables::retire(Table& table, bool mapped) noexcept {
  if (mapped) map_.erase(table);
  if (table.archetype_->recent_table_ == &table) table.archetype_->recent_table_ = nullptr;
  table.archetype_ = nullptr;
  table.next_in_branch_ = first_free_;
  first_free_ = &table;
}

void Tables::drop_empty_tables(std::uint32_t number) noexcept {
  Branch& branch = branches_[number];
  if (branch.rank == Branch::kFree) return;
  const bool mapped = branch.table_count > kListed;
  for (Table** link = &branch.first_table; *link != nullptr;) {
    Table& table = **link;
    if (table.first_block_ != nullptr) {
      link = &table.next_in_branch_;
      continue;
    }
    *link = table.next_in_branch_;
    retire(table, mapped);
    --branch.table_count;
    --table_count_;
  }
  if (!mapped || branch.table_count > kListed) return;
  for (Table* table = branch.first_table; table != nullptr; table = table->next_in_branch_) {
    map_.erase(*table);
  }
}

void Tables::shrink() {
  map_.shrink();
  while (!tables_.empty() && tables_.back().archetype_ == nullptr) tables_.pop_back();
  while (!branches_.empty() && branches_.back().rank == Branch::kFree) branches_.pop_back();
  // Rebuilds the lists of free tables and free branches, which may contain elements that were removed above. Each loop
  // goes from the highest number to the lowest and adds to the front of the list, so that the lowest number is reused
  // first.
  first_free_ = nullptr;
  for (auto table = tables_.rbegin(); table != tables_.rend(); ++table) {
    if (table->archetype_ == nullptr) table->next_in_branch_ = std::exchange(first_free_, &*table);
  }
  first_free_branch_ = nullptr;
  for (auto branch = branches_.rbegin(); branch != branches_.rend(); ++branch) {
    if (branch->rank == Branch::kFree) branch->next_free = std::exchange(first_free_branch_, &*branch);
  }
}

MemoryUse Tables::memory_use() const {
  std::size_t branches = 0;
  for (const Branch& branch : branches_) branches += branch.rank != Branch::kFree ? 1 : 0;
  return map_.memory_use() + MemoryUse{table_count_ * sizeof(Table) + branches * sizeof(Branch),
                                       tables_.size() * sizeof(Table) + branches_.size() * sizeof(Branch)};
}

Table* Tables::find(const Archetype& archetype, const Branch& branch) const {
  if (branch.table_count > kListed) {
    Table* const recent = archetype.recent_table_;
    return recent != nullptr && &recent->branch() == &branch ? recent : map_.find(archetype, branch);
  }
  Table* table = branch.first_table;
  while (table != nullptr && table->archetype_ != &archetype) table = table->next_in_branch_;
  return table;
}

Table& Tables::find_or_create(Archetype& archetype, Branch& branch) {
  Table* table = find(archetype, branch);
  if (table == nullptr) table = &create(archetype, branch);
  archetype.recent_table_ = table;
  return *table;
}

Table& Tables::create(Archetype& archetype, Branch& branch) {
  const std::uint32_t entering = branch.table_count < kListed    ? 0
                                 : branch.table_count == kListed ? kListed + 1
                                                                 : 1;
  map_.reserve(entering);
  Table* table = first_free_;
  if (table == nullptr) {
    table = &tables_.emplace_back(archetype, branch);
  } else {
    first_free_ = table->next_in_branch_;
    *table = Table(archetype, branch);
  }
  table->next_in_branch_ = branch.first_table;
  branch.first_table = table;
  for (std::uint32_t i = 0; i < entering; ++i, table = table->next_in_branch_) map_.insert(*table);
  ++branch.table_count;
  ++table_count_;
  return *branch.first_table;
}

void Tables::reserve_rank(const Branch& branch, std::uint32_t rank) {
  if (branch.rank == rank) return;
  Table* table = branch.first_table;
  Rollback take_back([&] {
    for (const Table* end = std::exchange(table, branch.first_table); table != end;
         table = table->next_in_branch_) {
      if (table->first_block_ != nullptr) table->archetype_->ranks_.take_back(rank);
    }
  });
  for (; table != nullptr; table = table->next_in_branch_) {
    if (table->first_block_ != nullptr) table->archetype_->ranks_.promise(rank);
  }
  take_back.dismiss();
}

void Tables::set_rank(Branch& branch, std::uint32_t rank) noexcept {
  if (branch.rank == rank) return;
  for (Table* table = branch.first_table; table != nullptr; table = table->next_in_branch_) {
    if (!table->empty()) {
      table->archetype_->leave_rank(*table);
    } else if (table->first_block_ != nullptr) {  // Has blocks for reserved rows, and a reserved position.
      table->archetype_->ranks_.take_back(branch.rank);
    }
  }
  branch.rank = rank;
  for (Table* table = branch.first_table; table != nullptr; table = table->next_in_branch_) {
    if (!table->empty()) table->archetype_->enter_rank(*table);
  }
}

std::string Tables::check_invariants(const Archetypes& archetypes, bool at_rest) const {
  std::string complaint;
  std::size_t with_rows = 0;
  std::size_t with_blocks = 0;
  for_each([&](const Table& table) {
    if (!complaint.empty()) return;
    complaint = table.check_invariants(at_rest);
    if (find(table.archetype(), table.branch()) != &table) complaint = "K1: a table is not found by its key";
    with_rows += table.empty() ? 0 : 1;
    with_blocks += table.first_block() == nullptr ? 0 : 1;
  });
  if (!complaint.empty()) return complaint;

  std::size_t listed = 0;
  for (const Archetype* archetype : archetypes.all()) listed += archetype->ranks().tables();
  if (listed != with_rows) return "K2: rank lists and tables with rows do not match";
  std::size_t promised = 0;
  for (const Archetype* archetype : archetypes.all()) promised += archetype->ranks().promised();
  if (promised != with_blocks - with_rows) return "K3: a place in a rank list is promised to no table";

  std::size_t in_branches = 0;
  const auto count_tables = [&](const Branch& branch) {
    std::uint32_t listed_here = 0;
    for (const Table* table = branch.first_table; table != nullptr; table = table->next_in_branch()) {
      if (&table->branch() != &branch) complaint = "K1: a branch lists the table of another one";
      ++in_branches;
      ++listed_here;
    }
    if (listed_here != branch.table_count) complaint = "K1: the table count of a branch is wrong";
  };
  count_tables(root_);
  for (const Branch& branch : branches_) {
    if (branch.table_count != 0) count_tables(branch);  // A free branch lists no tables.
  }
  if (complaint.empty() && in_branches != size()) complaint = "K1: a table is missing from its branch's list";
  return complaint;
}

}  // namespace strata::detail
