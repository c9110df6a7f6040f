// What functions may do while they are called with an event: listen, end, emit, change the world, throw; and the end of
// the world itself.
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
#include "event_window.hpp"

namespace strata::test::event_functions_test {

using namespace event_window;

TEST_SUITE("api/event_functions") {
  TEST_CASE("a function that begins to listen is not called with the event under way, at no entity") {
    Window w;
    bool once = false;
    w.kept.push_back(w.events.on<Click>(w.label, [&](Click&) {
      if (std::exchange(once, true)) return;
      w.listen<Click>("new:");
      w.listen<Click>(w.label, "new at label:");
      w.listen<Click>(w.window, "new at window:");
      w.notify("nested(");
      w.events.emit(Click{}, w.window);
      w.notify(")");
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
      w.notify("self");
      self.end();
      victim.end();
      far.end();
    });
    victim = w.events.on<Click>(w.label, [&](Click&) { w.notify("victim"); });
    far = w.events.on<Click>(w.window, [&](Click&) { w.notify("far"); });
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
    Subscription outer = w.events.on<Click>(
        w.label, Owner(w, w.events.on<Click>(w.label, [&](Click&) { w.notify("owned"); })));
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
      w.notify("damage");
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

}  // namespace strata::test::event_functions_test
