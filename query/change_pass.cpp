#include "change_pass.hpp"

#include <algorithm>

namespace strata {
namespace detail {

void sort_by_upper_half(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare) {
  std::uint64_t largest = 0;
  bool sorted = true;
  for (const std::uint64_t key : keys) {
    sorted = sorted && largest >> 32 <= key >> 32;
    largest = std::max(largest, key);
  }
  if (sorted) return;
  spare.resize(keys.size());
  for (std::uint32_t shift = 32; shift < 64 && largest >> shift != 0; shift += 8) {
    std::array<std::size_t, 256> places{};
    for (const std::uint64_t key : keys) ++places[key >> shift & 255];
    std::size_t place = 0;
    for (std::size_t& begin : places) place += std::exchange(begin, place);
    for (const std::uint64_t key : keys) spare[places[key >> shift & 255]++] = key;
    keys.swap(spare);
  }
}

}  // namespace detail

void ChangePass::run(Matcher& matcher, SparsePool* marks, ChangeVisitor visitor) {
  const Store& store = matcher.store();
  STRATA_EXPECTS(!store.iterating(),
                 "changed takes marks away, which no query may see while it iterates: call it afterwards");
  STRATA_EXPECTS(matcher.relation() != nullptr, "changed needs a hierarchy: a query made by World::query");
  changed_.clear();
  if (marks == nullptr || marks->size() == 0) return;
  {
    const Store::IterationLock lock(store);
    matcher.refresh();
    order_marks(store.slots(), marks->entities());
    GatheredRows rows(matcher);
    level_.clear();
    for (std::uint32_t depth = 0; !level_.empty() || next_mark_ != marks_.size(); ++depth) {
      if (level_.empty()) depth = static_cast<std::uint32_t>(marks_[next_mark_] >> 32);
      add_marks(*marks, depth);
      visit_level(rows, visitor);
      below_.clear();
      matcher.relation()->append_children(level_, below_);
      level_.swap(below_);
    }
  }
  marks->clear();
}

void ChangePass::order_marks(const Slots& slots, std::span<const Entity> marked) {
  marks_.clear();
  next_mark_ = 0;
  reached_.assign(marked.size(), 0);
  for (std::size_t position = 0; position < marked.size(); ++position) {
    // A table's rank is the depth of its entities.
    const std::uint32_t depth = table_of(*slots.place_of(marked[position].index()).block).rank();
    marks_.push_back(std::uint64_t{depth} << 32 | position);
  }
  detail::sort_by_upper_half(marks_, spare_);
}

/// Adds to the level those of its marked entities that it does not have yet.
void ChangePass::add_marks(const SparsePool& marks, std::uint32_t depth) {
  const auto is_here = [&](std::size_t mark) { return mark != marks_.size() && marks_[mark] >> 32 == depth; };
  if (!is_here(next_mark_)) return;
  for (const Entity node : level_) {
    const std::uint32_t position = marks.position_of(node);
    if (position != SparsePool::kAbsent) reached_[position] = 1;
  }
  for (; is_here(next_mark_); ++next_mark_) {
    const auto position = static_cast<std::uint32_t>(marks_[next_mark_]);
    if (reached_[position] == 0) level_.push_back(marks.entities()[position]);
  }
}

/// Visits the level's entities and leaves only those in it from which the way leads on.
void ChangePass::visit_level(GatheredRows& rows, ChangeVisitor visitor) {
  std::array<bool, GatheredRows::kRun> matched;
  std::array<bool, GatheredRows::kRun> changed;
  Batch batch;
  std::size_t leading = 0;
  for (std::size_t begin = 0; begin < level_.size(); begin += GatheredRows::kRun) {
    const std::size_t count = std::min<std::size_t>(GatheredRows::kRun, level_.size() - begin);
    for (std::size_t i = 0; i < count; ++i) matched[i] = rows.add(level_[begin + i]);
    rows.take(batch);
    if (batch.count != 0) visitor(batch, changed.data());
    const bool* answer = changed.data();
    for (std::size_t i = 0; i < count; ++i) {
      const Entity node = level_[begin + i];
      if (matched[i]) {
        if (!*answer++) continue;
        changed_.push_back(node);
      }
      level_[leading++] = node;
    }
  }
  level_.resize(leading);
}

}  // namespace strata
