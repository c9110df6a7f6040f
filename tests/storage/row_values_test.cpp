#include "../../storage/rows/row_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "rows_fixture.hpp"

namespace strata::test::row_values_test {

using namespace detail;

namespace {

/// Plain components of many sizes, two of each, and a row of each of some archetypes of theirs.
struct Sizes : RowsFixture {
  Sizes() {
    for (const std::size_t size : {1u, 3u, 4u, 8u, 12u, 16u, 20u, 48u, 64u, 200u}) {
      for (const char* const which : {" a", " b"}) {
        ids.push_back(store.registry().add(
            {.name = std::to_string(size) + which, .size = size, .alignment = size % 4 == 0 ? 4u : 1u}));
      }
    }
  }

  std::span<std::byte> bytes_of(Entity entity, ComponentId id) {
    return {static_cast<std::byte*>(store.find(entity, id)), store.registry()[id].size};
  }
  static std::byte byte_of(Entity entity, ComponentId id, std::size_t position) {
    return static_cast<std::byte>(entity.index() * 31 + to_index(id) * 7 + position);
  }

  void write(Entity entity, ComponentId id) {
    const std::span<std::byte> bytes = bytes_of(entity, id);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = byte_of(entity, id, i);
  }
  bool is_whole(Entity entity, ComponentId id) {
    const std::span<std::byte> bytes = bytes_of(entity, id);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] != byte_of(entity, id, i)) return false;
    }
    return true;
  }

  Entity create_with_all() {
    const Entity entity = create(store.archetypes().get(Signature(ids, &memory)));
    for (const ComponentId id : ids) write(entity, id);
    return entity;
  }
  bool all_whole(const std::vector<Entity>& entities) {
    return std::all_of(entities.begin(), entities.end(), [&](Entity entity) {
      return std::all_of(ids.begin(), ids.end(),
                         [&](ComponentId id) { return !store.has(entity, id) || is_whole(entity, id); });
    });
  }

  std::vector<ComponentId> ids;
};

/// Says how often one of its values was destroyed; moved by copying its bytes.
struct Handle {
  static inline int destroyed = 0;
  static void destroy(void*, std::size_t count) noexcept { destroyed += static_cast<int>(count); }
};

}  // namespace

TEST_SUITE("storage/row_values") {
  TEST_CASE_FIXTURE(Sizes, "values of all sizes are whole after rows have moved between formats and blocks") {
    std::vector<Entity> entities;
    for (int i = 0; i < 1000; ++i) entities.push_back(create_with_all());
    REQUIRE(table(store.archetypes().get(Signature(ids, &memory))).block_count() > 1);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (std::size_t j = i; j < entities.size(); j += 7) CHECK(store.remove(entities[j], ids[i]));
    }
    CHECK(all_whole(entities));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (std::size_t j = i; j < entities.size(); j += 7) {
        store.add(entities[j], ids[i]);
        write(entities[j], ids[i]);
      }
    }
    for (std::size_t i = 0; i < entities.size(); i += 2) CHECK(store.destroy(entities[i]));
    std::erase_if(entities, [&](Entity entity) { return !store.alive(entity); });
    CHECK(all_whole(entities));
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Sizes, "a row may gain and lose several components in one move") {
    const Entity entity = create_with_all();
    const std::vector<ComponentId> half(ids.begin(), ids.begin() + 9);
    const std::vector<ComponentId> other(ids.begin() + 5, ids.end());
    store.change_archetype(entity, store.archetypes().get(Signature(half, &memory)));
    store.change_archetype(entity, store.archetypes().get(Signature(other, &memory)));
    for (std::size_t i = 5; i < 9; ++i) CHECK(is_whole(entity, ids[i]));
    CHECK(!store.has(entity, ids[0]));
    CHECK(store.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Sizes, "values between others of their size are destroyed when they lose their column") {
    const ComponentId handle =
        store.registry().add({.name = "handle", .size = 12, .alignment = 4, .destroy = Handle::destroy});
    const ComponentId last = store.registry().add({.name = "12 c", .size = 12, .alignment = 4});
    ids.push_back(handle);
    ids.push_back(last);
    std::vector<Entity> entities;
    for (int i = 0; i < 3; ++i) entities.push_back(create_with_all());
    const int before = Handle::destroyed;
    CHECK(store.remove(entities[0], last));
    CHECK(Handle::destroyed == before);
    CHECK(store.remove(entities[0], handle));
    CHECK(Handle::destroyed == before + 1);
    CHECK(store.destroy(entities[1]));
    CHECK(Handle::destroyed == before + 2);
    CHECK(all_whole({entities[0], entities[2]}));
  }
  TEST_CASE_FIXTURE(RowsFixture, "values that are more than bytes live on in their new rows") {
    const CountedScope scope;
    Archetype& archetype = this->archetype<Counted, Wide, Owner, Health>();
    std::vector<Entity> entities;
    for (int i = 0; i < 40; ++i) {
      entities.push_back(create(archetype, i));
      ::new (store.find(entities.back(), store.registry().id_of<Owner>())) Owner(i);
    }
    for (std::size_t i = 0; i < entities.size(); i += 3) {
      CHECK(store.remove(entities[i], store.registry().id_of<Wide>()));
      store.add(entities[i], store.registry().id_of<Frozen>());
    }
    for (int i = 0; i < 40; ++i) {
      const Entity entity = entities[static_cast<std::size_t>(i)];
      CHECK(number(entity) == i);
      CHECK(number_in(*static_cast<Owner*>(store.find(entity, store.registry().id_of<Owner>()))) == i);
    }
    for (const Entity entity : entities) store.destroy(entity);
    CHECK(scope.clean());
  }
}

}  // namespace strata::test::row_values_test
