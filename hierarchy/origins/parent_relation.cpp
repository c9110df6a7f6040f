#include "parent_relation.hpp"

#include <algorithm>
#include <array>

#include "../../core/compiler.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {

std::uint64_t ParentRelation::prepare(std::span<Archetype* const> archetypes, std::uint64_t state,
                                      PlanCost& cost) const {
  while (preparing_.test_and_set(std::memory_order_acquire)) preparing_.wait(true, std::memory_order_relaxed);
  Rollback done([&] {
    preparing_.clear(std::memory_order_release);
    preparing_.notify_one();
  });
  return origins_.prepare(archetypes, state, cost);
}

std::uint32_t ParentRelation::find_shared(std::span<Block* const> blocks, std::uint32_t rank, ComponentId id,
                                          const void** values) const {
  const ComponentInfo& component = store_.registry().describe_asked(id);
  if (rank == 0) {
    std::fill_n(values, blocks.size(), nullptr);
    return 0;
  }
  // In each of the three loops below, the memory accesses do not depend on each other. So the processor fetches the
  // memory for all blocks at the same time.
  std::array<std::uint32_t, kMostBlocks> parents;
  std::uint32_t differing = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    parents[i] = Branches::parent_of(blocks[i]->label);
    if (parents[i] == Links::kNone) {
      differing |= 1u << i;
    } else {
      store_.slots().prefetch(parents[i]);
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (parents[i] != Links::kNone) prefetch_to_read(store_.slots().place_of(parents[i]).block);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (parents[i] == Links::kNone) continue;
    values[i] = find_value(parents[i], id, component);
    prefetch_to_read(values[i]);
  }
  return differing;
}

/// For each entity in `rows`, writes to `values` what `find` returns for its parent; null or false for a root. Siblings
/// are mostly neighbours, so `find` is called only once for successive entities with the same parent.
template <class Value, class Find>
void ParentRelation::find_by_parent(std::span<const Entity> rows, Value* values, Find find) const {
  std::uint32_t recent = Links::kNone;
  Value value{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kNodesAhead < rows.size()) links_.prefetch(rows[i + kNodesAhead].index());
    const std::uint32_t parent = links_.parent(rows[i].index());
    if (parent != recent) {
      recent = parent;
      value = parent != Links::kNone ? find(parent) : Value{};
    }
    values[i] = value;
  }
}

void ParentRelation::find_each(std::span<const Entity> rows, ComponentId id, const void** values) const {
  const ComponentInfo& component = store_.registry().describe_asked(id);
  find_by_parent(rows, values, [&](std::uint32_t parent) { return find_value(parent, id, component); });
}

void ParentRelation::find_places(std::span<const Entity> rows, Place* places) const {
  for (const Entity row : rows) {
    const std::uint32_t parent = links_.parent(row.index());
    *places++ = parent != Links::kNone ? store_.slots().place_of(parent) : Place{nullptr, 0};
  }
}

void ParentRelation::find_nearest(std::span<const Entity> rows, ComponentId id, WalkMemo& memo,
                                  const void** values) const {
  const ComponentInfo& component = store_.registry().describe_asked(id);
  find_by_parent(rows, values,
                 [&](std::uint32_t parent) { return walk_up<true>(parent, id, component, memo); });
}

void ParentRelation::find_having(std::span<const Entity> rows, ComponentId id, Reach reach, WalkMemo& memo,
                                 bool* found) const {
  const ComponentInfo& component = store_.registry().describe_asked(id);
  if (reach == Reach::parent) {
    find_by_parent(rows, found, [&](std::uint32_t parent) { return has(parent, id, component); });
  } else {
    find_by_parent(rows, found, [&](std::uint32_t parent) {
      return walk_up<false>(parent, id, component, memo) != nullptr;
    });
  }
}

/// Searches the entity with slot index `from`, and then its ancestors, the nearest first, for one that has a component.
/// A long search stores its result in `memo` for every WalkMemo::kMemoStride-th entity on its way. A later search ends
/// at such an entity and takes the stored result. So all searches of an iteration together take O(entities) steps, plus
/// a few for each search.
/// Returns: null if none of these entities has the component. Otherwise, with `is_for_value`: a pointer to the
/// component's value of the entity found. Without: any pointer that is not null, because the component may be a tag.
template <bool is_for_value>
const void* ParentRelation::walk_up(std::uint32_t from, ComponentId id, const ComponentInfo& component,
                                    WalkMemo& memo) const {
  const ComponentId key = is_for_value ? id : WalkMemo::membership_key(id);
  const void* value = nullptr;
  std::uint32_t steps = 0;
  for (std::uint32_t node = from; node != Links::kNone; node = links_.parent(node), ++steps) {
    if constexpr (is_for_value) {
      value = find_value(node, id, component);
    } else {
      value = has(node, id, component) ? &component : nullptr;
    }
    if (value != nullptr || (steps >= WalkMemo::kFreshSteps && memo.find(node, key, value))) break;
  }
  if (steps <= WalkMemo::kLongWalk) return value;
  for (std::uint32_t node = from, i = 0; i < steps; node = links_.parent(node), ++i) {
    if (i % WalkMemo::kMemoStride == 0) memo.insert(node, key, value);
  }
  return value;
}

Entity ParentRelation::find_parent(Entity entity) const {
  const std::uint32_t parent = store_.alive(entity) ? links_.parent(entity.index()) : Links::kNone;
  return parent != Links::kNone ? store_.slots().handle_of(parent) : Entity();
}

bool ParentRelation::has(std::uint32_t node, ComponentId id, const ComponentInfo& component) const {
  if (component.storage == Storage::sparse) {
    const SparsePool* const pool = store_.side().find(id);
    return pool != nullptr && pool->contains(store_.slots().handle_of(node));
  }
  return store_.slots().place_of(node).block->format->contains(id);
}

const void* ParentRelation::find_value(std::uint32_t node, ComponentId id,
                                       const ComponentInfo& component) const {
  if (component.storage == Storage::sparse) {
    const SparsePool* pool = store_.side().find(id);
    return pool != nullptr ? pool->find(store_.slots().handle_of(node)) : nullptr;
  }
  const Place place = store_.slots().place_of(node);
  const std::uint32_t prefix = place.block->format->prefix_of(id);
  if (prefix >= BlockFormat::kTag) return nullptr;
  return place.block->value(prefix, place.row, component.size);
}

}  // namespace strata::detail
