// The workload known as creating empty entities: skypjack/entt Create, abeimler/ecs_benchmark
// CreateEmptyEntities.
#include "creation.hpp"
#include "packed_set.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

/// The limit: the list of entities and the map from an entity to its place there.
Work create_by_hand(CountOrSpan& data) {
  return create_in_rows<PackedRows<>>(data.n, [](PackedRows<>& rows, Numbers& numbers) {
    for (std::uint32_t& number : numbers) number = rows.create();
  });
}

Work create_one_by_one(CountOrSpan& data) {
  const auto fill = [n = data.n](World& world, Handles& entities) {
    for (std::size_t i = 0; i < n; ++i) entities.push_back(world.create());
  };
  return create_in_world(data.n, fill, wrong_world);
}

}  // namespace

void ask_create_0(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<CountOrSpan>(suite, "core/create_0", n);
  question.limit(create_by_hand);
  question.answer("strata", create_one_by_one).at_most(7);
}

}  // namespace strata::bench
