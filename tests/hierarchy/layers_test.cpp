#include "../../hierarchy/layers/layers.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "../../storage/store_change.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/healthy_rows.hpp"
#include "../support/model_test.hpp"

namespace strata::test::layers_test {

using namespace detail;

namespace {

struct Subject {
  FailingMemory memory;
  Store store{&memory};
  Layers layers{store};
  ComponentId health = store.registry().id_of<Health>();
  ComponentId frozen = store.registry().id_of<Frozen>();

  Entity create(int points) { return create_healthy(store, points); }
  int points(Entity entity) const { return static_cast<const Health*>(store.find(entity, health))->points; }
  std::int32_t key(Entity entity) const {
    return layers.key_of(layers.find(table_of(*store.slots().find(entity).block).archetype()));
  }
  std::string broken() const {
    const std::string complaint = store.check_invariants();
    return complaint.empty() ? layers.check_invariants() : complaint;
  }
};

constexpr std::array<std::int32_t, 5> kKeys{std::numeric_limits<std::int32_t>::min(), -1, 0, 1,
                                            std::numeric_limits<std::int32_t>::max()};

// The model: the key of every live entity.
Disagreement layers_agree(Bytes& bytes, Log& log) {
  Subject subject;
  std::map<Entity, std::int32_t> keys;
  std::map<Entity, int> points;
  std::vector<Entity> seen;
  const auto pick = [&] { return seen[bytes.below(seen.size())]; };
  while (bytes.turn()) {
    const std::size_t action = seen.empty() ? 0 : bytes.below(6);
    if (action == 0) {
      const int number = static_cast<int>(seen.size());
      seen.push_back(subject.create(number));
      log("create ", seen.back());
      keys[seen.back()] = 0;
      points[seen.back()] = number;
    } else if (const Entity entity = pick(); !keys.contains(entity)) {
      continue;
    } else if (action == 1) {
      log("destroy ", entity);
      subject.store.destroy(entity);
      keys.erase(entity);
    } else if (action == 2) {
      log("tag or untag ", entity);
      if (!subject.store.remove(entity, subject.frozen)) subject.store.add(entity, subject.frozen);
    } else {
      const std::int32_t key = kKeys[bytes.below(kKeys.size())];
      log("put ", entity, " into layer ", key);
      subject.layers.set(entity, key);
      keys[entity] = key;
    }
    for (const auto& [entity, key] : keys) {
      if (subject.key(entity) != key) return "the layer of " + to_string(entity) + " is wrong";
      if (subject.points(entity) != points.at(entity))
        return "the value of " + to_string(entity) + " is lost";
    }
    if (std::string broken = subject.broken(); !broken.empty()) return broken;
  }
  return {};
}

}  // namespace

TEST_SUITE("hierarchy/layers") {
  STRATA_MODEL_TEST("every entity is in the layer that it was put into last", layers_agree, .runs = 100);

  TEST_CASE("layers are numbered in order of first use, the default layer before all") {
    Subject s;
    const Entity entity = s.create(1);
    CHECK(s.layers.count() == 1);
    for (const std::int32_t key : {5, -3, 5, 0, 9}) s.layers.set(entity, key);
    CHECK(s.layers.count() == 4);
    CHECK(s.layers.key_of(Layers::Index{0}) == 0);
    CHECK(s.layers.key_of(Layers::Index{1}) == 5);
    CHECK(s.layers.key_of(Layers::Index{2}) == -3);
    CHECK(s.layers.key_of(Layers::Index{3}) == 9);
    CHECK(s.layers.term_of(Layers::Index{0}).role == Role::without);
    CHECK(s.layers.term_of(Layers::Index{2}).role == Role::with);
  }
  TEST_CASE("an entity in a layer keeps its tables when it is put there again") {
    Subject s;
    const Entity entity = s.create(1);
    s.layers.set(entity, 4);
    const Place before = s.store.slots().find(entity);
    s.layers.set(entity, 4);
    CHECK(s.store.slots().find(entity).block == before.block);
  }
  TEST_CASE("a stale entity and a change while iterating are refused") {
    Subject s;
    const Entity entity = s.create(1);
    {
      const ChangeGuard::Iteration lock(s.store.guard());
      CHECK_THROWS_AS(s.layers.set(entity, 1), ContractViolation);
    }
    s.store.destroy(entity);
    CHECK_THROWS_AS(s.layers.set(entity, 1), ContractViolation);
    CHECK(s.layers.count() == 1);
  }
  TEST_CASE("running out of memory leaves an entity in the layer where it was") {
    Subject s;
    const Entity entity = s.create(7);
    s.layers.set(entity, 1);
    const std::size_t failures = sweep_out_of_memory(
        s.memory, [&] { s.layers.set(entity, 2); },
        [&] {
          CHECK(s.broken().empty());
          CHECK(s.key(entity) == 1);
          CHECK(s.points(entity) == 7);
        });
    CHECK(failures > 3);
    CHECK(s.key(entity) == 2);
    CHECK(s.points(entity) == 7);
    CHECK(s.broken().empty());
  }
}

}  // namespace strata::test::layers_test
