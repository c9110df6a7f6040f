// What a world does for many entities at once, or prepared once: as turns of the model test.
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "world_hostility.hpp"

namespace strata::test {

/// Creates many entities, shrinks the world, moves components to other storages, and creates, reads and changes
/// through spawners and accessors that live as long as the world.
class WorldBulkTurns {
 public:
  WorldBulkTurns(WorldPair& pair, WorldHostility& hostility) : pair_(pair), hostility_(hostility) {}

  /// Creates up to 40 entities in one go; sometimes the function that fills in their values throws half way.
  Disagreement create_many() {
    const Entity parent = pair_.bytes.chance(2) ? pair_.pick() : Entity();
    const bool below = pair_.model.alive(parent);
    const std::size_t count = pair_.bytes.below(40);
    const std::size_t throw_at = pair_.bytes.chance(4) ? pair_.bytes.below(40) : count;
    pair_.log("create many ", count, below ? " under " + to_string(parent) : " roots");
    Shown shown;
    const auto fill = [&](std::span<const Entity> entities, std::span<Health> health,
                          std::span<SparseHealth> sparse, std::span<Counted> counted, auto) {
      if (!entities.empty()) pair_.picked = entities[0];
      hostility_.fill();
      for (std::size_t i = 0; i < entities.size(); ++i) {
        if (shown.size() == throw_at) {
          hostility_
              .rest();  // The destructors that follow may do less than others: see callbacks_destructors_test.cpp.
          throw std::runtime_error("half way");
        }
        const int number = pair_.fresh();
        shown.emplace_back(entities[i], number);
        health[i] = Health{number};
        sparse[i] = SparseHealth{number};
        counted[i] = Counted(number);
      }
    };
    const auto create = [&](auto spawner) { return spawner.create_many(count, fill); };
    try {
      const std::size_t told =
          below ? create(pair_.world.spawner<Health, SparseHealth, Counted, StableHooked>(child_of(parent)))
                : roots_.create_many(count, fill);
      if (told != count || shown.size() != count) return "create_many did not create as many as asked for";
    } catch (const std::runtime_error&) {
      if (Disagreement wrong = record_failed(shown)) return wrong;
      return hostility_.interrupted();
    }
    return note(shown, below ? parent : Entity(), 0);
  }

  Disagreement change_storage() {
    const TypedKind& kind = kTypedKinds[pair_.pick_kind()];
    pair_.log("store ", kind.name, " elsewhere");
    switch_storage(pair_.world, kind);
    return hostility_.ended();
  }

  /// Creates a forest below an entity or not, with one column of each kind.
  Disagreement build() {
    const Entity parent = pair_.bytes.chance(2) ? pair_.pick() : Entity();
    const bool below = pair_.model.alive(parent);
    std::vector<std::uint32_t> parents(pair_.bytes.below(20));
    std::size_t random = pair_.bytes.below(256);
    for (std::uint32_t i = 0; i < parents.size(); ++i) {
      // Each node's parent comes before it, or, where this is turned around, after it.
      random = random * 1664525 + 1013904223;
      const std::size_t before = (random >> 8) % std::min<std::size_t>(i + 1, 4);
      parents[i] = before == 0 ? kNoParent : static_cast<std::uint32_t>(i - before);
    }
    if (pair_.bytes.chance(2)) {
      std::reverse(parents.begin(), parents.end());
      for (std::uint32_t& above : parents) {
        if (above != kNoParent) above = static_cast<std::uint32_t>(parents.size()) - 1 - above;
      }
    }
    pair_.log("build a forest of ", parents.size(), below ? " below " + to_string(parent) : "");
    const int number = pair_.fresh();
    pair_.last_number += static_cast<int>(parents.size());
    std::vector<SparseHealth> sparse(parents.size(), SparseHealth{number});
    std::vector<Entity> entities(parents.size());
    const auto counted = [&](std::uint32_t node) {
      hostility_.make();
      return Counted(number + static_cast<int>(node));
    };
    const Outcome built =
        below ? pair_.world.build_hierarchy(child_of(parent), entities, parents, counted, Health{number},
                                            sparse)
              : pair_.world.build_hierarchy(entities, parents, counted, Health{number}, sparse);
    if (!built) return built.message();
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (pair_.known.contains(entities[i]))
        return "build_hierarchy issued " + to_string(entities[i]) + " twice";
    }
    for (std::size_t i = 0; i < parents.size(); ++i) pair_.born(entities[i], Entity());
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const Entity above = parents[i] == kNoParent ? (below ? parent : Entity()) : entities[parents[i]];
      if (above) pair_.model.tree.set_parent(entities[i], above);
      pair_.model.numbers[entities[i]] = {
          {kCounted, number + static_cast<int>(i)}, {kHealth, number}, {kSparseHealth, number}};
    }
    return hostility_.ended();
  }

  /// Destroys many entities, or adds a component to them or removes it; some are stale or given twice.
  Disagreement change_many() {
    const std::vector<Entity> entities = choose_many();
    const std::size_t kind = pair_.pick_kind();
    const std::size_t way = pair_.bytes.below(9);
    std::set<Entity> live;
    if (way < 6) {
      for (const Entity entity : entities) {
        if (pair_.model.alive(entity)) live.insert(entity);
      }
    } else {
      for (const Entity entity : pair_.model.tree.all()) {
        const bool enabled = !pair_.model.is_disabled(entity);
        if (enabled && pair_.model.number(entity, kHealth) != -1) live.insert(entity);
      }
    }
    std::string names = way < 6 ? "" : " all with Health";
    for (const Entity entity : entities) names += way < 6 ? ' ' + to_string(entity) : "";
    if (way < 2) return destroy_many(entities, live, names);
    if (way % 2 == 0 && kTypedKinds[kind].add_many != nullptr)
      return add_many(entities, live, kind, way < 6, names);
    return remove_many(entities, live, kind, way < 6, names);
  }

  /// Creates an entity through a spawner: a root, or below an entity that is given with the call.
  Disagreement create_root() {
    const int number = pair_.fresh();
    const Entity parent = pair_.bytes.chance(2) ? pair_.pick() : Entity();
    if (pair_.model.alive(parent)) {
      const Entity child = roots_.create_below(parent, Health{number}, SparseHealth{number}, Counted(number),
                                               StableHooked(number));
      pair_.log("create ", child, " below ", parent, " through a spawner");
      return note({{child, number}}, parent, number);
    }
    const Entity entity =
        roots_.create(Health{number}, SparseHealth{number}, Counted(number), StableHooked(number));
    pair_.log("create ", entity, " through a spawner");
    return note({{entity, number}}, Entity(), number);
  }

  Disagreement shrink() {
    std::size_t steps = pair_.bytes.below(20);
    pair_.log("shrink, ", steps + 1, " steps");
    pair_.world.shrink([&] {
      hostility_.visit();
      return steps-- != 0;
    });
    return hostility_.ended();
  }

  /// Adds or removes through an accessor.
  Disagreement change() {
    const Entity entity = pair_.pick();
    const bool alive = pair_.model.alive(entity);
    const int number = pair_.fresh();
    pair_.log("change ", entity, " through accessors");
    if (!alive)
      return sparse_.remove(entity) || health_.remove(entity) ? "a stale entity lost something"
                                                              : Disagreement();
    const bool adds = pair_.bytes.chance(2);
    switch (pair_.bytes.below(3)) {
      case 0:
        return change(health_, entity, kHealth, number, adds);
      case 1:
        return change(sparse_, entity, kSparseHealth, number, adds);
      default:
        return change(hooked_, entity, kSparseHooked, number, adds);
    }
  }

  Disagreement compare(Entity entity) {
    if (reached(health_, entity) != pair_.model.number(entity, kHealth) ||
        reached(sparse_, entity) != pair_.model.number(entity, kSparseHealth)) {
      return "what an accessor finds of " + to_string(entity) + " is wrong";
    }
    return {};
  }

 private:
  std::vector<Entity> choose_many() {
    std::size_t random = pair_.bytes.below(256);
    std::vector<Entity> entities(pair_.bytes.below(20));
    for (Entity& entity : entities) {
      random = random * 1664525 + 1013904223;
      entity = pair_.seen.empty() ? Entity() : pair_.seen[(random >> 8) % pair_.seen.size()];
    }
    if (!entities.empty()) pair_.picked = entities.front();
    return entities;
  }
  Disagreement destroy_many(const std::vector<Entity>& entities, const std::set<Entity>& live,
                            const std::string& names) {
    pair_.log("destroy", names);
    const std::size_t before = pair_.model.tree.size();
    for (const Entity entity : live) {
      if (pair_.model.alive(entity)) pair_.model.tree.destroy(entity);
    }
    pair_.model.forget_dead();
    // Observed entities are destroyed one by one, and so are the values of each before the next one's turn.
    if (live.size() < 2) hostility_.model_is_ahead();
    const std::size_t destroyed = pair_.world.destroy(entities);
    return destroyed == before - pair_.model.tree.size() || pair_.world.size() != pair_.model.tree.size()
               ? hostility_.ended()
               : "destroy of many answered wrongly";
  }
  Disagreement add_many(const std::vector<Entity>& entities, const std::set<Entity>& live, std::size_t kind,
                        bool named, const std::string& names) {
    const int number = pair_.fresh();
    pair_.log("add ", kTypedKinds[kind].name, " to", names);
    for (const Entity entity : live) pair_.model.numbers[entity][kind] = number;
    pair_.quiet = true;  // Copies end that are not in the world.
    const TypedKind& of = kTypedKinds[kind];
    const std::size_t added =
        named ? of.add_many(pair_.world, entities, number) : of.add_to_healths(pair_.world, number);
    pair_.quiet = false;
    return added == live.size() ? hostility_.ended() : "add to many answered wrongly";
  }
  Disagreement remove_many(const std::vector<Entity>& entities, const std::set<Entity>& live,
                           std::size_t kind, bool named, const std::string& names) {
    pair_.log("remove ", kTypedKinds[kind].name, " from", names);
    std::size_t expected = 0;
    for (const Entity entity : live) expected += pair_.model.numbers[entity].erase(kind);
    // Observed entities lose it one by one, and each value ends before the next one's turn.
    if (live.size() < 2 || !detail::parts_of(pair_.world).store.listened()) hostility_.model_is_ahead();
    const TypedKind& of = kTypedKinds[kind];
    const std::size_t removed =
        named ? of.remove_many(pair_.world, entities) : of.remove_from_healths(pair_.world);
    return removed == expected ? hostility_.ended() : "remove from many answered wrongly";
  }

  template <class T>
  Disagreement change(Accessor<T>& accessor, Entity entity, std::size_t kind, int number, bool adds) {
    auto& numbers = pair_.model.numbers[entity];
    hostility_.model_is_ahead();
    if (adds) {
      numbers[kind] = number;
      accessor.add(entity, make_value<T>(number));
      return hostility_.ended();
    }
    const bool had = numbers.erase(kind) == 1;
    return accessor.remove(entity) == had ? hostility_.ended()
                                          : "remove through an accessor answered wrongly";
  }

  using Shown = std::vector<std::pair<Entity, int>>;  // Each new entity, and the number of its values.

  Disagreement note(const Shown& shown, Entity parent, int hooked) {
    for (const auto& [entity, number] : shown) {
      if (pair_.known.contains(entity)) return "create_many issued " + to_string(entity) + " twice";
      pair_.born(entity, parent);
      pair_.model.numbers[entity] = {
          {kHealth, number}, {kSparseHealth, number}, {kCounted, number}, {kStableHooked, hooked}};
    }
    return hostility_.ended();
  }
  Disagreement record_failed(const Shown& shown) {
    for (const auto& [entity, number] : shown) {
      if (!pair_.known.insert(entity).second) return "create_many issued " + to_string(entity) + " twice";
      pair_.seen.push_back(entity);
    }
    return {};
  }

  template <class Reader>
  static int reached(Reader& accessor, Entity entity) {
    const auto* const value = accessor.find(entity);
    if (accessor.contains(entity) != (value != nullptr)) return -2;
    return value != nullptr ? number_in(*value) : -1;
  }

  WorldPair& pair_;
  WorldHostility& hostility_;
  Spawner<Health, SparseHealth, Counted, StableHooked> roots_ =
      pair_.world.spawner<Health, SparseHealth, Counted, StableHooked>();
  Accessor<Health> health_ = pair_.world.accessor<Health>();
  Accessor<SparseHealth> sparse_ = pair_.world.accessor<SparseHealth>();
  Accessor<SparseHooked> hooked_ = pair_.world.accessor<SparseHooked>();
};

}  // namespace strata::test
