#include "calibration.hpp"

#include <algorithm>
#include <ostream>
#include <random>
#include <vector>

#include "../../include/strata/strata.hpp"
#include "../scene/text.hpp"
#include "../support/timing.hpp"

namespace layout {
namespace {

template <int>
struct Column {
  float value = 1;
};
template <int>
struct Wide {
  float values[16] = {1};
};
template <int>
struct Member {
  float value = 1;
};
template <int>
struct Mark {};

}  // namespace
}  // namespace layout

template <int I>
inline constexpr strata::Storage strata::storage_of<layout::Member<I>> = strata::Storage::sparse;

namespace layout {
namespace {

using strata::Entity;
using strata::World;

/// Keeps a result, so that the compiler does not remove the work.
void keep(float value) {
  [[maybe_unused]] static volatile float kept;
  kept = value;
}

/// Returns: nanoseconds per item, the median of 9 runs.
template <class Run>
double time_each(std::size_t items, Run run) {
  std::vector<double> times;
  run();
  for (int i = 0; i < 9; ++i) times.push_back(strata::bench::time_ns(run));
  return strata::bench::median(times) / static_cast<double>(items);
}

/// What is looked up or changed at random is what costs.
std::vector<Entity> shuffled(std::vector<Entity> entities) {
  std::mt19937 random(1);
  for (std::size_t i = entities.size(); i > 1; --i) std::swap(entities[i - 1], entities[random() % i]);
  return entities;
}

/// Never zero: what is too cheap to be seen still costs.
double difference(double more, double less) {
  return std::max(0.01, more - less);
}

class Calibration {
 public:
  explicit Calibration(std::size_t entities) : count_(entities) {
    for (std::size_t i = 0; i < entities; ++i) {
      entities_.push_back(world_.create(Column<0>{}, Column<1>{}, Column<2>{}, Member<0>{}, Member<1>{}));
    }
    shuffled_ = shuffled(entities_);
  }

  strata::StorageAdvice::Costs run() {
    measure_tables();
    measure_pools();
    measure_look_ups();
    measure_changes();
    return costs_;
  }

 private:
  /// Returns: the time for each entity of adding the terms' values up.
  template <class... Terms>
  double time_query() {
    auto query = world_.query<Terms...>();
    return time_each(count_, [&] {
      float sum = 0;
      query.each([&](const auto&... values) { sum += (values.value + ...); });
      keep(sum);
    });
  }

  void measure_tables() {
    const double one = time_query<const Column<0>>();
    const double three = time_query<const Column<0>, const Column<1>, const Column<2>>();
    costs_.row_value = difference(three, one) / 2;
    costs_.row = difference(one, costs_.row_value);
    // Families have tables of their own, of one row.
    World world({.layout = strata::Layout::per_parent});
    const std::size_t families = std::max<std::size_t>(count_ / 10, 100);
    for (std::size_t i = 0; i < families; ++i) {
      world.create(strata::child_of(world.create()), Column<0>{});
    }
    auto query = world.query<const Column<0>>();
    costs_.table = difference(time_each(families,
                                        [&] {
                                          float sum = 0;
                                          query.each([&](const Column<0>& value) { sum += value.value; });
                                          keep(sum);
                                        }),
                              one);
  }

  void measure_pools() {
    costs_.member = time_query<const Member<0>>();
    costs_.pool_look_up = difference(time_query<const Member<0>, const Member<1>>(), costs_.member);
    const double one = time_query<const Member<0>, const Column<0>>();
    const double three = time_query<const Member<0>, const Column<0>, const Column<1>, const Column<2>>();
    costs_.member_value = difference(three, one) / 2;
    costs_.member_row = difference(one, costs_.member + costs_.member_value);
  }

  template <class T>
  double time_look_ups() {
    return time_each(count_, [&] {
      float sum = 0;
      for (const Entity entity : shuffled_) sum += world_.get<T>(entity).value;
      keep(sum);
    });
  }

  void measure_look_ups() {
    costs_.find_in_table = time_look_ups<Column<0>>();
    costs_.find_in_pool = time_look_ups<Member<0>>();
  }

  /// Returns: the time of one change, half of them additions, half removals.
  template <class T>
  static double time_changes(World& world, const std::vector<Entity>& entities) {
    return time_each(entities.size() * 2, [&] {
      for (const Entity entity : entities) world.add(entity, T{});
      for (const Entity entity : entities) world.remove<T>(entity);
    });
  }

  /// Returns: the time of moving a row that has these values.
  template <class... Ts>
  double time_moves() const {
    World world;
    std::vector<Entity> entities;
    for (std::size_t i = 0; i < count_; ++i) entities.push_back(world.create(Ts{}...));
    return time_changes<Mark<0>>(world, shuffled(entities));
  }

  void measure_changes() {
    const double one = time_moves<Column<0>>();
    const double five = time_moves<Column<0>, Column<1>, Column<2>, Column<3>, Column<4>>();
    const double wide = time_moves<Wide<0>>();
    costs_.move_byte = difference(wide, one) / (sizeof(Wide<0>) - sizeof(Column<0>));
    const double bytes = static_cast<double>(sizeof(Column<0>)) * costs_.move_byte;
    costs_.move_column = difference(difference(five, one) / 4, bytes);
    const double handle = static_cast<double>(sizeof(Entity)) * costs_.move_byte;
    costs_.move = difference(one, costs_.move_column + bytes + handle);
    costs_.pool_change = time_changes<Member<2>>(world_, shuffled_);
  }

  std::size_t count_;
  World world_;
  std::vector<Entity> entities_;
  std::vector<Entity> shuffled_;
  strata::StorageAdvice::Costs costs_;
};

}  // namespace

strata::StorageAdvice::Costs calibrate(std::size_t entities) {
  return Calibration(entities).run();
}

void print_costs(std::ostream& out, const strata::StorageAdvice::Costs& costs) {
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
