#include "relation_reader.hpp"

#include "../links/walks.hpp"

namespace strata::detail {

bool RelationReader::has(ComponentId relation, Entity source, Entity target) const {
  if (const Pairs* const pairs = relations_.find(relation)) {
    return static_cast<bool>(pairs->find(source, target));
  }
  return is_parent(relation) && store_.alive(source) && store_.alive(target) &&
         links_.parent(source.index()) == target.index();
}

std::span<const Entity> RelationReader::list_sources(ComponentId relation, Entity target,
                                                     std::vector<Entity>& buffer) const {
  if (const Pairs* const pairs = relations_.find(relation)) return pairs->of(End::target, target);
  if (!is_parent(relation) || !store_.alive(target)) return {};
  const ChildRange children(links_, store_.slots(), target.index());
  buffer.assign(children.begin(), children.end());
  return buffer;
}

void RelationReader::list_targets(ComponentId relation, Entity source,
                                  std::vector<PairTarget>& targets) const {
  targets.clear();
  if (const Pairs* const pairs = relations_.find(relation)) {
    const std::span<const Entity> listed = pairs->of(End::source, source);
    for (std::uint32_t i = 0; i < listed.size(); ++i) targets.push_back({listed[i], pairs->value(source, i)});
  } else if (is_parent(relation) && store_.alive(source) && links_.parent(source.index()) != Links::kNone) {
    targets.push_back({store_.slots().handle_of(links_.parent(source.index())), nullptr});
  }
}

/// Searches for values of one component along the pairs of one relation: from an entity to its target, to the target of
/// that target, and so on.
class RelationReader::Follower {
 public:
  Follower(const RelationReader& reader, ComponentId relation, ComponentId id, ComponentId key,
           WalkMemo& memo)
      : reader_(reader),
        pairs_(reader.relations_.find(relation)),
        id_(id),
        key_(key),
        size_(reader.store_.registry().describe_asked(id).size),
        pool_(reader.store_.side().find(id)),
        memo_(memo),
        is_known_(pairs_ != nullptr || reader.is_parent(relation)) {}

  /// Returns: the first target of an entity, or its parent if the relation is ChildOf; a null handle if there is none.
  Entity next(Entity entity) const {
    if (pairs_ != nullptr) {
      const std::span<const Entity> targets = pairs_->of(End::source, entity);
      return targets.empty() ? Entity() : targets.front();
    }
    const std::uint32_t parent = is_known_ ? reader_.links_.parent(entity.index()) : Links::kNone;
    return parent != Links::kNone ? reader_.store_.slots().handle_of(parent) : Entity();
  }

  /// Searches the entity `from`, then the entities that follow it along the relation, for the first one that has the
  /// component. The entities may form a cycle in which no entity has it. To detect this, `marked` is set to the current
  /// entity at the 1st, 2nd, 4th, 8th ... step, and the search ends when it comes to `marked` again. Long searches
  /// store their result for some of their entities in `memo_`, where later searches find it.
  /// Returns: the value of the component; null if no entity has it.
  /// Source: R. Brent, An improved Monte Carlo factorization algorithm (1980), section 3.
  const void* search(Entity from) const {
    const void* value = nullptr;
    Entity marked;
    std::uint32_t steps = 0;
    for (Entity entity = from; entity && entity != marked; entity = next(entity)) {
      value = value_of(entity);
      if (value != nullptr || (steps >= WalkMemo::kFreshSteps && memo_.find(entity.index(), key_, value)))
        break;
      if ((steps & (steps + 1)) == 0) marked = entity;
      ++steps;
    }
    if (steps <= WalkMemo::kLongWalk) return value;
    Entity entity = from;
    for (std::uint32_t i = 0; i < steps; ++i, entity = next(entity)) {
      if (i % WalkMemo::kMemoStride == 0) memo_.insert(entity.index(), key_, value);
    }
    return value;
  }

 private:
  const void* value_of(Entity entity) const {
    const Place place = reader_.store_.slots().place_of(entity.index());
    const std::uint32_t prefix = place.block->format->prefix_of(id_);
    if (prefix < BlockFormat::kTag) return place.block->value(prefix, place.row, size_);
    return pool_ != nullptr ? pool_->find(entity) : nullptr;
  }

  const RelationReader& reader_;
  const Pairs* pairs_;  // Null for ChildOf, and if the relation is not known.
  ComponentId id_;
  ComponentId key_;
  std::size_t size_;
  const SparsePool* pool_;
  WalkMemo& memo_;
  bool is_known_;
};

void RelationReader::find_nearest(ComponentId relation, std::span<const Entity> rows, ComponentId id,
                                  ComponentId key, WalkMemo& memo, const void** values) const {
  const Follower follower(*this, relation, id, key, memo);
  Entity recent;  // The last target: successive rows often have the same one.
  const void* value = nullptr;
  for (const Entity row : rows) {
    const Entity target = follower.next(row);
    if (target != recent) {
      recent = target;
      value = target ? follower.search(target) : nullptr;
    }
    *values++ = value;
  }
}

}  // namespace strata::detail
