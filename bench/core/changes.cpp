// A component that is added to every entity and removed again, by the same loop whatever keeps it, and by commands.
//
// add_remove_arch: abeimler/ecs_benchmark RemoveAddComponent, SanderMertens/ecs_benchmark add_remove_1_components.
// Entities of four components get a fifth, all of them in tables. toggle_sparse: the same in a sparse set. ..._two_passes:
// add_remove of ecs_bench_suite in a sparse set: added to all entities, then removed from all. ..._tag: without a payload,
// SanderMertens/ecs_benchmark add_remove_1_tags. add_remove_many: that of tables in two passes, of a span. cmd_buffer: half of SanderMertens/ecs_benchmark
// add_remove_cmd_1_components: added to each entity by a command, then all are applied.
#include <type_traits>

#include "population.hpp"
#include "support/random.hpp"
#include "support/suite.hpp"

namespace strata::bench::changes {
namespace {

enum class Passes : std::uint8_t {
  one,  ///< Added and removed, entity by entity.
  two,  ///< Added to all, then removed from all.
};

/// What the i-th entity is given.
template <class T>
T toggled_value(std::size_t i) {
  if constexpr (std::is_empty_v<T>) {
    return {};
  } else {
    return {static_cast<float>(static_cast<std::uint32_t>(i) & 255u)};
  }
}

/// Returns: how many were removed, which is all of them. A `Keeper` has `add` and `remove`.
template <class T, Passes passes, class Keeper, class Entities>
std::size_t toggle_all(Keeper& keeper, const Entities& entities) {
  const std::size_t n = entities.size();
  std::size_t removed = 0;
  for (std::size_t i = 0; i < n; ++i) {
    keeper.add(entities[i], toggled_value<T>(i));
    if constexpr (passes == Passes::one) removed += keeper.remove(entities[i]);
  }
  if constexpr (passes == Passes::two) {
    for (const auto entity : entities) removed += keeper.remove(entity);
  }
  return removed;
}

constexpr char kWrong[] = "not all were there to be removed";

struct Marks : PackedSet<> {
  using PackedSet<>::PackedSet;
  void add(std::uint32_t number, Noticed) { PackedSet<>::add(number); }
};

/// The limit of the side store: a sparse set, the entity's value packed.
template <class T>
using SetOf = std::conditional_t<std::is_empty_v<T>, Marks, PackedSet<T>>;

/// A limit keeps the component by hand.
template <class T, Passes passes, class Keeper = SetOf<T>>
Work toggle_by_hand(EntityCount& data) {
  const auto keeper = std::make_shared<Keeper>(data.n);
  const auto numbers = std::make_shared<Numbers>(numbers_below(data.n));
  return summing(
      data.n, [keeper, numbers] { return toggle_all<T, passes>(*keeper, *numbers); }, kWrong);
}

/// The entities have a position, a velocity and `Others`. `toggle(world, entities)` returns how many have lost T.
template <class T, class... Others>
auto toggle_by(std::size_t (*toggle)(World&, const Handles&)) {
  return [toggle](EntityCount& data) {
    const auto population = populated(data.n);
    for ([[maybe_unused]] const Entity entity : population->entities) {
      (population->world->template add<Others>(entity), ...);
    }
    Work work = summing(
        data.n, [population, toggle] { return toggle(*population->world, population->entities); }, kWrong);
    work.check = [population, counted = work.check] {
      const Complaint complaint = counted();
      if (!complaint.empty()) return complaint;
      for (const Entity entity : population->entities) {
        if (population->world->template has<T>(entity))
          return to_string(entity) + " still has what was removed";
      }
      return wrong_particles(*population->world, population->entities);
    };
    return work;
  };
}

template <class T, Passes passes>
std::size_t toggle_in_world(World& world, const Handles& entities) {
  struct InWorld {
    void add(Entity entity, const T& value) { world.template add<T>(entity, value); }
    bool remove(Entity entity) { return world.template remove<T>(entity); }

    World& world;
  };
  InWorld keeper{world};
  return toggle_all<T, passes>(keeper, entities);
}

template <class T, Passes passes>
std::size_t toggle_by_accessor(World& world, const Handles& entities) {
  auto accessor = world.accessor<T>();
  return toggle_all<T, passes>(accessor, entities);
}

std::size_t toggle_spans(World& world, const Handles& entities) {
  world.add(entities, Shield{1});
  return world.remove<Shield>(entities);
}

struct Mass {
  float kilograms;
};

/// What is to be done where components are in tables, whatever the tables: rows of four columns and rows of five,
/// moved from the ones to the others, without a check. It has no bar; it says how much of strata's figure is the move.
class TwoTables {
 public:
  explicit TwoTables(std::size_t n) : without_(n), with_(n) {
    for (std::size_t i = 0; i < n; ++i) {
      without_.add(static_cast<std::uint32_t>(i), position_of(i), velocity_of(i), health_of(i), {});
    }
  }

  void add(std::uint32_t number, const Shield& shield) {
    with_.add(number, without_.get<Position>(number), without_.get<Velocity>(number),
              without_.get<Health>(number), without_.get<Mass>(number), shield);
    without_.remove(number);
  }

  bool remove(std::uint32_t number) {
    without_.add(number, with_.get<Position>(number), with_.get<Velocity>(number), with_.get<Health>(number),
                 with_.get<Mass>(number));
    return with_.remove(number);
  }

 private:
  PackedSet<Position, Velocity, Health, Mass> without_;
  PackedSet<Position, Velocity, Health, Mass, Shield> with_;
};

/// The limit keeps the fifth component beside the four: nothing that an entity has needs to move when it gets more.
void ask_add_remove(Suite& suite, std::size_t n) {
  auto& one = ask_of_size(suite, "core/add_remove_arch", n);
  one.limit(toggle_by_hand<Shield, Passes::one>);
  one.answer("strata", toggle_by<Shield, Health, Mass>(toggle_in_world<Shield, Passes::one>)).at_most(12);
  one.answer("two_tables_by_hand", toggle_by_hand<Shield, Passes::one, TwoTables>);
  auto& many = ask_of_size(suite, "core/add_remove_many", n);
  many.limit(toggle_by_hand<Shield, Passes::two>);
  many.answer("one_by_one", toggle_by<Shield, Health, Mass>(toggle_in_world<Shield, Passes::two>));
  many.answer("span", toggle_by<Shield, Health, Mass>(toggle_spans));
}

/// The bars are those of the world and of its accessor.
template <class T, Passes passes>
void ask_toggle(Suite& suite, const char* path, std::size_t n, double bar, double accessor_bar) {
  auto& question = ask_of_size(suite, path, n);
  question.limit(toggle_by_hand<T, passes>);
  question.answer("strata", toggle_by<T>(toggle_in_world<T, passes>)).at_most(bar);
  question.answer("prepared", toggle_by<T>(toggle_by_accessor<T, passes>)).at_most(accessor_bar);
}

void ask_toggles(Suite& suite, std::size_t n) {
  ask_toggle<Burning, Passes::one>(suite, "core/toggle_sparse", n, 5.5, 4);
  ask_toggle<Burning, Passes::two>(suite, "core/toggle_sparse_two_passes", n, 4.5, 3.5);
  ask_toggle<Noticed, Passes::two>(suite, "core/toggle_sparse_tag", n, 4.5, 3);
}

/// The limit: a list of (entity, value), then those values appended to an array with a map.
Work command_by_hand(EntityCount& data) {
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
  return work_on(
      state,
      [n = data.n](State& s) {
        for (std::size_t i = 0; i < n; ++i) {
          s.commands.push_back({static_cast<std::uint32_t>(i), health_of(i)});
        }
        for (const auto& [number, value] : s.commands) s.healths.add(number, value);
        s.commands.clear();
      },
      [n = data.n](State& s) { return s.healths.size() == n ? "" : "values are missing"; },
      [](State& s) { s.healths.clear(); });
}

Complaint wrong_health(const World& world, const Handles& entities) {
  for (std::size_t i = 0; i < entities.size(); ++i) {
    const Health* const health = world.find<Health>(entities[i]);
    if (health == nullptr || *health != health_of(i))
      return to_string(entities[i]) + " does not have its health";
  }
  return wrong_particles(world, entities);
}

Work command_in_world(EntityCount& data) {
  return work_on(
      populated(data.n),
      [](Population& p) {
        Commands& commands = p.world->commands();
        for (std::size_t i = 0; i < p.entities.size(); ++i) commands.add(p.entities[i], health_of(i));
        p.world->flush();
      },
      [](Population& p) { return wrong_health(*p.world, p.entities); },
      [](Population& p) {
        for (const Entity entity : p.entities) p.world->remove<Health>(entity);
      });
}

void ask_cmd_buffer(Suite& suite, std::size_t n) {
  auto& question = ask_of_size(suite, "core/cmd_buffer", n);
  question.limit(command_by_hand);
  question.answer("strata", command_in_world).at_most(15);
}

const Family kFamily([](Suite& suite) {
  ask_for_sizes(suite, {ask_add_remove, ask_toggles, ask_cmd_buffer});
});

}  // namespace
}  // namespace strata::bench::changes
