#include "../../hierarchy/events/entity_listeners.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../../core/subscription.hpp"
#include "../../storage/store.hpp"
#include "../support/model_test.hpp"

namespace strata::test::entity_listeners_test {

using namespace detail;

namespace {

/// A function without effects, which counts itself.
struct Counting {
  int* alive;
  explicit Counting(int& count) : alive(&count) { ++*alive; }
  Counting(Counting&& other) noexcept : alive(std::exchange(other.alive, nullptr)) {}
  ~Counting() {
    if (alive != nullptr) --*alive;
  }
};

/// The functions of entities behave like a map from entities to numbers of functions.
Disagreement listeners_agree(Bytes& bytes, Log& log) {
  int alive = 0;
  {
    Store store(std::pmr::get_default_resource());
    ObserverCount count;
    EntityListeners listeners(store.slots(), &count, std::pmr::get_default_resource());
    std::vector<Entity> entities;
    std::map<Entity, std::size_t> expected;  // Of live entities.
    std::vector<std::pair<Entity, Subscription>> kept;
    Table& table = store.tables().get(store.archetypes().empty(), store.tables().root());
    while (bytes.turn()) {
      switch (bytes.below(8)) {
        case 0:
          entities.push_back(store.create_row(table).entity);
          log("create ", to_string(entities.back()));
          break;
        case 1:
          if (!entities.empty()) {
            const Entity entity = entities[bytes.below(entities.size())];
            log("destroy ", to_string(entity));
            if (store.destroy(entity)) expected.erase(entity);
          }
          break;
        case 2:
          if (!kept.empty()) {
            const std::size_t i = bytes.below(kept.size());
            log("end one of ", to_string(kept[i].first));
            kept[i].second.end();
            if (const auto found = expected.find(kept[i].first); found != expected.end()) {
              if (--found->second == 0) expected.erase(found);
            }
            kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
          }
          break;
        case 3:
          log("free unused");
          listeners.free_unused();
          if (listeners.size() != expected.size()) return "unused lists were kept, or others freed";
          break;
        case 4:
          if (!entities.empty()) {
            const Entity entity = entities[bytes.below(entities.size())];
            log("drop ", to_string(entity));
            listeners.drop(entity);
          }
          break;
        default:
          if (!entities.empty()) {
            const Entity entity = entities[bytes.below(entities.size())];
            if (!store.alive(entity)) break;
            log("listen at ", to_string(entity));
            auto* const observer =
                new FunctionObserver<Counting>([](Observer&, Entity, void*, const void*) {}, Counting(alive));
            listeners.get(entity).add(observer);
            kept.emplace_back(entity, observer);
            ++expected[entity];
          }
      }
      if (std::string broken = listeners.check_invariants(); !broken.empty()) return broken;
      for (const Entity entity : entities) {
        if (!store.alive(entity)) continue;
        const ObserverList* const list = listeners.find(entity);
        const auto found = expected.find(entity);
        const std::size_t size = found != expected.end() ? found->second : 0;
        if ((list != nullptr ? list->size() : 0) != size)
          return "another number listens at " + to_string(entity);
      }
    }
  }
  return alive == 0 ? Disagreement() : "a function was not destroyed once";
}

}  // namespace

TEST_SUITE("hierarchy/entity_listeners") {
  STRATA_MODEL_TEST("functions of entities behave like a map", listeners_agree, .runs = 300);
}

}  // namespace strata::test::entity_listeners_test
