#include "change_pass.hpp"

#include <algorithm>
#include <memory_resource>
#include <string>

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
    order_marks(store.slots(), marks->entities());
    const Borrowed<GatheredRows> rows(matcher.scratch(), matcher);
    level_.clear();
    above_.clear();
    for (std::uint32_t depth = 0; !level_.empty() || next_mark_ != marks_.size(); ++depth) {
      if (level_.empty()) depth = static_cast<std::uint32_t>(marks_[next_mark_] >> 32);
      add_marks(*marks, depth);
      if (threads.divides(level_.size())) {
        visit_wide_level(matcher, visitor, threads);
      } else {
        visit_level(matcher, *rows, visitor);
      }
      above_.swap(level_);
      level_.clear();
      matcher.relation()->append_children(above_, level_);
    }
  }
}

void ChangePass::order_marks(const Slots& slots, std::span<const Entity> marked) {
  constexpr std::size_t kAhead = 16;
  next_mark_ = 0;
  marks_.resize(marked.size());
  marked_.resize(marked.size());
  is_reached_.assign(marked.size(), 0);
  const Block* recent = nullptr;  // Entities that are marked together often share a block.
  std::uint32_t depth = 0;
  for (std::size_t position = 0; position < marked.size(); ++position) {
    if (position + kAhead < marked.size()) slots.prefetch(marked[position + kAhead].index());
    const Place place = slots.place_of(marked[position].index());
    if (place.block != recent) {
      recent = place.block;
      depth = table_of(*recent).rank();  // A table's rank is the depth of its entities.
    }
    marked_[position] = {marked[position], place.block, place.row, VisitedRow::kNone};
    marks_[position] = std::uint64_t{depth} << 32 | position;
  }
  detail::sort_by_upper_half(marks_, spare_);
}

/// Adds the marked entities of depth `depth` to `level_`, the list of entities to visit at that depth, unless
/// they are in it already. `marks` is the pool of all marked entities.
/// Contract: calls for smaller depths come first; `next_mark_` has passed the marks of these depths.
void ChangePass::add_marks(const SparsePool& marks, std::uint32_t depth) {
  const auto is_here = [&](std::size_t mark) { return mark != marks_.size() && marks_[mark] >> 32 == depth; };
  if (!is_here(next_mark_)) return;
  for (const VisitedRow& node : level_) {
    const std::uint32_t position = marks.position_of(node.entity);
    if (position != SparsePool::kAbsent) is_reached_[position] = 1;
  }
  for (; is_here(next_mark_); ++next_mark_) {
    const auto position = static_cast<std::uint32_t>(marks_[next_mark_]);
    if (is_reached_[position] == 0) level_.push_back(marked_[position]);
  }
}

/// Visits the matching entities in `level_`, which all have the same depth, and appends those whose values
/// changed to `changed_`. Then removes from `level_` the entities whose children need not be visited.
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

/// Does what `visit_level` does, on several threads. These only write the answers about their own entities, which are
/// then read in order, so the lists are the same as after `visit_level`.
void ChangePass::visit_wide_level(const Matcher& matcher, ChangeVisitor visitor, const PassThreads& threads) {
  answers_.assign(level_.size(), Answer::skipped);
  auto part = [&](std::size_t begin, std::size_t end) {
    Scratch scratch;
    const Borrowed<GatheredRows> rows(scratch, matcher, nullptr, std::pmr::new_delete_resource());
    visit_part(*rows, visitor, begin, end);
  };
  {
    const Registry::Shared no_new_types(matcher.store().registry());
    threads.divide(level_.size(), part);
  }
  std::array<bool, kRun> matched;
  std::array<bool, kRun> changed;
  std::size_t leading = 0;
  for (std::size_t begin = 0; begin < level_.size(); begin += kRun) {
    const std::size_t count = std::min(kRun, level_.size() - begin);
    std::size_t answered = 0;
    for (std::size_t i = 0; i < count; ++i) {
      matched[i] = answers_[begin + i] != Answer::skipped;
      if (matched[i]) changed[answered++] = answers_[begin + i] == Answer::changed;
    }
    leading = keep_changed(matcher, begin, std::span(matched).first(count), changed.data(), leading);
  }
  level_.resize(leading);
}

/// Visits the matching entities at some positions in `level_`, and writes their answers.
void ChangePass::visit_part(GatheredRows& rows, ChangeVisitor visitor, std::size_t begin, std::size_t end) {
  std::array<bool, kRun> matched;
  std::array<bool, kRun> changed;
  Batch batch;
  for (; begin < end; begin += kRun) {
    const std::size_t count = std::min(kRun, end - begin);
    rows.take(std::span(level_).subspan(begin, count));
    rows.mark_matched(std::span(matched).first(count));
    rows.take_related(above_, batch);
    if (batch.count != 0) visitor(batch, changed.data());
    const bool* answer = changed.data();
    for (std::size_t i = 0; i < count; ++i) {
      if (matched[i]) answers_[begin + i] = *answer++ ? Answer::changed : Answer::unchanged;
    }
  }
}

/// Keeps, of one batch, the entities whose children are to be visited: moves them forward in `level_`, to
/// index `leading` and after. Appends the entities whose values changed to `changed_`. `begin` is the index
/// of the batch's first entity. `matched` says for each entity whether it matches the query, and `changed`
/// says for each one that matches whether its value changed. The children are to be visited if the entity
/// changed or does not match, or if an `Up` term of the children may see a changed value above it.
/// Returns: the index in `level_` after the entities that were kept.
std::size_t ChangePass::keep_changed(const Matcher& matcher, std::size_t begin, std::span<const bool> matched,
                                     const bool* changed, std::size_t leading) {
  for (std::size_t i = 0; i < matched.size(); ++i) {
    const VisitedRow node = level_[begin + i];
    if (matched[i]) {
      if (*changed++) {
        changed_.push_back(node.entity);
      } else if (node.above == VisitedRow::kNone || matcher.hides_what_is_above(node.entity)) {
        continue;
      }
    }
    level_[leading++] = node;
  }
  return leading;
}

}  // namespace strata::detail
