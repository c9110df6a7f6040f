#include "change_pass.hpp"

#include <algorithm>
#include <memory_resource>
#include <string>

#include "../matching/visit_lock.hpp"

namespace strata::detail {

void require_mark(Storage storage, std::string_view name) {
  STRATA_EXPECTS(
      storage == Storage::sparse,
      '"' + std::string(name) +
          "\" is stored in tables, but a mark must be in the side store: specialise storage_of for "
          "it, or call set_storage");
}

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

void ChangePass::run(Matcher& matcher, SparsePool* marks, ChangeVisitor visitor, const PassThreads& threads) {
  const Store& store = matcher.store();
  STRATA_EXPECTS(!store.guard().locked(), "propagate removes marks, which is refused while " +
                                              store.guard().under_way() + ": call it afterwards");
  STRATA_EXPECTS(matcher.relation() != nullptr,
                 "propagate needs a hierarchy: make the query with World::query");
  changed_.clear();
  if (marks == nullptr || marks->size() == 0) return;
  matcher.refresh();
  {
    const Matcher::VisitLock lock(matcher);
    order_marks(store.slots(), marks->entities(), threads);
    const Borrowed<GatheredRows> rows(matcher.scratch(), matcher);
    level_.clear();
    above_.clear();
    for (std::uint32_t depth = 0; !level_.empty() || next_mark_ != marks_.size(); ++depth) {
      if (level_.empty()) depth = static_cast<std::uint32_t>(marks_[next_mark_] >> 32);
      add_marks(*marks, depth, threads);
      if (threads.divides(level_.size())) {
        visit_wide_level(matcher, visitor, threads);
      } else {
        visit_level(matcher, *rows, visitor);
        above_.swap(level_);
        level_.clear();
        matcher.relation()->append_children(above_, level_);
      }
    }
  }
}

void ChangePass::order_marks(const Slots& slots, std::span<const Entity> marked, const PassThreads& threads) {
  constexpr std::size_t kAhead = 16;
  next_mark_ = 0;
  marks_.resize(marked.size());
  marked_.resize(marked.size());
  is_reached_.assign(marked.size(), 0);
  auto part = [&](std::size_t, std::size_t position, std::size_t end) {
    const Block* recent = nullptr;  // Entities that are marked together often share a block.
    std::uint32_t depth = 0;
    for (; position < end; ++position) {
      if (position + kAhead < end) slots.prefetch(marked[position + kAhead].index());
      const Place place = slots.place_of(marked[position].index());
      if (place.block != recent) {
        recent = place.block;
        depth = table_of(*recent).rank();  // A table's rank is the depth of its entities.
      }
      marked_[position] = {marked[position], place.block, place.row, VisitedRow::kNone};
      marks_[position] = std::uint64_t{depth} << 32 | position;
    }
  };
  threads.divide(marked.size(), part);
  detail::sort_by_upper_half(marks_, spare_);
}

/// Adds the marked entities of depth `depth` to `level_`, the list of entities to visit at that depth, unless they are
/// in the list already. `marks` is the sparse set of all marked entities.
/// Contract: `marks_` has an element for each marked entity, sorted by depth. `next_mark_` is the index of the first
/// element whose depth is at least `depth`, or marks_.size() if there is none.
void ChangePass::add_marks(const SparsePool& marks, std::uint32_t depth, const PassThreads& threads) {
  const auto is_here = [&](std::size_t mark) { return mark != marks_.size() && marks_[mark] >> 32 == depth; };
  if (!is_here(next_mark_)) return;
  auto part = [&](std::size_t, std::size_t begin, std::size_t end) {
    for (const VisitedRow& node : std::span(level_).subspan(begin, end - begin)) {
      const std::uint32_t position = marks.position_of(node.entity);
      if (position != SparsePool::kAbsent) is_reached_[position] = 1;
    }
  };
  threads.divide(level_.size(), part);
  for (; is_here(next_mark_); ++next_mark_) {
    const auto position = static_cast<std::uint32_t>(marks_[next_mark_]);
    if (is_reached_[position] == 0) level_.push_back(marked_[position]);
  }
}

/// Visits the matching entities in `level_`, which all have the same depth, and appends those whose values
/// changed to `changed_`. Removes from `level_` the entities whose children need not be visited (see `keep_changed`).
void ChangePass::visit_level(const Matcher& matcher, GatheredRows& rows, ChangeVisitor visitor) {
  std::array<bool, kRun> matched;
  std::array<bool, kRun> changed;
  Batch batch;
  std::size_t leading = 0;
  for (std::size_t begin = 0; begin < level_.size(); begin += kRun) {
    const std::size_t count = std::min(kRun, level_.size() - begin);
    rows.take(std::span(level_).subspan(begin, count));
    rows.mark_matched(std::span(matched).first(count));
    rows.take_related(above_, batch);
    if (batch.count != 0) visitor(batch, changed.data());
    const bool* const end = std::find(changed.data(), changed.data() + batch.count, false);
    if (batch.count == count && end == changed.data() + count && leading == begin) {
      changed_.insert(changed_.end(), batch.entities, batch.entities + count);
      leading += count;
    } else {
      leading = keep_changed(matcher, begin, std::span(matched).first(count), changed.data(), leading);
    }
  }
  level_.resize(leading);
}

/// Visits the matching entities in `level_`, which all have the same depth, and goes on to the depth below: at the end,
/// `above_` has the entities whose children are to be visited, and `level_` has these children. `level_` is divided
/// into parts that several threads visit, and each part has its own lists of changed entities and children. The lists
/// of the parts are joined in the order of the parts, so the result is the same as on one thread.
void ChangePass::visit_wide_level(const Matcher& matcher, ChangeVisitor visitor, const PassThreads& threads) {
  const std::size_t count = threads.count_parts(level_.size());
  parts_.resize(std::max(parts_.size(), count));
  for (Part& found : parts_) found.clear();
  auto part = [&](std::size_t index, std::size_t begin, std::size_t end) {
    Scratch scratch;
    const Borrowed<GatheredRows> rows(scratch, matcher, nullptr, std::pmr::new_delete_resource());
    visit_part(matcher, *rows, visitor, std::span(level_).subspan(begin, end - begin), parts_[index]);
  };
  {
    const Registry::Shared no_new_types(matcher.store().registry());
    threads.divide(level_.size(), count, part);
  }
  above_.clear();
  level_.clear();
  for (const Part& found : parts_) {
    const auto before = static_cast<std::uint32_t>(above_.size());
    changed_.insert(changed_.end(), found.changed.begin(), found.changed.end());
    above_.insert(above_.end(), found.kept.begin(), found.kept.end());
    for (const VisitedRow& child : found.children) {
      level_.push_back({child.entity, child.block, child.row, child.above + before});
    }
  }
}

/// Visits the matching entities of `level`, which is a part of `level_`. Lists in `found` the entities whose values
/// changed, the entities whose children are to be visited (see keep_changed), and these children.
void ChangePass::visit_part(const Matcher& matcher, GatheredRows& rows, ChangeVisitor visitor,
                            std::span<const VisitedRow> level, Part& found) const {
  std::array<bool, kRun> matched;
  std::array<bool, kRun> changed;
  Batch batch;
  for (; !level.empty(); level = level.subspan(std::min(kRun, level.size()))) {
    const std::span<const VisitedRow> nodes = level.first(std::min(kRun, level.size()));
    rows.take(nodes);
    rows.mark_matched(std::span(matched).first(nodes.size()));
    rows.take_related(above_, batch);
    if (batch.count != 0) visitor(batch, changed.data());
    const bool* answer = changed.data();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const bool is_changed = matched[i] && *answer++;
      if (is_changed) found.changed.push_back(nodes[i].entity);
      if (!matched[i] || is_changed || passes_on(matcher, nodes[i])) found.kept.push_back(nodes[i]);
    }
  }
  matcher.relation()->append_children(found.kept, found.children);
}

/// Returns: whether a change above this entity may still reach the entity's children, through an `Up` term (one that
/// reads the nearest ancestor that has the component). False if the visit did not come to this entity from its parent,
/// because then nothing above the entity has changed. Also false if the entity itself has all components that `Up`
/// terms look for (see Matcher::hides_what_is_above). Called only if this entity matches and its own value has not
/// changed.
bool ChangePass::passes_on(const Matcher& matcher, const VisitedRow& node) {
  return node.above != VisitedRow::kNone && !matcher.hides_what_is_above(node.entity);
}

/// Called after the visit of one batch of the entities in `level_` (the entities of the current depth). `begin` is the
/// position of the batch's first entity in `level_`. `matched` says for each entity whether it matches the query, and
/// `changed` says for each one that matches whether its value changed. Appends the entities whose values changed to
/// `changed_`. Moves the entities whose children are to be visited towards the start of `level_`, to the positions from
/// `leading` on. The children of an entity are to be visited in these cases:
/// - The entity's value changed.
/// - The entity does not match.
/// - An `Up` term (one that reads the nearest ancestor that has the component) may read a changed value above the
///   entity.
/// Returns: the position in `level_` after the last entity that it moved; `leading` if it moved none.
std::size_t ChangePass::keep_changed(const Matcher& matcher, std::size_t begin, std::span<const bool> matched,
                                     const bool* changed, std::size_t leading) {
  for (std::size_t i = 0; i < matched.size(); ++i) {
    const VisitedRow node = level_[begin + i];
    if (matched[i]) {
      if (*changed++) {
        changed_.push_back(node.entity);
      } else if (!passes_on(matcher, node)) {
        continue;
      }
    }
    level_[leading++] = node;
  }
  return leading;
}

}  // namespace strata::detail
