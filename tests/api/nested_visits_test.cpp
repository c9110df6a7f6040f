// A query may visit inside its own visit, whatever comes to be known meanwhile.
#include <strata/strata.hpp>

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/ended_process.hpp"

namespace strata::test::nested_visits_test {

namespace {

struct Number {
  int value;
};
struct Other {
  int value;
};
struct Tag {};
struct Late {
  int value;
};
struct LateSparse {
  int value;
};

}  // namespace

}  // namespace strata::test::nested_visits_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::nested_visits_test::LateSparse> =
    strata::Storage::sparse;

namespace strata::test::nested_visits_test {

namespace {

/// Makes archetypes that match a query for Number: so many that its lists need other memory.
/// Returns: the tags that they have beside Number.
std::vector<ComponentId> make_archetypes(World& world, int first) {
  detail::Store& store = detail::parts_of(world).store;
  detail::Archetypes& archetypes = store.archetypes();
  detail::Archetype& number = archetypes.with(archetypes.empty(), world.component<Number>());
  std::vector<ComponentId> tags;
  for (int i = first; i < first + 40; ++i) {
    tags.push_back(world.component(ComponentInfo{.name = "tag " + std::to_string(i)}));
    static_cast<void>(store.tables().get(archetypes.with(number, tags.back()), store.tables().root()));
  }
  return tags;
}

/// Twelve entities in three archetypes: a root, children and grandchildren.
struct Fixture {
  World world;
  Query<const Number> query = world.query<const Number>();
  std::vector<Entity> entities;
  int made = 0;
  std::array<std::vector<ComponentId>, 3> tags;

  Fixture() {
    for (int i = 0; i < 12; ++i) {
      entities.push_back(world.create(Number{i}));
      if (i % 3 == 1) world.add(entities.back(), Other{i});
      if (i % 3 == 2) world.add(entities.back(), Tag());
      if (i != 0) CHECK(world.set_parent(entities.back(), entities[static_cast<std::size_t>(i - 1) / 3]));
    }
  }

  /// Makes archetypes, the first times that it is called.
  void make_more() {
    if (made < 3) tags[made] = make_archetypes(world, 40 * made);
    ++made;
  }
  /// Creates an entity with a tag, for example one that `make_more` has made.
  template <class... Above>
  void create_tagged(ComponentId tag, Number number, Above... above) {
    world.add(world.create(above..., number), tag);
  }
  int nested_sum() {
    int sum = 0;
    query.each([&](const Number& number) { sum += number.value; });
    return sum;
  }
};

constexpr int kSum = 11 * 12 / 2;

// A list of queries moves them when it grows: a copy would not know what their passes remember.
static_assert(std::is_nothrow_move_constructible_v<Query<const Number>>);
static_assert(std::is_nothrow_move_assignable_v<Query<const Number>>);

}  // namespace

TEST_SUITE("api/nested_visits") {
  TEST_CASE_FIXTURE(Fixture, "a query is not assigned to, moved or destroyed while it iterates") {
    const std::string refused =
        "a query is destroyed, moved or assigned to while it iterates: keep it until the iteration has ended";
    using NumberQuery = Query<const Number>;
    const auto message_of = [&](auto change) {
      auto visited = std::make_unique<NumberQuery>(world.query<const Number>());
      std::vector<std::string> messages;
      const auto changed = [&](const Number&) { change(visited); };
      messages.push_back(message_at_end([&] { visited->each(changed); }));
      messages.push_back(message_at_end([&] { visited->cascade().each(changed); }));
      messages.push_back(message_at_end([&] {
        for (const auto& [number] : *visited) changed(number);
      }));
      return messages;
    };
    CHECK(message_of([&](auto& visited) { *visited = world.query<const Number>(); }) ==
          std::vector(3, refused));
    CHECK(message_of([&](auto& visited) { NumberQuery moved = std::move(*visited); }) ==
          std::vector(3, refused));
    CHECK(message_of([](auto& visited) { visited.reset(); }) == std::vector(3, refused));
    // A copy may be made, and assigned to another query.
    CHECK(message_of([&](auto& visited) {
            NumberQuery copied = *visited;
            copied = *visited;
            copied = world.query<const Number>();
          }) == std::vector(3, std::string()));
  }
  TEST_CASE_FIXTURE(Fixture, "each goes on where its query visited inside it after archetypes were made") {
    int sum = 0;
    int second = 0;
    query.each(
        [&](const Number& number) {
          make_more();
          CHECK(nested_sum() == kSum);
          sum += number.value;
        },
        [&](const Number& number) { second += number.value; });
    CHECK(sum == kSum);
    CHECK(second == kSum);
    CHECK(made == 12);
    CHECK(world.validate());
  }
  TEST_CASE_FIXTURE(Fixture,
                    "a cascade goes on where its query visited inside it after archetypes were made") {
    for (const Direction direction : {down, up}) {
      made = 0;
      int sum = 0;
      query.cascade(direction).each([&](const Number& number) {
        make_more();
        CHECK(nested_sum() == kSum);
        sum += number.value;
      });
      CHECK(sum == kSum);
    }
  }
  TEST_CASE_FIXTURE(Fixture,
                    "a range-for goes on where its query visited inside it after archetypes were made") {
    int sum = 0;
    for (const auto [number] : query) {
      make_more();
      CHECK(nested_sum() == kSum);
      CHECK(query.count() == 12);
      sum += number.value;
    }
    CHECK(sum == kSum);
  }
  TEST_CASE_FIXTURE(Fixture,
                    "each_block goes on where its query visited inside it after archetypes were made") {
    int sum = 0;
    query.each_block([&](std::span<const Number> numbers) {
      make_more();
      CHECK(nested_sum() == kSum);
      for (const Number& number : numbers) sum += number.value;
    });
    CHECK(sum == kSum);
  }
  TEST_CASE_FIXTURE(Fixture, "children are visited by a query inside its visit of their parents") {
    int visited = 0;
    const auto visit = [&](auto& self, Entity parent) -> void {
      query.children_of(parent).each(
          [&](const Number& number) {
            make_more();
            ++visited;
            self(self, entities[static_cast<std::size_t>(number.value)]);
          },
          [&](const Number& number) { CHECK(number.value < 12); });
    };
    visit(visit, entities[0]);
    CHECK(visited == 11);
  }
  TEST_CASE_FIXTURE(Fixture,
                    "a visit of children refuses changes, and what is recorded in it is made when it ends") {
    int visited = 0;
    query.children_of(entities[0]).each([&](const Number&) {
      CHECK_THROWS_AS(world.destroy(entities[1]), ContractViolation);
      world.commands().create(Number{100});
      CHECK(world.size() == static_cast<std::size_t>(12));
      ++visited;
    });
    CHECK(visited == 3);
    CHECK(world.size() == 15);
    CHECK_THROWS_AS(query.children_of(entities[0]).each([](const Number&) { throw 1; }), int);
    CHECK(world.destroy(entities[11]));
    CHECK(world.size() == 14);
  }
  TEST_CASE_FIXTURE(Fixture, "another thread visits children, and refuses changes meanwhile") {
    int visited = 0;
    std::thread([&] {
      auto reader = std::as_const(world).query<const Number>();
      reader.children_of(entities[0]).each([&](const Number&) {
        CHECK_THROWS_AS(world.destroy(entities[1]), ContractViolation);
        ++visited;
      });
    }).join();
    CHECK(visited == 3);
    CHECK(world.destroy(entities[11]));
  }
  TEST_CASE_FIXTURE(Fixture, "children are visited of archetypes and families that are new to the query") {
    const Entity parent = world.create(Number{0});
    CHECK(query.children_of(parent).count() == 0);
    make_more();
    create_tagged(tags[0][3], Number{1}, child_of(parent));
    create_tagged(world.component(ComponentInfo{.name = "new tag"}), Number{2}, child_of(parent));
    int sum = 0;
    query.children_of(parent).each([&](const Number& number) { sum += number.value; });
    CHECK(sum == 3);
    world.set_storage<Number>(Storage::sparse);
    query.children_of(parent).each([&](const Number& number) { sum += number.value; });
    CHECK(sum == 6);
    world.set_storage<Number>(Storage::table);
    query.children_of(parent).each([&](const Number& number) { sum += number.value; });
    CHECK(sum == 9);
  }
  TEST_CASE_FIXTURE(Fixture, "what was made in a visit is found by the next one") {
    query.each([&](const Number&) {
      make_more();
      nested_sum();
    });
    create_tagged(tags[0][7], Number{100});
    CHECK(nested_sum() == kSum + 100);
    CHECK(query.count() == 13);
  }
  TEST_CASE_FIXTURE(Fixture, "a component that comes to be known in a visit disturbs no visit of its query") {
    auto late = world.query<const Number, Maybe<const Late>, Maybe<const LateSparse>>();
    int sum = 0;
    late.each([&](const Number& number, const Late* value, const LateSparse* sparse) {
      static_cast<void>(world.component<Late>());
      static_cast<void>(world.component<LateSparse>());
      make_more();
      CHECK(late.count() == 12);
      late.each([&](const Number&, const Late* absent, const LateSparse* none) {
        CHECK(absent == nullptr);
        CHECK(none == nullptr);
      });
      CHECK(value == nullptr);
      CHECK(sparse == nullptr);
      sum += number.value;
    });
    CHECK(sum == kSum);
    world.add(entities[3], Late{5});
    world.add(entities[4], LateSparse{6});
    int found = 0;
    late.each([&](const Number&, const Late* value, const LateSparse* sparse) {
      found += (value != nullptr ? value->value : 0) + (sparse != nullptr ? sparse->value : 0);
    });
    CHECK(found == 11);
  }
  TEST_CASE_FIXTURE(Fixture, "a visit that is left by an exception leaves its query as it was") {
    CHECK_THROWS_AS(query.each([&](const Number&) {
      make_more();
      throw 1;
    }),
                    int);
    create_tagged(tags[0][7], Number{100});
    CHECK(nested_sum() == kSum + 100);
  }
}

}  // namespace strata::test::nested_visits_test
