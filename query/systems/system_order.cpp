#include "system_order.hpp"

#include <algorithm>
#include <bit>

namespace strata::detail {

SystemOrder::SystemOrder(std::uint32_t count)
    : count_(count),
      words_((count + 63) / 64),
      after_(std::size_t{count} * words_),
      before_(std::size_t{count} * words_),
      linked_(count),
      stages_(count) {}

std::vector<SystemOrder::Index> SystemOrder::declare(Index before, Index after) {
  if (before == after) return {before};
  if (runs_before(after, before)) return find_path(after, before);
  linked_[before].push_back(after);
  link(before, after);
  return {};
}

void SystemOrder::separate(Index first, Index second) {
  if (!runs_before(second, first)) link(first, second);
}

/// Adds the systems in row `from` of the matrix `relation` to its row `row`. The matrix is `after_` or `before_`: row s
/// is the set of the systems that run after system s, or before it.
void SystemOrder::merge(Relation& relation, Index row, Index from) const {
  for (std::uint32_t word = 0; word < words_; ++word)
    relation[std::size_t{row} * words_ + word] |= relation[std::size_t{from} * words_ + word];
}

/// Makes the system `before` run before the system `after`. Adds all pairs that follow from this, so that the relation
/// stays transitive: `before` and all systems that run before it also run before `after` and all systems that run after
/// it.
void SystemOrder::link(Index before, Index after) {
  if (runs_before(before, after)) return;
  for (Index system = 0; system < count_; ++system) {
    if (system == before || runs_before(system, before)) {
      merge(after_, system, after);
      add(after_, system, after);
    }
    if (system == after || contains(before_, system, after)) {
      merge(before_, system, before);
      add(before_, system, before);
    }
  }
}

/// Returns: the systems of a shortest chain of declarations from one system to another, including both.
/// Contract: according to the declarations, `from` runs before `to`.
std::vector<SystemOrder::Index> SystemOrder::find_path(Index from, Index to) const {
  std::vector<Index> previous(count_, count_);
  std::vector<Index> found{from};
  for (std::size_t next = 0; previous[to] == count_; ++next) {
    for (const Index system : linked_[found[next]]) {
      if (previous[system] != count_ || system == from) continue;
      previous[system] = found[next];
      found.push_back(system);
    }
  }
  std::vector<Index> path{to};
  while (path.back() != from) path.push_back(previous[path.back()]);
  std::reverse(path.begin(), path.end());
  return path;
}

void SystemOrder::finish() {
  constexpr std::uint32_t kDone = 0xFFFF'FFFF;
  std::vector<std::uint32_t> waits_for(count_);  // By system: how many before it are not in `order_` yet.
  for (Index system = 0; system < count_; ++system) {
    for (std::uint32_t word = 0; word < words_; ++word)
      waits_for[system] +=
          static_cast<std::uint32_t>(std::popcount(before_[std::size_t{system} * words_ + word]));
  }
  order_.clear();
  std::fill(stages_.begin(), stages_.end(), 0);
  stage_count_ = 0;
  while (order_.size() < count_) {
    const auto next =
        static_cast<Index>(std::find(waits_for.begin(), waits_for.end(), 0u) - waits_for.begin());
    waits_for[next] = kDone;
    order_.push_back(next);
    stage_count_ = std::max(stage_count_, stages_[next] + 1);
    for (Index system = 0; system < count_; ++system) {
      if (!runs_before(next, system)) continue;
      --waits_for[system];
      stages_[system] = std::max(stages_[system], stages_[next] + 1);
    }
  }
}

std::vector<SystemOrder::Index> SystemOrder::direct_predecessors(Index system) const {
  std::vector<Index> direct;
  for (Index other = 0; other < count_; ++other) {
    if (!contains(before_, system, other)) continue;
    bool between = false;
    for (std::uint32_t word = 0; word < words_ && !between; ++word)
      between =
          (after_[std::size_t{other} * words_ + word] & before_[std::size_t{system} * words_ + word]) != 0;
    if (!between) direct.push_back(other);
  }
  return direct;
}

}  // namespace strata::detail
