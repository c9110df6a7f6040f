#include "archetype.hpp"

#include <algorithm>

namespace strata {

void Archetype::expect_at_rank(std::uint32_t rank) {
  if (rank >= ranks_.size()) {
    // A tree grows by one level at a time; doubling keeps a deep chain linear.
    if (rank >= ranks_.capacity()) ranks_.reserve(std::max<std::size_t>(rank + 1, ranks_.capacity() * 2));
    while (ranks_.size() <= rank) ranks_.emplace_back(ranks_.get_allocator().resource());
  }
  RankList& list = ranks_[rank];
  const std::size_t wanted = std::size_t{list.blocks.size()} + list.promised + 1;
  if (wanted > list.blocks.capacity()) {
    list.blocks.reserve(std::max(wanted, std::size_t{list.blocks.capacity()} * 2));
  }
  ++list.promised;
}

void Archetype::forget_expected() noexcept {
  for (RankList& list : ranks_) list.promised = 0;
}

void Archetype::replace_first_block(const Table& table) noexcept {
  ranks_[table.rank()].blocks[table.rank_position_] = table.first_block_;
}

void Archetype::shrink() {
  while (!ranks_.empty() && ranks_.back().blocks.empty() && ranks_.back().promised == 0) ranks_.pop_back();
  for (RankList& list : ranks_) {
    if (list.promised == 0) list.blocks.shrink_to_fit();
  }
  ranks_.shrink_to_fit();
}

MemoryUse Archetype::memory_use() const {
  MemoryUse use =
      detail::memory_use_of(ranks_) + detail::memory_use_of(with_) + detail::memory_use_of(without_);
  for (const RankList& list : ranks_) use += list.blocks.memory_use();
  return use;
}

std::string Archetype::check_invariants() const {
  for (std::uint32_t rank = 0; rank < rank_count(); ++rank) {
    const RankList& list = ranks_[rank];
    for (std::uint32_t position = 0; position < list.blocks.size(); ++position) {
      const Table& table = table_of(*list.blocks[position]);
      if (&table.archetype() != this || table.rank() != rank || table.empty()) {
        return "A1: the list of rank " + std::to_string(rank) + " holds a table that does not belong there";
      }
      if (table.first_block_ != list.blocks[position] || table.rank_position_ != position) {
        return "A1: a table and its position in a rank list do not agree";
      }
    }
  }
  std::pmr::memory_resource* const memory = ranks_.get_allocator().resource();
  const auto leads = [&](const std::pmr::vector<Archetype*>& edges, bool adding) {
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      const ComponentId id{i};
      if (edges[i] == nullptr) continue;
      const Signature wanted = adding ? signature_.with(id, memory) : signature_.without(id, memory);
      if (edges[i]->signature() != wanted) return false;
    }
    return true;
  };
  if (!leads(with_, true) || !leads(without_, false)) return "A2: an edge leads to the wrong archetype";
  return "";
}

}  // namespace strata
