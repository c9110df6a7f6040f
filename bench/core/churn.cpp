// The workload of entities that come and go, as projectiles do: half of them, chosen at random, are
// destroyed and created again. skypjack/entt Recycle is nearest, in order and without components.
#include <memory>

#include "packed_set.hpp"
#include "population.hpp"
#include "prepared.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

/// Halves to be replaced in turn: those of a random order, and the even and the odd places of it.
struct Halves {
  explicit Halves(std::size_t count) : n(count), rounds(4) {
    const Numbers order = shuffled(n);
    for (std::size_t i = 0; i < n / 2; ++i) {
      rounds[0].push_back(order[i]);
      rounds[1].push_back(order[i + n / 2]);
      rounds[2].push_back(order[2 * i]);
      rounds[3].push_back(order[2 * i + 1]);
    }
  }

  std::size_t n;
  std::vector<Numbers> rounds;
};

/// Replaces `entities[i]`, for every i of a half, by a new one with the same values.
template <class Entities, class Destroy, class Create>
void replace_half(const Numbers& half, Entities& entities, Destroy destroy, Create create) {
  for (const std::uint32_t i : half) destroy(entities[i]);
  for (const std::uint32_t i : half) entities[i] = create(position_of(i), velocity_of(i));
}

/// The limit: swap-remove in packed arrays with a map, then appending to them.
Work churn_by_hand(Halves& data) {
  struct State {
    PackedRows<Position, Velocity> rows;
    Numbers numbers;
    std::size_t round = 0;
  };
  const auto state = std::make_shared<State>(State{PackedRows<Position, Velocity>(data.n), {}});
  for (std::size_t i = 0; i < data.n; ++i) {
    state->numbers.push_back(state->rows.create(position_of(i), velocity_of(i)));
  }
  return {.step =
              [state, &data] {
                auto& rows = state->rows;
                replace_half(
                    data.rounds[state->round++ % data.rounds.size()], state->numbers,
                    [&](std::uint32_t number) { rows.destroy(number); },
                    [&](const Position& p, const Velocity& v) { return rows.create(p, v); });
              },
          .check = [state, &data] { return state->rows.size() == data.n ? "" : "rows are missing"; }};
}

/// `creator_of(world)` creates entities from a position and a velocity.
template <class CreatorOf>
Work churn_in_world(const Halves& data, CreatorOf creator_of) {
  struct State {
    World world;
    Handles entities;
    std::size_t round = 0;
  };
  const auto state = std::make_shared<State>();
  populate(state->world, data.n, state->entities);
  return {.step =
              [state, &data, creator_of] {
                World& world = state->world;
                replace_half(
                    data.rounds[state->round++ % data.rounds.size()], state->entities,
                    [&](Entity entity) { world.destroy(entity); }, creator_of(world));
              },
          .check = [state] { return wrong_particles(state->world, state->entities); }};
}

Work churn(Halves& data) {
  return churn_in_world(data, [](World& world) {
    return [&world](const Position& p, const Velocity& v) { return world.create(p, v); };
  });
}

}  // namespace

void ask_churn(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Halves>(suite, "core/churn", n);
  question.count_items([](const Halves& data) { return data.n / 2; });
  question.limit(churn_by_hand);
  question.answer("strata", churn).at_most(2);
  question.answer("prepared", [](Halves& data) { return churn_in_world(data, PreparedCreation()); })
      .at_most(2);
}

}  // namespace strata::bench
