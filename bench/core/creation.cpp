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

namespace strata::bench {
namespace {

/// A step is `fill(rows, numbers)`, with empty rows and room for n numbers.
template <class Rows, class Fill>
Work create_in_rows(std::size_t n, Fill fill) {
  struct State {
    Rows rows;
    Numbers numbers;
  };
  return work_on(
      std::make_shared<State>(State{Rows(n), Numbers(n)}), [fill](State& s) { fill(s.rows, s.numbers); },
      [n](State& s) { return s.rows.size() == n ? "" : "rows are missing"; },
      [](State& s) { s.rows.clear(); });
}

/// A step is `fill(world, entities)`, with an empty world and no handles but room for n; `check` says what is wrong
/// with both.
template <class Fill>
Work create_in_world(std::size_t n, Fill fill,
                     Complaint (*check)(const World&, const Handles&) = wrong_particles) {
  const auto population = std::make_shared<Population>();
  population->entities.reserve(n);
  return work_on(
      population, [fill](Population& p) { fill(*p.world, p.entities); },
      [n, check](Population& p) {
        return p.entities.size() == n ? check(*p.world, p.entities) : "handles are missing";
      },
      [](Population& p) { p.clear(); });
}

/// The limit: the list of entities and the map from an entity to its place there.
Work create_0_by_hand(EntityCount& data) {
  return create_in_rows<PackedRows<>>(data.n, [](PackedRows<>& rows, Numbers& numbers) {
    for (std::uint32_t& number : numbers) number = rows.create();
  });
}

Work create_0(EntityCount& data) {
  const auto fill = [n = data.n](World& world, Handles& entities) {
    for (std::size_t i = 0; i < n; ++i) entities.push_back(world.create());
  };
  return create_in_world(data.n, fill, wrong_world);
}

void ask_create_0(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<EntityCount>(suite, "core/create_0", n);
  question.limit(create_0_by_hand);
  question.answer("strata", create_0).at_most(7);
}

/// The limit: the values appended to two arrays, the entity to a third, and its place to a map.
Work create_2_by_hand(EntityCount& data) {
  using Rows = PackedRows<Position, Velocity>;
  return create_in_rows<Rows>(data.n, [](Rows& rows, Numbers& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = rows.create(position_of(i), velocity_of(i));
  });
}

Work create_2(EntityCount& data) {
  return create_in_world(data.n, [n = data.n](World& world, Handles& entities) {
    for (std::size_t i = 0; i < n; ++i) entities.push_back(world.create(position_of(i), velocity_of(i)));
  });
}

Work create_2_by_spawner(EntityCount& data) {
  return create_in_world(data.n, [n = data.n](World& world, Handles& entities) {
    auto spawner = world.spawner<Position, Velocity>();
    for (std::size_t i = 0; i < n; ++i) entities.push_back(spawner.create(position_of(i), velocity_of(i)));
  });
}

void ask_create_2(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<EntityCount>(suite, "core/create_2", n);
  question.limit(create_2_by_hand);
  question.answer("strata", create_2).at_most(7);
  question.answer("prepared", create_2_by_spawner).at_most(5);
}

/// Columns of values, and that none of them has a parent.
struct Columns {
  explicit Columns(std::size_t n) : positions(n), velocities(n), parents(n, kNoParent) {
    for (std::size_t i = 0; i < n; ++i) positions[i] = position_of(i);
    for (std::size_t i = 0; i < n; ++i) velocities[i] = velocity_of(i);
  }

  std::size_t size() const { return positions.size(); }

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
Work create_bulk_by_hand(Columns& data) {
  return create_in_rows<Filled>(data.size(), [&data](Filled& filled, Numbers& numbers) {
    std::copy(data.positions.begin(), data.positions.end(), filled.positions.begin());
    std::copy(data.velocities.begin(), data.velocities.end(), filled.velocities.begin());
    std::iota(filled.rows.begin(), filled.rows.end(), 0u);
    std::iota(filled.numbers.begin(), filled.numbers.end(), 0u);
    std::copy(filled.numbers.begin(), filled.numbers.end(), numbers.begin());
  });
}

/// A forest of roots alone.
Work create_forest(Columns& data) {
  return create_in_world(data.size(), [&data](World& world, Handles& entities) {
    const BuiltHierarchy built = world.build_hierarchy(data.parents, data.positions, data.velocities);
    entities.insert(entities.end(), built.entities.begin(), built.entities.end());
  });
}

/// Entities from the columns.
Work create_from_columns(Columns& data) {
  return create_in_world(data.size(), [&data](World& world, Handles& entities) {
    entities.resize(data.size());
    world.create_many<Position, Velocity>(std::span(entities), data.positions, data.velocities);
  });
}

/// Creates all rows at once, and copies the columns into each run of them.
Work create_in_runs(Columns& data) {
  return create_in_world(data.size(), [&data](World& world, Handles& entities) {
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
    world.create_many<Position, Velocity>(data.size(), copy);
  });
}

void ask_create_2_bulk(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Columns>(suite, "core/create_2_bulk", n);
  question.limit(create_bulk_by_hand);
  question.answer("build_hierarchy", create_forest);
  question.answer("create_many_columns", create_from_columns).at_most(bar_of(n, 3, 2));
  question.answer("create_many", create_in_runs).at_most(bar_of(n, 3, 2));
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

void ask_memory(Suite& suite, std::size_t n) {
  suite.count({.path = "core/memory/" + std::to_string(n),
               .items = n,
               .take = [n] { return bytes_per_entity(n); },
               .on_demand = n != kSizes[2]});
}

void ask_creation(Suite& suite) {
  ask_for_sizes(suite, {ask_create_0, ask_create_2, ask_create_2_bulk, ask_memory});
}

const Family kFamily(ask_creation);

}  // namespace
}  // namespace strata::bench
