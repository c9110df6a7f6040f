// Entities created into what was empty before, by hand and in a world, and the memory that they take.
//
// create_0: skypjack/entt Create, abeimler/ecs_benchmark CreateEmptyEntities. create_2: abeimler/ecs_benchmark
// CreateEntities; half of SanderMertens/ecs_benchmark create_delete_2_components. create_2_bulk: skypjack/entt
// CreateManyWithComponents, abeimler/ecs_benchmark CreateEntitiesInBulk; nearly ecs_bench_suite simple_insert, which has
// four components.
#include <algorithm>
#include <numeric>
#include <span>

#include "population.hpp"
#include "support/counting_memory.hpp"
#include "support/suite.hpp"

namespace strata::bench::creation {
namespace {

/// A step is `fill(data, rows, numbers)`, with empty rows and room for all numbers.
template <class Data, class Rows>
auto by_hand(void (*fill)(const Data&, Rows&, Numbers&)) {
  return [fill](Data& data) {
    struct State {
      Rows rows;
      Numbers numbers;
    };
    return work_on(
        std::make_shared<State>(State{Rows(data.n), Numbers(data.n)}),
        [&data, fill](State& s) { fill(data, s.rows, s.numbers); },
        [](State& s) { return s.rows.size() == s.numbers.size() ? "" : "rows are missing"; },
        [](State& s) { s.rows.clear(); });
  };
}

/// A step is `fill(data, world, entities)`, with an empty world and no handles but room for all; `check` says what is
/// wrong with both.
template <class Data>
auto in_world(void (*fill)(const Data&, World&, Handles&),
              Complaint (*check)(const World&, const Handles&) = wrong_particles) {
  return [fill, check](Data& data) {
    const auto population = std::make_shared<Population>();
    population->entities.reserve(data.n);
    return work_on(
        population, [&data, fill](Population& p) { fill(data, *p.world, p.entities); },
        [&data, check](Population& p) {
          return p.entities.size() == data.n ? check(*p.world, p.entities) : "handles are missing";
        },
        [](Population& p) { p.clear(); });
  };
}

/// The limit: the list of entities and the map from an entity to its place there.
void create_0_by_hand(const EntityCount&, PackedRows<>& rows, Numbers& numbers) {
  for (std::uint32_t& number : numbers) number = rows.create();
}

void create_0(const EntityCount& data, World& world, Handles& entities) {
  for (std::size_t i = 0; i < data.n; ++i) entities.push_back(world.create());
}

/// The limit: the values appended to two arrays, the entity to a third, and its place to a map.
void create_2_by_hand(const EntityCount&, PackedRows<Position, Velocity>& rows, Numbers& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = rows.create(position_of(i), velocity_of(i));
}

void create_2(const EntityCount& data, World& world, Handles& entities) {
  for (std::size_t i = 0; i < data.n; ++i) entities.push_back(world.create(position_of(i), velocity_of(i)));
}

void create_2_by_spawner(const EntityCount& data, World& world, Handles& entities) {
  auto spawner = world.spawner<Position, Velocity>();
  for (std::size_t i = 0; i < data.n; ++i) entities.push_back(spawner.create(position_of(i), velocity_of(i)));
}

/// Columns of values, and that none of them has a parent.
struct Columns : EntityCount {
  explicit Columns(std::size_t count) : EntityCount(count), parents(n, kNoParent) {
    for (std::size_t i = 0; i < n; ++i) positions.push_back(position_of(i));
    for (std::size_t i = 0; i < n; ++i) velocities.push_back(velocity_of(i));
  }

  std::vector<Position> positions;
  std::vector<Velocity> velocities;
  Numbers parents;
};

/// What is filled by hand: rows and numbers are the same here, until something is destroyed.
struct Filled {
  explicit Filled(std::size_t n) : positions(n), velocities(n), rows(n), numbers(n) {}

  std::size_t size() const { return rows.size(); }
  void clear() {}

  std::vector<Position> positions;
  std::vector<Velocity> velocities;
  Numbers rows;
  Numbers numbers;
};

/// The limit: two columns copied into presized arrays, the list of entities and their places counted up.
void create_bulk_by_hand(const Columns& data, Filled& filled, Numbers& numbers) {
  std::copy(data.positions.begin(), data.positions.end(), filled.positions.begin());
  std::copy(data.velocities.begin(), data.velocities.end(), filled.velocities.begin());
  std::iota(filled.rows.begin(), filled.rows.end(), 0u);
  std::iota(filled.numbers.begin(), filled.numbers.end(), 0u);
  std::copy(filled.numbers.begin(), filled.numbers.end(), numbers.begin());
}

/// A forest of roots alone.
void create_forest(const Columns& data, World& world, Handles& entities) {
  const BuiltHierarchy built = world.build_hierarchy(data.parents, data.positions, data.velocities);
  entities.insert(entities.end(), built.entities.begin(), built.entities.end());
}

void create_from_columns(const Columns& data, World& world, Handles& entities) {
  entities.resize(data.n);
  world.create_many<Position, Velocity>(std::span(entities), data.positions, data.velocities);
}

/// Creates all rows at once, and copies the columns into each run of them.
void create_in_runs(const Columns& data, World& world, Handles& entities) {
  auto position = data.positions.begin();
  auto velocity = data.velocities.begin();
  const auto copy = [&](std::span<const Entity> handles, std::span<Position> positions,
                        std::span<Velocity> velocities) {
    const auto count = static_cast<std::ptrdiff_t>(handles.size());
    entities.insert(entities.end(), handles.begin(), handles.end());
    std::copy_n(position, count, positions.begin());
    std::copy_n(velocity, count, velocities.begin());
    position += count;
    velocity += count;
  };
  world.create_many<Position, Velocity>(data.n, copy);
}

/// The limit: the two components and a handle.
Amounts bytes_per_entity(std::size_t n) {
  CountingMemory memory;
  Population population;
  population.world.emplace(WorldOptions{.memory = &memory});
  population.create(n);
  return {static_cast<double>(memory.bytes()) / static_cast<double>(n),
          sizeof(Position) + sizeof(Velocity) + sizeof(Entity)};
}

void ask_creation(Suite& suite, std::size_t n) {
  auto& empty = ask_of_size(suite, "core/create_0", n);
  empty.limit(by_hand(create_0_by_hand));
  empty.answer("strata", in_world(create_0, wrong_world)).at_most(7);
  auto& two = ask_of_size(suite, "core/create_2", n);
  two.limit(by_hand(create_2_by_hand));
  two.answer("strata", in_world(create_2)).at_most(7);
  two.answer("prepared", in_world(create_2_by_spawner)).at_most(5);
  auto& bulk = ask_of_size<Columns>(suite, "core/create_2_bulk", n);
  bulk.limit(by_hand(create_bulk_by_hand));
  bulk.answer("build_hierarchy", in_world(create_forest));
  bulk.answer("create_many_columns", in_world(create_from_columns)).at_most(bar_of(n, 3, 2));
  bulk.answer("create_many", in_world(create_in_runs)).at_most(bar_of(n, 3, 2));
  suite.count({.path = "core/memory/" + std::to_string(n),
               .items = n,
               .take = [n] { return bytes_per_entity(n); },
               .on_demand = n != kSizes[2]});
}

const Family kFamily([](Suite& suite) { ask_for_sizes(suite, {ask_creation}); });

}  // namespace
}  // namespace strata::bench::creation
