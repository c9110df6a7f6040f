#include "ordered_rows.hpp"

#include <algorithm>

#include "filtered_batches.hpp"

namespace strata::detail {
namespace {

/// `repair`, an insertion sort, gives up if it would have to move each row by more than this number of positions on
/// average, because a merge sort is faster in that case.
constexpr std::size_t kShiftsPerRow = 4;

}  // namespace

std::span<const Entity> OrderedRows::sort(const Matcher& matcher, ComponentId id, std::uint64_t changes,
                                          ValueOrder less) {
  const bool listed = is_listed(matcher, changes);
  if (listed) {
    rows_.clear();
    for (const Entity entity : kept_) rows_.push_back({nullptr, entity});
  } else {
    list(matcher);
  }
  find_values(matcher, id);
  if (!repair(less)) merge_runs(less);

  kept_.reserve(rows_.size());
  kept_.clear();
  for (const Row& row : rows_) kept_.push_back(row.entity);
  listed_at_ = changes + 1;
  listed_matches_ = matcher.matches().size();
  return kept_;
}

/// Returns: whether the matching entities are certainly the same as in the last call of `sort`. This is so if
/// RowChanges::count, passed as `changes`, is still the same, and no further archetype matches. But this count leaves
/// out additions to pools (sparse sets), changes of ancestors, and components that are switched on or off. So the
/// answer is false if such changes may affect which entities match (see Matcher::filters_rows, Matcher::has_toggled).
bool OrderedRows::is_listed(const Matcher& matcher, std::uint64_t changes) const {
  return !matcher.filters_rows() && !matcher.has_toggled() && listed_at_ == changes + 1 &&
         listed_matches_ == matcher.matches().size();
}

/// Lists the matching entities in `rows_`: first those that the last call of `sort` listed, in the order of that list;
/// then the other matching entities, in the order in which the query visits them. So most of `rows_` is usually in
/// order already.
void OrderedRows::list(const Matcher& matcher) {
  constexpr std::uint8_t kMatches = 1;
  const Slots& slots = matcher.store().slots();
  list_matching(matcher);
  rows_.clear();
  rows_.reserve(matching_.size());
  if (marks_.size() < slots.size()) marks_.resize(slots.size(), 0);
  for (const Entity entity : matching_) marks_[entity.index()] = kMatches;
  const auto take = [&](Entity entity) {
    std::uint8_t& mark = marks_[entity.index()];
    if (mark == kMatches) rows_.push_back({nullptr, entity});
    mark = 0;
  };
  for (const Entity entity : kept_) {
    if (slots.alive(entity)) take(entity);
  }
  for (const Entity entity : matching_) take(entity);
}

void OrderedRows::list_matching(const Matcher& matcher) {
  matching_.clear();
  if (matcher.filters_rows()) {
    Batch batch;
    const Borrowed<FilteredBatches> batches(matcher.scratch(), matcher, Order::any);
    while (batches->next(batch)) {
      matching_.insert(matching_.end(), batch.entities, batch.entities + batch.count);
    }
    return;
  }
  for (BlockCursor blocks(matcher, Order::any); blocks.next();) {
    const Entity* const entities = blocks.block().format->entities(blocks.block());
    matching_.insert(matching_.end(), entities, entities + blocks.block().count);
  }
}

void OrderedRows::find_values(const Matcher& matcher, ComponentId id) {
  const Store& store = matcher.store();
  const ComponentInfo& component = store.registry()[id];
  if (component.storage == Storage::sparse) {
    const SparsePool* const pool = store.side().find(id);
    for (Row& row : rows_) row.value = pool->find(row.entity);
    return;
  }
  constexpr std::size_t kAhead = 16;
  const BlockFormat* format = nullptr;  // Neighbours often have the same archetype.
  std::uint32_t prefix = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (i + kAhead < rows_.size()) store.slots().prefetch(rows_[i + kAhead].entity.index());
    const Place place = store.slots().place_of(rows_[i].entity.index());
    if (place.block->format != format) {
      format = place.block->format;
      prefix = format->prefix_of(id);
    }
    rows_[i].value = place.block->value(prefix, place.row, component.size);
  }
}

/// Sorts `rows_` by insertion, which is fast if few rows are out of order. Gives up when rows would move by
/// more than kShiftsPerRow positions on average.
/// Returns: whether `rows_` is sorted now. If not, rows with equal values still are in their original order.
bool OrderedRows::repair(ValueOrder less) {
  std::size_t shifts_left = rows_.size() * kShiftsPerRow;
  for (std::size_t i = 1; i < rows_.size(); ++i) {
    if (!less(rows_[i].value, rows_[i - 1].value)) continue;
    const Row row = rows_[i];
    std::size_t place = i - 1;
    while (place != 0 && less(row.value, rows_[place - 1].value)) --place;
    if (i - place > shifts_left) return false;
    shifts_left -= i - place;
    std::copy_backward(rows_.begin() + static_cast<std::ptrdiff_t>(place),
                       rows_.begin() + static_cast<std::ptrdiff_t>(i),
                       rows_.begin() + static_cast<std::ptrdiff_t>(i + 1));
    rows_[place] = row;
  }
  return true;
}

/// Sorts `rows_` by merging ascending sequences of neighbours, two at a time, until one is left.
/// Source: natural merge sort (D. Knuth, The Art of Computer Programming, 5.2.4).
void OrderedRows::merge_runs(ValueOrder less) {
  const auto before = [&](const Row& a, const Row& b) { return less(a.value, b.value); };
  spare_.resize(rows_.size());
  run_ends_.clear();
  for (std::size_t i = 1; i < rows_.size(); ++i) {
    if (before(rows_[i], rows_[i - 1])) run_ends_.push_back(i);
  }
  run_ends_.push_back(rows_.size());
  while (run_ends_.size() > 1) {
    std::size_t begin = 0;
    std::size_t merged = 0;
    for (std::size_t run = 0; run < run_ends_.size(); run += 2) {
      const std::size_t middle = run_ends_[run];
      const std::size_t end = run + 1 < run_ends_.size() ? run_ends_[run + 1] : middle;
      const Row* const rows = rows_.data();
      std::merge(rows + begin, rows + middle, rows + middle, rows + end, spare_.data() + begin, before);
      run_ends_[merged++] = end;
      begin = end;
    }
    run_ends_.resize(merged);
    rows_.swap(spare_);
  }
}

}  // namespace strata::detail
