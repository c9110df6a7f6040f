// When commands are applied that callbacks have recorded.
#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <strata/parts.hpp>
#include <strata/strata.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../support/ended_process.hpp"
#include "../support/failing_memory.hpp"
#include "../support/hooked.hpp"
#include "../support/refusal.hpp"
#include "typed_kinds.hpp"

namespace strata::test::callbacks_commands_test {

namespace {

struct Note {
  std::string text;
};
/// Counts the objects that were made and not yet destroyed, also those that were moved from.
struct Counted {
  static inline int alive = 0;
  std::string text;
  explicit Counted(std::string given) : text(std::move(given)) { ++alive; }
  Counted(Counted&& other) noexcept : text(std::move(other.text)) { ++alive; }
  ~Counted() { --alive; }
};

}  // namespace

TEST_SUITE("api/callbacks_commands") {
  TEST_CASE("a comparison of sort_children may read, run a query and record, with commands pending") {
    World world;
    const Entity parent = world.create();
    std::vector<Entity> children;
    for (int i = 0; i < 40; ++i) children.push_back(world.create(child_of(parent), Health{i * 7 % 40}));
    world.commands().create(Health{100});
    auto healths = world.query<const Health>();
    bool refused = true;
    std::size_t seen = 0;
    int recorded = 0;
    world.sort_children(parent, [&](Entity a, Entity b) {
      seen = healths.count();
      healths.each([](const Health&) {});
      if (recorded++ < 3) world.commands().add(a, Velocity{});
      refused =
          refused &&
          says(refusal([&] { (void)world.set_parent(a, children[3]); }), "sort_children is under way") &&
          says(refusal([&] { world.create(child_of(parent)); }), "sort_children") &&
          says(refusal([&] { world.destroy(b); }), "sort_children") &&
          says(refusal([&] { world.sort_children(parent, [](Entity, Entity) { return false; }); }),
               "sort_children") &&
          says(refusal([&] { world.flush(); }), "sort_children");
      return world.get<Health>(a).points < world.get<Health>(b).points;
    });
    CHECK(refused);
    CHECK(seen == 40);  // The entity that was recorded before came to be at the end.
    CHECK(healths.count() == 41);
    CHECK(world.query<With<Velocity>>().count() != 0);
    CHECK(world.commands().empty());
    int last = -1;
    for (const Entity child : world.children(parent)) {
      CHECK(world.get<Health>(child).points == last + 1);
      ++last;
    }
    CHECK(world.validate());
  }
  TEST_CASE(
      "a comparison of sort_children that contradicts itself loses no child, and one that throws changes "
      "nothing") {
    World world;
    const Entity parent = world.create();
    for (int i = 0; i < 1000; ++i) world.create(child_of(parent), Health{i});
    std::uint32_t random = 1;
    for (int round = 0; round < 20; ++round) {
      world.sort_children(
          parent, [&](Entity, Entity) { return ((random = random * 1664525 + 1013904223) >> 30) != 0; });
      CHECK(world.child_count(parent) == 1000);
      REQUIRE(world.validate());
    }
    world.sort_children(parent, [](Entity, Entity) { return true; });
    REQUIRE(world.validate());
    const std::vector<Entity> before(world.children(parent).begin(), world.children(parent).end());
    int calls = 0;
    CHECK_THROWS_AS(world.sort_children(parent,
                                        [&](Entity a, Entity b) {
                                          if (++calls == 500) throw std::runtime_error("no");
                                          return b < a;
                                        }),
                    std::runtime_error);
    CHECK(std::vector<Entity>(world.children(parent).begin(), world.children(parent).end()) == before);
    CHECK(world.validate());
    CHECK(world.destroy(parent));  // Nothing is under way any more.
  }
  TEST_CASE("a destructor may record while commands are applied, and that is applied in the same flush") {
    const HookScope hooks;
    World world;
    const Entity replaced = world.create(Hooked(1), SparseHooked(2), StableHooked(3));
    const Entity removed = world.create(Hooked(4), SparseHooked(5), StableHooked(6));
    const Entity superseded = world.create();
    const Entity destroyed = world.create(Hooked(7), SparseHooked(8));
    world.create(child_of(destroyed), Hooked(9), StableHooked(10));
    int destructions = 0;
    hooks->destroyed = [&](int number) {
      if (number >= 100) return;
      ++destructions;
      for (int i = 0; i < 20; ++i) world.commands().create(Health{number}, SparseHealth{i}, Huge(number));
    };
    Commands& commands = world.commands();
    commands.add(replaced, Hooked(101));
    commands.add(replaced, SparseHooked(102));
    commands.add(replaced, StableHooked(103));
    commands.remove<Hooked>(removed);
    commands.remove<SparseHooked>(removed);
    commands.remove<StableHooked>(removed);
    for (int i = 0; i < 3; ++i) commands.add(superseded, Hooked(11 + i));
    commands.add(superseded, Hooked(104));
    commands.destroy(destroyed);
    commands.add(destroyed, Hooked(14));
    world.flush();
    CHECK(destructions == 14);
    CHECK(world.query<const Health>().count() == 14 * 20);
    CHECK(world.get<Hooked>(replaced).number() == 101);
    CHECK(world.get<SparseHooked>(replaced).number() == 102);
    CHECK(world.get<StableHooked>(replaced).number() == 103);
    CHECK(world.get<Hooked>(superseded).number() == 104);
    CHECK(commands.empty());
    CHECK(world.validate());
  }
  TEST_CASE("a refused extract or insert in an observer leaves the commands of the flush to the flush") {
    World world;
    const Entity source = world.create();
    const Entity target = world.create();
    WorldPart part;
    int refused = 0;
    const Subscription added = world.observers().on_pair_add<Note>([&](Entity, Entity, const Note&) {
      world.commands().create(Health{1});
      if (says(refusal([&] { (void)extract(world, target); }), "extract")) ++refused;
      if (says(refusal([&] { (void)insert(world, part); }), "insert")) ++refused;
    });
    world.commands().add(source, target, Note{std::string(100, 'x')});
    world.flush();
    CHECK(refused == 2);
    CHECK(world.relations().get<Note>(source, target).text == std::string(100, 'x'));
    CHECK(world.query<const Health>().count() == 1);
    CHECK(world.validate());
  }
  TEST_CASE("what observers record while the commands of a system are applied is applied after them") {
    World world;
    const Entity first = world.create();
    const Entity second = world.create();
    std::string order;
    const Subscription notes = world.observers().on_add<Note>([&](Entity, Note&) {
      order += "n";
      world.commands().add(second, Health{1});
    });
    const Subscription speeds = world.observers().on_add<Velocity>([&](Entity, Velocity&) { order += "v"; });
    const Subscription healths = world.observers().on_add<Health>([&](Entity, Health&) { order += "h"; });
    Schedule schedule(world);
    schedule.add("moves", [&](Commands& commands) {
      commands.add(first, Note{std::string(100, 'x')});
      commands.add(second, Velocity{});
    });
    schedule.run(0);
    CHECK(order == "nvh");
    CHECK(world.commands().empty());
    CHECK(world.validate());
  }
  TEST_CASE("an observer whose commands are refused leaves a system's values whole") {
    {
      World world({.max_rounds = 4});
      const Entity source = world.create();
      const Entity target = world.create();
      const auto add_note = [&] { world.commands().add(source, Note{std::string(100, 'x')}); };
      const Subscription endless = world.observers().on_set<Note>([&](Entity, Note&) { add_note(); });
      const Subscription added =
          world.observers().on_pair_add<Counted>([&](Entity, Entity, const Counted&) { add_note(); });
      Schedule schedule(world);
      schedule.add("binds", [&](Commands& commands) {
        commands.add(source, target, Counted(std::string(100, 'z')));
        commands.add(target, Health{7});
      });
      CHECK(says(refusal([&] { schedule.run(0); }), "WorldOptions::max_rounds"));
      CHECK(world.relations().get<Counted>(source, target).text == std::string(100, 'z'));
      CHECK(world.get<Health>(target).points == 7);
      CHECK(Counted::alive == 1);
      CHECK(world.validate());
    }
    CHECK(Counted::alive == 0);
  }
  TEST_CASE("a destructor may record while commands are dropped with the world") {
    const HookScope hooks;
    int dropped = 0;
    {
      World world;
      for (int i = 0; i < 50; ++i) world.commands().create(Hooked(2), SparseHooked(3));
      hooks->destroyed = [&](int number) {
        ++dropped;
        if (number == 4 || dropped > 1000) return;
        for (int i = 0; i < 5; ++i) world.commands().create(Hooked(4), Huge(1));
      };
    }
    CHECK(dropped >= 100);
  }
  TEST_CASE(
      "destructors that record without end while commands are dropped end the process with a sentence") {
    const auto end_a_world = [] {
      const HookScope hooks;
      World world;
      hooks->destroyed = [&](int) { world.commands().create(Hooked(1)); };
      world.create(Hooked(1));
    };
    CHECK(says(message_at_end(end_a_world), "let them stop"));
  }
  TEST_CASE("a move may record while its value is being recorded") {
    const HookScope hooks;
    World world;
    std::size_t moves = 0;
    hooks->moved = [&](int) {
      ++moves;
      world.commands().create(Health{1}, Huge(2));
    };
    world.commands().create(Hooked(1), SparseHooked(2));
    world.commands().add(world.create(), Hooked(3));
    hooks->moved = nullptr;
    auto healths = world.query<const Health>();
    healths.each([](const Health&) {});
    CHECK(!world.commands().empty());
    world.flush();
    CHECK(moves >= 3);
    CHECK(healths.count() == moves);
    CHECK(world.query<With<Hooked>>().count() == 2);
    CHECK(world.validate());
  }
  TEST_CASE("what was recorded outside of an iteration waits for a flush, or for an iteration that records") {
    World world;
    const Entity entity = world.create(Health{1});
    auto healths = world.query<const Health>();
    world.commands().create(Health{2});
    healths.each([](const Health&) {});
    for ([[maybe_unused]] auto [health] : healths) {
    }
    CHECK(healths.count() == 1);
    healths.each([&](const Health&) { world.commands().add(entity, Velocity{}); });
    CHECK(healths.count() == 2);
    CHECK(world.commands().empty());
  }
  TEST_CASE("what is recorded during an iteration or operation that ends by an exception waits for a flush") {
    const HookScope hooks;
    World world;
    const Entity entity = world.create(Health{1});
    const Entity other = world.create(SparseHealth{2}, Hooked(3), SparseHooked(4));
    auto healths = world.query<const Health>();
    auto accessor = world.accessor<SparseHealth>();
    CHECK_THROWS_AS(healths.each([&](const Health&) {
      world.commands().destroy(entity);
      throw std::runtime_error("stop");
    }),
                    std::runtime_error);
    CHECK(accessor.remove(other));
    CHECK_THROWS_AS(world.create_many<Health>(3,
                                              [&](std::span<const Entity>, std::span<Health>) {
                                                world.commands().destroy(entity);
                                                throw std::runtime_error("stop");
                                              }),
                    std::runtime_error);
    world.set(other, Hooked(5));
    world.create();
    world.add(other, SparseHealth{6});
    CHECK(world.remove<SparseHooked>(other));
    CHECK(world.alive(entity));
    healths.each([](const Health&) {});
    CHECK(world.alive(entity));
    world.flush();
    CHECK(!world.alive(entity));
  }
  TEST_CASE("several threads may read while a command is pending") {
    World world;
    for (int i = 0; i < 1000; ++i) world.create(Health{1}, SparseHealth{2});
    const Entity extra = world.create();
    world.commands().add(extra, Health{5});
    std::vector<std::thread> threads;
    std::array<int, 3> sums{};
    std::vector<Query<const Health, const SparseHealth>> queries(
        3, world.query<const Health, const SparseHealth>());
    for (std::size_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        for (int round = 0; round < 50; ++round) {
          queries[t].each([&](const Health& a, const SparseHealth& b) { sums[t] += a.points + b.points; });
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const int sum : sums) CHECK(sum == 50 * 3000);
    CHECK(!world.commands().empty());
    world.flush();
    CHECK(world.has<Health>(extra));
  }
  TEST_CASE("a creation that memory does not suffice to record leaves nothing recorded") {
    FailingMemory memory;
    World world({.memory = &memory});
    world.create(Health{1}, Huge(1), SparseHealth{1});
    const HookScope hooks;
    int destroyed = 0;
    hooks->destroyed = [&](int) { ++destroyed; };
    for (int round = 0; round < 50; ++round) {
      sweep_out_of_memory(
          memory, [&] { world.commands().create(Huge(1), Hooked(2), Health{3}, SparseHealth{4}); },
          [&] {
            CHECK(static_cast<std::size_t>(round) == detail::parts_of(world).store.slots().recorded());
          });
    }
    CHECK(world.size() == 1);
    world.flush();
    CHECK(world.size() == 51);
    CHECK(world.query<With<Huge>, With<Hooked>, With<Health>, With<SparseHealth>>().count() == 50);
    CHECK(world.validate());
  }
  TEST_CASE("a pool of stable values knows its room after an insertion that has failed") {
    FailingMemory memory;
    World world({.memory = &memory});
    for (int round = 0; round < 5; ++round) {
      sweep_out_of_memory(
          memory, [&] { world.create_many<StableHooked, Health>(500, [](auto, auto, auto) {}); },
          [&] { REQUIRE(world.validate()); });
    }
    CHECK(world.size() == 2500);
    CHECK(world.validate());
  }
  TEST_CASE(
      "create_many has happened although what was recorded meanwhile cannot be applied for lack of memory") {
    FailingMemory memory;
    World world({.memory = &memory});
    const Entity parent = world.create();
    bool failed = false;
    for (std::size_t nth = 1; nth < 200 && !failed; ++nth) {
      const std::size_t before = world.size();
      bool filled = false;
      memory.never_fail();
      const std::size_t made =
          world.create_many<Health>(100, [&](std::span<const Entity> entities, std::span<Health>) {
            if (filled) return;
            filled = true;
            for (const Entity entity : entities) world.commands().add(entity, Huge(1));
            for (int i = 0; i < 100; ++i) world.commands().create(child_of(parent), Huge(2), SparseHealth{});
            memory.fail_at(nth);
          });
      memory.never_fail();
      CHECK(made == 100);
      failed = !world.commands().empty();
      CHECK(world.size() >= before + 100);
      world.flush();
      CHECK(world.size() == before + 200);
      REQUIRE(world.validate());
    }
    CHECK(failed);
  }
  TEST_CASE("a flush that is tried again keeps the refusals of the one that ran out of memory") {
    FailingMemory memory;
    World world({.memory = &memory});
    const Entity gone = world.create();
    const Entity entity = world.create(Health{1});
    world.destroy(gone);
    world.commands().set_parent(entity, gone);
    for (int i = 0; i < 50; ++i) world.commands().create(Huge(i), Velocity{});
    CHECK(sweep_out_of_memory(
              memory, [&] { world.flush(); }, [] {}) > 1);
    CHECK(world.commands().refusals().size() == 1);
    world.flush();
    CHECK(world.commands().refusals().empty());
    CHECK(world.validate());
  }
}

}  // namespace strata::test::callbacks_commands_test
