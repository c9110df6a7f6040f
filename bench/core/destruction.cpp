// Entities with two components that are destroyed, all of them or half of them, which are created again.
//
// destroy_2: skypjack/entt Destroy, abeimler/ecs_benchmark DestroyEntities, in the order of creation. destroy_pools: the
// same, with two components in the side store, out of 10 and out of 400 that there are: an entity pays for its own
// pools, not for others. churn: entities that come and go, as projectiles do, chosen at random; skypjack/entt Recycle is
// nearest, in order and without components.
#include "population.hpp"
#include "support/suite.hpp"

namespace strata::bench::destruction {
namespace {

/// A population by hand: rows, and the numbers of the entities in the order of creation.
struct PopulationByHand {
  explicit PopulationByHand(std::size_t n) : rows(n), numbers(n) {}

  void clear() { rows.clear(); }
  void create() {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = rows.create(position_of(i), velocity_of(i));
  }

  PackedRows<Position, Velocity> rows;
  Numbers numbers;
};

/// The limit: the last row moves into the hole, the map is corrected, the number goes to the free ones.
Work destroy_by_hand(EntityCount& data) {
  return work_on(
      std::make_shared<PopulationByHand>(data.n),
      [](PopulationByHand& p) {
        for (const std::uint32_t number : p.numbers) p.rows.destroy(number);
      },
      [](PopulationByHand& p) { return p.rows.size() == 0 ? "" : "rows are left"; },
      [](PopulationByHand& p) {
        p.clear();
        p.create();
      });
}

/// The limit knows which two sets to ask.
Work destroy_in_sets_by_hand(EntityCount& data) {
  struct State : PopulationByHand {
    explicit State(std::size_t n) : PopulationByHand(n), first(n), second(n) {}
    PackedSet<Health> first;
    PackedSet<Health> second;
  };
  return work_on(
      std::make_shared<State>(data.n),
      [](State& s) {
        for (const std::uint32_t number : s.numbers) {
          s.first.remove(number);
          s.second.remove(number);
          s.rows.destroy(number);
        }
      },
      [](State& s) { return s.rows.size() + s.first.size() == 0 ? "" : "rows are left"; },
      [](State& s) {
        s.clear();
        s.create();
        for (const std::uint32_t number : s.numbers) {
          s.first.add(number, {1});
          s.second.add(number, {2});
        }
      });
}

/// Destroys a population by `destroy(world, entities)`; `equip` gives it what else is to be destroyed.
auto destroy_by(
    void (*destroy)(World&, const Handles&), void (*equip)(Population&) = [](Population&) {}) {
  return [destroy, equip](EntityCount& data) {
    return work_on(
        std::make_shared<Population>(), [destroy](Population& p) { destroy(*p.world, p.entities); },
        [](Population& p) -> Complaint {
          const std::size_t members = p.world->stats().side_store_members;
          if (members != 0) return std::to_string(members) + " values are left in the side store";
          for (const Entity entity : p.entities) {
            if (p.world->alive(entity)) return to_string(entity) + " is still alive";
          }
          return wrong_world(*p.world, {});
        },
        [n = data.n, equip](Population& p) {
          p.clear();
          p.create(n);
          equip(p);
        });
  };
}

/// In the order of creation.
void one_by_one(World& world, const Handles& entities) {
  for (const Entity entity : entities) world.destroy(entity);
}

void at_once(World& world, const Handles& entities) {
  world.destroy(entities);
}

/// Registers so many components like Health, of which neighbours share two.
template <std::size_t pools>
void give_health(Population& population) {
  constexpr std::size_t kNeighbours = 256;
  std::vector<ComponentId> ids;
  for (std::size_t i = 0; i < pools; ++i) {
    ComponentInfo info = describe<Health>();
    info.name = "health " + std::to_string(i);
    info.storage = Storage::sparse;
    info.pool.entries_per_page = 256;
    ids.push_back(population.world->component(info));
  }
  for (std::size_t i = 0; i < population.entities.size(); ++i) {
    for (const std::size_t shift : {std::size_t{0}, pools / 2}) {
      Health health{1};
      population.world->add(population.entities[i], ids[(i / kNeighbours + shift) % pools], &health);
    }
  }
}

/// The halves of the entities that are replaced in turn. In a random order of all entities, these are the first and the
/// second half, and those at even and at odd positions.
struct Halves : EntityCount {
  explicit Halves(std::size_t count) : EntityCount(count), rounds(4) {
    const Numbers order = shuffled(n);
    for (std::size_t i = 0; i < n / 2; ++i) {
      rounds[0].push_back(order[i]);
      rounds[1].push_back(order[i + n / 2]);
      rounds[2].push_back(order[2 * i]);
      rounds[3].push_back(order[2 * i + 1]);
    }
  }

  const Numbers& next(std::size_t& round) const { return rounds[round++ % rounds.size()]; }

  std::vector<Numbers> rounds;
};

/// Replaces `entities[i]`, for every i of a half, by a new one with the same values.
void replace_half(const Numbers& half, auto& entities, auto destroy, auto create) {
  for (const std::uint32_t i : half) destroy(entities[i]);
  for (const std::uint32_t i : half) entities[i] = create(position_of(i), velocity_of(i));
}

/// The limit: swap-remove in packed arrays with a map, then appending to them.
Work churn_by_hand(Halves& data) {
  const auto population = std::make_shared<PopulationByHand>(data.n);
  population->create();
  return work_on(
      population,
      [&data, round = std::make_shared<std::size_t>(0)](PopulationByHand& s) {
        replace_half(
            data.next(*round), s.numbers, [&](std::uint32_t number) { s.rows.destroy(number); },
            [&](const Position& p, const Velocity& v) { return s.rows.create(p, v); });
      },
      [](PopulationByHand& s) { return s.rows.size() == s.numbers.size() ? "" : "rows are missing"; });
}

/// `creator_of(world)` returns a function that creates entities from a position and a velocity.
template <class Creator>
auto churn_by(Creator (*creator_of)(World&)) {
  return [creator_of](Halves& data) {
    return work_on(
        populated(data.n),
        [&data, creator_of, round = std::make_shared<std::size_t>(0)](Population& p) {
          World& world = *p.world;
          replace_half(
              data.next(*round), p.entities, [&](Entity entity) { world.destroy(entity); },
              creator_of(world));
        },
        [](Population& p) { return wrong_particles(*p.world, p.entities); });
  };
}

auto creator(World& world) {
  return [&world](const Position& p, const Velocity& v) { return world.create(p, v); };
}

auto spawning_creator(World& world) {
  return [spawner = world.spawner<Position, Velocity>()](const Position& p, const Velocity& v) mutable {
    return spawner.create(p, v);
  };
}

void ask_destruction(Suite& suite, std::size_t n) {
  auto& all = ask_of_size(suite, "core/destroy_2", n);
  all.limit(destroy_by_hand);
  all.answer("strata", destroy_by(one_by_one)).at_most(2.5);
  all.answer("span", destroy_by(at_once));
  auto& pools = ask_of_size(suite, "core/destroy_pools", n);
  pools.limit(destroy_in_sets_by_hand);
  pools.answer("10 pools", destroy_by(one_by_one, give_health<10>));
  pools.answer("400 pools", destroy_by(one_by_one, give_health<400>));
  auto& churn = ask_of_size<Halves>(suite, "core/churn", n);
  churn.count_items([](const Halves& data) { return data.n / 2; });
  churn.limit(churn_by_hand);
  churn.answer("strata", churn_by(creator)).at_most(2);
  churn.answer("prepared", churn_by(spawning_creator)).at_most(2);
}

const Family kFamily([](Suite& suite) { ask_for_sizes(suite, {ask_destruction}); });

}  // namespace
}  // namespace strata::bench::destruction
