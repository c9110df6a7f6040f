#include "../../storage/set_storage.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "../support/tracked.hpp"
#include "../support/values.hpp"

namespace strata::test::set_storage_test {

using namespace detail;

namespace {

/// A store with entities in two branches, each with some of the kinds.
struct Subject {
  CountedScope scope;
  FailingMemory memory;
  Store store{&memory};
  std::vector<Kind> kinds = all_kinds(store.registry());
  std::vector<Entity> entities;

  explicit Subject(int count) {
    Branch& other = store.tables().create_branch(3, 0);
    for (int i = 0; i < count; ++i) {
      Branch& branch = i % 3 == 0 ? other : store.tables().root();
      entities.push_back(store.create_row(store.archetypes().empty(), branch).entity);
      for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        if ((i / 5 + static_cast<int>(kind)) % 3 != 0) add(entities.back(), kinds[kind], i);
      }
    }
  }

  void add(Entity entity, const Kind& kind, int number) {
    const Store::Added added = store.add(entity, kind.id);
    if (!kind.tag) kind.make(added.value, number);
  }

  std::string seen() const {
    std::string text;
    for (const Entity entity : entities) {
      text += '\n' + to_string(entity);
      for (const Kind& kind : kinds) {
        if (!store.has(entity, kind.id)) continue;
        const void* const value = store.find(entity, kind.id);
        text += std::string(" ") + kind.name + (kind.tag ? "" : '=' + std::to_string(kind.read(value)));
      }
    }
    return text;
  }
  Storage storage(const Kind& kind) const { return store.registry()[kind.id].storage; }
  void flip(const Kind& kind) {
    set_storage(store, kind.id, storage(kind) == Storage::table ? Storage::sparse : Storage::table);
  }
};

}  // namespace

TEST_SUITE("storage/set_storage") {
  TEST_CASE("every kind of value is moved to the other storage and back") {
    Subject subject(60);
    const std::string before = subject.seen();
    for (const int turn : {0, 1, 2}) {
      for (const Kind& kind : subject.kinds) {
        const Storage storage = subject.storage(kind);
        subject.flip(kind);
        CHECK(subject.storage(kind) != storage);
        CHECK(subject.seen() == before);
        CHECK(subject.store.check_invariants() == "");
      }
      CHECK(subject.store.registry().moved_components() == (turn % 2 == 0 ? subject.kinds.size() : 0));
    }
  }
  TEST_CASE("a component that no entity has is moved, too") {
    Subject subject(0);
    for (const Kind& kind : subject.kinds) subject.flip(kind);
    const Entity entity = [&] {
      return subject.store.create_row(subject.store.archetypes().empty(), subject.store.tables().root())
          .entity;
    }();
    for (const Kind& kind : subject.kinds) {
      subject.add(entity, kind, 5);
      const SparsePool* const pool = subject.store.side().find(kind.id);
      CHECK((pool != nullptr && pool->contains(entity)) == (subject.storage(kind) == Storage::sparse));
    }
    CHECK(subject.store.check_invariants() == "");
  }
  TEST_CASE("members come in the order of the rows, and rows in the order of the members") {
    Subject subject(0);
    Store& store = subject.store;
    const ComponentId health = store.registry().id_of<Health>();
    const ComponentId name = store.registry().id_of<Name>();
    for (int i = 0; i < 10'000; ++i) {
      const auto [entity, place] =
          store.create_row(store.archetypes().with(store.archetypes().empty(), name), store.tables().root());
      ::new (place.block->format->find(*place.block, place.row, name)) Name{static_cast<std::uint64_t>(i)};
      subject.entities.push_back(entity);
      subject.add(entity, subject.kinds[0], i);
    }
    set_storage(store, health, Storage::sparse);
    const SparsePool& pool = *store.side().find(health);
    CHECK(std::vector(pool.entities().begin(), pool.entities().end()) == subject.entities);

    set_storage(store, health, Storage::table);
    CHECK(pool.size() == 0);
    std::vector<Entity> rows;
    for (const Archetype* archetype : store.archetypes().with_component(health)) {
      for (const Block* first : archetype->at_rank(0)) {
        for (const Block* block = first; block != nullptr; block = block->next) {
          const Entity* const entities = block->format->entities(*block);
          rows.insert(rows.end(), entities, entities + block->count);
        }
      }
    }
    CHECK(rows == subject.entities);
    CHECK(store.check_invariants() == "");
  }
  TEST_CASE("tracked values beside it keep when they were written") {
    FailingMemory memory;
    Store store{&memory};
    const ComponentId row = store.registry().id_of<ByRow>();
    const ComponentId health = store.registry().id_of<Health>();
    std::vector<Entity> entities;
    for (int i = 0; i < 100; ++i) {
      entities.push_back(store.create_row(store.archetypes().empty(), store.tables().root()).entity);
      *static_cast<ByRow*>(store.add(entities.back(), row).value) = {i};
      if (i % 2 == 0) *static_cast<Health*>(store.add(entities.back(), health).value) = {i};
      store.rows().changes().clock().begin_run();
    }
    const auto stamp_of = [&](Entity entity) {
      const Place place = store.slots().find(entity);
      const TrackedColumn& column = place.block->format->tracked()[0];
      return column_of<const std::uint64_t>(*place.block, column.stamp_prefix)[place.row];
    };
    std::vector<std::uint64_t> before;
    for (const Entity entity : entities) before.push_back(stamp_of(entity));
    for (const Storage storage : {Storage::sparse, Storage::table}) {
      set_storage(store, health, storage);
      CHECK(store.check_invariants() == "");
      for (std::size_t i = 0; i < entities.size(); ++i) CHECK(stamp_of(entities[i]) == before[i]);
    }
  }
  TEST_CASE("when memory runs out, nothing has moved") {
    Subject subject(40);
    const std::string before = subject.seen();
    for (const int turn : {0, 1}) {
      for (const Kind& kind : subject.kinds) {
        CAPTURE(kind.name);
        CAPTURE(turn);
        const Storage storage = subject.storage(kind);
        const std::size_t failures = sweep_out_of_memory(
            subject.memory, [&] { subject.flip(kind); },
            [&] {
              CHECK(subject.storage(kind) == storage);
              CHECK(subject.seen() == before);
              CHECK(subject.store.check_invariants() == "");
            });
        CHECK((failures != 0 || turn == 1));
        CHECK(subject.storage(kind) != storage);
        CHECK(subject.seen() == before);
      }
    }
    CHECK(subject.memory.complaint() == "");
  }
  TEST_CASE("every value is destroyed once, wherever it is") {
    const CountedScope scope;
    {
      Subject subject(40);
      for (const Kind& kind : subject.kinds) subject.flip(kind);
      for (std::size_t i = 0; i < subject.entities.size(); i += 2) subject.store.destroy(subject.entities[i]);
      CHECK(subject.store.check_invariants() == "");
    }
    CHECK(scope.clean());
  }
  TEST_CASE("what cannot be moved is refused, with its name") {
    Subject subject(5);
    Store& store = subject.store;
    const auto move = [&](ComponentId id, Storage storage) {
      return refusal([&] { set_storage(store, id, storage); });
    };
    const ComponentId tracked = store.registry().id_of<ByBlock>();
    const std::string why = move(tracked, Storage::sparse);
    CHECK(why.find("ByBlock") != std::string::npos);
    CHECK(why.find("tracking_of") != std::string::npos);
    CHECK(move(tracked, Storage::table) == "");
    CHECK(move(subject.kinds[0].id, static_cast<Storage>(7)).find("unknown storage") != std::string::npos);
    CHECK(move(ComponentId{99}, Storage::sparse).find("99") != std::string::npos);
    const ChangeGuard::Iteration lock(store.guard());
    CHECK(move(subject.kinds[0].id, Storage::sparse).find("while a query is iterating") != std::string::npos);
    CHECK(store.registry().moved_components() == 0);
  }
}

}  // namespace strata::test::set_storage_test
