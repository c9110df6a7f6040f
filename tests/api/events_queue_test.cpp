// Events of the user's own that are queued, and delivered later.
#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <strata/strata.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"

namespace strata::test::events_queue_test {

namespace {

struct Step {
  int number = 0;
};
struct Noise {
  int number = 0;
};
struct Page {
  std::array<char, 40'000> letters;
  int number = 0;
};

/// A world whose functions write down the events that they are called with.
struct Scene {
  World world;
  Events& events = world.events();
  Entity entity = world.create();
  std::string told;
  std::vector<Subscription> kept;

  template <class Event>
  void listen(const char* prefix) {
    kept.push_back(events.on<Event>([this, prefix](const Event& event) {
      told += (told.empty() ? "" : " ") + (prefix + std::to_string(event.number));
    }));
  }
  std::string take() { return std::exchange(told, {}); }
};

}  // namespace

TEST_SUITE("api/events_queue") {
  TEST_CASE("queued events are delivered in the order of queuing, over all types") {
    Scene s;
    s.listen<Step>("step");
    s.listen<Noise>("noise");
    for (int i = 0; i < 3; ++i) {
      s.events.queue(Step{i}, s.entity);
      s.events.queue(Noise{i});
    }
    CHECK(s.events.queued() == 6);
    CHECK(s.take().empty());
    const Deliveries result = s.events.deliver();
    CHECK(result.delivered == 6);
    CHECK(result.dropped == 0);
    CHECK(s.take() == "step0 noise0 step1 noise1 step2 noise2");
    CHECK(s.events.queued() == 0);
    CHECK(s.events.deliver().delivered == 0);
  }
  TEST_CASE("a queued event spreads as an emitted one does") {
    Scene s;
    const Entity child = s.world.create(child_of(s.entity));
    s.listen<Step>("");
    s.events.queue(Step{1}, child, Spread::bubble);
    s.events.queue(Step{2}, s.entity, Spread::sink);
    s.events.queue(Step{3}, s.entity);
    s.events.deliver();
    CHECK(s.take() == "1 1 2 2 3");
  }
  TEST_CASE("an event is dropped if its entity was destroyed meanwhile, and its functions are freed") {
    Scene s;
    const auto held = std::make_shared<int>(0);
    s.events.on<Step>(s.entity, [held](Step&) {}).detach();
    s.listen<Step>("");
    const Entity other = s.world.create();
    s.events.queue(Step{1}, s.entity);
    s.events.queue(Step{2}, other);
    s.events.queue(Step{3}, s.world.commands().create());  // Not alive yet.
    s.world.destroy(s.entity);
    const Deliveries result = s.events.deliver();
    CHECK(result.delivered == 1);
    CHECK(result.dropped == 2);
    CHECK(s.take() == "2");
    CHECK(held.use_count() == 1);
  }
  TEST_CASE("events that functions queue are delivered in the same call, in further rounds") {
    Scene s;
    s.kept.push_back(s.events.on<Step>([&](Step& step) {
      if (step.number >= 3) return;
      s.events.queue(Noise{step.number});
      s.events.queue(Step{step.number + 1}, s.entity);
    }));
    s.listen<Step>("step");
    s.listen<Noise>("noise");
    s.events.queue(Step{0}, s.entity);
    s.events.queue(Noise{9});
    CHECK(s.events.deliver().delivered == 8);
    CHECK(s.take() == "step0 noise9 noise0 step1 noise1 step2 noise2 step3");
  }
  TEST_CASE(
      "recorded commands run when all is delivered, so an event for what they destroy is delivered before") {
    Scene s;
    s.kept.push_back(s.events.on<Step>(s.entity, [&](Step& step) {
      if (step.number != 0) return;
      s.world.commands().destroy(s.entity);
      s.events.queue(Step{1}, s.entity);
    }));
    s.listen<Step>("");
    s.events.queue(Step{0}, s.entity);
    const Deliveries result = s.events.deliver();
    CHECK(result.delivered == 2);
    CHECK(result.dropped == 0);
    CHECK(s.take() == "0 1");
    CHECK(!s.world.alive(s.entity));
  }
  TEST_CASE("a function that queues an event in every round breaks a contract, and the event stays queued") {
    Scene s;
    int calls = 0;
    const Subscription queues = s.events.on<Step>([&](Step&) {
      ++calls;
      s.events.queue(Step{});
      s.events.queue(Noise{});
    });
    s.events.queue(Step{});
    CHECK(says(refusal([&] { s.events.deliver(); }),
               "in each of 100 rounds, functions have queued further events; 2 stay queued (see "
               "Events::set_round_limit)"));
    CHECK(calls == 100);
    CHECK(s.events.queued() == 2);
    s.events.set_round_limit(2);
    CHECK(says(refusal([&] { s.events.deliver(); }), "in each of 2 rounds"));
    CHECK(calls == 102);
    CHECK(s.events.drop_queued() == 2);
    CHECK(s.events.deliver().delivered == 0);
    CHECK(s.world.create());
  }
  TEST_CASE("a delivery while functions are called is refused") {
    Scene s;
    std::string said;
    const Subscription delivers =
        s.events.on<Step>([&](Step&) { said = refusal([&] { s.events.deliver(); }); });
    s.events.emit(Step{});
    CHECK(says(said, "deliver while functions are called with an event"));
    said.clear();
    s.events.queue(Step{});
    s.events.deliver();
    CHECK(says(said, "deliver while functions are called with an event"));
  }
  TEST_CASE("a function may drop all queued events while one of them is delivered") {
    const CountedScope scope;
    Scene s;
    s.kept.push_back(s.events.on<Step>([&](Step& step) {
      if (step.number == 2) CHECK(s.events.drop_queued() == 2007);
      if (step.number == 2) s.events.queue(Noise{7});
    }));
    s.listen<Step>("");
    s.listen<Noise>("noise");
    for (int i = 0; i < 10; ++i) {
      s.events.queue(Step{i});
      for (int k = 0; k < 250; ++k) s.events.queue(Counted(k));
    }
    CHECK(s.events.deliver().delivered == 3 + 500 + 1);
    CHECK(s.take() == "0 1 2 noise7");
    CHECK(scope.clean());
    CHECK(s.world.validate());
  }
  TEST_CASE("events with destructors, over-aligned, large and move-only ones are destroyed once") {
    const CountedScope scope;
    Scene s;
    int sum = 0;
    std::vector<std::string> wrong;
    s.kept.push_back(s.events.on<Counted>([&](Counted& event) { sum += event.value(); }));
    s.kept.push_back(s.events.on<Wide>([&](Wide& event) {
      if (!event.aligned() || !(event == Wide(5))) wrong.push_back("Wide");
    }));
    s.kept.push_back(s.events.on<Owner>([&](Owner& event) { sum += *event.value; }));
    s.kept.push_back(s.events.on<Page>([&](Page& page) { sum += page.number; }));
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 500; ++i) {
        const Counted lvalue(1);
        s.events.queue(lvalue);
        s.events.queue(Counted(1), s.entity);
        s.events.queue(Wide(5));
        s.events.queue(Owner(1));
        s.events.queue(Frozen{});
        if (i % 50 == 0) s.events.queue(Page{{}, 100});
      }
      CHECK(s.world.validate());
      CHECK(s.events.deliver().delivered == 2510);
      CHECK(sum == (round + 1) * 2500);
    }
    CHECK(wrong.empty());
    for (int i = 0; i < 3000; ++i) s.events.queue(Counted(1));
    CHECK(s.events.drop_queued() == 3000);
    CHECK(scope.clean());
    CHECK(s.world.validate());
  }
  TEST_CASE("an event whose copy throws is not queued") {
    struct Fussy {
      int number = 0;
      explicit Fussy(int n) : number(n) {}
      Fussy(const Fussy& other) : number(other.number) {
        if (number == 3) throw std::runtime_error("copied");
      }
    };
    Scene s;
    s.listen<Fussy>("");
    for (int i = 0; i < 5; ++i) {
      const Fussy fussy(i);
      if (i == 3) {
        CHECK_THROWS_WITH(s.events.queue(fussy), "copied");
      } else {
        s.events.queue(fussy);
      }
    }
    CHECK(s.events.queued() == 4);
    CHECK(s.world.validate());
    CHECK(s.events.deliver().delivered == 4);
    CHECK(s.take() == "0 1 2 4");
  }
  TEST_CASE("constructors and destructors of events may queue events, and drop them") {
    struct Busy {
      Events* events;
      int left;
      Busy(Events& e, int n) : events(&e), left(n) {}
      Busy(Busy&& other) noexcept : events(std::exchange(other.events, nullptr)), left(other.left) {
        if (events != nullptr) events->queue(Step{left});
      }
      ~Busy() {
        if (events == nullptr) return;
        if (left == 0) events->drop_queued();
        if (left > 0) events->queue(Busy(*events, left - 1));
      }
    };
    Scene s;
    s.listen<Step>("");
    s.events.queue(Busy(s.events, 2));
    CHECK(s.events.queued() == 2);
    s.events.queue(Noise{});
    s.events.deliver();
    CHECK(s.take() == "2 1");  // The last one has dropped the Step before it was delivered.
    CHECK(s.events.queued() == 0);
    CHECK(s.world.validate());
    s.events.queue(Busy(s.events, 40));
    s.events.drop_queued();
    CHECK(s.events.queued() == 2);
    CHECK(s.world.validate());
  }
  TEST_CASE("queues allocate nothing once they have been as long, and shrink gives memory back") {
    FailingMemory memory;
    {
      World world({.memory = &memory});
      const Entity entity = world.create();
      Events& events = world.events();
      std::size_t told = 0;
      const Subscription counts = events.on<Step>([&](Step&) { ++told; });
      const Subscription loud = events.on<Noise>(entity, [&](Noise&) { ++told; });
      const auto frame = [&] {
        for (int i = 0; i < 5'000; ++i) {
          events.queue(Step{i}, entity, Spread::bubble);
          events.queue(Noise{i}, entity, Spread::sink);
          if (i % 100 == 0) events.queue(Page{});
        }
        events.deliver();
      };
      const std::size_t before = memory.bytes();
      frame();
      const std::size_t allocations = memory.allocations();
      const std::size_t warm = memory.bytes();
      for (int i = 0; i < 5; ++i) frame();
      CHECK(memory.allocations() == allocations);
      CHECK(told == 60'000);
      events.shrink();
      CHECK(memory.bytes() < before + 4096);
      CHECK(warm > memory.bytes() + 500'000);
      events.queue(Step{1});
      const MemoryUse use = world.stats().memory.events;
      CHECK(use.used >= sizeof(Step));
      CHECK(use.reserved >= use.used);
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
  TEST_CASE("when memory runs out, nothing is queued and nothing listens") {
    FailingMemory memory;
    {
      World world({.memory = &memory});
      Events& events = world.events();
      std::vector<Entity> entities;
      for (int i = 0; i < 40; ++i) entities.push_back(world.create());
      std::size_t told = 0;
      std::vector<Subscription> kept;
      kept.reserve(entities.size());
      for (const Entity entity : entities) {
        const std::size_t before = kept.size();
        sweep_out_of_memory(
            memory, [&] { kept.push_back(events.on<Step>(entity, [&](Step&) { ++told; })); },
            [&] { REQUIRE((kept.size() == before && world.validate())); });
      }
      for (int i = 0; i < 1000; ++i) {
        const std::size_t before = events.queued();
        sweep_out_of_memory(
            memory, [&] { events.queue(Step{i}, entities[static_cast<std::size_t>(i) % 40]); },
            [&] { REQUIRE(events.queued() == before); });
      }
      CHECK(events.deliver().delivered == 1000);
      CHECK(told == 1000);
      for (const Entity entity : entities) CHECK(events.emit(Step{}, entity) == 1);
      CHECK(world.validate());
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
  TEST_CASE("when memory runs out while an event sinks, the others stay queued") {
    FailingMemory memory;
    {
      World world({.memory = &memory});
      Entity node = world.create();
      const Entity root = node;
      for (int i = 0; i < 2000; ++i) node = world.create(child_of(node));
      std::size_t told = 0;
      const Subscription counts = world.events().on<Step>([&](Step&) { ++told; });
      world.events().queue(Step{}, root, Spread::sink);
      world.events().queue(Step{}, root);
      memory.fail_at(1);
      CHECK_THROWS_AS(world.events().deliver(), std::bad_alloc);
      memory.never_fail();
      CHECK(told != 0);
      CHECK(told < 2000);
      CHECK(world.events().queued() == 1);
      CHECK(world.validate());
      CHECK(world.events().deliver().delivered == 1);
      CHECK(world.events().emit(Step{}, root, Spread::sink) == 2001);
    }
    CHECK(memory.blocks() == 0);
  }
}

}  // namespace strata::test::events_queue_test
