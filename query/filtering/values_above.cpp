#include "values_above.hpp"

namespace strata::detail {

void ValuesAbove::find(std::uint32_t term, std::span<const Entity> rows, const std::uint32_t* positions,
                       const void** values) {
  const Term& asked = matcher_.terms()[term];
  if (asked.along != kChildOf) return matcher_.find_related(rows, term, walks_, values);
  for (std::size_t row = 0; row < rows.size();) {
    const bool is_first =
        positions[row] == VisitedRow::kNone;  // Visited because it was marked or written, not as a child.
    std::size_t end = row + 1;
    while (end < rows.size() && (positions[end] == VisitedRow::kNone) == is_first) ++end;
    const std::span<const Entity> alike = rows.subspan(row, end - row);
    if (is_first) {
      matcher_.find_related(alike, term, walks_, values + row);
    } else {
      find_values(asked.id, {positions + row, alike.size()}, values + row);
      if (asked.role == Role::nearest) find_missing(term, alike, values + row);
    }
    row = end;
  }
}

/// Completes the values that `find_values` has found for an `Up` term. `values[i]` is null if the parent of the entity
/// `rows[i]` does not have the component. In that case, writes the value of the nearest ancestor that has the component
/// to `values[i]`; it stays null if no ancestor has it.
void ValuesAbove::find_missing(std::uint32_t term, std::span<const Entity> rows, const void** values) {
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    while (end != rows.size() && values[end] == nullptr) ++end;
    if (end != begin) matcher_.find_related(rows.subspan(begin, end - begin), term, walks_, values + begin);
    begin = end;
    while (begin != rows.size() && values[begin] != nullptr) ++begin;
  }
}

/// For each number in `positions`, finds the entity at this position in the list `above_`, and writes the address of
/// its value of component `id` to `values`; null if the entity does not have the component.
void ValuesAbove::find_values(ComponentId id, std::span<const std::uint32_t> positions,
                              const void** values) const {
  const ComponentInfo& component = matcher_.store().registry().describe_asked(id);
  if (component.storage == Storage::sparse) {
    const SparsePool* const pool = matcher_.store().side().find(id);
    for (const std::uint32_t i : positions) {
      *values++ = pool != nullptr ? pool->find(above_[i].entity) : nullptr;
    }
    return;
  }
  const BlockFormat* format = nullptr;  // Neighbours often have the same archetype.
  std::uint32_t prefix = BlockFormat::kAbsent;
  for (const std::uint32_t i : positions) {
    const Block& block = *above_[i].block;
    if (block.format != format) {
      format = block.format;
      prefix = format->prefix_of(id);
    }
    const bool has_column = prefix < BlockFormat::kTag;
    *values++ = has_column ? block.value(prefix, above_[i].row, component.size) : nullptr;
  }
}

}  // namespace strata::detail
