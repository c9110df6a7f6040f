#include "table_view.hpp"

#include <algorithm>

#include "../../hierarchy/families/branches.hpp"

namespace strata {

std::span<const Entity> TableView::Block::entities() const {
  return {block_->format->entities(*block_), block_->count};
}

std::span<const std::byte> TableView::Block::bytes(ComponentId id) const {
  const std::span<const detail::Column> columns = block_->format->columns();
  const auto column = std::ranges::find(columns, id, &detail::Column::id);
  if (column == columns.end()) {
    static_cast<void>(store_->registry()[id]);  // Refuses an unknown id.
    return {};
  }
  return {block_->column(column->prefix), std::size_t{column->size} * block_->count};
}

std::span<const ComponentId> TableView::components() const {
  return table_->archetype().signature().ids();
}

Entity TableView::parent() const {
  const detail::Branch& branch = table_->branch();
  if (detail::Branches::is_level(branch)) return {};
  return store_->slots().handle_of(detail::Branches::parent_of(branch.label));
}

std::vector<TableView> detail::list_tables(const detail::Store& store) {
  std::vector<TableView> tables;
  for (const detail::Archetype* archetype : store.archetypes().all()) {
    archetype->ranks().for_each([&](std::span<detail::Block* const> first_blocks) {
      for (const detail::Block* block : first_blocks) tables.emplace_back(store, detail::table_of(*block));
    });
  }
  return tables;
}

}  // namespace strata
