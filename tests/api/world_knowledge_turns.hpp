// What a world knows beside components and parents, as turns of the model test: names, relations, states, required
// components and components that are off.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "world_hostility.hpp"

namespace strata::test {

/// A relation.
struct Knows {
  int number = 0;
};
struct Base {
  int number = 0;
};
/// Requires a Base.
struct Tower {};

}  // namespace strata::test

template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::Knows> = {.queried = true};
template <>
inline constexpr bool strata::can_toggle<strata::test::Base> = true;
template <>
inline constexpr auto strata::requires_of<strata::test::Tower> = strata::Requires<strata::test::Base>{};

namespace strata::test {

/// Changes what a world knows, and compares it with the model.
class WorldKnowledgeTurns {
 public:
  WorldKnowledgeTurns(WorldPair& pair, WorldHostility& hostility) : pair_(pair), hostility_(hostility) {}

  Disagreement turn() {
    const Entity entity = pair_.pick();
    switch (pair_.bytes.below(7)) {
      case 0:
        return rename(entity);
      case 1:
      case 2:
        return relate(entity, pair_.pick());
      case 3:
        return change_state(entity);
      case 4:
        return toggle(entity);
      default:
        return build(entity);
    }
  }

  /// Compares everything that can be asked of one entity.
  Disagreement compare(Entity entity) const {
    const std::string of = " of " + to_string(entity) + " is wrong";
    const auto name = known().names.find(entity);
    const std::string expected = name != known().names.end() ? name->second : "";
    const Entity parent = pair_.model.tree.parent(entity);
    if (world().names().name(entity) != expected) return "the name" + of;
    if (!expected.empty()) {
      const std::string path = Names::escape(expected);
      const Entity found = parent ? world().names().find(parent, path) : world().names().find(path);
      if (world().names().name(found) != expected || world().parent(found) != parent)
        return "what the name finds" + of;
    }
    if (world().disabled(entity) != pair_.model.is_disabled(entity)) return "disabled" + of;
    if (world().has<Tower>(entity) != known().towers.contains(entity))
      return "a component with requirements" + of;
    const auto base = known().bases.find(entity);
    const Base* const value = world().find<Base>(entity);
    if (base == known().bases.end() ? value != nullptr : value == nullptr || value->number != base->second)
      return "a required component" + of;
    if (world().enabled<Base>(entity) != (value != nullptr && !known().off.contains(entity)))
      return "enabled" + of;
    return {};
  }

  /// Compares what concerns all entities.
  Disagreement compare_all() {
    std::size_t sources = 0, bases = 0;
    Entity counted;
    for (const auto& [ends, number] : known().pairs) {
      const Knows* const value = world().relations().find<Knows>(ends.first, ends.second);
      if (value == nullptr || value->number != number) return "a pair is not there";
      sources += ends.first != counted && !pair_.model.is_disabled(ends.first) ? 1 : 0;
      counted = ends.first;
    }
    for (const auto& [entity, number] : known().bases) {
      bases += !known().off.contains(entity) && !pair_.model.is_disabled(entity) ? 1 : 0;
    }
    if (sources_.count() != sources) return "a query finds other sources of pairs";
    if (bases_.count() != bases) return "a query finds other components that are on";
    if (world().names().size() != known().names.size()) return "the number of names is wrong";
    return {};
  }

 private:
  const World& world() const { return pair_.world; }
  WorldKnowledge& known() { return pair_.model.known; }
  const WorldKnowledge& known() const { return pair_.model.known; }

  Disagreement rename(Entity entity) {
    const std::string name(1, "abc/"[pair_.bytes.below(4)]);
    const bool removes = pair_.bytes.chance(3);
    pair_.log(removes ? "take the name of " : "name ", entity, removes ? "" : " " + name);
    const bool expected = removes ? known().names.contains(entity) : pair_.model.alive(entity);
    if (expected && removes) known().names.erase(entity);
    if (expected && !removes) known().names[entity] = name;
    Names& names = pair_.world.names();
    const bool done = removes ? names.remove(entity) : static_cast<bool>(names.set(entity, name));
    return done == expected ? hostility_.ended() : "a name answered wrongly";
  }

  Disagreement relate(Entity source, Entity target) {
    const std::size_t way = pair_.bytes.below(5);
    pair_.log("relate ", source, " to ", target, ", way ", way);
    Relations& relations = pair_.world.relations();
    auto& pairs = known().pairs;
    const auto erase = [&](auto is_meant) {
      return std::erase_if(pairs, [&](const auto& pair) { return is_meant(pair.first); });
    };
    if (way == 0) {
      const bool expected = pairs.erase({source, target}) == 1;
      if (relations.remove<Knows>(source, target) != expected) return "remove of a pair answered wrongly";
    } else if (way == 1) {
      const bool to = pair_.bytes.chance(2);
      const std::size_t expected =
          erase([&](const auto& ends) { return (to ? ends.second : ends.first) == source; });
      const std::size_t removed =
          to ? relations.remove_sources<Knows>(source) : relations.remove_targets<Knows>(source);
      if (removed != expected) return "remove of pairs answered wrongly";
    } else if (pair_.model.alive(source) && pair_.model.alive(target) && source != target) {
      pairs[{source, target}] = pair_.fresh();
      relations.add(source, target, Knows{pair_.last_number % 1'000'000});
    }
    return hostility_.ended();
  }

  Disagreement change_state(Entity entity) {
    const bool disables = pair_.bytes.chance(2);
    const bool below = pair_.bytes.chance(2);
    pair_.log(disables ? "disable " : "enable ", entity, below ? " with its subtree" : "");
    auto& flags = below ? known().disabled_below : known().disabled;
    const bool expected = pair_.model.alive(entity) && flags.contains(entity) != disables;
    if (expected) disables ? (void)flags.insert(entity) : (void)flags.erase(entity);
    World& world = pair_.world;
    const bool done = below ? (disables ? world.disable_subtree(entity) : world.enable_subtree(entity))
                            : (disables ? world.disable(entity) : world.enable(entity));
    return done == expected ? hostility_.ended() : "disable answered wrongly";
  }

  Disagreement toggle(Entity entity) {
    const bool disables = pair_.bytes.chance(2);
    pair_.log("switch Base of ", entity, disables ? " off" : " on");
    auto& off = known().off;
    const bool expected = known().bases.contains(entity) && off.contains(entity) != disables;
    if (expected) disables ? (void)off.insert(entity) : (void)off.erase(entity);
    const bool done = disables ? pair_.world.disable<Base>(entity) : pair_.world.enable<Base>(entity);
    return done == expected ? hostility_.ended() : "disable of a component answered wrongly";
  }

  /// Adds or removes a component that requires another one, or that one.
  Disagreement build(Entity entity) {
    const std::size_t way = pair_.bytes.below(8);
    pair_.log("build ", entity, ", way ", way);
    if (!pair_.model.alive(entity)) return {};
    World& world = pair_.world;
    WorldKnowledge& model = known();
    bool done = true;
    if (way == 0) {
      done = world.remove<Tower>(entity) == (model.towers.erase(entity) == 1);
    } else if (way < 3) {
      model.off.erase(entity);
      const bool removed =
          way == 1 ? world.remove<Base>(entity) : world.remove<Base>(std::array{entity}) == 1;
      done = removed == (model.bases.erase(entity) == 1);
    } else if (way == 3) {
      const int number = model.bases[entity] = pair_.fresh();
      world.add(entity, Base{number});
    } else {
      if (model.towers.insert(entity).second) model.bases.emplace(entity, 0);
      if (way == 4) world.add<Tower>(std::array{entity});
      if (way > 4) world.add<Tower>(entity);
    }
    return done ? hostility_.ended() : "remove answered wrongly";
  }

  WorldPair& pair_;
  WorldHostility& hostility_;
  Query<Entity, With<Pair<Knows>>> sources_ = pair_.world.query<Entity, With<Pair<Knows>>>();
  Query<const Base> bases_ = pair_.world.query<const Base>();
};

}  // namespace strata::test
