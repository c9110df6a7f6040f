#include "gathered_rows.hpp"

#include <algorithm>

namespace strata {

GatheredRows::GatheredRows(const Matcher& matcher) : matcher_(matcher) {
  const std::span<const Term> terms = matcher.terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!matcher.in_side_store(i)) continue;
    pools_[i] = matcher.store().side().find(terms[i].id);
    if (!is_required(terms[i])) continue;
    if (pools_[i] == nullptr) {
      impossible_ = true;
    } else if (smallest_ == nullptr || pools_[i]->size() < smallest_->size()) {
      smallest_ = pools_[i];
    }
  }
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
    matcher_.relation()->find_each({entities_.data(), count_}, matcher_.terms()[term].id,
                                   values_[term].data());
  }
  describe(batch);
}

void GatheredRows::take(Batch& batch, std::span<const Reached> above) {
  for (const std::uint32_t term : matcher_.related_terms()) {
    find_related(matcher_.terms()[term].id, above, values_[term].data());
  }
  describe(batch);
}

void GatheredRows::find_related(ComponentId id, std::span<const Reached> above, const void** values) const {
  for (std::uint32_t row = 0; row < count_;) {
    const bool is_marked = above_[row] == Reached::kNone;  // Nothing led to it: it begins a way.
    std::uint32_t end = row + 1;
    while (end < count_ && (above_[end] == Reached::kNone) == is_marked) ++end;
    if (is_marked) {
      matcher_.relation()->find_each(std::span(entities_).subspan(row, end - row), id, values + row);
    } else {
      find_values(id, above, std::span(above_).subspan(row, end - row), values + row);
    }
    row = end;
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
