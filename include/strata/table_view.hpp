// TableView: read access to a table of a world, for tools that display or count stored data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../storage/store.hpp"

namespace strata {

/// A read-only view of one table of a world. A table holds entities with the same table components. These entities also
/// have the same parent, or at least the same depth in the hierarchy (see Layout). World::each_table passes a TableView
/// to a function. The TableView is valid until the function returns.
class TableView {
 public:
  /// A read-only view of a run of adjacent rows of a table, with the values of each component in an array. A Block is
  /// valid until the function that received it returns.
  class Block {
   public:
    Block(const detail::Store& store, const detail::Block& block) : store_(&store), block_(&block) {}

    [[nodiscard]] std::size_t rows() const { return block_->count; }

    /// Returns: the entity of each row.
    [[nodiscard]] STRATA_API std::span<const Entity> entities() const;

    /// Returns: the bytes of the rows' values of a component, `rows()` times ComponentInfo::size bytes; empty
    /// for a tag, or for a component that the table does not have.
    /// Contract: the world of the table has issued `id`.
    [[nodiscard]] STRATA_API std::span<const std::byte> bytes(ComponentId id) const;

   private:
    const detail::Store* store_;
    const detail::Block* block_;
  };

  TableView(const detail::Store& store, const detail::Table& table) : store_(&store), table_(&table) {}

  /// Returns: the components of the table, in the order of their ids: those components of its entities that are stored
  /// in tables, tags included.
  [[nodiscard]] STRATA_API std::span<const ComponentId> components() const;

  /// Returns: the number of ancestors of each of the table's entities; 0 if they are roots.
  [[nodiscard]] std::uint32_t depth() const { return table_->rank(); }

  /// Returns: the parent of all entities of the table; a null handle if they are roots, or if entities of
  /// different parents may be in the table.
  [[nodiscard]] STRATA_API Entity parent() const;

  [[nodiscard]] std::size_t rows() const { return table_->row_count(); }

  /// Calls `visit(const Block&)` for each block of the table, in the order of the rows.
  template <class Function>
  void each_block(Function visit) const {
    for (const detail::Block* block = table_->first_block(); block != nullptr && block->count != 0;
         block = block->next) {
      visit(Block(*store_, *block));
    }
  }

 private:
  const detail::Store* store_;
  const detail::Table* table_;
};

namespace detail {

/// Returns: the tables that have rows. Tables of one archetype (one set of table components) follow each other by
/// increasing depth of their entities in the hierarchy; archetypes are in the order of their creation.
/// Complexity: O(archetypes + tables).
STRATA_API std::vector<TableView> list_tables(const Store& store);

/// Calls `visit(const TableView&)` for each table that has rows, in the order of `list_tables`. `visit` may make no
/// structural changes: they are refused.
template <class Visit>
void visit_tables(const Store& store, Visit& visit) {
  const ChangeGuard::Iteration lock(store.guard());
  for (const TableView& table : list_tables(store)) visit(table);
}

}  // namespace detail
}  // namespace strata
