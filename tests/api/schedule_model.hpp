// What the model test of schedules does: the work of random systems, and their order, found in the simplest way.
#pragma once

#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace strata::test::schedule_model {

template <int number>
struct Value {
  std::uint32_t value;
};
struct Text {
  std::string text;
};
struct Sum {
  std::uint32_t value;
};

}  // namespace strata::test::schedule_model

template <int number>
inline constexpr auto strata::members_of<strata::test::schedule_model::Value<number>> =
    strata::Members(strata::member("value", &strata::test::schedule_model::Value<number>::value));
template <>
inline constexpr auto strata::members_of<strata::test::schedule_model::Text> =
    strata::Members(strata::member("text", &strata::test::schedule_model::Text::text));
template <>
inline constexpr auto strata::members_of<strata::test::schedule_model::Sum> =
    strata::Members(strata::member("value", &strata::test::schedule_model::Sum::value));

namespace strata::test::schedule_model {

/// What systems access, as bits: Value<0>, Value<1>, Value<2>, Sum, Text.
constexpr std::uint32_t kSum = 1u << 3;
constexpr std::uint32_t kText = 1u << 4;

/// What is told of a system apart from its order.
struct Job {
  int kind;
  int first;   // The number of the Value that it writes, or reads if it writes none.
  int second;  // That of another one, which it reads.
  std::uint32_t salt;
  bool visits_rows =
      false;  // A system of kind 0, 2, 4 or 5 is called for each row, several at the same time.
};

struct Description {
  Job job;
  std::vector<std::uint32_t> after;  // Systems with lower or higher numbers.
  std::vector<std::uint32_t> before;
  int set = -1;               // One of two sets.
  bool only_if_even = false;  // It runs when Sum is even.
  bool waits = false;         // Its commands are applied after the last system.
};

constexpr int kKinds = 7;

inline std::uint32_t reads_of(const Job& job) {
  const std::uint32_t first = 1u << job.first;
  const std::uint32_t second = 1u << job.second;
  const std::array<std::uint32_t, kKinds> reads{second, second, kSum, first, first, first, 0};
  return reads[static_cast<std::size_t>(job.kind)];
}
inline std::uint32_t writes_of(const Job& job) {
  const std::uint32_t first = 1u << job.first;
  const std::array<std::uint32_t, kKinds> writes{first, kSum, first, 0, 0, kText, 0};
  return writes[static_cast<std::size_t>(job.kind)];
}
inline bool takes_world(const Job& job) {
  return job.kind == 6;
}
inline bool records(const Job& job) {
  return job.kind == 3 || job.kind == 4 || job.kind == 5;
}

// The work of the systems. What records commands gets something with the functions of Commands.

template <int first, int second>
void mix(Value<first>& own, const Value<second>& other, std::uint32_t salt) {
  own.value = own.value * 31 + other.value + salt;
}
template <class Rows>
void add_up(Sum& sum, Rows& rows, std::uint32_t salt) {
  std::uint32_t total = salt;
  rows.each([&](const auto& value) { total += value.value * value.value; });
  sum.value = sum.value * 7 + total;
}
template <int number, class Recorder, class Rows>
void spawn(Recorder& commands, Rows& rows, std::uint32_t salt) {
  std::uint32_t left = salt % 40;
  rows.each([&](Entity entity, const Value<number>& value) {
    if ((value.value + salt) % 3 != 0 || left == 0) return;
    --left;
    const Entity made = commands.create(Value<number>{value.value + 1}, Value<(number + 1) % 3>{salt});
    commands.add(made, Text{"made by a system, with a text that is too long for the string itself"});
    if (salt % 2 == 0) commands.set_parent(made, entity);
  });
}
template <int number, class Recorder>
void kill(Recorder& commands, Entity entity, const Value<number>& value, std::uint32_t salt) {
  if ((value.value + salt) % 5 == 0) commands.destroy(entity);
  if ((value.value + salt) % 5 == 1) commands.template remove<Value<number>>(entity);
  if ((value.value + salt) % 5 == 2) commands.add(entity, Value<(number + 2) % 3>{value.value});
}
template <int number, class Recorder, class Rows>
void kill(Recorder& commands, Rows& rows, std::uint32_t salt) {
  rows.each([&](Entity entity, const Value<number>& value) { kill<number>(commands, entity, value, salt); });
}
template <int number, class Recorder>
void write_text(Recorder& commands, Entity entity, const Value<number>& value, Text* text,
                std::uint32_t salt) {
  if (text != nullptr) {
    text->text += std::to_string(value.value % 10);
  } else if ((value.value + salt) % 4 == 0) {
    commands.add(entity, Text{"added, and longer than what a string has room for"});
  }
}
template <int number, class Recorder, class Rows>
void write_texts(Recorder& commands, Rows& rows, std::uint32_t salt) {
  rows.each([&](Entity entity, const Value<number>& value, Text* text) {
    write_text<number>(commands, entity, value, text, salt);
  });
}
inline void change(World& world, std::uint32_t salt) {
  const Entity entity = world.query<Value<0>>().first();
  if (entity) world.add(entity, Value<1>{salt});
  world.create(Value<0>{salt}, Value<1>{salt}, Value<2>{salt});
}

/// Records commands in the simplest way: as functions that are called later.
class SimpleRecorder {
 public:
  explicit SimpleRecorder(World& world) : world_(&world) {}

  /// Returns: the handle by which later commands name the entity.
  template <class... Ts>
  Entity create(Ts... values) {
    const auto number = static_cast<std::uint32_t>(made_->size());
    made_->emplace_back();
    changes_.push_back([=, made = made_](World& world) { (*made)[number] = world.create(values...); });
    return {number, kMade};
  }
  template <class T>
  void add(Entity entity, T value) {
    changes_.push_back([=, made = made_](World& world) {
      if (world.alive(resolve(*made, entity))) world.add(resolve(*made, entity), value);
    });
  }
  template <class T>
  void remove(Entity entity) {
    changes_.push_back([=](World& world) { world.remove<T>(entity); });
  }
  void destroy(Entity entity) {
    changes_.push_back([=](World& world) { world.destroy(entity); });
  }
  void set_parent(Entity child, Entity parent) {
    changes_.push_back([=, made = made_](World& world) {
      if (world.alive(resolve(*made, child))) (void)world.set_parent(resolve(*made, child), parent);
    });
  }
  void apply() {
    for (const auto& change : changes_) change(*world_);
    changes_.clear();
  }

 private:
  static constexpr std::uint32_t kMade = 0xFFFF'FFF0;

  static Entity resolve(const std::vector<Entity>& made, Entity entity) {
    return entity.generation() == kMade ? made[entity.index()] : entity;
  }

  World* world_;
  std::vector<std::function<void(World&)>> changes_;
  std::shared_ptr<std::vector<Entity>> made_ = std::make_shared<std::vector<Entity>>();
};

inline void fill(World& world) {
  world.resources().set(Sum{1});
  Entity parent;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const Entity entity = i % 4 == 0 ? world.create(Value<0>{i}, Value<1>{i * 3}, Value<2>{i + 7})
                                     : world.create(child_of(parent), Value<0>{i}, Value<2>{i * 5});
    if (i % 4 == 0) parent = entity;
    if (i % 7 == 0) world.add(entity, Text{std::to_string(i)});
  }
}

/// Returns: what the entities of a world have, without their handles.
inline auto contents_of(World& world) {
  using Row = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string, std::uint32_t>;
  std::vector<Row> rows;
  const auto number = [](const auto* value) { return value != nullptr ? std::int64_t{value->value} : -1; };
  world
      .query<Entity, Maybe<const Value<0>>, Maybe<const Value<1>>, Maybe<const Value<2>>, Maybe<const Text>>()
      .each([&](Entity entity, const auto* a, const auto* b, const auto* c, const Text* text) {
        rows.emplace_back(number(a), number(b), number(c), text != nullptr ? text->text : "",
                          static_cast<std::uint32_t>(world.child_count(entity)));
      });
  std::sort(rows.begin(), rows.end());
  return std::pair(rows, world.resources().get<Sum>().value);
}

/// Does the same in a world without a schedule.
template <int a, int b>
void do_as(World& world, SimpleRecorder& commands, const Job& job) {
  auto rows = world.query<Entity, const Value<a>>();
  auto values = world.query<const Value<b>>();
  auto texts = world.query<Entity, const Value<a>, Maybe<Text>>();
  Sum& sum = world.resources().get<Sum>();
  if (job.kind == 0)
    world.query<Value<a>, const Value<b>>().each(
        [&](Value<a>& own, const Value<b>& other) { mix(own, other, job.salt); });
  if (job.kind == 1) add_up(sum, values, job.salt);
  if (job.kind == 2) world.query<Value<a>>().each([&](Value<a>& own) { own.value += sum.value; });
  if (job.kind == 3) spawn<a>(commands, rows, job.salt);
  if (job.kind == 4) kill<a>(commands, rows, job.salt);
  if (job.kind == 5) write_texts<a>(commands, texts, job.salt);
  if (job.kind == 6) change(world, job.salt);
}

/// Calls `function.operator()<first, second>()` with the numbers of a job's components, which differ.
template <class Function>
auto with_numbers(const Job& job, Function function) {
  if (job.first == 0) return function.template operator()<0, 1>();
  if (job.first == 1) return function.template operator()<1, 2>();
  return function.template operator()<2, 0>();
}

/// Which system runs before which, and in which stage, found by trying all ways.
class Plan {
 public:
  explicit Plan(const std::vector<Description>& systems) : systems_(systems) {
    const std::size_t count = systems.size();
    before_.assign(count, std::vector<bool>(count));
    for (std::uint32_t system = 0; system < count; ++system) {
      for (const std::uint32_t other : systems[system].after) link(other, system);
      for (const std::uint32_t other : systems[system].before) link(system, other);
      for (std::uint32_t other = 0; other < count; ++other) {
        if (systems[system].set == 0 && systems[other].set == 1) link(system, other);
      }
    }
    is_possible_ = true;
    for (std::uint32_t system = 0; system < count; ++system)
      is_possible_ = is_possible_ && !before_[system][system];
    if (!is_possible_) return;
    for (std::uint32_t first = 0; first < count; ++first) {
      for (std::uint32_t second = first + 1; second < count; ++second) {
        if (conflict(first, second) && !before_[second][first]) link(first, second);
      }
    }
  }

  bool is_possible() const { return is_possible_; }
  bool runs_before(std::uint32_t first, std::uint32_t second) const { return before_[first][second]; }

  std::uint32_t stage_of(std::uint32_t system) const {
    std::uint32_t stage = 0;
    for (std::uint32_t other = 0; other < systems_.size(); ++other) {
      if (before_[other][system]) stage = std::max(stage, stage_of(other) + 1);
    }
    return stage;
  }
  /// Returns: the systems in the order in which the lowest number that may come next comes next.
  std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> order;
    std::vector<bool> done(systems_.size());
    while (order.size() < systems_.size()) {
      for (std::uint32_t system = 0; system < systems_.size(); ++system) {
        bool ready = !done[system];
        for (std::uint32_t other = 0; other < systems_.size(); ++other)
          ready = ready && (!before_[other][system] || done[other]);
        if (!ready) continue;
        done[system] = true;
        order.push_back(system);
        break;
      }
    }
    return order;
  }

 private:
  bool conflict(std::uint32_t first, std::uint32_t second) const {
    const Job& a = systems_[first].job;
    const Job& b = systems_[second].job;
    if (takes_world(a) || takes_world(b)) return true;
    const std::uint32_t read_by_a = reads_of(a) | (systems_[first].only_if_even ? kSum : 0);
    const std::uint32_t read_by_b = reads_of(b) | (systems_[second].only_if_even ? kSum : 0);
    return ((writes_of(a) & (writes_of(b) | read_by_b)) | (writes_of(b) & read_by_a)) != 0;
  }
  void link(std::uint32_t first, std::uint32_t second) {
    before_[first][second] = true;
    for (std::size_t a = 0; a < before_.size(); ++a) {
      for (std::size_t b = 0; b < before_.size(); ++b) {
        const bool leads = a == first || before_[a][first];
        if (leads && (b == second || before_[second][b])) before_[a][b] = true;
      }
    }
  }

  const std::vector<Description>& systems_;
  std::vector<std::vector<bool>> before_;
  bool is_possible_ = false;
};

}  // namespace strata::test::schedule_model
