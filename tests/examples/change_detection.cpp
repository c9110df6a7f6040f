#include <strata/strata.hpp>

#include <iostream>
#include <vector>

struct Local { float x; };
struct Global { float x; };
struct Health { int points; };

// Writes to Health are recorded, for each value.
template <>
inline constexpr strata::Tracking strata::tracking_of<Health> = strata::Tracking::rows;

int main() {
  strata::World world;
  const auto ship = world.create(Local{1}, Global{}, Health{100});
  const auto mast = world.create(strata::child_of(ship), Local{2}, Global{}, Health{50});
  const auto sail = world.create(strata::child_of(mast), Local{3}, Global{}, Health{20});
  for (int i = 0; i < 1'000; ++i) world.create(strata::child_of(ship), Local{0}, Global{});

  // 1. What was written since this query looked last? The first look sees everything.
  auto bars = world.query<strata::Entity, const Health>();
  const auto redraw = [&] {
    std::cout << "health bars to draw:";
    bars.changed<Health>().each([](strata::Entity entity, const Health& health) {
      std::cout << ' ' << entity << " (" << health.points << ')';
    });
    std::cout << '\n';
  };
  redraw();
  world.get<Health>(sail).points -= 5;  // any access that may write counts
  redraw();
  redraw();

  // 2. What follows from a change? Marked entities and all below them are visited, parents first.
  auto transforms = world.query<const Local, Global, strata::Parent<const Global>>();
  const auto update = [](const Local& local, Global& global, const Global* parent) {
    const float x = (parent ? parent->x : 0) + local.x;
    const bool changed = x != global.x;
    global.x = x;
    return changed;  // false: what is below need not be visited
  };
  transforms.cascade().each(update);  // all, once

  world.set(mast, Local{4});
  world.add<strata::Dirty>(mast);
  for (const strata::Entity entity : transforms.cascade().propagate(update)) {
    std::cout << entity << " is at " << world.get<Global>(entity).x << '\n';
  }
}
