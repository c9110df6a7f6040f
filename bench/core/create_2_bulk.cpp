// The workload known as creating entities in bulk: skypjack/entt CreateManyWithComponents,
// abeimler/ecs_benchmark CreateEntitiesInBulk; nearly ecs_bench_suite simple_insert, which has four
// components.
#include <algorithm>
#include <numeric>

#include "creation.hpp"
#include "prepared.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

/// Columns of values, and that none of them has a parent.
struct Columns {
  explicit Columns(std::size_t n) : positions(n), velocities(n), parents(n, kNoParent) {
    for (std::size_t i = 0; i < n; ++i) positions[i] = position_of(i);
    for (std::size_t i = 0; i < n; ++i) velocities[i] = velocity_of(i);
  }

  std::vector<Position> positions;
  std::vector<Velocity> velocities;
  std::vector<std::uint32_t> parents;
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
Work create_by_hand(Columns& data) {
  return create_in_rows<Filled>(data.positions.size(), [&data](Filled& filled, Numbers& numbers) {
    std::copy(data.positions.begin(), data.positions.end(), filled.positions.begin());
    std::copy(data.velocities.begin(), data.velocities.end(), filled.velocities.begin());
    std::iota(filled.rows.begin(), filled.rows.end(), 0u);
    std::iota(filled.numbers.begin(), filled.numbers.end(), 0u);
    std::copy(filled.numbers.begin(), filled.numbers.end(), numbers.begin());
  });
}

/// A forest of roots alone.
Work create_forest(Columns& data) {
  const auto fill = [&data](World& world, Handles& entities) {
    const BuiltHierarchy built = world.build_hierarchy(data.parents, data.positions, data.velocities);
    entities.insert(entities.end(), built.entities.begin(), built.entities.end());
  };
  return create_in_world(data.positions.size(), fill, wrong_particles);
}

/// Entities from the columns.
Work create_from_columns(Columns& data) {
  const auto fill = [&data](World& world, Handles& entities) {
    entities.resize(data.positions.size());
    world.create_many<Position, Velocity>(std::span(entities), data.positions, data.velocities);
  };
  return create_in_world(data.positions.size(), fill, wrong_particles);
}

}  // namespace

void ask_create_2_bulk(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Columns>(suite, "core/create_2_bulk", n);
  question.limit(create_by_hand);
  question.answer("build_hierarchy", create_forest);
  question.answer("create_many", create_from_columns).at_most(bar_of(n, 3, 2));
  question.answer("create_many", [](Columns& data) { return create_many(data.positions, data.velocities); })
      .at_most(bar_of(n, 3, 2));
}

}  // namespace strata::bench
