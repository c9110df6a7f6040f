// RelationsModel: what the model test of relations compares a world with.
#pragma once

#include <strata/strata.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace strata::test {

/// Entities with parents, and pairs.
class RelationsModel {
 public:
  struct Pair {
    std::size_t relation;
    Entity source;
    Entity target;
    int value;
  };

  std::vector<RelationOptions> options;
  std::map<Entity, Entity> parents;  // Of the live entities; null for roots.
  std::vector<Pair> pairs;
  std::map<Entity, int> marks;  // Values of the entities that have one, gone entities included; none is 0.

  void add(std::size_t relation, Entity source, Entity target, int value) {
    const bool exclusive = options[relation].exclusive;
    const bool symmetric = options[relation].symmetric;
    bool found = false;
    for (Pair& pair : pairs) {
      if (pair.relation != relation) continue;
      const bool is_it = pair.source == source && pair.target == target;
      const bool is_reverse = symmetric && pair.source == target && pair.target == source;
      if (!is_it && !is_reverse) continue;
      pair.value = value;
      found = true;
    }
    if (found) return;
    if (exclusive) {
      std::erase_if(pairs, [&](const Pair& pair) {
        if (pair.relation != relation) return false;
        const auto touches = [&](Entity entity) { return pair.source == entity || pair.target == entity; };
        return symmetric ? touches(source) || touches(target) : pair.source == source;
      });
    }
    pairs.push_back({relation, source, target, value});
    if (symmetric) pairs.push_back({relation, target, source, value});
  }

  /// Returns: whether pairs of a relation lead from one entity to another.
  bool leads_to(std::size_t relation, Entity from, Entity to) const {
    std::set<Entity> reached{from};
    for (std::size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const Pair& pair : pairs) {
        if (pair.relation == relation && reached.contains(pair.source)) reached.insert(pair.target);
      }
    }
    return reached.contains(to);
  }

  bool has_pair(std::size_t relation, Entity source, Entity target) const {
    return std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
      return pair.relation == relation && pair.source == source && pair.target == target;
    });
  }
  /// Returns: the mark of the nearest entity that has one along an exclusive relation; 0 if there is none.
  int nearest_mark(std::size_t relation, Entity entity) const {
    for (std::size_t steps = 0; steps <= parents.size(); ++steps) {
      const auto next = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) {
        return pair.relation == relation && pair.source == entity;
      });
      if (next == pairs.end()) return 0;
      entity = next->target;
      if (marks.contains(entity)) return marks.at(entity);
    }
    return 0;
  }
  std::uint32_t depth_of(Entity entity) const {
    std::uint32_t depth = 0;
    for (Entity above = parents.at(entity); above; above = parents.at(above)) ++depth;
    return depth;
  }

  std::size_t remove_if(std::size_t relation, auto leaves) {
    return std::erase_if(pairs, [&](const Pair& pair) {
      if (pair.relation != relation) return false;
      return leaves(pair.source, pair.target) ||
             (options[relation].symmetric && leaves(pair.target, pair.source));
    });
  }

  /// Returns: what is destroyed with `given`.
  std::set<Entity> closure(const std::vector<Entity>& given, bool orphan) const {
    std::set<Entity> all;
    for (const Entity entity : given) {
      if (parents.contains(entity)) all.insert(entity);
    }
    for (std::size_t before = 0; before != all.size();) {
      before = all.size();
      for (const auto& [entity, parent] : parents) {
        const bool left_out = orphan && !given.empty() && parent == given.front();
        if (all.contains(parent) && !left_out) all.insert(entity);
      }
      for (const Pair& pair : pairs) {
        const PairCleanup target_destroyed = options[pair.relation].target_destroyed;
        const PairCleanup source_destroyed = options[pair.relation].source_destroyed;
        if (target_destroyed == PairCleanup::destroy && all.contains(pair.target)) all.insert(pair.source);
        if (source_destroyed == PairCleanup::destroy && all.contains(pair.source)) all.insert(pair.target);
      }
    }
    return all;
  }

  bool refuses(const std::set<Entity>& leaving) const {
    return std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
      const RelationOptions& how = options[pair.relation];
      const bool source = leaving.contains(pair.source);
      const bool target = leaving.contains(pair.target);
      return (how.target_destroyed == PairCleanup::refuse && target && !source) ||
             (how.source_destroyed == PairCleanup::refuse && source && !target);
    });
  }

  void destroy(const std::set<Entity>& leaving) {
    std::erase_if(pairs, [&](const Pair& pair) {
      return leaving.contains(pair.source) || leaving.contains(pair.target);
    });
    for (const Entity entity : leaving) parents.erase(entity);
    for (auto& [entity, parent] : parents) {
      if (leaving.contains(parent)) parent = Entity();
    }
  }
};

}  // namespace strata::test
