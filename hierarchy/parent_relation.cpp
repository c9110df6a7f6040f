#include "parent_relation.hpp"

#include <algorithm>
#include <array>

#include "../core/rollback.hpp"

namespace strata {
namespace {

/// From so many rows for each group on, a loop over groups beats a position for each row.
constexpr std::size_t kRowsPerGroup = 4;
/// With fewer rows for each segment, starting a segment costs more than looking the parents up.
constexpr std::size_t kRowsPerSegment = 8;

/// Of walks with more steps than kLongWalk, what they found is remembered, for every kMemoStride-th node that
/// they came by. Memory is not looked into before kFreshSteps: most walks are shorter.
constexpr std::uint32_t kLongWalk = 32;
constexpr std::uint32_t kMemoStride = 16;
constexpr std::uint32_t kFreshSteps = 8;

/// How far ahead memory is asked for.
constexpr std::size_t kAhead = 12;

}  // namespace

std::uint64_t ParentRelation::prepare(std::span<Archetype* const> archetypes, std::uint64_t state,
                                      PlanCost& cost) const {
  while (preparing_.test_and_set(std::memory_order_acquire)) preparing_.wait(true, std::memory_order_relaxed);
  detail::Rollback done([&] {
    preparing_.clear(std::memory_order_release);
    preparing_.notify_one();
  });
  read_moves();
  // Counted from one, so that no state is 0.
  if (state == store_.rows().changes() + 1) return state;
  for (std::uint32_t rank = 1; rank < branches_.level_count(); ++rank) {
    const Branch& level = branches_.level(rank);
    for (const Archetype* archetype : archetypes) {
      Table* const table = store_.tables().find(*archetype, level);
      if (table == nullptr) continue;
      for (Block* block = table->first_block(); block != nullptr && block->count != 0; block = block->next) {
        const auto* const origins = static_cast<const Origins*>(block->companion);
        if (origins != nullptr && origins->version == block->version && origins->epoch == epoch_) continue;
        find_origins_of(*block, cost);
      }
    }
  }
  return store_.rows().changes() + 1;
}

/// Voids the origins of rows whose parents have moved.
void ParentRelation::read_moves() const {
  MoveLog& moved = store_.rows().moved();
  if (moved.empty()) return;
  if (moved.overflowed()) {
    ++epoch_;
    // No block has changed, and still all have to be looked at.
    store_.rows().count_change();
  }
  for (const std::uint32_t node : moved.entries()) {
    const Links::Family* const family = links_.find_family(node);
    const Branch* const branch = branches_.find(family);
    if (branch == nullptr || !Branches::is_level(*branch)) continue;
    for (std::uint32_t child = family->first; child != Links::kNone; child = links_.next(child)) {
      store_.rows().touch(*store_.slots().place_of(child).block);
    }
  }
  moved.clear();
}

void ParentRelation::find_origins_of(Block& block, PlanCost& cost) const {
  list_origins(block);
  write_origins(block);
  ++cost.patches;
  cost.patched_rows += block.count;
}

void ParentRelation::list_origins(const Block& block) const {
  groups_.clear();
  segments_.clear();
  const Entity* const entities = block.layout->entities(block);
  std::uint32_t recent = Links::kNone;
  for (std::uint32_t row = 0; row < block.count; ++row) {
    if (row + kAhead < block.count) links_.prefetch(entities[row + kAhead].index());
    const std::uint32_t parent = links_.parent(entities[row].index());
    if (parent != recent) {
      recent = parent;
      const Place place = store_.slots().place_of(parent);
      if (segments_.empty() || segments_.back().origin != place.block) {
        segments_.push_back({place.block, row, 0, static_cast<std::uint32_t>(groups_.size())});
      }
      groups_.push_back({static_cast<std::uint16_t>(place.row), 0});
    }
    ++groups_.back().count;
    ++segments_.back().count;
  }
}

void ParentRelation::write_origins(Block& block) const {
  auto form = groups_.size() * kRowsPerGroup <= block.count ? Origins::Form::groups : Origins::Form::rows;
  if (segments_.size() > block.count / kRowsPerSegment + 1) form = Origins::Form::scattered;
  const std::size_t segments = form == Origins::Form::scattered ? 0 : segments_.size();
  const std::size_t bytes = sizeof(Origins) + segments * sizeof(OriginSegment) +
                            (form == Origins::Form::groups ? groups_.size() * sizeof(OriginGroup)
                             : form == Origins::Form::rows ? block.count * sizeof(std::uint16_t)
                                                           : 0);
  const bool fits = block.companion != nullptr && BlockPool::rounded(bytes) == block.companion->bytes;
  Companion& memory = fits ? *block.companion : store_.rows().attach(block, bytes);
  Origins& origins = *::new (static_cast<void*>(&memory)) Origins{
      {memory.bytes, block.version}, epoch_, form, static_cast<std::uint32_t>(segments)};
  auto* const begin = reinterpret_cast<std::byte*>(&origins + 1);
  if (segments != 0) std::copy(segments_.begin(), segments_.end(), reinterpret_cast<OriginSegment*>(begin));
  if (form == Origins::Form::groups) {
    std::copy(groups_.begin(), groups_.end(), const_cast<OriginGroup*>(origins.groups()));
  } else if (form == Origins::Form::rows) {
    auto* to = const_cast<std::uint16_t*>(origins.rows());
    for (const OriginGroup& group : groups_) to = std::fill_n(to, group.count, group.origin);
  }
}

std::uint32_t ParentRelation::find_shared(std::span<Block* const> blocks, std::uint32_t rank, ComponentId id,
                                          const void** values) const {
  const ComponentDescription& component = store_.registry()[id];
  if (rank == 0) {
    std::fill_n(values, blocks.size(), nullptr);
    return 0;
  }
  // Three loops of independent accesses, so that the memory for all blocks is on its way at the same time.
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
    if (parents[i] != Links::kNone) __builtin_prefetch(store_.slots().place_of(parents[i]).block);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (parents[i] == Links::kNone) continue;
    values[i] = find_value(parents[i], id, component);
    __builtin_prefetch(values[i]);
  }
  return differing;
}

/// Gives each row what `find(parent)` says. Siblings mostly lie side by side: it is asked once for each run of them.
template <class Find>
void ParentRelation::find_by_parent(std::span<const Entity> rows, const void** values, Find find) const {
  std::uint32_t recent = Links::kNone;
  const void* value = nullptr;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kAhead < rows.size()) links_.prefetch(rows[i + kAhead].index());
    const std::uint32_t parent = links_.parent(rows[i].index());
    if (parent != recent) {
      recent = parent;
      value = parent != Links::kNone ? find(parent) : nullptr;
    }
    values[i] = value;
  }
}

void ParentRelation::find_each(std::span<const Entity> rows, ComponentId id, const void** values) const {
  const ComponentDescription& component = store_.registry()[id];
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
  const ComponentDescription& component = store_.registry()[id];
  find_by_parent(rows, values, [&](std::uint32_t parent) { return walk_up(parent, id, component, memo); });
}

/// Finds the value of the first of a node and its ancestors that has one. A node that a long walk came by is
/// at most kMemoStride steps below one that is remembered, or that ends every walk: so all walks of an
/// iteration together take O(nodes) steps, and a few more each.
const void* ParentRelation::walk_up(std::uint32_t from, ComponentId id, const ComponentDescription& component,
                                    WalkMemo& memo) const {
  const void* value = nullptr;
  std::uint32_t steps = 0;
  for (std::uint32_t node = from; node != Links::kNone; node = links_.parent(node), ++steps) {
    value = find_value(node, id, component);
    if (value != nullptr || (steps >= kFreshSteps && memo.find(node, id, value))) break;
  }
  if (steps <= kLongWalk) return value;
  for (std::uint32_t node = from, i = 0; i < steps; node = links_.parent(node), ++i) {
    if (i % kMemoStride == 0) memo.insert(node, id, value);
  }
  return value;
}

Entity ParentRelation::find_parent(Entity entity) const {
  const std::uint32_t parent = store_.alive(entity) ? links_.parent(entity.index()) : Links::kNone;
  return parent != Links::kNone ? store_.slots().handle_of(parent) : Entity();
}

const void* ParentRelation::find_value(std::uint32_t node, ComponentId id,
                                       const ComponentDescription& component) const {
  if (component.storage == Storage::sparse) {
    const SparsePool* pool = store_.side().find(id);
    return pool != nullptr ? pool->find(store_.slots().handle_of(node)) : nullptr;
  }
  const Place place = store_.slots().place_of(node);
  const std::uint32_t prefix = place.block->layout->prefix_of(id);
  if (prefix >= ColumnLayout::kTag) return nullptr;
  return place.block->value(prefix, place.row, component.size);
}

std::string ParentRelation::check_invariants() const {
  // Moves that have not been read yet void origins that still look right.
  if (!store_.rows().moved().empty()) return "";
  std::string complaint;
  store_.tables().for_each([&](Table& table) {
    for (Block* block = table.first_block(); block != nullptr; block = block->next) {
      const Origins* const kept = find_origins(*block);
      if (kept == nullptr) continue;
      list_origins(*block);
      bool right = kept->segments().size() == segments_.size();
      for (std::size_t i = 0; right && i < segments_.size(); ++i) {
        right = kept->segments()[i].origin == segments_[i].origin &&
                kept->segments()[i].first == segments_[i].first;
      }
      std::uint32_t row = 0;
      for (std::size_t i = 0; right && i < groups_.size(); row += groups_[i++].count) {
        right = kept->form == Origins::Form::groups ? kept->groups()[i].origin == groups_[i].origin
                                                    : kept->rows()[row] == groups_[i].origin;
      }
      if (!right)
        complaint = "O1: the origins kept with a block of depth " + std::to_string(table.rank()) +
                    " are not its rows' parents";
    }
  });
  return complaint;
}

}  // namespace strata
