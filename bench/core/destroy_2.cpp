// The workload known as destroying entities with components: skypjack/entt Destroy, abeimler/ecs_benchmark
// DestroyEntities, in the order in which they were created.
#include <memory>
#include <optional>

#include "creation.hpp"
#include "packed_set.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

/// The limit: the last row moves into the hole, the map is corrected, the number goes to the free ones.
Work destroy_by_hand(CountOrSpan& data) {
  const auto rows = std::make_shared<PackedRows<Position, Velocity>>(data.n);
  const auto numbers = std::make_shared<Numbers>(data.n);
  return {.step =
              [rows, numbers] {
                for (const std::uint32_t number : *numbers) rows->destroy(number);
              },
          .check = [rows] { return rows->size() == 0 ? "" : "rows are left"; },
          .prepare =
              [rows, numbers] {
                rows->clear();
                for (std::size_t i = 0; i < numbers->size(); ++i) {
                  (*numbers)[i] = rows->create(position_of(i), velocity_of(i));
                }
              }};
}

/// One by one, in the order in which they were created.
Work destroy_in_world(CountOrSpan& data) {
  struct State {
    std::optional<World> world;
    Handles entities;
  };
  const auto state = std::make_shared<State>();
  return {.step =
              [state] {
                for (const Entity entity : state->entities) state->world->destroy(entity);
              },
          .check =
              [state] {
                for (const Entity entity : state->entities) {
                  if (state->world->alive(entity)) return to_string(entity) + " is still alive";
                }
                return wrong_world(*state->world, {});
              },
          .prepare =
              [state, n = data.n] {
                state->world.emplace();
                state->entities.clear();
                populate(*state->world, n, state->entities);
              }};
}

}  // namespace

void ask_destroy_2(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<CountOrSpan>(suite, "core/destroy_2", n);
  question.limit(destroy_by_hand);
  question.answer("strata", destroy_in_world).at_most(2.5);
}

}  // namespace strata::bench
