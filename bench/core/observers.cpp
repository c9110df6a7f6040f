// Operations with one observer and without, beside the bare calls of a function.
//
// observe_create, observe_create_many, observe_toggle, observe_toggle_sparse, observe_set, observe_destroy: what an
// observer adds to creating, adding and removing, setting and destroying. The limit is what any way to be told costs at
// least: a call through a pointer for each item.
#include <span>

#include "population.hpp"
#include "support/suite.hpp"

namespace strata::bench::observers {
namespace {

/// The limit: the calls alone, as many for each entity as the observers get.
template <std::size_t calls>
Work call_by_hand(EntityCount& data) {
  struct State {
    explicit State(std::size_t n) : entities(n), values(n) {}

    Handles entities;
    std::vector<Position> values;
    std::size_t called = 0;
    void (*volatile function)(std::size_t&, Entity, Position&) = [](std::size_t& to, Entity, Position&) {
      ++to;
    };
  };
  return work_on(
      std::make_shared<State>(data.n),
      [](State& s) {
        s.called = 0;
        for (std::size_t call = 0; call < calls; ++call) {
          for (std::size_t i = 0; i < s.entities.size(); ++i)
            s.function(s.called, s.entities[i], s.values[i]);
        }
      },
      [](State& s) { return s.called == calls * s.entities.size() ? "" : "calls are missing"; });
}

/// A population, and how often its observers were called.
struct Observed : Population {
  std::size_t called = 0;
  std::vector<Subscription> kept;
};

template <class T>
void observe_adding(Observed& o) {
  o.kept.push_back(o.world->observers().on_add<T>([&o](Entity, T&) { ++o.called; }));
}
template <class T>
void observe_removing(Observed& o) {
  o.kept.push_back(o.world->observers().on_remove<T>([&o](Entity, T&) { ++o.called; }));
}
template <class T>
void observe_both(Observed& o) {
  observe_adding<T>(o);
  observe_removing<T>(o);
}
void observe_setting(Observed& o) {
  o.kept.push_back(o.world->observers().on_set<Velocity>([&o](Entity, Velocity&) { ++o.called; }));
}

/// An operation whose observers are measured.
struct Operation {
  const char* path;
  void (*act)(Observed&, std::size_t n);
  void (*observe)(Observed&);
  bool filled = true;     ///< There are n entities before; none otherwise.
  std::size_t calls = 1;  ///< Of observers, for each entity.
  double bar = 0;         ///< What the observer may add, in calls; 0: no bar.
};

/// A step is the operation; with its observers if it is `observed`.
Work act_on(std::size_t n, const Operation& operation, bool observed) {
  return work_on(
      std::make_shared<Observed>(), [n, act = operation.act](Observed& o) { act(o, n); },
      [expected = observed ? operation.calls * n : 0](Observed& o) -> Complaint {
        if (o.called != expected) return "observers were not told of each change";
        return o.world->validate().message();
      },
      [n, operation, observed](Observed& o) {
        o.kept.clear();
        o.clear();
        if (operation.filled) o.create(n);
        o.entities.reserve(n);
        o.called = 0;
        if (observed) operation.observe(o);
      });
}

void create_each(Observed& o, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) o.entities.push_back(o.world->create(position_of(i), velocity_of(i)));
}

void create_many(Observed& o, std::size_t n) {
  std::size_t next = 0;
  o.world->create_many<Position, Velocity>(
      n, [&](std::span<const Entity>, std::span<Position> positions, std::span<Velocity> velocities) {
        for (std::size_t i = 0; i < positions.size(); ++i, ++next) {
          positions[i] = position_of(next);
          velocities[i] = velocity_of(next);
        }
      });
}

template <class T>
void toggle(Observed& o, std::size_t) {
  for (const Entity entity : o.entities) {
    o.world->add(entity, T{1});
    o.world->remove<T>(entity);
  }
}

void set(Observed& o, std::size_t) {
  for (const Entity entity : o.entities) o.world->set(entity, Velocity{1, 2, 3});
}

void destroy(Observed& o, std::size_t) {
  for (const Entity entity : o.entities) o.world->destroy(entity);
}

constexpr Operation kCreateMany = {.path = "core/observe_create_many",
                                   .act = create_many,
                                   .observe = observe_adding<Position>,
                                   .filled = false,
                                   .bar = 3};

constexpr Operation kOperations[] = {
    {.path = "core/observe_create", .act = create_each, .observe = observe_adding<Position>, .filled = false},
    kCreateMany,
    {.path = "core/observe_toggle", .act = toggle<Shield>, .observe = observe_both<Shield>, .calls = 2},
    {.path = "core/observe_toggle_sparse",
     .act = toggle<Burning>,
     .observe = observe_both<Burning>,
     .calls = 2},
    {.path = "core/observe_set", .act = set, .observe = observe_setting},
    {.path = "core/observe_destroy", .act = destroy, .observe = observe_removing<Position>},
};

void ask_observed(Suite& suite, const Operation& operation, std::size_t n) {
  auto& question = ask_of_size(suite, operation.path, n);
  question.limit(operation.calls == 1 ? call_by_hand<1> : call_by_hand<2>);
  const auto work = [&operation](bool observed) {
    return [&operation, observed](EntityCount& data) { return act_on(data.n, operation, observed); };
  };
  question.answer("unobserved", work(false));
  Answer& answer = question.answer("observed", work(true));
  if (operation.bar != 0) answer.set_bar(Bar::at_most_more(operation.bar));
}

const Family kFamily([](Suite& suite) {
  for (const Operation& operation : kOperations) {
    for (const std::size_t n : kSizes) ask_observed(suite, operation, n);
  }
  ask_observed(suite, kCreateMany, 100'000);
});

}  // namespace
}  // namespace strata::bench::observers
