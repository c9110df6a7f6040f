#include "archetype.hpp"

#include <algorithm>

namespace strata {

void Archetype::reserve_rank(std::uint32_t rank) {
  if (rank < ranks_.size()) return;
  // A tree grows by one level at a time; doubling keeps a deep chain linear.
  if (rank >= ranks_.capacity()) ranks_.reserve(std::max<std::size_t>(rank + 1, ranks_.capacity() * 2));
  ranks_.resize(rank + 1);
}

void Archetype::enter_rank(Table& table) noexcept {
  RankList& list = ranks_[table.rank()];
  table.previous_at_rank_ = list.last;
  table.next_at_rank_ = nullptr;
  (list.last != nullptr ? list.last->next_at_rank_ : list.first) = &table;
  list.last = &table;
}

void Archetype::leave_rank(Table& table) noexcept {
  RankList& list = ranks_[table.rank()];
  Table* const previous = table.previous_at_rank_;
  Table* const next = table.next_at_rank_;
  (previous != nullptr ? previous->next_at_rank_ : list.first) = next;
  (next != nullptr ? next->previous_at_rank_ : list.last) = previous;
}

std::string Archetype::check_invariants() const {
  for (std::uint32_t rank = 0; rank < rank_count(); ++rank) {
    const Table* previous = nullptr;
    for (const Table* table = ranks_[rank].first; table != nullptr; table = table->next_at_rank_) {
      if (&table->archetype() != this || table->rank() != rank || table->empty()) {
        return "A1: the list of rank " + std::to_string(rank) + " holds a table that does not belong there";
      }
      if (table->previous_at_rank_ != previous) return "A1: a table's link back in its rank list is wrong";
      previous = table;
    }
    if (ranks_[rank].last != previous) return "A1: the end of a rank list is wrong";
  }
  const auto leads = [&](const std::pmr::vector<Archetype*>& edges, bool adding) {
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      const ComponentId id{i};
      if (edges[i] == nullptr) continue;
      const Signature wanted = adding ? signature_.with(id) : signature_.without(id);
      if (edges[i]->signature() != wanted) return false;
    }
    return true;
  };
  if (!leads(with_, true) || !leads(without_, false)) return "A2: an edge leads to the wrong archetype";
  return "";
}

}  // namespace strata
