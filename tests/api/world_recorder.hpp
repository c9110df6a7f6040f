// Commands: recorded for the subject, and for the model as functions that change it when they are applied.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "world_model.hpp"

namespace strata::test {

class WorldRecorder {
 public:
  explicit WorldRecorder(WorldPair& pair) : pair_(pair) {}

  bool empty() const { return recorded_.empty(); }

  /// What is recorded, for which entity; `way` is one of kWays.
  struct Choice {
    std::size_t way;
    Entity entity;
    Entity other;
    std::size_t kind;
  };
  static constexpr std::size_t kWays = 9;

  /// Records one command.
  Disagreement record() {
    const Entity entity = pair_.pick();
    const Entity other = pair_.pick();
    const std::size_t kind = pair_.pick_kind();
    return record({pair_.bytes.below(kWays), entity, other, kind});
  }
  Disagreement record(const Choice& choice) {
    Commands& commands = pair_.world.commands();
    WorldModel& model = pair_.model;
    const Entity entity = choice.entity;
    const Entity other = choice.other;
    const std::size_t kind = choice.kind;
    switch (choice.way) {
      case 0:
        return record_create({});
      case 1:
        return record_create(other);
      case 2: {
        pair_.log("later: destroy ", entity);
        commands.destroy(entity);
        return later(entity, [=, &model] { model.destroy(entity); });
      }
      case 3:
      case 4:
      case 5:
        return record_add(entity, kind);
      case 6: {
        pair_.log("later: remove ", kTypedKinds[kind].name, " from ", entity);
        kTypedKinds[kind].remove_later(commands, entity);
        return later(entity, [=, &model] { model.numbers[entity].erase(kind); });
      }
      case 7: {
        pair_.log("later: set the parent of ", entity, " to ", other);
        commands.set_parent(entity, other);
        return later(entity, [=, &model] {
          if (model.tree.can_set_parent(entity, other)) model.tree.set_parent(entity, other);
        });
      }
      default: {
        pair_.log("later: clear the parent of ", entity);
        commands.clear_parent(entity);
        return later(entity, [=, &model] { model.tree.clear_parent(entity); });
      }
    }
  }

  /// Applies what is recorded.
  Disagreement flush() {
    const bool iterate = pair_.bytes.chance(2);
    pair_.log(iterate ? "flush by iterating" : "flush");
    bool records = false;
    if (iterate) {
      pair_.world.query<Entity>().each([&](Entity) {
        if (!std::exchange(records, true)) pair_.world.commands().destroy(Entity());
      });
    }
    if (!records) pair_.world.flush();
    return applied();
  }
  /// Applies what is recorded to the model, after the world has done so.
  Disagreement applied() {
    for (const std::function<void()>& apply : recorded_) apply();
    recorded_.clear();
    pair_.reserved.clear();
    return pair_.world.commands().empty() ? Disagreement() : "commands are left after they were applied";
  }

 private:
  Disagreement later(Entity entity, std::function<void()> apply) {
    recorded_.push_back([=, &model = pair_.model] {
      if (model.alive(entity)) apply();
    });
    return {};
  }
  Disagreement record_add(Entity entity, std::size_t kind) {
    const int number = pair_.fresh();
    pair_.log("later: add ", kTypedKinds[kind].name, " to ", entity);
    kTypedKinds[kind].add_later(pair_.world.commands(), entity, number);
    return later(entity, [=, &model = pair_.model] { model.numbers[entity][kind] = number; });
  }
  Disagreement record_create(std::optional<Entity> parent) {
    pair_.log("later: create", parent ? " under " + to_string(*parent) : " a root");
    const int number = pair_.fresh();
    Commands& commands = pair_.world.commands();
    const Entity entity =
        parent ? commands.create(child_of(*parent), Health{number}) : commands.create(Health{number});
    if (!pair_.known.insert(entity).second) return "commands issued " + to_string(entity) + " twice";
    pair_.seen.push_back(entity);
    pair_.reserved.insert(entity);
    recorded_.push_back([=, &model = pair_.model] {
      if (parent && !model.alive(*parent)) return;
      model.create(entity, parent.value_or(Entity()));
      model.numbers[entity] = {{kHealth, number}};
    });
    return {};
  }

  WorldPair& pair_;
  std::vector<std::function<void()>> recorded_;
};

}  // namespace strata::test
