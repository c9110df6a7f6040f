// Destroying entities that have two components in the side store, out of 10 and out of 400 that there are: what an
// entity has is to be paid for, not what others have.
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "creation.hpp"
#include "packed_set.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

/// The limit knows which two sets to ask.
Work destroy_by_hand(CountOrSpan& data) {
  struct State {
    explicit State(std::size_t n) : rows(n), first(n), second(n), numbers(n) {}
    PackedRows<Position, Velocity> rows;
    PackedSet<Health> first;
    PackedSet<Health> second;
    Numbers numbers;
  };
  const auto state = std::make_shared<State>(data.n);
  return {.step =
              [state] {
                for (const std::uint32_t number : state->numbers) {
                  state->first.remove(number);
                  state->second.remove(number);
                  state->rows.destroy(number);
                }
              },
          .check = [state] { return state->rows.size() + state->first.size() == 0 ? "" : "rows are left"; },
          .prepare =
              [state] {
                state->rows.clear();
                for (std::size_t i = 0; i < state->numbers.size(); ++i) {
                  state->numbers[i] = state->rows.create(position_of(i), velocity_of(i));
                  state->first.add(state->numbers[i], {1});
                  state->second.add(state->numbers[i], {2});
                }
              }};
}

/// Registers so many components like Health, of which neighbours share two.
std::vector<ComponentId> describe_pools(World& world, std::size_t pools) {
  std::vector<ComponentId> ids;
  for (std::size_t i = 0; i < pools; ++i) {
    ComponentInfo description = describe<Health>();
    description.name = "health " + std::to_string(i);
    description.storage = Storage::sparse;
    description.pool.entries_per_page = 256;
    ids.push_back(world.component(description));
  }
  return ids;
}

void give_health(World& world, const Handles& entities, const std::vector<ComponentId>& ids) {
  constexpr std::size_t kNeighbours = 256;
  for (std::size_t i = 0; i < entities.size(); ++i) {
    for (const std::size_t shift : {std::size_t{0}, ids.size() / 2}) {
      Health health{1};
      world.add(entities[i], ids[(i / kNeighbours + shift) % ids.size()], &health);
    }
  }
}

/// One by one, in the order in which they were created.
template <std::size_t pools>
Work destroy_in_world(CountOrSpan& data) {
  struct State {
    std::optional<World> world;
    Handles entities;
    std::vector<ComponentId> ids;
  };
  const auto state = std::make_shared<State>();
  return {.step =
              [state] {
                for (const Entity entity : state->entities) state->world->destroy(entity);
              },
          .check =
              [state] {
                const std::size_t members = state->world->stats().side_store_members;
                if (members != 0) return std::to_string(members) + " values are left in the side store";
                return wrong_world(*state->world, {});
              },
          .prepare =
              [state, n = data.n] {
                state->world.emplace();
                state->entities.clear();
                populate(*state->world, n, state->entities);
                state->ids = describe_pools(*state->world, pools);
                give_health(*state->world, state->entities, state->ids);
              }};
}

}  // namespace

void ask_destroy_pools(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<CountOrSpan>(suite, "core/destroy_pools", n);
  question.limit(destroy_by_hand);
  question.answer("10 pools", destroy_in_world<10>);
  question.answer("400 pools", destroy_in_world<400>);
}

}  // namespace strata::bench
