// The workload of recorded commands: a component is added to each entity by a command, then all are applied.
// Half of SanderMertens/ecs_benchmark add_remove_cmd_1_components.
#include <memory>

#include "creation.hpp"
#include "packed_set.hpp"
#include "population.hpp"
#include "questions.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

/// The limit: a list of (entity, value), then those values appended to an array with a map.
Work command_by_hand(CountOrSpan& data) {
  struct Command {
    std::uint32_t number;
    Health value;
  };
  struct State {
    std::vector<Command> commands;
    PackedSet<Health> healths;
  };
  const auto state = std::make_shared<State>(State{{}, PackedSet<Health>(data.n)});
  state->commands.reserve(data.n);
  return {.step =
              [state, n = data.n] {
                for (std::size_t i = 0; i < n; ++i) {
                  state->commands.push_back({static_cast<std::uint32_t>(i), health_of(i)});
                }
                for (const auto& [number, value] : state->commands) state->healths.add(number, value);
                state->commands.clear();
              },
          .check = [state, n = data.n] { return state->healths.size() == n ? "" : "values are missing"; },
          .prepare = [state] { state->healths.clear(); }};
}

/// Entities with a position and a velocity that get a health.
struct Recruits {
  World world;
  Handles entities;

  void record() {
    Commands& commands = world.commands();
    for (std::size_t i = 0; i < entities.size(); ++i) commands.add(entities[i], health_of(i));
  }

  void take_back() {
    for (const Entity entity : entities) world.remove<Health>(entity);
  }

  Complaint wrong_health() const {
    for (std::size_t i = 0; i < entities.size(); ++i) {
      const Health* const health = world.find<Health>(entities[i]);
      if (health == nullptr || *health != health_of(i)) return to_string(entities[i]) + " has not its health";
    }
    return wrong_particles(world, entities);
  }
};

Work command_in_world(CountOrSpan& data) {
  const auto recruits = std::make_shared<Recruits>();
  populate(recruits->world, data.n, recruits->entities);
  return {.step =
              [recruits] {
                recruits->record();
                recruits->world.flush();
              },
          .check = [recruits] { return recruits->wrong_health(); },
          .prepare = [recruits] { recruits->take_back(); }};
}

}  // namespace

void ask_cmd_buffer(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<CountOrSpan>(suite, "core/cmd_buffer", n);
  question.limit(command_by_hand);
  question.answer("strata", command_in_world).at_most(15);
}

}  // namespace strata::bench
