#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "../support/model_test.hpp"
#include "../support/thread_executor.hpp"

namespace strata::test::parallel_model_test {

namespace {

struct Own {
  std::uint32_t value = 0;
};
/// Tracked for each row.
struct Total {
  std::uint32_t value = 0;
};
/// Tracked for each block, and large, so that a block has few rows.
struct Wide {
  std::uint32_t value = 0;
  std::array<char, 4000> bytes{};
};
struct Weight {
  std::uint32_t value = 0;
};
struct Switched {
  std::uint32_t value = 0;
};
struct Marked {};

}  // namespace

}  // namespace strata::test::parallel_model_test

namespace model = strata::test::parallel_model_test;
template <>
inline constexpr strata::Tracking strata::tracking_of<model::Total> = strata::Tracking::rows;
template <>
inline constexpr strata::Tracking strata::tracking_of<model::Wide> = strata::Tracking::blocks;
template <>
inline constexpr strata::Storage strata::storage_of<model::Weight> = strata::Storage::sparse;
template <>
inline constexpr bool strata::can_toggle<model::Switched> = true;

namespace strata::test::parallel_model_test {

namespace {

/// Visits on one thread, as `Serial::of(query)`, or on several.
struct Serial {
  template <class Query>
  Query& of(Query& query) const {
    return query;
  }
  template <class Query, class Function>
  void record(Query& query, World& world, Function function) const {
    query.each([&](auto&&... values) -> void { function(world.commands(), values...); });
  }
};
struct Parallel {
  Executor& executor;
  std::size_t grain;
  template <class Query>
  auto of(Query& query) const {
    return query.par(executor, grain);
  }
  template <class Query, class Function>
  void record(Query& query, World& world, Function function) const {
    query.par(executor, grain).recording(world.commands()).each(function);
  }
};

/// A world and the queries on it; two of them get the same operations and differ in how they are visited.
struct Side {
  World world;
  Query<Own, Total> flat = world.query<Own, Total>();
  Query<const Own, Total, Parent<const Total>> totals = world.query<const Own, Total, Parent<const Total>>();
  Query<Entity, Total, Maybe<const Own>, Up<const Weight>, Up<const Own>> above =
      world.query<Entity, Total, Maybe<const Own>, Up<const Weight>, Up<const Own>>();
  Query<Weight, Maybe<const Own>, Maybe<Wide>> weights = world.query<Weight, Maybe<const Own>, Maybe<Wide>>();
  Query<Total, With<Up<Marked>>> below_marked = world.query<Total, With<Up<Marked>>>();
  Query<Total, Without<Weight>, Maybe<Switched>, Parent<const Own>> switched =
      world.query<Total, Without<Weight>, Maybe<Switched>, Parent<const Own>>();
  Query<Own, Maybe<Wide>, const Total> blocks = world.query<Own, Maybe<Wide>, const Total>();
  Query<Entity, const Own> recorded = world.query<Entity, const Own>();
  Query<Entity, AnyOf<Marked, Weight>, Own> either = world.query<Entity, AnyOf<Marked, Weight>, Own>();
  Query<const Own, Parent<Total>> folded = world.query<const Own, Parent<Total>>();
  Query<Own, Total, Parent<Wide>, Parent<const Weight>> folded_wide =
      world.query<Own, Total, Parent<Wide>, Parent<const Weight>>();
  Query<Entity, const Own, Up<const Total>> recorded_down = world.query<Entity, const Own, Up<const Total>>();
  Query<const Own, Total, Parent<const Total>> marked = world.query<const Own, Total, Parent<const Total>>();
  Query<const Total, Own, Parent<const Total>> on_changed =
      world.query<const Total, Own, Parent<const Total>>();
  Query<const Wide, Total, Parent<const Total>> on_changed_wide =
      world.query<const Wide, Total, Parent<const Total>>();
  Query<Total, Maybe<const Own>, Up<const Wide>> below_changed =
      world.query<Total, Maybe<const Own>, Up<const Wide>>();
  Query<Entity, const Total> changed_totals = world.query<Entity, const Total>();
  Query<Entity, const Wide> changed_wides = world.query<Entity, const Wide>();

  Entity gone;
  std::vector<std::uint64_t> propagated;  // What `propagate` said has changed.

  explicit Side(Layout layout) : world(WorldOptions{.layout = layout}) {
    gone = world.create();
    world.destroy(gone);
  }
};

/// Marks some entities, and hands totals down from them.
template <class Mode>
void propagate(Side& side, const Mode& mode) {
  std::vector<Entity> some;
  side.world.query<Entity>().each([&](Entity entity) {
    if (entity.index() % 3 == 0) some.push_back(entity);
  });
  for (const Entity entity : some) side.world.add<Dirty>(entity);
  auto down = side.marked.cascade();
  const auto changed = mode.of(down).propagate([](const Own& own, Total& total, const Total* parent) {
    const std::uint32_t before = total.value;
    total.value = (own.value + (parent != nullptr ? 7 * parent->value : 0)) % 16;
    return total.value != before;
  });
  for (const Entity entity : changed) side.propagated.push_back(entity.bits());
}

/// Visits what has been written since the last such visit.
template <class Mode>
void visit_changed(Side& side, std::size_t pass, const Mode& mode) {
  const auto add = [](const auto& own, auto& written, const auto* parent) {
    written.value += own.value + (parent != nullptr ? 3 * parent->value : 1);
  };
  if (pass == 0) {
    auto changed = side.on_changed.changed<Total>();
    mode.of(changed).each(add);
  } else if (pass == 1) {
    auto changed = side.on_changed_wide.cascade().changed<Wide>();
    mode.of(changed).each(add);
  } else if (pass == 2) {
    auto changed = side.on_changed.cascade(strata::up).changed<Total>();
    mode.of(changed).each(add);
  } else {
    auto changed = side.below_changed.cascade().changed_subtrees<Wide, Total>();
    mode.of(changed).each([](Total& total, const Own* own, const Wide* wide) {
      total.value += (own != nullptr ? own->value : 1) + (wide != nullptr ? wide->value : 2);
    });
  }
}

template <class Mode>
void visit(Side& side, std::size_t pass, const Mode& mode) {
  switch (pass) {
    case 0:
      return mode.of(side.flat).each(
          [](Own& own, Total& total) { total.value += own.value = own.value * 3 + 1; });
    case 1: {
      auto down = side.totals.cascade();
      return mode.of(down).each([](const Own& own, Total& total, const Total* parent) {
        total.value = own.value + (parent != nullptr ? 7 * parent->value : 0);
      });
    }
    case 2: {
      auto down = side.above.cascade();
      return mode.of(down).each([](Entity entity, Total& total, const Own* own, const Weight* weight,
                                   const Own* above) {
        total.value = entity.index() + (own != nullptr ? own->value : 0) +
                      (weight != nullptr ? 3 * weight->value : 0) + (above != nullptr ? 5 * above->value : 0);
      });
    }
    case 3:
      return mode.of(side.weights).each([](Weight& weight, const Own* own, Wide* wide) {
        weight.value = weight.value * 5 + (own != nullptr ? own->value : 1);
        if (wide != nullptr) ++wide->value;
      });
    case 4:
      return mode.of(side.below_marked).each([](Total& total) { total.value *= 3; });
    case 5: {
      auto upwards = side.switched.cascade(strata::up);
      return mode.of(upwards).each([](Total& total, Switched* own, const Own* parent) {
        total.value += (own != nullptr ? ++own->value : 11) + (parent != nullptr ? parent->value : 0);
      });
    }
    case 6:
      return mode.of(side.blocks)
          .each_block([](std::span<Own> owns, std::span<Wide> wides, std::span<const Total> totals) {
            for (std::size_t i = 0; i < owns.size(); ++i) {
              owns[i].value += totals[i].value;
              if (!wides.empty()) wides[i].value += owns[i].value;
            }
          });
    case 7: {
      auto some = side.totals.cascade().depths(1, 2);
      return mode.of(some).each([](const Own& own, Total& total, const Total* parent) {
        total.value += own.value ^ (parent != nullptr ? parent->value : 0);
      });
    }
    case 8: {
      std::vector<Entity> some;
      side.world.query<Entity>().each([&](Entity entity) { some.push_back(entity); });
      std::reverse(some.begin(), some.end());
      if (!some.empty()) some.push_back(side.gone);
      return mode.of(side.above)
          .each_of(some, [](Entity entity, Total& total, const Own*, const Weight* weight, const Own* above) {
            total.value += entity.index() + (weight != nullptr ? weight->value : 0) +
                           (above != nullptr ? above->value : 0);
          });
    }
    case 9:
      return mode.of(side.either).each([](Entity entity, Own& own) { own.value += entity.index(); });
    case 10:
      return propagate(side, mode);
    case 11:
    case 12:
    case 13:
    case 14:
      return visit_changed(side, pass - 11, mode);
    case 15: {
      auto upwards = side.folded.cascade(strata::up);
      return mode.of(upwards).each([](const Own& own, Total* parent) {
        if (parent != nullptr) parent->value = parent->value * 31 + own.value;
      });
    }
    case 16: {
      auto upwards = side.folded_wide.cascade(strata::up);
      return mode.of(upwards).each([](Own& own, Total& total, Wide* parent, const Weight* weight) {
        total.value = total.value * 5 + own.value++;
        if (parent != nullptr) parent->value = parent->value * 31 + total.value + (weight != nullptr ? 1 : 0);
      });
    }
    case 17: {
      auto down = side.recorded_down.cascade();
      return mode.record(down, side.world,
                         [](auto& commands, Entity entity, const Own& own, const Total* above) {
                           if (own.value % 4 == 0) commands.add(entity, Weight{own.value});
                           if (above != nullptr) commands.create(Own{above->value % 7}, Total{own.value});
                         });
    }
    default:
      return mode.record(side.recorded, side.world, [](auto& commands, Entity entity, const Own& own) {
        if (own.value % 7 == 0) commands.destroy(entity);
        if (own.value % 5 == 0) commands.create(Own{own.value + 1}, Total{});
        if (own.value % 3 == 0) commands.add(entity, Weight{own.value});
        if (own.value % 11 == 0) commands.template remove<Weight>(entity);
      });
  }
}

class ParallelTest {
 public:
  ParallelTest(Layout layout, std::size_t workers, std::uint32_t seed, Bytes& bytes, Log& log)
      : sides_{Side(layout), Side(layout)}, executor_(workers, {seed}), bytes_(bytes), log_(log) {
    log("layout ", static_cast<int>(layout), ", ", workers, " workers, seed ", seed);
  }

  Disagreement turn() {
    const std::size_t what = bytes_.below(18);
    if (what < 10) {
      const std::size_t grain = 1 + bytes_.below(12);
      const std::size_t pass = bytes_.below(19);
      log_("pass ", pass, ", grain ", grain);
      visit(sides_[0], pass, Serial{});
      visit(sides_[1], pass, Parallel{executor_, grain});
      return {};
    }
    change(what);
    return {};
  }

  Disagreement compare() {
    std::array<std::vector<std::uint64_t>, 2> found;
    for (std::size_t i = 0; i < 2; ++i) list(sides_[i], found[i]);
    if (found[0] != found[1]) return "values differ";
    for (std::size_t i = 0; i < 2; ++i) list_changed(sides_[i], found[i] = {});
    if (found[0] != found[1]) return "other entities have changed";
    if (sides_[0].propagated != sides_[1].propagated) return "propagate says that others have changed";
    return {};
  }

 private:
  void change(std::size_t what) {
    const std::size_t count = 1 + bytes_.below(24);
    const std::size_t at = bytes_.below(1000);
    const std::size_t other = bytes_.below(1000);
    log_("change ", what, ", ", count, " of ", at, " and ", other);
    for (Side& side : sides_) {
      what < 16 ? change_side(side, what, count, at, other) : deepen(side, count, at);
    }
  }

  /// Creates chains side by side: levels with few rows, whose families follow each other.
  static void deepen(Side& side, std::size_t count, std::size_t at) {
    const std::size_t chains = 1 + at % 7;
    std::vector<Entity> made;
    for (std::size_t i = 0; i < 3 * count; ++i) {
      const auto number = static_cast<std::uint32_t>(at + i);
      made.push_back(i < chains ? side.world.create(Own{number}, Total{})
                                : side.world.create(child_of(made[i - chains]), Own{number}, Total{}));
      if (number % 13 == 0) side.world.add(made.back(), Wide{});
    }
  }

  void change_side(Side& side, std::size_t what, std::size_t count, std::size_t at, std::size_t other) {
    World& world = side.world;
    std::vector<Entity> entities;
    world.query<Entity>().each([&](Entity entity) { entities.push_back(entity); });
    const auto pick = [&](std::size_t which) {
      return entities.empty() ? Entity() : entities[which % entities.size()];
    };
    for (std::size_t i = 0; i < count; ++i) {
      const Entity entity = pick(at + 7 * i);
      const auto number = static_cast<std::uint32_t>(at + i);
      if (what <= 12 || entity == Entity()) {
        const Entity parent = what == 10 ? pick(other) : what == 11 ? pick(other + i / 4) : Entity();
        const Entity made = parent ? world.create(child_of(parent), Own{number}, Total{})
                                   : world.create(Own{number}, Total{});
        if (at % 3 == 0) world.add(made, Wide{});
        if (i % 3 == 0) world.add(made, Switched{number});
      } else if (what == 13) {
        (void)world.set_parent(entity, pick(other));
      } else if (what == 14) {
        add_some(world, entity, number);
      } else if (i < 2) {
        world.destroy(entity);
      }
    }
  }

  static void add_some(World& world, Entity entity, std::uint32_t number) {
    if (number % 2 == 0) world.add(entity, Weight{number});
    if (number % 5 == 0) world.add(entity, Marked{});
    if (number % 7 == 0) world.remove<Own>(entity);
    if (number % 3 == 0 && world.has<Switched>(entity)) world.disable<Switched>(entity);
    if (number % 11 == 0) world.disable(entity);
  }

  static void list(Side& side, std::vector<std::uint64_t>& found) {
    const auto value = [](const auto* of) -> std::uint64_t { return of != nullptr ? of->value + 1 : 0; };
    side.world
        .query<Entity, Maybe<const Own>, Maybe<const Total>, Maybe<const Wide>, Maybe<const Weight>,
               Maybe<const Switched>, Maybe<Disabled>>()
        .each([&](Entity entity, const Own* own, const Total* total, const Wide* wide, const Weight* weight,
                  const Switched* switched) {
          found.insert(found.end(), {entity.bits(), value(own), value(total), value(wide), value(weight),
                                     value(switched), side.world.parent(entity).bits()});
        });
  }

  static void list_changed(Side& side, std::vector<std::uint64_t>& found) {
    side.changed_totals.changed<Total>().each(
        [&](Entity entity, const Total&) { found.push_back(entity.bits()); });
    found.push_back(0);
    side.changed_wides.changed<Wide>().each(
        [&](Entity entity, const Wide&) { found.push_back(entity.bits()); });
  }

  std::array<Side, 2> sides_;
  ThreadExecutor executor_;
  Bytes& bytes_;
  Log& log_;
};

Disagreement threads_agree(Bytes& bytes, Log& log) {
  if (!bytes.turn()) return {};
  constexpr std::array<std::size_t, 4> kWorkers = {1, 2, 3, 8};
  ParallelTest test(static_cast<Layout>(bytes.below(3)), kWorkers[bytes.below(4)],
                    static_cast<std::uint32_t>(bytes.below(1000)), bytes, log);
  return take_turns(test, bytes);
}

}  // namespace

TEST_SUITE("api/parallel") {
  STRATA_MODEL_TEST("several threads leave values, rows, stamps and commands as one thread does",
                    threads_agree, .runs = 60, .turns = 60);
}

}  // namespace strata::test::parallel_model_test
