#include "shrinker.hpp"

#include <algorithm>

namespace strata::detail {

bool Shrinker::run(KeepGoing keep_going) {
  const Store::Change change(store_, "shrink", Entity());
  const ChangeGuard::Operation operation(store_.guard(), "shrink");
  store_.rows().drop_kept_blocks();
  for (step(); part_ != Part::done; step()) {
    if (!keep_going()) return false;
  }
  part_ = Part::side_store;
  return true;
}

/// Does one step of the current part of the world, `part_`. When nothing is left to do in that part, goes to the next
/// one.
void Shrinker::step() {
  bool finished = true;
  switch (part_) {
    case Part::side_store:
      finished = step_side_store();
      break;
    case Part::rows:
      finished = step_rows();
      break;
    case Part::branches:
      finished = step_branches();
      break;
    case Part::tables:
      store_.tables().shrink();
      break;
    case Part::archetypes:
      finished = step_archetypes();
      break;
    case Part::pool:
      store_.pool().shrink();
      break;
    case Part::links:
      hierarchy_.shrink();
      break;
    case Part::events:
      events_.shrink();
      break;
    case Part::slots:
      store_.slots().shrink();
      store_.rows().changes().moved().shrink(store_.slots().size());
      commands_.shrink();
      break;
    case Part::done:
      break;
  }
  if (!finished) return;
  next_ = 0;
  part_ = static_cast<Part>(static_cast<std::uint8_t>(part_) + 1);
}

bool Shrinker::step_side_store() {
  SideStore& side = store_.side();
  SparsePool* pool = nullptr;
  while (pool == nullptr && next_ < side.size()) {
    pool = side.find(ComponentId{static_cast<std::uint32_t>(next_++)});
  }
  if (pool != nullptr) pool->shrink();
  const bool finished = next_ >= side.size();
  if (finished) side.shrink_memberships();
  return finished;
}

bool Shrinker::step_rows() {
  Tables& tables = store_.tables();
  const std::size_t end = std::min(next_ + kPerStep, tables.numbered());
  for (std::size_t moved = 0; next_ < end && moved < kRowsPerStep; ++next_) {
    if (Table* const table = tables.at(next_)) moved += store_.rows().shrink(*table);
  }
  return next_ >= tables.numbered();
}

bool Shrinker::step_branches() {
  Tables& tables = store_.tables();
  const std::size_t end = std::min(next_ + kPerStep, tables.branch_count());
  for (; next_ < end; ++next_) tables.drop_empty_tables(static_cast<std::uint32_t>(next_));
  return next_ >= tables.branch_count();
}

bool Shrinker::step_archetypes() {
  const std::span<Archetype* const> all = store_.archetypes().all();
  const std::size_t end = std::min(next_ + kPerStep, all.size());
  for (; next_ < end; ++next_) all[next_]->shrink();
  return next_ >= all.size();
}

}  // namespace strata::detail
