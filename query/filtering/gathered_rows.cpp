#include "gathered_rows.hpp"

#include <algorithm>
#include <utility>

#include "../../core/compiler.hpp"
#include "values_above.hpp"

namespace strata::detail {
namespace {

/// If the rows to hand out are in several blocks, `next` hands out one batch for each block, provided that the blocks
/// have at least this many of the rows on average. With fewer, one batch with a pointer to each value is faster.
constexpr std::uint32_t kWorthBatch = 8;

}  // namespace

GatheredRows::GatheredRows(const Matcher& matcher, const PairConditions* pairs,
                           std::pmr::memory_resource* memory)
    : matcher_(matcher),
      side_(matcher),
      pairs_(pairs),
      filters_further_(matcher.has_above_terms() || pairs != nullptr),
      uses_tables_(matcher.passes_over_states()),
      walks_(memory != nullptr ? memory : matcher.store().memory()) {
  for (std::size_t i = 0; i < matcher.terms().size(); ++i) {
    const Term& term = matcher.terms()[i];
    uses_tables_ = uses_tables_ || (is_of_visited(term) && !matcher.in_side_store(i));
  }
}

void GatheredRows::start(std::span<const Entity> entities) {
  rows_.start(side_.impossible() ? std::span<const Entity>() : entities);
  reached_ = {};
  next_ = 0;
  stretch_ = 0;
  by_block_ = false;
}

void GatheredRows::take(std::span<const Entity> entities) {
  start(entities);
  side_.filter(rows_);
  if (filters_further_) filter_further();
  if (uses_tables_) find_places();
  finish_run();
}

void GatheredRows::take_led(std::size_t leader, std::uint32_t first, std::uint32_t count) {
  start(leaders()[leader]->entities().subspan(first, count));
  side_.filter_led(rows_, leader, first);
  if (filters_further_) filter_further();
  if (uses_tables_) find_places();
  finish_run();
}

void GatheredRows::take(const Block& block, std::uint32_t first, std::uint32_t count, std::size_t match) {
  start({block.format->entities(block) + first, count});
  side_.filter(rows_);
  if (filters_further_) filter_further();
  places_.set_in(block, rows_.count(),
                 [first, numbers = rows_.numbers()](std::uint32_t row) { return first + numbers[row]; });
  recent_format_ = block.format;
  recent_match_ = static_cast<std::ptrdiff_t>(match);
  finish_run();
}

void GatheredRows::take(std::span<const VisitedRow> reached) {
  STRATA_EXPECTS(reached.size() <= kRun,
                 "a run of candidates has at most " + std::to_string(kRun) + " entities");
  for (std::size_t i = 0; i < reached.size(); ++i) {
    prefetch_to_read(reached[i].block);
    reached_entities_[i] = reached[i].entity;
  }
  start({reached_entities_.data(), reached.size()});
  reached_ = reached;
  side_.filter(rows_);
  if (filters_further_) filter_further();
  places_.set(rows_.count(), [this](std::uint32_t row) {
    const VisitedRow& from = reached_[rows_.numbers()[row]];
    return std::pair(from.block, from.row);
  });
  finish_run();
}

/// Removes from `rows_` the entities that do not satisfy the query's terms about the components of parents or
/// ancestors. Also removes the entities that do not satisfy the conditions on pairs (links to target entities, by a
/// relation).
/// Contract: `side_`, which tests components in sparse sets, has filtered `rows_`. The entities' blocks and rows are
/// not stored in `places_` yet.
void GatheredRows::filter_further() {
  std::array<bool, kRun> passes;
  std::array<std::uint32_t, kRun> kept;
  std::uint32_t kept_count = 0;
  AboveFilter(matcher_, walks_).test(rows_.entities(), passes.data());
  for (std::uint32_t row = 0; row < rows_.count(); ++row) {
    kept[kept_count] = row;
    kept_count += passes[row] && (pairs_ == nullptr || pairs_->passes(rows_.entities()[row])) ? 1 : 0;
  }
  if (kept_count == rows_.count()) return;
  rows_.keep(std::span(kept).first(kept_count));
  side_.keep(std::span(kept).first(kept_count));
}

void GatheredRows::mark_matched(std::span<bool> matched) const {
  std::fill(matched.begin(), matched.end(), false);
  for (std::uint32_t row = 0; row < rows_.count(); ++row) matched[rows_.numbers()[row]] = true;
}

void GatheredRows::find_places() {
  const Slots& slots = matcher_.store().slots();
  const std::span<const Entity> entities = rows_.entities();
  if (entities.empty()) return;
  const Block& first = *slots.place_of(entities.front().index()).block;
  const Block& middle = *slots.place_of(entities[entities.size() / 2].index()).block;
  const Block& last = *slots.place_of(entities.back().index()).block;
  // If the first, the middle and the last entity are in one block, usually all of them are. Then `find_in` succeeds,
  // which is faster than storing a block for each entity.
  if (&first == &middle && &first == &last && places_.find_in(first, slots, entities)) return;
  places_.set(rows_.count(), [&slots, entities](std::uint32_t row) {
    const Place place = slots.place_of(entities[row].index());
    return std::pair<const Block*, std::uint32_t>(place.block, place.row);
  });
}

/// The last step of each function `take`. Removes the entities whose components in tables do not match. Then chooses
/// how the values of the remaining entities are handed out: as columns or as one pointer per value.
/// Contract: if a term uses tables, `places_` has the rows of the entities.
void GatheredRows::finish_run() {
  one_match_ = true;
  if (rows_.count() == 0) return;
  if (uses_tables_) find_matches();
  choose_access();
}

/// Removes from `rows_` the entities whose archetype does not match the query. If an AnyOf has at least one
/// component that is stored in tables, also removes the entities that have none of its components, neither in
/// tables nor in the side store (sparse sets).
/// Contract: `rows_` is not empty, and `places_` has the rows of the entities.
void GatheredRows::find_matches() {
  if (places_.block(0).format != recent_format_) find_match(places_.block(0));
  bool alike = true;
  for (std::uint32_t stretch = 1; stretch < places_.stretches(); ++stretch) {
    alike &= places_.block(places_.begin(stretch)).format == recent_format_;
  }
  if (recent_match_ >= 0 && alike) {
    const auto match = static_cast<std::size_t>(recent_match_);
    if ((matcher_.open_groups(match) & matcher_.table_groups()) == 0) return;
  }
  find_matches_one_by_one();
}

void GatheredRows::find_matches_one_by_one() {
  std::array<std::uint32_t, kRun> kept;
  std::uint32_t kept_count = 0;
  one_match_ = false;
  places_.spread(rows_.count());
  for (std::uint32_t row = 0; row < rows_.count(); ++row) {
    if (places_.block(row).format != recent_format_) find_match(places_.block(row));
    if (recent_match_ < 0) continue;
    const auto match = static_cast<std::uint32_t>(recent_match_);
    // An AnyOf whose components are all in the side store (sparse sets) was tested by `side_.filter`. Of the other
    // AnyOfs, test those that the archetype alone does not fulfil (see Matcher::open_groups).
    const std::uint32_t open = matcher_.open_groups(match) & matcher_.table_groups();
    if (open != 0 && !side_.has_one_of_each(rows_.entities()[row], open)) continue;
    row_matches_[kept_count] = match;
    kept[kept_count++] = row;
  }
  keep(std::span(kept).first(kept_count));
}

void GatheredRows::find_match(const Block& block) {
  recent_format_ = block.format;
  recent_match_ = matcher_.find_match(table_of(block).archetype());
}

void GatheredRows::keep(std::span<const std::uint32_t> kept) {
  if (kept.size() == rows_.count()) return;
  rows_.keep(kept);
  side_.keep(kept);
  places_.keep(kept);
}

void GatheredRows::choose_access() {
  by_block_ = !side_.hides_values(rows_) && (!side_.has_values() || side_.pick_values(rows_));
  if (by_block_ && uses_tables_)
    by_block_ = places_.stretches() == 1 || places_.stretches() * kWorthBatch <= rows_.count();
}

bool GatheredRows::next(Batch& batch) {
  if (next_ == rows_.count()) return false;
  const std::uint32_t begin = next_;
  std::uint32_t end = rows_.count();
  if (by_block_ && uses_tables_) end = places_.begin(++stretch_);
  batch.entities = rows_.entities().data() + begin;
  batch.count = end - begin;
  if (by_block_) {
    point_at_columns(end, batch);
  } else {
    point_at_values(batch);
  }
  for (const std::uint32_t term : matcher_.related_terms()) {
    matcher_.find_related({batch.entities, batch.count}, term, walks_, values_[term].data());
    batch.lanes[term] = values_[term].data();
  }
  next_ = end;
  return true;
}

/// Sets `access` of the batch and, for terms that read the entity itself, the lanes (the addresses of the terms'
/// values, see Batch), for the rows from `next_` up to `end`. If the rows are contiguous, a lane is the address of the
/// first row's value; otherwise it is the address of the column, and `picks` gets the positions of the rows in the
/// column (Access::columns_picked). A lane is null if the entities do not have the component.
/// Contract: the values of these rows are in one block and, for each pool that the terms read, in one page.
void GatheredRows::point_at_columns(std::uint32_t end, Batch& batch) {
  const bool together = side_.side_by_side() && (!uses_tables_ || places_.are_neighbours(next_, end));
  if (together) {
    batch.access = matcher_.has_related() ? Access::columns_gathered : Access::columns;
    side_.point_at_columns(next_, batch);
  } else {
    batch.access = Access::columns_picked;
    side_.point_at_picks(next_, batch);
  }
  if (matcher_.column_terms().empty()) return;
  const Block& block = places_.block(next_);
  const std::span<const std::uint32_t> prefixes = matcher_.prefixes(match_of(next_));
  const std::uint32_t first = together ? places_.block_rows()[next_] : 0;
  for (const std::uint32_t term : matcher_.column_terms()) {
    const bool absent = prefixes[term] == BlockFormat::kAbsent;
    batch.lanes[term] = absent ? nullptr : block.value(prefixes[term], first, matcher_.value_size(term));
    batch.picks[term] = places_.block_rows() + next_;
  }
}

/// Sets `access` to Access::gathered, and the lane of each term (the address of its values, see Batch) to an array that
/// has, for each entity in `rows_`, a pointer to the entity's value. The pointer is null if the entity lacks the
/// component, or if the component is optional and switched off for it. The arrays of terms that read parents or
/// ancestors are not filled here; the callers fill them afterwards.
void GatheredRows::point_at_values(Batch& batch) {
  if (uses_tables_) find_column_values();
  if (side_.has_values()) side_.find_values(rows_, values_);
  side_.hide_values(rows_, values_);
  batch.access = Access::gathered;
  for (std::size_t term = 0; term < matcher_.terms().size(); ++term) batch.lanes[term] = values_[term].data();
}

void GatheredRows::find_column_values() {
  for (std::uint32_t begin = 0; begin != rows_.count();) {
    const std::size_t match = match_of(begin);
    std::uint32_t end = one_match_ ? rows_.count() : begin + 1;
    while (end != rows_.count() && match_of(end) == match) ++end;
    const std::span<const std::uint32_t> prefixes = matcher_.prefixes(match);
    for (const std::uint32_t term : matcher_.column_terms()) add_values(begin, end, term, prefixes[term]);
    begin = end;
  }
}

void GatheredRows::add_values(std::uint32_t begin, std::uint32_t end, std::size_t term,
                              std::uint32_t prefix) {
  const void** const to = values_[term].data();
  if (prefix == BlockFormat::kAbsent) return std::fill(to + begin, to + end, nullptr);
  const std::size_t size = matcher_.value_size(term);
  const std::uint32_t* const block_rows = places_.block_rows();
  if (places_.stretches() == 1) {
    const std::byte* const column = places_.block(begin).column(prefix);
    for (std::uint32_t row = begin; row < end; ++row) to[row] = column + block_rows[row] * size;
    return;
  }
  for (std::uint32_t row = begin; row < end; ++row) {
    const std::byte* const value = places_.block(row).value(prefix, block_rows[row], size);
    prefetch_to_read(value);
    prefetch_to_read(value + size - 1);  // Most values span one or two cache lines.
    to[row] = value;
  }
}

void GatheredRows::take_related(std::span<const VisitedRow> above, Batch& batch) {
  batch.entities = rows_.entities().data();
  batch.count = rows_.count();
  point_at_values(batch);
  if (matcher_.has_related()) {
    for (std::uint32_t row = 0; row < rows_.count(); ++row)
      above_[row] = reached_[rows_.numbers()[row]].above;
  }
  ValuesAbove values(matcher_, above, walks_);
  for (const std::uint32_t term : matcher_.related_terms()) {
    values.find(term, rows_.entities(), above_.data(), values_[term].data());
  }
  next_ = rows_.count();
}

}  // namespace strata::detail
