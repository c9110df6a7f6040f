// Says whether the rows of level tables are in family order, by comparing neighbours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../../storage/store.hpp"

namespace strata::test {

/// Calls `visit(const Block&)` for every block with rows, in the order of a cascade over everything.
template <class Visit>
void for_each_block_by_rank(const detail::Store& store, Visit visit) {
  std::uint32_t ranks = 0;
  for (const detail::Archetype* archetype : store.archetypes().all())
    ranks = std::max(ranks, archetype->rank_count());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    for (const detail::Archetype* archetype : store.archetypes().all()) {
      for (const detail::Block* block : archetype->at_rank(rank)) {
        for (; block != nullptr && block->count != 0; block = block->next) visit(*block);
      }
    }
  }
}

/// `parent_of(Entity)` and `children_of(Entity)` describe the tree.
/// Returns: the first row of a level table that comes before one that it should follow, as a sentence; empty
/// when families follow each other as their parents do, and siblings as they are linked.
template <class ParentOf, class ChildrenOf>
std::string out_of_family_order(const detail::Store& store, ParentOf parent_of, ChildrenOf children_of) {
  using Key = std::pair<std::size_t, std::size_t>;  // When the parent is visited; which of its children.
  std::map<Entity, std::size_t> visited;
  std::map<Entity, Key> keys;
  std::map<const detail::Table*, Entity> last;  // Of each level table.
  std::string complaint;
  for_each_block_by_rank(store, [&](const detail::Block& block) {
    const detail::Table* const table = &detail::table_of(block);
    for (std::uint32_t row = 0; row < block.count; ++row) {
      const Entity entity = block.format->entities(block)[row];
      std::size_t position = 0;
      for (const Entity child : children_of(entity)) keys[child] = {visited.size(), position++};
      visited.emplace(entity, visited.size());
      if (!parent_of(entity) || block.label != 0) continue;
      const auto before = last.find(table);
      if (complaint.empty() && before != last.end() && keys.at(entity) < keys.at(before->second)) {
        complaint = "the row of " + to_string(entity) + " comes after that of " + to_string(before->second) +
                    ", which is not family order";
      }
      last[table] = entity;
    }
  });
  return complaint;
}

}  // namespace strata::test
