// Random changes of worlds for the tests of History: those of saving, and of what matters to checkpoints alone.
#pragma once

#include <strata/strata.hpp>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "saving_turns.hpp"

namespace strata::test {

/// Tracked components.
struct Heat {
  int degrees = 0;
};
struct Charge {
  double amount = 0;
};
struct Title {
  std::string text;
};
/// In a stable pool.
struct Grip {
  int strength = 0;
};

}  // namespace strata::test

template <>
inline constexpr auto strata::members_of<strata::test::Heat> =
    strata::Members{member("degrees", &strata::test::Heat::degrees)};
template <>
inline constexpr auto strata::members_of<strata::test::Charge> =
    strata::Members{member("amount", &strata::test::Charge::amount)};
template <>
inline constexpr auto strata::members_of<strata::test::Title> =
    strata::Members{member("text", &strata::test::Title::text)};
template <>
inline constexpr auto strata::members_of<strata::test::Grip> =
    strata::Members{member("strength", &strata::test::Grip::strength)};
template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::Heat> = strata::Tracking::blocks;
template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::Charge> = strata::Tracking::rows;
template <>
inline constexpr strata::Tracking strata::tracking_of<strata::test::Title> = strata::Tracking::rows;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::Grip> = strata::Storage::sparse;
template <>
inline constexpr strata::PoolOptions strata::pool_options_of<strata::test::Grip> = {
    .removal = Removal::stable, .entries_per_page = 64, .value_page_bytes = 64};

namespace strata::test {

inline std::string saved(const World& world) {
  std::ostringstream out;
  const Outcome done = save(world, out);
  return done ? out.str() : done.message();
}

/// The entities of the tables of an archetype or of a pool, in the order in which they lie, by the names of the
/// components. The order in which archetypes and components became known does not matter.
using Order = std::map<std::string, std::vector<Entity>>;

inline Order rows_and_members(const World& world) {
  const detail::Store& store = detail::parts_of(world).store;
  Order order;
  for (const detail::Archetype* archetype : store.archetypes().all()) {
    std::set<std::string> names;
    for (const ComponentId id : archetype->signature().ids()) names.insert(store.registry()[id].name);
    std::string key;
    for (const std::string& name : names) key += name + ", ";
    archetype->ranks().for_each([&](std::span<detail::Block* const> tables) {
      for (const detail::Block* block : tables) {
        for (; block != nullptr && block->count != 0; block = block->next) {
          const Entity* const entities = block->format->entities(*block);
          order[key].insert(order[key].end(), entities, entities + block->count);
        }
      }
    });
  }
  store.side().for_each([&](const detail::SparsePool& pool) {
    if (pool.size() != 0)
      order[std::string(pool.arranged() ? "sorted pool of " : "pool of ") + pool.component().name].assign(
          pool.entities().begin(), pool.entities().end());
  });
  return order;
}

/// Returns: in what two orders differ; empty if they are equal.
inline std::string difference_of(const Order& first, const Order& second) {
  for (const auto& [key, entities] : first) {
    const auto found = second.find(key);
    if (found == second.end()) return "only one of the worlds has entities in " + key;
    if (found->second == entities) continue;
    std::string sentence = "the order of entities differs in " + key + ":";
    for (const Entity entity : entities) sentence += ' ' + to_string(entity);
    sentence += " and";
    for (const Entity entity : found->second) sentence += ' ' + to_string(entity);
    return sentence;
  }
  return first.size() == second.size() ? "" : "only one of the worlds has entities in some tables";
}

/// Returns: what a cascade finds above entities in place of their parents' values; empty if it finds these. Cascades
/// remember where the rows of parents are.
inline std::string wrong_parent(World& world) {
  std::string wrong;
  world.query<Entity, Parent<const Heat>>().cascade().each([&](Entity entity, const Heat* above) {
    const Heat* const expected = world.find<Heat>(world.parent(entity));
    const bool is_right =
        expected != nullptr ? above != nullptr && above->degrees == expected->degrees : above == nullptr;
    if (!is_right && wrong.empty()) wrong = "a cascade finds another parent of " + to_string(entity);
  });
  return wrong;
}

/// Applies one random change to worlds that are equal. Moving a component to a pool goes by the order in which
/// archetypes became known, so that is left out where this may differ.
template <bool sets_storage = true, class... Worlds>
void change_world(std::vector<Entity>& entities, Bytes& bytes, Log& log, Worlds&... worlds) {
  if (bytes.chance(2)) return apply_turn(entities, bytes, log, worlds...);
  const std::size_t operation = bytes.below(13);
  const auto number = static_cast<int>(bytes.below(100));
  const std::size_t at = bytes.below(entities.size() + 1);
  const Entity entity = at < entities.size() ? entities[at] : Entity();
  log("further operation ", operation, " of ", entity, " with ", number);
  const auto change = [&](World& world) {
    if (operation == 0) {
      if (!sets_storage) return;
      const Storage storage = number % 2 == 0 ? Storage::table : Storage::sparse;
      return number < 50 ? world.set_storage<Speed>(storage) : world.set_storage<SparseItem>(storage);
    }
    if (operation == 1) return number == 0 ? (void)world.clear() : (void)world.defragment();
    if (operation == 2) {
      if (number < 50) return (void)world.shrink();
      return world.pool<Grip>().sort([](Entity a, Entity b) { return b.index() < a.index(); });
    }
    if (operation == 3) {
      world.query<Heat>().each([&](Heat& heat) { heat.degrees += number; });
      return world.query<Charge, const Title>().each(
          [&](Charge& charge, const Title&) { charge.amount += number; });
    }
    if (!entity) return;
    switch (operation) {
      case 4:
        return (void)world.destroy(entity, number % 2 == 0 ? ChildPolicy::destroy : ChildPolicy::orphan);
      case 5:
        (void)world.names().set(entity, number % 2 == 0 ? "same" : "other");
        world.add(entity, Heat{number});
        return (void)world.add(entity, Charge{number / 2.0});
      case 6:
        if (Heat* const heat = world.find<Heat>(entity)) heat->degrees = number;
        if (Charge* const charge = world.find<Charge>(entity)) charge->amount = number;
        if (Title* const title = world.find<Title>(entity)) title->text = std::string(40, 'y');
        return;
      case 7:
        return (void)world.add(entity, Title{std::string(static_cast<std::size_t>(number), 't')});
      case 8:
        world.add(entity, Grip{number});
        return (void)world.add(entity, Price{number, 1});
      case 9:
        return (void)world.remove<Grip>(entity);
      case 10:
        return world.sort_children(entity, [](Entity a, Entity b) { return b.index() < a.index(); });
      case 11:
        return world.set_layout(entity, static_cast<Layout>(number % 3));
      default:
        if (Price* const price = world.find<Price>(entity)) price->amount = number;
        if (Grip* const grip = world.find<Grip>(entity)) grip->strength = number;
        if (Item* const item = world.find<Item>(entity)) item->label = std::string(30, 'z');
    }
  };
  (change(worlds), ...);
  std::erase_if(entities, [&](Entity known) { return ((!worlds.alive(known)) || ...); });
}

}  // namespace strata::test
