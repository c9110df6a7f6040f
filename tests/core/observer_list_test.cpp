#include "../../core/observer_list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../core/subscription.hpp"
#include "../support/model_test.hpp"

namespace strata::test::observer_list_test {

using namespace detail;

namespace {

using Function = std::function<void(Entity)>;

Subscription observe(ObserverList& list, Function function) {
  auto* const observer = new FunctionObserver<Function>(
      [](Observer& called, Entity entity, void*, const void*) {
        static_cast<FunctionObserver<Function>&>(called).function(entity);
      },
      std::move(function));
  list.add(observer);
  return Subscription(observer);
}

void notify(ObserverList& list, Entity entity = {}) {
  FirstError error;
  list.notify(entity, nullptr, nullptr, error);
  error.rethrow();
}

// Observers with numbers. Each, when it is called, does what it has been given to do.
struct Scene {
  ObserverList list{std::pmr::get_default_resource()};
  std::vector<Subscription> subscriptions;
  std::vector<Function> actions;
  std::vector<std::size_t> told;
  std::vector<std::size_t> expected_order;  // All that are active, in order of registration.

  void add(Function action = nullptr) {
    const std::size_t number = subscriptions.size();
    actions.push_back(std::move(action));
    expected_order.push_back(number);
    subscriptions.push_back(observe(list, [this, number](Entity entity) {
      told.push_back(number);
      if (const Function acts = actions[number]) acts(entity);
    }));
  }
  void end(std::size_t number) {
    subscriptions[number].end();
    std::erase(expected_order, number);
  }
};

/// While observers are told, some of them add and end observers.
Disagreement list_agrees(Bytes& bytes, Log& log) {
  Scene scene;
  while (bytes.turn()) {
    const std::size_t observers = scene.subscriptions.size();
    switch (bytes.below(observers != 0 ? 3 : 1)) {
      case 0:
        log("add");
        scene.add();
        break;
      case 1: {
        const std::size_t number = bytes.below(observers);
        log("end ", number);
        scene.end(number);
        break;
      }
      default: {
        const std::size_t actor = bytes.below(observers);
        const std::size_t victim = bytes.below(observers);
        const bool adds = bytes.chance(3);
        const bool again = bytes.chance(4);
        log("tell; ", actor, " ends ", victim, adds ? " and adds one" : "", again ? " and tells all" : "");
        std::vector<std::size_t> expected;
        bool acts = false;
        const std::vector<std::size_t> before = scene.expected_order;
        for (const std::size_t number : before) {
          if (acts && number == victim) continue;
          expected.push_back(number);
          if (number != actor || acts) continue;
          acts = true;
          if (!again) continue;
          for (const std::size_t other : before) {
            if (other != victim) expected.push_back(other);
          }
          if (adds) expected.push_back(observers);
        }
        bool acted = false;
        scene.actions[actor] = [&](Entity) {
          if (std::exchange(acted, true)) return;
          scene.end(victim);
          if (adds) scene.add();
          if (again) notify(scene.list);
        };
        scene.told.clear();
        notify(scene.list);
        scene.actions[actor] = nullptr;
        if (scene.told != expected) return "others were told, or in another order";
        break;
      }
    }
    if (std::string broken = scene.list.check_invariants(); !broken.empty()) return broken;
    if (scene.list.size() != scene.expected_order.size()) return "the list has another size";
    for (std::size_t i = 0; i < scene.subscriptions.size(); ++i) {
      const bool active = std::find(scene.expected_order.begin(), scene.expected_order.end(), i) !=
                          scene.expected_order.end();
      if (scene.subscriptions[i].active() != active) return "a subscription says otherwise";
    }
  }
  return {};
}

}  // namespace

TEST_SUITE("core/observer_list") {
  STRATA_MODEL_TEST("observers behave like a list of functions", list_agrees);

  TEST_CASE("a subscription that goes ends its function, and outlives the list") {
    const auto alive = std::make_shared<int>(0);
    Subscription kept;
    {
      ObserverList list(std::pmr::get_default_resource());
      {
        const Subscription gone = observe(list, [alive](Entity) {});
      }
      CHECK(alive.use_count() == 1);
      CHECK(!list.any());
      kept = observe(list, [alive](Entity) {});
      CHECK(kept.active());
    }
    CHECK(!kept.active());
    CHECK(alive.use_count() == 2);
    kept.end();
    CHECK(alive.use_count() == 1);
  }

  TEST_CASE("a function that ends itself is destroyed after it has returned") {
    ObserverList list(std::pmr::get_default_resource());
    const auto alive = std::make_shared<int>(0);
    Subscription self;
    long during = 0;
    self = observe(list, [&self, &during, alive](Entity) {
      self.end();
      during = alive.use_count();
    });
    notify(list);
    CHECK(during == 2);
    CHECK(alive.use_count() == 1);
  }

  TEST_CASE("a detached function stays as long as the list") {
    int calls = 0;
    ObserverList list(std::pmr::get_default_resource());
    observe(list, [&](Entity) { ++calls; }).detach();
    notify(list);
    CHECK(calls == 1);
  }

  TEST_CASE("a list that goes ends all of its functions and destroys them, whether detached or not") {
    const auto alive = std::make_shared<int>(0);
    std::vector<Subscription> kept;
    {
      ObserverList list(std::pmr::get_default_resource());
      for (int i = 0; i < 5; ++i) {
        observe(list, [alive](Entity) {}).detach();
        kept.push_back(observe(list, [alive](Entity) {}));
      }
    }
    CHECK(alive.use_count() == 6);
    for (const Subscription& subscription : kept) CHECK(!subscription.active());
    kept.clear();
    CHECK(alive.use_count() == 1);
  }
  TEST_CASE("all are told although some throw, and the first exception is kept") {
    ObserverList list(std::pmr::get_default_resource());
    std::string told;
    const Subscription one = observe(list, [&](Entity entity) {
      told += "1";
      throw std::runtime_error("one " + std::to_string(entity.index()));
    });
    const Subscription two = observe(list, [&](Entity) {
      told += "2";
      throw std::runtime_error("two");
    });
    FirstError error;
    list.notify_each(std::vector<Entity>{{3, 0}, {4, 0}}, nullptr, 0, error);
    CHECK(told == "1122");
    CHECK_THROWS_WITH(error.rethrow(), "one 3");
    CHECK_NOTHROW(error.rethrow());
  }

  TEST_CASE("a count of observers reports the first and the last one") {
    static std::string reports;
    reports.clear();
    ObserverCount count{[](void*, bool any) noexcept { reports += any ? "+" : "-"; }};
    ObserverList a(std::pmr::get_default_resource(), &count);
    ObserverList b(std::pmr::get_default_resource(), &count);
    Subscription one = observe(a, [](Entity) {});
    Subscription two = observe(b, [](Entity) {});
    one.end();
    two.end();
    CHECK(reports == "+-");
  }
}

}  // namespace strata::test::observer_list_test
