// Events of the user's own: which functions are called, in which order, at which entities.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <strata/strata.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/refusal.hpp"

namespace strata::test::events_test {

namespace {

struct Click {
  int x = 0;
};
struct Damage {
  int points = 0;
};

/// A window with two panels; the first one has a button with a label.
struct Window {
  World world;
  Events& events = world.events();
  Entity window = world.create();
  Entity left = world.create(child_of(window));
  Entity right = world.create(child_of(window));
  Entity button = world.create(child_of(left));
  Entity label = world.create(child_of(button));
  std::string told;
  std::vector<Subscription> kept;

  std::string name(Entity entity) const {
    const std::vector<std::pair<Entity, const char*>> names{
        {window, "window"}, {left, "left"}, {right, "right"}, {button, "button"}, {label, "label"}};
    for (const auto& [known, text] : names) {
      if (known == entity) return text;
    }
    return entity ? "another" : "none";
  }
  void tell(const std::string& what) { told += (told.empty() ? "" : " ") + what; }
  std::string take() { return std::exchange(told, {}); }
  /// Makes a function listen that tells where it is called.
  template <class Event>
  void listen(const char* prefix = "") {
    kept.push_back(events.on<Event>(
        [this, prefix](const Event&, Propagation& at) { tell(prefix + name(at.entity())); }));
  }
  template <class Event>
  void listen(Entity entity, const char* prefix) {
    kept.push_back(events.on<Event>(
        entity, [this, prefix](const Event&, Propagation& at) { tell(prefix + name(at.entity())); }));
  }
};

}  // namespace

TEST_SUITE("api/events") {
  TEST_CASE("functions are told of events of their type, everywhere or at their entity") {
    Window w;
    w.listen<Click>("any:");
    w.listen<Click>(w.button, "own:");
    w.listen<Damage>("other:");
    CHECK(w.events.emit(Click{}, w.button) == 2);
    CHECK(w.take() == "any:button own:button");
    CHECK(w.events.emit(Click{}, w.label) == 1);
    CHECK(w.take() == "any:label");
    CHECK(w.events.emit(Click{}) == 1);
    CHECK(w.take() == "any:none");
    CHECK(w.events.emit(std::string("no function listens"), w.label) == 0);
    CHECK(w.take().empty());
    CHECK(w.world.validate());
  }
  TEST_CASE("functions are called in the order of registration, also those of an entity among others") {
    Window w;
    w.listen<Click>(w.button, "1:");
    w.listen<Click>("2:");
    w.listen<Click>(w.button, "3:");
    w.listen<Click>(w.button, "4:");
    w.listen<Click>("5:");
    w.events.emit(Click{}, w.button);
    CHECK(w.take() == "1:button 2:button 3:button 4:button 5:button");
    w.kept.erase(w.kept.begin() + 2);
    w.listen<Click>("6:");
    w.events.emit(Click{}, w.button);
    CHECK(w.take() == "1:button 2:button 4:button 5:button 6:button");
  }
  TEST_CASE("an event bubbles from its entity to the root, until a function stops it") {
    Window w;
    w.listen<Click>();
    CHECK(w.events.emit(Click{}, w.label, Spread::bubble) == 4);
    CHECK(w.take() == "label button left window");
    CHECK(w.events.emit(Click{}, w.window, Spread::bubble) == 1);
    CHECK(w.take() == "window");
    w.kept.push_back(w.events.on<Click>(w.button, [&](Click&, Propagation& at) {
      CHECK(at.entity() == w.button);
      CHECK(at.origin() == w.label);
      CHECK(!at.stopped());
      at.stop();
      CHECK(at.stopped());
    }));
    w.listen<Click>(w.button, "behind:");
    w.events.emit(Click{}, w.label, Spread::bubble);
    CHECK(w.take() == "label button behind:button");  // All at the entity where it was stopped are called.
  }
  TEST_CASE("an event sinks level by level, without the subtrees that are left out") {
    Window w;
    const Entity right_button = w.world.create(child_of(w.right));
    w.listen<Click>();
    CHECK(w.events.emit(Click{}, w.window, Spread::sink) == 6);
    CHECK(w.take() == "window left right button another label");
    w.kept.push_back(w.events.on<Click>(w.left, [](Click&, Propagation& at) { at.skip_descendants(); }));
    w.events.emit(Click{}, w.window, Spread::sink);
    CHECK(w.take() == "window left right another");
    w.kept.push_back(w.events.on<Click>(w.right, [](Click&, Propagation& at) { at.stop(); }));
    w.events.emit(Click{}, w.window, Spread::sink);
    CHECK(w.take() == "window left right");
    w.kept.push_back(w.events.on<Click>(w.window, [](Click&, Propagation& at) { at.skip_descendants(); }));
    w.events.emit(Click{}, w.window, Spread::sink);
    CHECK(w.take() == "window");
    CHECK(w.events.emit(Click{}, right_button, Spread::sink) == 1);
  }
  TEST_CASE("an event sinks in the order of children that users have chosen") {
    Window w;
    REQUIRE(w.world.move_child_before(w.right, w.left));
    w.listen<Click>();
    w.events.emit(Click{}, w.window, Spread::sink);
    CHECK(w.take() == "window right left button label");
  }
  TEST_CASE("functions may change the event, and the caller sees it") {
    Window w;
    w.kept.push_back(w.events.on<Damage>(w.button, [](Damage& damage) { damage.points -= 3; }));
    w.kept.push_back(w.events.on<Damage>(w.window, [&](Damage& damage) {
      w.tell(std::to_string(damage.points));
      damage.points = 0;
    }));
    Damage damage{10};
    w.events.emit(damage, w.label, Spread::bubble);
    CHECK(w.take() == "7");
    CHECK(damage.points == 0);
  }
  TEST_CASE("an event may be move-only, and a function, too") {
    Window w;
    auto sum = std::make_unique<int>(0);
    int* const total = sum.get();
    const Subscription adds = w.events.on<std::unique_ptr<int>>(
        [sum = std::move(sum)](std::unique_ptr<int>& event) { *sum += *std::exchange(event, nullptr); });
    w.events.emit(std::make_unique<int>(3));
    w.events.queue(std::make_unique<int>(4), w.label);
    CHECK(*total == 3);
    w.events.deliver();
    CHECK(*total == 7);
  }
  TEST_CASE("no function is called with an event for a stale entity") {
    Window w;
    w.listen<Click>();
    w.world.destroy(w.button);
    CHECK(w.events.emit(Click{}, w.button) == 0);
    CHECK(w.events.emit(Click{}, w.label, Spread::bubble) == 0);
    CHECK(w.events.emit(Click{}, Entity(1000, 1), Spread::sink) == 0);
    CHECK(w.take().empty());
  }

  TEST_CASE(
      "functions that listen at an entity end with it, and another entity in its slot does not get them") {
    Window w;
    const auto held = std::make_shared<int>(0);
    w.events.on<Click>(w.label, [held](Click&) {}).detach();
    Subscription kept = w.events.on<Click>(w.label, [held](Click&) {});
    CHECK(held.use_count() == 3);
    w.world.destroy(w.label);
    const Entity next = w.world.create();
    REQUIRE(next.index() == w.label.index());
    CHECK(w.events.emit(Click{}, next) == 0);
    CHECK(held.use_count() == 2);  // Freed when the slot's new entity was met; `kept` keeps its function.
    CHECK(!kept.active());
    kept.end();
    CHECK(held.use_count() == 1);
    CHECK(w.world.validate());
  }
  TEST_CASE("functions of entities that are gone are freed, whether anything is emitted or not") {
    World world;
    const auto held = std::make_shared<int>(0);
    for (int i = 0; i < 10'000; ++i) {
      const Entity entity = world.create();
      world.events().on<Click>(entity, [held](Click&) {}).detach();
      world.destroy(entity);
      if (i == 5'000) world.create();
    }
    CHECK(held.use_count() < 20);
    for (int i = 0; i < 100; ++i) world.events().on<Click>(world.create(), [held](Click&) {}).detach();
    world.query<Entity>().each([&](Entity entity) { world.commands().destroy(entity); });
    SUBCASE("by the events alone") {
      world.events().shrink();
    }
    SUBCASE("with the world's other memory") {
      world.shrink();
    }
    CHECK(held.use_count() == 1);
    CHECK(world.validate());
  }
  TEST_CASE("functions do not come back with a handle that is restored, nor with those issued after it") {
    World world;
    const Entity first = world.create();
    world.events().on<Click>(first, [](Click&) {}).detach();
    world.destroy(first);
    const Entity second = world.create();
    REQUIRE(second.index() == first.index());
    world.events().on<Click>(second, [](Click&) {}).detach();
    world.destroy(second);
    REQUIRE(world.restore(first));
    CHECK(world.events().emit(Click{}, first) == 0);
    world.destroy(first);
    REQUIRE(world.create() == second);
    CHECK(world.events().emit(Click{}, second) == 0);
  }
  TEST_CASE("a function may listen at an entity that a recorded command will create") {
    World world;
    Events& events = world.events();
    int clicks = 0;
    const Entity later = world.commands().create();
    const Subscription listens = events.on<Click>(later, [&](Click&) { ++clicks; });
    CHECK(events.emit(Click{}, later) == 0);
    for (int i = 0; i < 100; ++i) events.on<Click>(world.create(), [](Click&) {}).detach();
    events.shrink();
    world.flush();
    CHECK(events.emit(Click{}, later) == 1);
    CHECK(clicks == 1);
    const Entity stale = world.create();
    world.destroy(stale);
    CHECK(says(refusal([&] { (void)events.on<Click>(stale, [](Click&) {}); }), "is stale"));
    CHECK(says(refusal([&] { (void)events.on<Click>(Entity(), [](Click&) {}); }), "names nothing"));
  }

  TEST_CASE("a function that begins to listen is not called with the event under way, at no entity") {
    Window w;
    bool once = false;
    w.kept.push_back(w.events.on<Click>(w.label, [&](Click&) {
      if (std::exchange(once, true)) return;
      w.listen<Click>("new:");
      w.listen<Click>(w.label, "new at label:");
      w.listen<Click>(w.window, "new at window:");
      w.tell("nested(");
      w.events.emit(Click{}, w.window);
      w.tell(")");
    }));
    w.listen<Click>(w.label, "old:");
    w.events.emit(Click{}, w.label, Spread::bubble);
    CHECK(w.take() == "nested( new:window new at window:window ) old:label");
    w.events.emit(Click{}, w.label, Spread::none);
    CHECK(w.take() == "old:label new:label new at label:label");
  }
  TEST_CASE(
      "a function that has ended is not called any more, also if it ends itself or another one ends it") {
    Window w;
    Subscription self, victim, far;
    self = w.events.on<Click>([&](Click&) {
      w.tell("self");
      self.end();
      victim.end();
      far.end();
    });
    victim = w.events.on<Click>(w.label, [&](Click&) { w.tell("victim"); });
    far = w.events.on<Click>(w.window, [&](Click&) { w.tell("far"); });
    w.listen<Click>();
    w.events.emit(Click{}, w.label, Spread::bubble);
    CHECK(w.take() == "self label button left window");
    CHECK(!self.active());
    CHECK(w.world.validate());
  }
  TEST_CASE("a function that is destroyed may own subscriptions, and make others listen") {
    Window w;
    struct Owner {
      Window* window;
      Subscription owned;
      Owner(Window& w_, Subscription owned_) : window(&w_), owned(std::move(owned_)) {}
      Owner(Owner&& other) noexcept
          : window(std::exchange(other.window, nullptr)), owned(std::move(other.owned)) {}
      ~Owner() {
        if (window == nullptr) return;
        window->events.on<Click>(window->window, [](Click&) {}).detach();
        window->events.emit(Click{}, window->window, Spread::sink);
      }
      void operator()(Click&) const {}
    };
    Subscription outer =
        w.events.on<Click>(w.label, Owner(w, w.events.on<Click>(w.label, [&](Click&) { w.tell("owned"); })));
    w.events.emit(Click{}, w.label);
    CHECK(w.take() == "owned");
    outer.end();
    CHECK(w.events.emit(Click{}, w.label) == 0);
    CHECK(w.events.emit(Click{}, w.window) == 1);
    w.events.on<Click>(w.button, Owner(w, {})).detach();
    w.world.destroy(w.button);
    w.events.shrink();
    CHECK(w.events.emit(Click{}, w.window) == 2);
    w.events.on<Click>(w.window, Owner(w, {})).detach();  // Destroyed with the world.
    CHECK(w.world.validate());
  }

  TEST_CASE(
      "functions may read, query and record; what they record runs when the outermost event has ended") {
    Window w;
    auto entities = w.world.query<Entity>();
    w.kept.push_back(w.events.on<Click>(w.label, [&](Click&) {
      CHECK(entities.count() == 5);
      w.world.commands().destroy(w.button);
      w.world.commands().create(Health{1});
      w.events.emit(Damage{}, w.button);
    }));
    w.kept.push_back(w.events.on<Damage>(w.button, [&](Damage&) {
      CHECK(w.world.alive(w.button));  // It is about to be destroyed.
      w.tell("damage");
    }));
    w.listen<Click>();
    w.events.emit(Click{}, w.label, Spread::bubble);
    CHECK(w.take() == "damage label button left window");
    CHECK(!w.world.alive(w.button));
    CHECK(!w.world.alive(w.label));
    CHECK(w.world.query<With<Health>>().count() == 1);
    CHECK(w.world.validate());
  }
  TEST_CASE("a structural change while functions are called is refused, and what is under way is named") {
    Window w;
    std::string said;
    w.kept.push_back(w.events.on<Click>([&](Click&) {
      said = refusal([&] { w.world.create(); });
      CHECK(says(refusal([&] { w.world.destroy(w.label); }), "emit is under way"));
      CHECK(says(refusal([&] { w.world.flush(); }), "emit is under way"));
    }));
    w.events.emit(Click{});
    CHECK(says(said, "create while emit is under way: record it with world.commands()"));
    w.kept.push_back(w.events.on<Damage>([&](Damage&) { said = refusal([&] { w.world.create(); }); }));
    w.events.queue(Damage{});
    w.events.deliver();
    CHECK(says(said, "create while deliver is under way"));
    CHECK(w.world.create());
  }
  TEST_CASE("an event that a visitor of a query emits runs no command before the query has ended") {
    Window w;
    w.kept.push_back(
        w.events.on<Click>([&](Click&, Propagation& at) { w.world.commands().add(at.entity(), Health{1}); }));
    w.world.query<Entity>().each([&](Entity entity) {
      w.events.emit(Click{}, entity);
      w.events.queue(Click{}, entity);
      CHECK(!w.world.has<Health>(entity));
      if (entity == w.label) CHECK(w.events.deliver().delivered == 5);
      CHECK(!w.world.has<Health>(entity));
    });
    CHECK(w.world.query<With<Health>>().count() == 5);
    w.world.commands().create();  // Recorded while nothing is under way: it waits for its own turn.
    w.kept.clear();
    w.listen<Click>();
    w.events.emit(Click{}, w.label);
    CHECK(w.world.size() == 5);
    w.world.flush();
    CHECK(w.world.size() == 6);
  }

  TEST_CASE("when a function throws, the others are called, and the first exception is passed on") {
    Window w;
    w.kept.push_back(w.events.on<Click>([&](Click&, Propagation& at) {
      w.world.commands().create();
      throw std::runtime_error(w.name(at.entity()));
    }));
    w.listen<Click>("told:");
    CHECK_THROWS_WITH(w.events.emit(Click{}, w.button, Spread::bubble), "button");
    CHECK(w.take() == "told:button told:left told:window");
    CHECK(w.world.size() == 5);
    CHECK(!w.world.commands().empty());  // They wait, as after every iteration that ends by an exception.
    w.world.flush();
    CHECK(w.world.size() == 8);
    for (const Entity entity : {w.label, w.left}) w.events.queue(Click{}, entity);
    CHECK_THROWS_WITH(w.events.deliver(), "label");
    CHECK(w.take() == "told:label told:left");
    CHECK(w.events.queued() == 0);
    CHECK(w.world.validate());
  }
  TEST_CASE("functions that emit without end break a contract with a sentence, and are soon done with it") {
    Window w;
    std::size_t calls = 0;
    const auto emits = [&](Click&) {
      ++calls;
      w.events.emit(Click{}, w.label);
    };
    const Subscription one = w.events.on<Click>(emits);
    const Subscription two = w.events.on<Click>(emits);
    const std::string said = refusal([&] { w.events.emit(Click{}, w.label); });
    CHECK(says(said, "64 deep (see Events::set_depth_limit)"));
    CHECK(calls == 64);  // Not 2 to the power of 64.
    w.events.set_depth_limit(3);
    calls = 0;
    CHECK(says(refusal([&] { w.events.emit(Click{}, w.label); }), "3 deep"));
    CHECK(calls == 3);
    w.listen<Damage>();
    CHECK(w.events.emit(Damage{}, w.label) == 1);
    w.events.set_depth_limit(0);
    CHECK(says(refusal([&] { w.events.emit(Damage{}, w.label); }), "0 deep"));
    w.events.set_depth_limit(1);
    CHECK(w.events.emit(Damage{}, w.label) == 1);
    CHECK(w.world.create());
  }

  TEST_CASE("a subscription may outlive the world") {
    const auto held = std::make_shared<int>(0);
    Subscription everywhere, at_entity;
    {
      World world;
      everywhere = world.events().on<Click>([held](Click&) {});
      at_entity = world.events().on<Click>(world.create(), [held](Click&) {});
      world.events().on<Click>([held](Click&) {}).detach();
      CHECK(everywhere.active());
    }
    CHECK(!everywhere.active());
    CHECK(!at_entity.active());
    everywhere.end();
    at_entity = {};
    CHECK(held.use_count() == 1);
  }
  TEST_CASE("no function is called while the world ends, and what is queued then is destroyed") {
    const CountedScope scope;
    struct Mourner {
      World* world = nullptr;
      int* calls = nullptr;
      Mourner(World& w, int& c) : world(&w), calls(&c) {}
      Mourner(Mourner&& other) noexcept : world(std::exchange(other.world, nullptr)), calls(other.calls) {}
      ~Mourner() {
        if (world == nullptr) return;
        ++*calls;
        world->events().emit(Click{});
        world->events().queue(Counted(1));
        if (!world->events().on<Click>([](Click&) {}).active()) ++*calls;
      }
    };
    int calls = 0;
    int told = 0;
    {
      World world;
      const Entity entity = world.create(Mourner(world, calls));
      world.events().on<Click>([&](Click&) { ++told; }).detach();
      world.events().queue(Mourner(world, calls), entity);
      for (int i = 0; i < 1000; ++i) world.events().queue(Counted(i), entity);
    }
    CHECK(calls == 4);
    CHECK(told == 0);
    CHECK(scope.clean());
  }
  TEST_CASE("events go along when a world is moved") {
    Window w;
    w.listen<Click>();
    w.events.queue(Click{}, w.label);
    World moved = std::move(w.world);
    CHECK(moved.events().deliver().delivered == 1);
    CHECK(w.take() == "label");
    w.world = std::move(moved);
    CHECK(w.world.events().emit(Click{}, w.label) == 1);
  }
}

}  // namespace strata::test::events_test
