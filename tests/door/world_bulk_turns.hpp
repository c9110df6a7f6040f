// What a world does for many entities at once, or prepared once: as turns of the model test.
#pragma once

#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "world_model.hpp"

namespace strata::test {

/// Creates many entities, shrinks the world, moves components to other storages, and creates, reads and changes
/// through creators and accessors that live as long as the world.
class WorldBulkTurns {
 public:
  explicit WorldBulkTurns(WorldPair& pair) : pair_(pair) {}

  /// Creates up to 40 entities in one go; sometimes the function that fills in their values throws half way.
  /// Contract: nothing is recorded, because it would be applied.
  Disagreement create_many() {
    const Entity parent = pair_.bytes.chance(2) ? pair_.pick() : Entity();
    const bool below = pair_.model.alive(parent);
    const std::size_t count = pair_.bytes.below(40);
    const std::size_t throw_at = pair_.bytes.chance(4) ? pair_.bytes.below(40) : count;
    pair_.log("create many ", count, below ? " under " + to_string(parent) : " roots");
    Shown shown;
    const auto fill = [&](std::span<const Entity> entities, std::span<Health> health,
                          std::span<SparseHealth> sparse, std::span<Counted> counted) {
      for (std::size_t i = 0; i < entities.size(); ++i) {
        if (shown.size() == throw_at) throw std::runtime_error("half way");
        const int number = pair_.fresh();
        shown.emplace_back(entities[i], number);
        health[i] = Health{number};
        sparse[i] = SparseHealth{number};
        counted[i] = Counted(number);
      }
    };
    const auto create = [&](auto creator) { return creator.create_many(count, fill); };
    bool created = true;
    try {
      const std::size_t told =
          below ? create(pair_.world.creator<Health, SparseHealth, Counted>(child_of(parent)))
                : roots_.create_many(count, fill);
      if (told != count || shown.size() != count) return "create_many did not create as many as asked for";
    } catch (const std::runtime_error&) {
      created = false;
    }
    return note(shown, created, below ? parent : Entity());
  }

  Disagreement change_storage() {
    const TypedKind& kind = kTypedKinds[pair_.pick_kind()];
    pair_.log("store ", kind.name, " elsewhere");
    switch_storage(pair_.world, kind);
    return {};
  }

  /// Creates a root through a creator.
  Disagreement create_root() {
    const int number = pair_.fresh();
    const Entity entity = roots_.create(Health{number}, SparseHealth{number}, Counted(number));
    pair_.log("create ", entity, " through a creator");
    return note({{entity, number}}, true, Entity());
  }

  Disagreement shrink() {
    std::size_t steps = pair_.bytes.below(20);
    pair_.log("shrink, ", steps + 1, " steps");
    pair_.world.shrink([&] { return steps-- != 0; });
    return {};
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
    auto& numbers = pair_.model.numbers[entity];
    if (pair_.bytes.chance(2)) {
      if (sparse_.add(entity, SparseHealth{number}).points != number)
        return "add through an accessor is wrong";
      health_.add(entity, Health{number});
      numbers[kSparseHealth] = numbers[kHealth] = number;
      return {};
    }
    const bool had_sparse = numbers.erase(kSparseHealth) == 1;
    const bool had = numbers.erase(kHealth) == 1;
    const bool right = sparse_.remove(entity) == had_sparse && health_.remove(entity) == had;
    return right ? Disagreement() : "remove through an accessor answered wrongly";
  }

  Disagreement compare(Entity entity) {
    if (reached(health_, entity) != pair_.model.number(entity, kHealth) ||
        reached(sparse_, entity) != pair_.model.number(entity, kSparseHealth)) {
      return "what an accessor finds of " + to_string(entity) + " is wrong";
    }
    return {};
  }

 private:
  using Shown = std::vector<std::pair<Entity, int>>;  // Each new entity, and the number of its values.

  Disagreement note(const Shown& shown, bool created, Entity parent) {
    for (const auto& [entity, number] : shown) {
      if (pair_.known.contains(entity)) return "create_many issued " + to_string(entity) + " twice";
      if (created) {
        pair_.born(entity, parent);
        pair_.model.numbers[entity] = {{kHealth, number}, {kSparseHealth, number}, {kCounted, number}};
      } else {
        pair_.known.insert(entity);
        pair_.seen.push_back(entity);
      }
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
  Creator<Health, SparseHealth, Counted> roots_ = pair_.world.creator<Health, SparseHealth, Counted>();
  Accessor<Health> health_ = pair_.world.accessor<Health>();
  Accessor<SparseHealth> sparse_ = pair_.world.accessor<SparseHealth>();
};

}  // namespace strata::test
