// A world under test and its model: a forest, and every entity's components as numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory_resource>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"
#include "typed_kinds.hpp"

namespace strata::test {

/// What is known of entities beside components and parents; see WorldKnowledgeTurns.
struct WorldKnowledge {
  std::map<Entity, std::string> names;
  std::map<std::pair<Entity, Entity>, int> pairs;
  std::set<Entity> disabled;
  std::set<Entity> disabled_below;
  std::set<Entity> towers;
  std::map<Entity, int> bases;
  std::set<Entity> off;  ///< Of those with a base.

  template <class IsGone>
  void forget(IsGone is_gone) {
    for (auto* const set : {&disabled, &disabled_below, &towers, &off}) std::erase_if(*set, is_gone);
    std::erase_if(names, [&](const auto& entry) { return is_gone(entry.first); });
    std::erase_if(bases, [&](const auto& entry) { return is_gone(entry.first); });
    std::erase_if(
        pairs, [&](const auto& entry) { return is_gone(entry.first.first) || is_gone(entry.first.second); });
  }
};

struct WorldModel {
  TreeModel tree;
  std::map<Entity, std::map<std::size_t, int>> numbers;
  WorldKnowledge known;

  bool alive(Entity entity) const { return tree.contains(entity); }
  void create(Entity entity, Entity parent) {
    tree.create(entity, parent);
    numbers[entity] = {};
  }
  void forget_dead() {
    std::erase_if(numbers, [&](const auto& entry) { return !tree.contains(entry.first); });
    known.forget([&](Entity entity) { return !tree.contains(entity); });
  }
  /// Returns: whether queries pass over the entity.
  bool is_disabled(Entity entity) const {
    if (known.disabled.contains(entity) || known.disabled_below.contains(entity)) return true;
    if (known.disabled_below.empty()) return false;
    const std::vector<Entity> above = tree.ancestors(entity);
    return std::ranges::any_of(above, [&](Entity each) { return known.disabled_below.contains(each); });
  }
  void destroy(Entity entity) {
    tree.destroy(entity);
    forget_dead();
  }
  int number(Entity entity, std::size_t kind) const {
    const auto found = numbers.find(entity);
    if (found == numbers.end() || !found->second.contains(kind)) return -1;
    return found->second.at(kind);
  }
};

/// The subject, the model, and the choices of one run.
struct WorldPair {
  World world;
  WorldModel model;
  Bytes& bytes;
  Log& log;
  std::vector<Entity> seen;
  std::set<Entity> known;
  std::set<Entity> reserved;  ///< Handles of entities that recorded commands are to create.
  int last_number = 0;
  Entity picked{};     ///< The entity that was picked last, mostly one that is changed.
  bool quiet = false;  ///< Whether values end outside of the world, where hostile code is to do nothing.

  WorldPair(const WorldOptions& options, Bytes& choices, Log& words)
      : world(options), bytes(choices), log(words) {}

  Entity pick() { return picked = pick_any(); }
  // Often one of a few, so that the same component is added, replaced and removed, or one that runs hostile code.
  std::size_t pick_kind() {
    switch (bytes.below(4)) {
      case 0:
        return bytes.below(4);
      case 1:
        return kHooked + bytes.below(3);
      default:
        return bytes.below(kTypedKinds.size());
    }
  }
  int fresh() { return ++last_number % 1'000'000; }

  void born(Entity entity, Entity parent) {
    model.create(entity, parent);
    if (known.insert(entity).second) seen.push_back(entity);
  }
  /// A handle was made valid again. Those that were issued after it for its slot may be issued once more.
  void restored(Entity entity) {
    const auto followed = [&](Entity other) {
      return other.index() == entity.index() && other.generation() > entity.generation();
    };
    std::erase_if(known, followed);
    std::erase_if(seen, followed);
    born(entity, {});
  }
  bool is_used(std::uint32_t index) const {
    const auto has_index = [&](Entity entity) { return entity.index() == index; };
    return std::ranges::any_of(reserved, has_index) || std::ranges::any_of(model.tree.all(), has_index);
  }

 private:
  Entity pick_any() {
    if (seen.empty() || bytes.chance(12)) {
      return {static_cast<std::uint32_t>(bytes.below(40)), static_cast<std::uint32_t>(bytes.below(4))};
    }
    const std::size_t first = bytes.below(seen.size());
    if (bytes.chance(4)) return seen[first];
    // Mostly a live one: most of those ever seen are dead, and to them nothing much can happen.
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const Entity entity = seen[(first + i) % seen.size()];
      if (model.alive(entity)) return entity;
    }
    return seen[first];
  }
};

}  // namespace strata::test
