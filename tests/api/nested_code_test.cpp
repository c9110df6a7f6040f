// User code that runs in the middle of a change, and comes back into the world.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/hooked.hpp"
#include "../support/refusal.hpp"

namespace strata::test::nested_code_test {

namespace {

template <int>
struct Late {};
template <int>
struct Mark {};
struct Moved {};
struct Cooling {
  int left = 0;
};
struct Armed : Hooked {
  using Hooked::Hooked;
};
struct Text {
  std::string text;
};
/// A value of a pair that calls a function when it is destroyed.
struct Farewell {
  std::function<void()> call;
  explicit Farewell(std::function<void()> what) : call(std::move(what)) {}
  Farewell(const Farewell&) = default;
  Farewell(Farewell&& other) noexcept : call(std::exchange(other.call, nullptr)) {}
  ~Farewell() {
    if (call) call();
  }
};
/// Values of its pairs cannot be copied.
struct Weight {
  std::unique_ptr<int> value;
};
struct Post {
  int number = 0;
  explicit Post(int n = 0) : number(n) {}
  Post(const Post& other) : number(other.number) {
    if (number == 13) throw std::runtime_error("13");
  }
  Post(Post&&) noexcept = default;
  Post& operator=(Post&&) noexcept = default;
};
/// Refers to an entity, and calls a function when references are replaced.
struct Linked {
  Entity to;
  static inline std::function<void()> on_remap;
  void remap_entities(const EntityMap& map) {
    to = map(to);
    if (on_remap) on_remap();
  }
};

void check_sound(const World& world) {
  if (const Outcome sound = world.validate(); !sound) FAIL(sound.message());
}

}  // namespace

}  // namespace strata::test::nested_code_test

namespace nested = strata::test::nested_code_test;
template <>
inline constexpr auto strata::requires_of<nested::Armed> = strata::Requires<nested::Cooling>{};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<nested::Post> = {
    .storage = strata::Storage::table};
template <int number>
inline constexpr strata::Storage strata::storage_of<nested::Mark<number>> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<nested::Moved> = strata::Storage::sparse;

namespace strata::test::nested_code_test {

TEST_SUITE("api/nested_code") {
  TEST_CASE("a destructor of a pair's value may make further relations known") {
    World world;
    const Entity a = world.create(), b = world.create();
    const auto record = [&] {
      [&]<int... number>(std::integer_sequence<int, number...>) {
        (world.commands().add<Late<number>>(a, b, {}), ...);
      }
      (std::make_integer_sequence<int, 16>());
    };
    world.relations().add(a, b, Farewell(record));
    (void)world.relations().relation<Mark<0>>();
    world.relations().remove<Farewell>(a, b);
    check_sound(world);
    CHECK(world.relations().has<Late<15>>(a, b));
  }
  TEST_CASE("what an observer or a resource has captured may record commands when the world ends") {
    struct Cleaner {
      World* world;
      Entity entity;
      Cleaner(World& of, Entity what) : world(&of), entity(what) {}
      Cleaner(Cleaner&& other) noexcept : world(std::exchange(other.world, nullptr)), entity(other.entity) {}
      ~Cleaner() {
        if (world == nullptr) return;
        world->commands().destroy(entity);
        CHECK(refusal([&] { world->create(); }) != "");
      }
    };
    World world;
    const Entity entity = world.create();
    world.commands().create();
    world.flush();  // The list of commands keeps its memory.
    world.observers().on_add<Health>([cleaner = Cleaner(world, entity)](Entity) {}).detach();
    world.observers().on_enter<With<Health>>([cleaner = Cleaner(world, entity)](Entity) {}).detach();
    world.observers().on_pair_add<Mark<1>>([cleaner = Cleaner(world, entity)](Entity, Entity) {}).detach();
    world.resources().set(Cleaner(world, entity));
    CHECK(world.resources().find<Cleaner>() != nullptr);
  }
  TEST_CASE("a copy of a pair's value that throws leaves no target with a tag") {
    World world;
    const Entity root = world.create(), leaf = world.create(child_of(root));
    world.relations().add(root, leaf, Post(13));
    CHECK_THROWS_AS(static_cast<void>(world.instantiate(root)), std::runtime_error);
    const Entity x = world.create(), y = world.create();  // In the slots of the copies.
    world.relations().add(x, y, Post(1));
    world.relations().add(y, x, Post(2));
    check_sound(world);
    const ComponentId post = world.relations().relation<Post>();
    CHECK(world.relations().source_component(post, x).has_value());
    CHECK(world.relations().source_component(post, y).has_value());
  }
  TEST_CASE("a mark that is collected while its pool is filled or sorted waits for the end") {
    World world;
    const auto marks = world.observers().collect<Moved, OnSet<Health>>();
    std::vector<Entity> all;
    for (int i = 0; i < 300; ++i) all.push_back(world.create(Health{i}));
    world.pool<Moved>().clear();
    std::vector<Entity> made(2);
    world.create_many<Moved>(made, [&](std::span<const Entity>) { world.set(all[0], Health{2}); });
    CHECK(world.has<Moved>(made[0]));
    CHECK(world.has<Moved>(all[0]));
    CHECK(world.pool<Moved>().size() == 3);
    CHECK(world.validate());
    std::size_t next = 1;
    while (next < 20) world.set(all[next++], Health{0});
    world.pool<Moved>().sort([&](Entity entity) {
      if (next < all.size()) world.set(all[next++], Health{1});
      return -static_cast<int>(entity.index());
    });
    CHECK(world.pool<Moved>().size() == next + 2);
    CHECK(world.validate());
  }
  TEST_CASE("a mark that is collected while values move waits for the end") {
    const HookScope hooks;
    World world;
    const auto marks = world.observers().collect<Moved, OnSet<Health>>();
    world.set(world.create(Health{1}), Health{2});  // The pool of the mark is older than the other one.
    const Entity dying = world.create(Health{1}, SparseHooked(1));
    world.create(SparseHooked(2));
    hooks->moved = [&](int) {
      if (world.has<Health>(dying)) world.set(dying, Health{3});
    };
    world.destroy(dying);
    CHECK(world.pool<Moved>().size() == 1);
    check_sound(world);
  }
  TEST_CASE("a collected mark counts for observers of terms that name it") {
    World world;
    int entered = 0, left = 0;
    const auto marks = world.observers().collect<Moved, OnSet<Health>>();
    const Subscription in = world.observers().on_enter<With<Moved>>([&](Entity) { ++entered; });
    const Subscription out = world.observers().on_leave<With<Moved>>([&](Entity) { ++left; });
    const Entity entity = world.create(Health{1});
    world.pool<Moved>().clear();
    world.set(entity, Health{2});
    CHECK(entered == 2);
    world.pool<Moved>().clear();
    CHECK(left == 2);
  }
  TEST_CASE("entities that were extracted are gone for the destructors of their pairs' values") {
    World world;
    const Entity stays = world.create(), goes = world.create();
    std::vector<Entity> gone;
    for (int i = 0; i < 40; ++i) gone.push_back(world.create(child_of(goes), Text{std::string(100, 'x')}));
    auto query = world.query<const Text>();
    std::size_t calls = 0, seen = 0, alive = 0;
    const auto look = [&] {
      ++calls;
      alive += world.alive(gone[0]) ? 1 : 0;
      query.each([&](const Text& text) { seen += text.text.size(); });
    };
    bool is_armed = false;
    world.relations().add(goes, stays, Farewell([&] {
                            if (is_armed) look();
                          }));
    is_armed = true;
    {
      const ExtractedPart taken = extract(world, goes);
      is_armed = false;
      REQUIRE(taken.outcome);
    }
    CHECK(calls == 1);
    CHECK(alive == 0);
    CHECK(seen == 0);
    check_sound(world);
  }
  TEST_CASE("functions that replace references cannot change the world during extract and insert") {
    for (const OutsideReferences outside : {OutsideReferences::refuse, OutsideReferences::null}) {
      World world;
      const Entity root = world.create(Linked{});
      const Entity child = world.create(child_of(root), Linked{root});
      std::string refused;
      std::size_t calls = 0;
      Linked::on_remap = [&] {
        ++calls;
        refused = refusal([&] {
          for (int i = 0; i < 100; ++i) world.create(Linked{});
        });
      };
      ExtractedPart taken = extract(world, root, {.outside = outside});
      REQUIRE(taken.outcome);
      CHECK(calls != 0);
      CHECK(refused != "");
      refused = "";
      const InsertedPart put = insert(world, taken.part);
      Linked::on_remap = nullptr;
      REQUIRE(put.outcome);
      CHECK(refused != "");
      CHECK_FALSE(world.alive(child));
      CHECK(world.size() == 2);
      check_sound(world);
    }
  }
  TEST_CASE("a refused extract leaves the part without entities") {
    World world;
    const Entity outside = world.create(), root = world.create();
    world.relations().add(root, outside, Mark<2>{});
    world.relations().add(root, outside, Weight{});
    const ExtractedPart taken = extract(world, root);
    CHECK_FALSE(taken.outcome);
    CHECK(taken.part.empty());
    CHECK(world.relations().has<Mark<2>>(root, outside));
  }
  TEST_CASE("destructors of values that an addition to many entities replaces see whole rows") {
    HookScope hooks;
    World world;
    std::vector<Entity> all;
    for (int i = 0; i < 4; ++i) all.push_back(world.create(Health{i}));
    world.add(all[0], Armed(1));
    std::size_t seen = 0, dead = 0;
    hooks->destroyed = [&](int number) {
      if (number != 1) return;
      seen = world.query<const Health>().count();
      world.query<Entity, const Health>().each(
          [&](Entity entity, const Health&) { dead += world.alive(entity) ? 0 : 1; });
    };
    world.add<Armed>(all, Armed(2));
    CHECK(seen == 4);
    CHECK(dead == 0);
    CHECK(world.query<const Armed>().count() == 4);
    check_sound(world);
  }
  TEST_CASE("a ninth sparse set that is made while a value moves knows the members of the others") {
    for (const bool destroys : {false, true}) {
      HookScope hooks;
      World world;
      const Entity a = world.create(SparseHooked(1)), b = world.create(SparseHooked(2));
      [&]<int... number>(std::integer_sequence<int, number...>) {
        (world.add<Mark<number>>(a), ...);
      }
      (std::make_integer_sequence<int, 7>());
      hooks->moved = [&](int) {
        Hooks::all().moved = nullptr;
        (void)world.accessor<Mark<7>>();
      };
      destroys ? (void)world.destroy(a) : (void)world.remove<SparseHooked>(a);
      check_sound(world);
      world.destroy(b);
      CHECK(world.query<const SparseHooked>().count() == 0);
      check_sound(world);
    }
  }
  TEST_CASE("a ninth sparse set that is made while a restore copies values knows the restored members") {
    for (const bool is_far : {false, true}) {
      HookScope hooks;
      World world;
      const Entity first = world.create();
      [&]<int... number>(std::integer_sequence<int, number...>) {
        (world.add<Mark<number>>(first), ...);
      }
      (std::make_integer_sequence<int, 7>());
      for (int i = 0; is_far && i < 5000; ++i) world.create();
      const Entity member = world.create(SparseHooked(1));
      History history(world);
      REQUIRE(history.checkpoint());
      world.remove<SparseHooked>(member);
      if (is_far) world.add(first, SparseHooked(2));  // Takes the spare page of the index.
      hooks->copied = [&](int) {
        Hooks::all().copied = nullptr;
        (void)world.accessor<Mark<7>>();
      };
      REQUIRE(history.restore(0));
      check_sound(world);
      world.destroy(member);
      CHECK(world.query<const SparseHooked>().count() == 0);
      check_sound(world);
    }
  }
  TEST_CASE("a move of present children may record a creation while further ones are built or inserted") {
    for (const bool inserts : {false, true}) {
      CAPTURE(inserts);
      HookScope hooks;
      // Present children move to a table of their own if no more than the new ones, and together too many.
      World world({.layout = Layout::adaptive, .large_family = inserts ? 1u : 4u}), other;
      const Entity above = world.create();
      for (int i = 0; i < (inserts ? 1 : 3); ++i) world.create(child_of(above), Hooked(i));
      const Entity root = other.create(Health{1});
      other.create(child_of(root), Health{2});
      WorldPart part = std::move(extract(other, root).part);
      Entity late;
      hooks->moved = [&](int) {
        Hooks::all().moved = nullptr;
        late = world.commands().create(Health{7});
      };
      if (inserts) {
        REQUIRE(insert(world, part, above).outcome);
      } else {
        const std::vector<std::uint32_t> parents{kNoParent, kNoParent, kNoParent, kNoParent, 0, 1};
        const BuiltHierarchy built = world.build_hierarchy(child_of(above), parents, Health{1});
        REQUIRE(built.outcome);
        CHECK(world.parent(built.entities[3]) == above);
        CHECK(world.parent(built.entities[4]) == built.entities[0]);
        CHECK(world.parent(built.entities[5]) == built.entities[1]);
      }
      REQUIRE(world.alive(late));
      check_sound(world);
      CHECK(world.parent(late) == Entity());
      CHECK(world.child_count(above) == (inserts ? 2 : 7));
      CHECK(world.size() == (inserts ? 5 : 11));
    }
  }
  TEST_CASE("destroying an entity without its children is all or nothing with observed pairs") {
    FailingMemory memory;
    World world(WorldOptions{.memory = &memory});
    const Entity root = world.create(), middle = world.create(child_of(root));
    const Entity leaf = world.create(child_of(middle));
    world.relations().add(middle, root, Mark<3>{});
    std::size_t told = 0;
    const Subscription pairs = world.observers().on_pair_remove<Mark<3>>([&](Entity, Entity) { ++told; });
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { world.destroy(middle, ChildPolicy::orphan); },
        [&] {
          CHECK(world.alive(middle));
          CHECK(world.parent(leaf) == middle);
          CHECK(told == 0);
          check_sound(world);
        });
    CHECK(failures != 0);
    CHECK(told == 1);
    CHECK_FALSE(world.alive(middle));
    CHECK(world.parent(leaf) == Entity());
    check_sound(world);
  }
  TEST_CASE("a progress function cannot change the world that is saved") {
    World world;
    world.create(Health{1});
    std::string refused;
    auto change = [&](const SavingProgress&) {
      refused = refusal([&] { world.create(Cooling{}); });
      (void)world.component<Cooling>();
      return true;
    };
    std::ostringstream file;
    CHECK(save(world, file, {.undescribed = Undescribed::leave_out, .progress = change}));
    CHECK(refused != "");
    CHECK(world.size() == 1);
  }
}

}  // namespace strata::test::nested_code_test
