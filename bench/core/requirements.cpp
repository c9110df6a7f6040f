// Requirements: a component that requires two others is added to entities that lack all three.
//
// The limit is strata without requirements: one component as large as the three, so the row moves once, too. The three
// added one by one move the row three times.
#include <strata/strata.hpp>

#include "support/suite.hpp"

namespace strata::bench::requirements {
namespace {

struct Place {
  float x = 1;
};
struct Frame {
  float x = 2;
};
struct Shown {
  float x = 3;
};
struct Actor {
  float x = 4;
};
/// Requires nothing; the same as Actor otherwise.
struct Plain {
  float x = 4;
};
struct Whole {
  float x[3] = {2, 3, 4};
};

}  // namespace
}  // namespace strata::bench::requirements

template <>
inline constexpr auto strata::requires_of<strata::bench::requirements::Actor> =
    strata::Requires<strata::bench::requirements::Frame, strata::bench::requirements::Shown>{};

namespace strata::bench::requirements {
namespace {

struct Stage {
  explicit Stage(std::size_t n) : entities(n) { world.create_many(std::span(entities), Place{}); }

  World world;
  std::vector<Entity> entities;
};

/// A step adds to all entities by `add(world, entity)`; they lose Ts before it.
template <class... Ts, class Add>
auto add_to_all(Add add) {
  return [add](EntityCount& count) {
    return work_on(
        std::make_shared<Stage>(count.n),
        [add](Stage& stage) {
          for (const Entity entity : stage.entities) add(stage.world, entity);
        },
        [](Stage& stage) {
          return (stage.world.query<const Place, With<Ts>...>().count() == stage.entities.size())
                     ? ""
                     : "a component is missing";
        },
        [](Stage& stage) { (stage.world.remove<Ts>(stage.entities), ...); });
  };
}

void ask_requirements(Suite& suite) {
  const auto add_whole = [](World& world, Entity entity) { world.add(entity, Whole{}); };
  const auto add_three = [](World& world, Entity entity) {
    world.add(entity, Frame{});
    world.add(entity, Shown{});
    world.add(entity, Plain{});
  };
  const auto add_actor = [](World& world, Entity entity) { world.add(entity, Actor{}); };
  for (const std::size_t n : {kSizes[0], std::size_t{100'000}}) {
    auto& added = ask_of_size(suite, "core/add_required", n);
    added.limit(add_to_all<Whole>(add_whole));
    added.answer("three_by_hand", add_to_all<Plain, Frame, Shown>(add_three));
    added.answer("strata", add_to_all<Actor, Frame, Shown>(add_actor)).at_most(2);
  }
}

const Family kFamily(ask_requirements);

}  // namespace
}  // namespace strata::bench::requirements
