#include "calibration.hpp"

#include <algorithm>
#include <ostream>
#include <random>
#include <vector>

#include "../../include/strata/storage_advice.hpp"
#include "../../include/strata/strata.hpp"
#include "../scene/text.hpp"
#include "../support/timing.hpp"

namespace layout {
namespace {

template <int>
struct Column {
  float value = 1;
};
struct Wide {
  float values[16] = {1};
};
template <int>
struct Member {
  float value = 1;
};
struct Mark {};

}  // namespace
}  // namespace layout

template <int I>
inline constexpr strata::Storage strata::storage_of<layout::Member<I>> = strata::Storage::sparse;

namespace layout {
namespace {

using Costs = strata::StorageAdvice::Costs;
using strata::Entity;
using strata::World;

/// Returns: nanoseconds per item, the median of 9 runs. A run returns a sum, which is kept, so that the compiler does not
/// remove the work.
template <class Run>
double time_each(std::size_t items, Run run) {
  [[maybe_unused]] volatile float kept = run();
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) times.push_back(strata::bench::time_ns([&] { kept = run(); }));
  return strata::bench::median(times) / static_cast<double>(items);
}

/// Returns: the time for each of the entities that have the terms' values, of adding these up.
template <class... Terms>
double time_query(World& world, std::size_t entities) {
  auto query = world.query<Terms...>();
  return time_each(entities, [&] {
    float sum = 0;
    query.each([&](const auto&... values) { sum += (values.value + ...); });
    return sum;
  });
}

/// Returns: the time of one change, half of them additions, half removals.
template <class T>
double time_changes(World& world, const std::vector<Entity>& entities) {
  return time_each(entities.size() * 2, [&] {
    for (const Entity entity : entities) world.add(entity, T{});
    for (const Entity entity : entities) world.remove<T>(entity);
    return 0.0F;
  });
}

/// Returns: new entities with these components, shuffled: what is looked up or changed at random is what costs.
template <class... Ts>
std::vector<Entity> created(World& world, std::size_t count) {
  std::vector<Entity> entities;
  entities.reserve(count);
  for (std::size_t i = 0; i < count; ++i) entities.push_back(world.create(Ts{}...));
  std::mt19937 random(1);
  for (std::size_t i = entities.size(); i > 1; --i) std::swap(entities[i - 1], entities[random() % i]);
  return entities;
}

/// Never zero: what is too cheap to be seen still costs.
double difference(double more, double less) {
  return std::max(0.01, more - less);
}

template <class T>
double time_look_ups(World& world, const std::vector<Entity>& entities) {
  return time_each(entities.size(), [&] {
    float sum = 0;
    for (const Entity entity : entities) sum += world.get<T>(entity).value;
    return sum;
  });
}

/// Returns: the time of moving a row that has these values.
template <class... Ts>
double time_moves(std::size_t count) {
  World world;
  return time_changes<Mark>(world, created<Ts...>(world, count));
}

void measure_tables(World& world, std::size_t count, Costs& costs) {
  const double one = time_query<const Column<0>>(world, count);
  const double three = time_query<const Column<0>, const Column<1>, const Column<2>>(world, count);
  costs.row_value = difference(three, one) / 2;
  costs.row = difference(one, costs.row_value);
  // Families have tables of their own, of one row.
  World families({.layout = strata::Layout::per_parent});
  const std::size_t family_count = std::max<std::size_t>(count / 10, 100);
  for (std::size_t i = 0; i < family_count; ++i)
    families.create(strata::child_of(families.create()), Column<0>{});
  costs.table = difference(time_query<const Column<0>>(families, family_count), one);
}

void measure_pools(World& world, std::size_t count, Costs& costs) {
  costs.member = time_query<const Member<0>>(world, count);
  costs.pool_look_up = difference(time_query<const Member<0>, const Member<1>>(world, count), costs.member);
  const double one = time_query<const Member<0>, const Column<0>>(world, count);
  const double three =
      time_query<const Member<0>, const Column<0>, const Column<1>, const Column<2>>(world, count);
  costs.member_value = difference(three, one) / 2;
  costs.member_row = difference(one, costs.member + costs.member_value);
}

void measure_moves(std::size_t count, Costs& costs) {
  const double one = time_moves<Column<0>>(count);
  const double five = time_moves<Column<0>, Column<1>, Column<2>, Column<3>, Column<4>>(count);
  const double wide = time_moves<Wide>(count);
  costs.move_byte = difference(wide, one) / (sizeof(Wide) - sizeof(Column<0>));
  const double bytes = static_cast<double>(sizeof(Column<0>)) * costs.move_byte;
  costs.move_column = difference(difference(five, one) / 4, bytes);
  const double handle = static_cast<double>(sizeof(Entity)) * costs.move_byte;
  costs.move = difference(one, costs.move_column + bytes + handle);
}

}  // namespace

void calibrate(std::ostream& out, std::size_t count) {
  World world;
  const auto entities = created<Column<0>, Column<1>, Column<2>, Member<0>, Member<1>>(world, count);
  Costs costs;
  measure_tables(world, count, costs);
  measure_pools(world, count, costs);
  costs.find_in_table = time_look_ups<Column<0>>(world, entities);
  costs.find_in_pool = time_look_ups<Member<0>>(world, entities);
  measure_moves(count, costs);
  costs.pool_change = time_changes<Member<2>>(world, entities);
  const auto line = [&](const char* name, double value) {
    out << "costs." << name << " = " << scene::fixed(value, 2) << ";\n";
  };
  out << "strata::StorageAdvice::Costs costs;  // ns\n";
  line("table", costs.table);
  line("row", costs.row);
  line("row_value", costs.row_value);
  line("member", costs.member);
  line("member_row", costs.member_row);
  line("member_value", costs.member_value);
  line("pool_look_up", costs.pool_look_up);
  line("find_in_table", costs.find_in_table);
  line("find_in_pool", costs.find_in_pool);
  line("move", costs.move);
  line("move_column", costs.move_column);
  line("move_byte", costs.move_byte);
  line("pool_change", costs.pool_change);
}

}  // namespace layout
