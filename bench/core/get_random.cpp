// The workload known as getting a component: abeimler/ecs_benchmark UnpackOneComponent,
// SanderMertens/ecs_benchmark get; here of entities in random order, which those visit in the order of
// creation.
#include "checked_arrays.hpp"
#include "prepared.hpp"
#include "questions.hpp"
#include "random_access.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

/// All entities have a position, a velocity and a health, and are asked for their position.
struct Data : RandomAccess {
  explicit Data(std::size_t n) : RandomAccess(n) {
    for (std::size_t i = 0; i < n; ++i) positions.push_back(position_of(i));
    for (const Position& position : positions) expected += digest(position);
  }

  std::shared_ptr<Crowd> world() const {
    return crowd(*this, [](std::size_t) { return true; });
  }

  std::vector<Position> positions;
};

/// The limit: an array of values indexed by the random order.
Work get_by_hand(Data& data) {
  return summing(data, [&data] {
    const Position* const positions = data.positions.data();
    std::uint64_t sum = 0;
    for (const std::uint32_t i : data.order) sum += digest(positions[i]);
    return sum;
  });
}

Work get_by_handle(Data& data) {
  return sum_by_handle(data, std::span<const Position>(data.positions), digest);
}

Work get_from_world(Data& data) {
  return summing(data, [crowd = data.world()] {
    World& world = crowd->world;
    return sum_over(crowd->in_order, [&](Entity entity) { return digest(world.get<Position>(entity)); });
  });
}

}  // namespace

void ask_get_random(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Data>(suite, "core/get_random", n);
  question.limit(get_by_hand);
  question.answer("strata", get_from_world).at_most(bar_of(n, 4, 5));
  question.answer("prepared", [](Data& data) { return get_prepared(data, data.world()); })
      .at_most(bar_of(n, 2.2, 3.5));
  question.answer("arrays_by_handle", get_by_handle);
}

}  // namespace strata::bench
