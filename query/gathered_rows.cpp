#include "gathered_rows.hpp"

#include <algorithm>

namespace strata {

GatheredRows::GatheredRows(const Matcher& matcher) : matcher_(matcher), walks_(matcher.store().memory()) {
  if (!matcher.uses_side_store()) return;
  for (std::size_t i = 0; i < matcher.terms().size(); ++i) {
    if (!matcher.in_side_store(i)) continue;
    const Term& term = matcher.terms()[i];
    (term.role == Role::any_of ? alternatives_ : pools_)[i] = matcher.store().side().find(term.id);
  }
  choose_leaders();
}

void GatheredRows::choose_leaders() {
  const std::span<const Term> terms = matcher_.terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!matcher_.in_side_store(i) || !is_required(terms[i])) continue;
    lead_with(std::span(pools_).subspan(i, pools_[i] != nullptr ? 1 : 0));
  }
  const std::uint32_t groups = matcher_.side_groups() & ~matcher_.table_groups();
  for (std::uint32_t group = 0; groups >> group != 0; ++group) {
    if ((groups >> group & 1) == 0) continue;
    std::array<const SparsePool*, kMaxTerms> pools;
    std::size_t count = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const bool alternative = terms[i].role == Role::any_of && terms[i].group == group;
      if (alternative && alternatives_[i] != nullptr) pools[count++] = alternatives_[i];
    }
    lead_with(std::span(pools).first(count));
  }
}

/// Has these pools lead, one of which has every entity that matches, if none with fewer members do.
void GatheredRows::lead_with(std::span<const SparsePool* const> pools) {
  impossible_ = impossible_ || pools.empty();
  std::size_t members = 0;
  for (const SparsePool* const pool : pools) members += pool->size();
  if (leader_count_ != 0 && led_ <= members) return;
  std::copy(pools.begin(), pools.end(), leaders_.begin());
  leader_count_ = pools.size();
  led_ = members;
}

/// Returns: whether the entity is in a pool of an alternative of each of those groups.
bool GatheredRows::has_one_of_each(Entity entity, std::uint32_t groups) const {
  for (std::size_t i = 0; i < matcher_.terms().size(); ++i) {
    const std::uint32_t group = 1u << matcher_.terms()[i].group;
    if (alternatives_[i] == nullptr || (groups & group) == 0) continue;
    if (alternatives_[i]->contains(entity)) groups &= ~group;
  }
  return groups == 0;
}

void GatheredRows::find_match(const Block& block) {
  recent_layout_ = block.layout;
  recent_match_ = matcher_.find_match(table_of(block).archetype());
}

void GatheredRows::add(std::span<const Reached> reached, bool* matched) {
  for (const Reached& row : reached) __builtin_prefetch(row.block);
  while (!reached.empty()) {
    const ColumnLayout* const layout = reached.front().block->layout;
    std::size_t alike = 1;
    while (alike != reached.size() && reached[alike].block->layout == layout) ++alike;
    add_alike(reached.first(alike), matched);
    reached = reached.subspan(alike);
    matched += alike;
  }
}

/// Takes entities of one archetype: term by term, unless the side store has to be asked about each.
void GatheredRows::add_alike(std::span<const Reached> reached, bool* matched) {
  if (reached.front().block->layout != recent_layout_) find_match(*reached.front().block);
  const bool matches = recent_match_ >= 0 && !impossible_;
  std::fill_n(matched, reached.size(), matches);
  if (!matches) return;
  const auto match = static_cast<std::size_t>(recent_match_);
  if (matcher_.uses_side_store()) {
    for (const Reached& row : reached) {
      above_[count_] = row.above;
      *matched++ = add(row.entity, *row.block, row.row, match);
    }
    return;
  }
  const std::span<const std::uint32_t> prefixes = matcher_.prefixes(match);
  for (const std::uint32_t term : matcher_.column_terms()) add_values(reached, term, prefixes[term]);
  for (const Reached& row : reached) {
    above_[count_] = row.above;
    entities_[count_++] = row.entity;
  }
}

void GatheredRows::add_values(std::span<const Reached> reached, std::size_t term, std::uint32_t prefix) {
  const void** to = &values_[term][count_];
  if (prefix == ColumnLayout::kAbsent) {
    std::fill_n(to, reached.size(), nullptr);
    return;
  }
  const std::size_t size = matcher_.value_size(term);
  for (const Reached& row : reached) {
    const std::byte* const value = row.block->value(prefix, row.row, size);
    __builtin_prefetch(value);
    __builtin_prefetch(value + size - 1);  // Most values are on one line or on two.
    *to++ = value;
  }
}

void GatheredRows::take(Batch& batch) {
  for (const std::uint32_t term : matcher_.related_terms()) {
    if (count_ == 0) break;
    matcher_.find_related({entities_.data(), count_}, term, walks_, values_[term].data());
  }
  describe(batch);
}

void GatheredRows::take(Batch& batch, std::span<const Reached> above) {
  for (const std::uint32_t term : matcher_.related_terms()) find_related(term, above);
  describe(batch);
}

void GatheredRows::find_related(std::uint32_t term, std::span<const Reached> above) {
  const Term& asked = matcher_.terms()[term];
  for (std::uint32_t row = 0; row < count_;) {
    const bool is_marked = above_[row] == Reached::kNone;  // Nothing led to it: it begins a way.
    std::uint32_t end = row + 1;
    while (end < count_ && (above_[end] == Reached::kNone) == is_marked) ++end;
    const void** const values = values_[term].data() + row;
    if (is_marked) {
      matcher_.find_related(std::span(entities_).subspan(row, end - row), term, walks_, values);
    } else {
      find_values(asked.id, above, std::span(above_).subspan(row, end - row), values);
      if (asked.role == Role::nearest) find_missing(term, row, end);
    }
    row = end;
  }
}

/// Looks further above for the rows for which nothing was found where they were reached from.
void GatheredRows::find_missing(std::uint32_t term, std::uint32_t begin, std::uint32_t end) {
  std::array<const void*, kRun>& values = values_[term];
  while (begin != end) {
    std::uint32_t next = begin;
    while (next != end && values[next] == nullptr) ++next;
    const auto rows = std::span(entities_).subspan(begin, next - begin);
    if (!rows.empty()) matcher_.find_related(rows, term, walks_, &values[begin]);
    begin = next;
    while (begin != end && values[begin] != nullptr) ++begin;
  }
}

/// Finds the values of a component on the entities at those positions.
void GatheredRows::find_values(ComponentId id, std::span<const Reached> reached,
                               std::span<const std::uint32_t> positions, const void** values) const {
  const ComponentDescription& component = matcher_.store().registry()[id];
  if (component.storage == Storage::sparse) {
    const SparsePool* const pool = matcher_.store().side().find(id);
    for (const std::uint32_t i : positions)
      *values++ = pool != nullptr ? pool->find(reached[i].entity) : nullptr;
    return;
  }
  const ColumnLayout* layout = nullptr;  // Neighbours often have one archetype.
  std::uint32_t prefix = ColumnLayout::kAbsent;
  for (const std::uint32_t i : positions) {
    const Block& block = *reached[i].block;
    if (block.layout != layout) {
      layout = block.layout;
      prefix = layout->prefix_of(id);
    }
    const bool has_column = prefix < ColumnLayout::kTag;
    *values++ = has_column ? block.value(prefix, reached[i].row, component.size) : nullptr;
  }
}

void GatheredRows::describe(Batch& batch) {
  batch.access = Access::gathered;
  batch.count = count_;
  batch.entities = entities_.data();
  for (std::size_t i = 0; i < matcher_.terms().size(); ++i) batch.lanes[i] = values_[i].data();
  count_ = 0;
}

}  // namespace strata
