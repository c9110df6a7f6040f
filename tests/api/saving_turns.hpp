// Random worlds with everything that is a part of what a world contains, for the tests of saving and comparing.
#pragma once

#include <strata/strata.hpp>

#include <string>
#include <vector>

#include "../support/described.hpp"
#include "../support/model_test.hpp"

namespace strata::test {

struct Speed {
  float x = 0, y = 0;
};
struct Marked {};
struct SparseItem : Item {};
struct SparseMark {};
/// Relations: with values, exclusive and queried, and symmetric.
struct Likes {
  int much = 0;
};
struct Docked {};
struct Team {};
struct Needs {};
struct Near {
  float distance = 0;
};

}  // namespace strata::test

template <>
inline constexpr auto strata::members_of<strata::test::Speed> =
    strata::Members{member("x", &strata::test::Speed::x), member("y", &strata::test::Speed::y)};
template <>
inline constexpr auto strata::members_of<strata::test::SparseItem> = strata::Members{
    member("label", &strata::test::SparseItem::label), member("offers", &strata::test::SparseItem::offers)};
template <>
inline constexpr auto strata::members_of<strata::test::Likes> =
    strata::Members{member("much", &strata::test::Likes::much)};
template <>
inline constexpr auto strata::members_of<strata::test::Near> =
    strata::Members{member("distance", &strata::test::Near::distance)};
template <>
inline constexpr bool strata::can_toggle<strata::test::Speed> = true;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::SparseItem> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::SparseMark> = strata::Storage::sparse;
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::Docked> = {
    .exclusive = true, .queried = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::Team> = {
    .exclusive = true, .storage = strata::Storage::table};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::Needs> = {.acyclic = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::Near> = {.symmetric =
                                                                                                true};

namespace strata::test {

/// Makes the components, relations and resources of the random worlds known.
inline void make_known(World& world) {
  (void)world.component<Speed>();
  (void)world.component<Price>();
  (void)world.component<Item>();
  (void)world.component<SparseItem>();
  (void)world.component<Marked>();
  (void)world.component<SparseMark>();
  (void)world.relations().relation<Likes>();
  (void)world.relations().relation<Near>();
  (void)world.relations().relation<Docked>();
  (void)world.relations().relation<Team>();
  (void)world.relations().relation<Needs>();
  world.resources().add_type<Price>();
  world.resources().add_type<Item>();
  world.resources().add_type<Marked>();
}

/// One operation, which can be applied to several worlds with the same entities.
struct Turn {
  static constexpr std::size_t kOperations = 22;

  std::size_t operation;
  Entity entity;
  Entity other;
  int number;

  Turn(std::size_t chosen, const std::vector<Entity>& entities, Bytes& bytes)
      : operation(chosen),
        entity(pick(entities, bytes)),
        other(pick(entities, bytes)),
        number(static_cast<int>(bytes.below(100))) {}

  /// Applies the operation to a world.
  /// Returns: the entity that was created; null if none was.
  Entity apply(World& world) const {
    if (operation == 0 || !entity) return create(world);
    switch (operation) {
      case 1:
        if (world.child_count(entity) == 0) world.destroy(entity);
        break;
      case 2:
        (void)world.set_parent(entity, other);
        break;
      case 3:
        world.clear_parent(entity);
        break;
      case 4:
        (void)world.move_child_before(entity, other);
        break;
      case 5:
        world.add(entity, Price{number, number / 4.0});
        break;
      case 6:
        world.add(entity, item(world));
        break;
      case 7:
        world.add(entity, SparseItem{item(world)});
        break;
      case 8:
        world.has<Marked>(entity) ? (void)world.remove<Marked>(entity) : (void)world.add<Marked>(entity);
        world.has<SparseMark>(other) ? (void)world.remove<SparseMark>(other)
                                     : (void)world.add<SparseMark>(other);
        break;
      case 9:
        world.remove<Price>(entity);
        world.remove<SparseItem>(other);
        break;
      case 10:
        (void)world.names().set(entity, "name " + std::to_string(number));
        if (number < 20) world.names().remove(other);
        break;
      case 11:
        (void)(number % 2 == 0 ? world.disable(entity) : world.enable(entity));
        break;
      case 12:
        (void)(number % 2 == 0 ? world.disable_subtree(entity) : world.enable_subtree(entity));
        break;
      case 19:
        (void)(number % 3 != 0 ? world.make_prefab(entity) : world.unmake_prefab(entity));
        break;
      case 20:
        if (world.size() < 40) return world.instantiate(entity);
        if (entity != other) world.relations().add(entity, other, Team{});
        break;
      case 21:
        change_resources(world.resources(), item(world));
        break;
      case 16:
        world.set_layer(entity, number % 3);
        break;
      case 17:
        (void)(number % 2 == 0 ? world.disable<Speed>(entity) : world.enable<Speed>(entity));
        break;
      case 18:
        if (number < 30) world.set_layout(entity, number < 15 ? Layout::per_parent : Layout::per_level);
        break;
      case 13:
        if (entity != other) world.relations().add(entity, other, Likes{number});
        break;
      case 14:
        if (entity != other) world.relations().add(entity, other, Near{static_cast<float>(number)});
        break;
      default:
        if (entity != other && number < 70) world.relations().add(entity, other, Docked{});
        if (entity != other && number < 30) world.relations().add(other, entity, Team{});
        if (number >= 70) world.relations().remove<Likes>(entity, other);
    }
    return {};
  }

 private:
  static Entity pick(const std::vector<Entity>& entities, Bytes& bytes) {
    const std::size_t at = bytes.below(entities.size() + 1);
    return at < entities.size() ? entities[at] : Entity();
  }

  Entity create(World& world) const {
    if (!other) return world.create(Speed{1, static_cast<float>(number)});
    return number % 2 == 0 ? world.create(child_of(other))
                           : world.create(child_of(other), Speed{0.5f, -0.0f});
  }
  void change_resources(Resources& resources, Item item) const {
    switch (number % 7) {
      case 0:
      case 1:
        resources.set(Price{number / 10, 0.5});
        break;
      case 2:
      case 3:
        resources.set(std::move(item));
        break;
      case 4:
        resources.remove<Price>();
        break;
      case 5:
        resources.remove<Item>();
        break;
      default:
        if (!resources.remove<Marked>()) resources.set(Marked{});
    }
  }
  Item item(const World& world) const {
    Item item;
    item.label = std::string(static_cast<std::size_t>(number % 20), 'x');
    item.sold = number % 3 == 0;
    item.colour = Colour::green;
    item.offers.resize(static_cast<std::size_t>(number % 4), Price{number, 0.1});
    if (number % 5 == 0) item.note = "note";
    item.owner = other;
    if (world.alive(other)) item.watchers = {entity, Entity(), other};
    return item;
  }
};

/// Applies a turn to all worlds, which have the same entities, and keeps the list of these.
template <class... Worlds>
void apply_turn(std::vector<Entity>& entities, Bytes& bytes, Log& log, Worlds&... worlds) {
  const Turn turn(bytes.below(Turn::kOperations), entities, bytes);
  log("operation ", turn.operation, " of ", turn.entity, " with ", turn.other, " and ", turn.number);
  if (!turn.other && turn.operation != 0 && turn.operation != 1) return;
  Entity created;
  ((created = turn.apply(worlds)), ...);
  if (created) entities.push_back(created);
  const auto gone = [&](Entity entity) { return ((!worlds.alive(entity)) || ...); };
  std::erase_if(entities, gone);
}

}  // namespace strata::test
