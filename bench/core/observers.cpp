// Operations with one observer and without, beside the bare calls of a function.
//
// observe_create, observe_create_many, observe_toggle, observe_toggle_sparse, observe_set, observe_destroy: what an
// observer adds to creating, adding and removing, setting and destroying. The limit is what any way to be told costs at
// least: a call through a pointer for each item.
#include <functional>
#include <span>

#include "population.hpp"
#include "support/suite.hpp"

namespace strata::bench {
namespace {

struct Shield {
  float strength;
};

/// What the function that is called counts.
struct Calls {
  std::size_t count = 0;
};

/// The limit: the calls alone, as many for each entity as the observers get.
template <std::size_t calls>
Work call_by_hand(EntityCount& data) {
  struct State {
    explicit State(std::size_t n) : entities(n), values(n) {}

    Handles entities;
    std::vector<Position> values;
    Calls called;
    void (*volatile function)(Calls&, Entity, Position&) = [](Calls& to, Entity, Position&) { ++to.count; };
  };
  return work_on(
      std::make_shared<State>(data.n),
      [](State& s) {
        s.called.count = 0;
        for (std::size_t call = 0; call < calls; ++call) {
          for (std::size_t i = 0; i < s.entities.size(); ++i)
            s.function(s.called, s.entities[i], s.values[i]);
        }
      },
      [](State& s) { return s.called.count == calls * s.entities.size() ? "" : "calls are missing"; });
}

/// A population, and what its observers were called with.
struct Observed : Population {
  Calls called;
  std::vector<Subscription> kept;
};

using Observe = std::function<void(Observed&)>;

void observe_nothing(Observed&) {}

template <class T>
void observe_adding(Observed& o) {
  o.kept.push_back(o.world->observers().on_add<T>([&o](Entity, T&) { ++o.called.count; }));
}
template <class T>
void observe_removing(Observed& o) {
  o.kept.push_back(o.world->observers().on_remove<T>([&o](Entity, T&) { ++o.called.count; }));
}
template <class T>
void observe_both(Observed& o) {
  observe_adding<T>(o);
  observe_removing<T>(o);
}
void observe_setting(Observed& o) {
  o.kept.push_back(o.world->observers().on_set<Velocity>([&o](Entity, Velocity&) { ++o.called.count; }));
}

/// A step is `act(population)`, with `n` entities if it is `filled`; observers are notified of `calls` changes of each.
template <class Act>
Work observed(std::size_t n, bool filled, Observe observe, std::size_t calls, Act act) {
  return work_on(
      std::make_shared<Observed>(), act,
      [n, calls](Observed& o) -> Complaint {
        if (o.called.count != (o.kept.empty() ? 0 : calls * n))
          return "observers were not told of each change";
        return o.world->validate().message();
      },
      [n, filled, observe](Observed& o) {
        o.kept.clear();
        o.clear();
        if (filled) o.create(n);
        o.entities.reserve(n);
        o.called.count = 0;
        observe(o);
      });
}

/// Asks what an observer adds; the bar, if there is one, is so many calls.
template <std::size_t calls, class Act>
void ask_observed(Suite& suite, const char* path, std::size_t n, bool filled, Observe observe, double bar,
                  Act act) {
  auto& question = ask_of_size<EntityCount>(suite, path, n);
  question.limit(call_by_hand<calls>);
  const auto work = [=](const Observe& observing) {
    return [=](EntityCount& data) { return observed(data.n, filled, observing, calls, act); };
  };
  question.answer("unobserved", work(observe_nothing));
  Answer& answer = question.answer("observed", work(observe));
  if (bar != 0) answer.set_bar(Bar::at_most_more(bar));
}

void ask_observe_create(Suite& suite, std::size_t n) {
  ask_observed<1>(suite, "core/observe_create", n, false, observe_adding<Position>, 0, [n](Observed& o) {
    for (std::size_t i = 0; i < n; ++i) o.entities.push_back(o.world->create(position_of(i), velocity_of(i)));
  });
}

void ask_observe_create_many(Suite& suite, std::size_t n) {
  ask_observed<1>(suite, "core/observe_create_many", n, false, observe_adding<Position>, 3, [n](Observed& o) {
    std::size_t next = 0;
    o.world->create_many<Position, Velocity>(
        n, [&](std::span<const Entity>, std::span<Position> positions, std::span<Velocity> velocities) {
          for (std::size_t i = 0; i < positions.size(); ++i, ++next) {
            positions[i] = position_of(next);
            velocities[i] = velocity_of(next);
          }
        });
  });
}

template <class T>
void toggle(Observed& o) {
  for (const Entity entity : o.entities) {
    o.world->add(entity, T{1});
    o.world->remove<T>(entity);
  }
}

void ask_observe_toggle(Suite& suite, std::size_t n) {
  ask_observed<2>(suite, "core/observe_toggle", n, true, observe_both<Shield>, 0, toggle<Shield>);
}

void ask_observe_toggle_sparse(Suite& suite, std::size_t n) {
  ask_observed<2>(suite, "core/observe_toggle_sparse", n, true, observe_both<Burning>, 0, toggle<Burning>);
}

void ask_observe_set(Suite& suite, std::size_t n) {
  ask_observed<1>(suite, "core/observe_set", n, true, observe_setting, 0, [](Observed& o) {
    for (const Entity entity : o.entities) o.world->set(entity, Velocity{1, 2, 3});
  });
}

void ask_observe_destroy(Suite& suite, std::size_t n) {
  ask_observed<1>(suite, "core/observe_destroy", n, true, observe_removing<Position>, 0, [](Observed& o) {
    for (const Entity entity : o.entities) o.world->destroy(entity);
  });
}

void ask_observers(Suite& suite) {
  ask_for_sizes(suite, {ask_observe_create, ask_observe_create_many, ask_observe_toggle,
                        ask_observe_toggle_sparse, ask_observe_set, ask_observe_destroy});
  ask_observe_create_many(suite, 100'000);
}

const Family kFamily(ask_observers);

}  // namespace
}  // namespace strata::bench
