// The workload known as creating entities with two components: abeimler/ecs_benchmark CreateEntities; half
// of SanderMertens/ecs_benchmark create_delete_2_components.
#include "creation.hpp"
#include "packed_set.hpp"
#include "prepared.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

/// The limit: the values appended to two arrays, the entity to a third, and its place to a map.
Work create_by_hand(CountOrSpan& data) {
  using Rows = PackedRows<Position, Velocity>;
  return create_in_rows<Rows>(data.n, [](Rows& rows, Numbers& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = rows.create(position_of(i), velocity_of(i));
  });
}

Work create_one_by_one(CountOrSpan& data) {
  const auto fill = [n = data.n](World& world, Handles& entities) { populate(world, n, entities); };
  return create_in_world(data.n, fill, wrong_particles);
}

}  // namespace

void ask_create_2(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<CountOrSpan>(suite, "core/create_2", n);
  question.limit(create_by_hand);
  question.answer("strata", create_one_by_one).at_most(7);
  question.answer("prepared", create_prepared).at_most(5);
}

}  // namespace strata::bench
