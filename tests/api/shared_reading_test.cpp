#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <cstdint>
#include <memory_resource>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../support/refusal.hpp"
#include "../support/thread_executor.hpp"

namespace strata::test::shared_reading_test {

namespace {

struct Own {
  std::int32_t value = 0;
};
/// In the side store.
struct Weight {
  std::int32_t value = 0;
};
struct Marked {};
/// Relations: one without values, one with, and one that is exclusive.
struct Likes {};
struct Owes {
  std::int32_t amount = 0;
};
struct DockedTo {};
struct Gravity {
  std::int32_t value = 0;
};
/// Known to no world.
struct Unknown {
  std::int32_t value = 0;
};
struct UnknownWeight {
  std::int32_t value = 0;
};

}  // namespace

}  // namespace strata::test::shared_reading_test

namespace reading = strata::test::shared_reading_test;
template <>
inline constexpr strata::Storage strata::storage_of<reading::Weight> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<reading::UnknownWeight> = strata::Storage::sparse;
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<reading::Likes> = {.queried = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<reading::DockedTo> = {.exclusive = true};
template <>
inline constexpr auto strata::members_of<reading::Own> =
    strata::Members{strata::member("value", &reading::Own::value)};
template <>
inline constexpr auto strata::members_of<reading::Weight> =
    strata::Members{strata::member("value", &reading::Weight::value)};
template <>
inline constexpr auto strata::members_of<reading::Owes> =
    strata::Members{strata::member("amount", &reading::Owes::amount)};
template <>
inline constexpr auto strata::members_of<reading::Gravity> =
    strata::Members{strata::member("value", &reading::Gravity::value)};

namespace strata::test::shared_reading_test {

namespace {

/// Memory that several threads may not use at a time: reading takes none of it.
class PlainMemory final : public std::pmr::memory_resource {
 public:
  std::size_t allocations = 0;

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    ++allocations;
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* address, std::size_t size, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(address, size, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

/// A forest with something of every kind that can be read.
struct Scene {
  PlainMemory memory;
  World world{{.memory = &memory}};
  std::vector<Entity> entities;

  Scene() {
    for (std::int32_t i = 0; i < 400; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Entity entity =
          i < 4 ? world.create(Own{i}) : world.create(child_of(entities[at * 7919 % (at / 3 + 1)]), Own{i});
      if (i % 3 == 0) world.add(entity, Weight{i});
      if (i % 5 == 0) world.add(entity, Marked{});
      REQUIRE(world.names().set(entity, "entity " + std::to_string(i)));
      if (i % 7 == 0) world.set_layer(entity, i % 2);
      entities.push_back(entity);
    }
    for (std::size_t i = 1; i < entities.size(); ++i) {
      world.relations().add<Likes>(entities[i], entities[i / 2]);
      world.relations().add<Owes>(entities[i], entities[i * 31 % i], Owes{static_cast<std::int32_t>(i)});
      if (i % 4 == 0) world.relations().add<DockedTo>(entities[i], entities[i - 1]);
    }
    world.disable_subtree(entities[90]);
    const Entity prefab = world.create(Own{1000});
    world.make_prefab(prefab);
    entities.push_back(world.instantiate(prefab));
    world.resources().set(Gravity{-10});
    world.commands().add(entities[4], Own{-1});  // Waits for a writer.
  }
};

/// Everything that one thread reads, as numbers that are equal for all threads.
class Reader {
 public:
  explicit Reader(const Scene& scene) : world_(scene.world), entities_(scene.entities) {}

  std::vector<std::uint64_t> read_all(std::size_t first) {
    sums_.assign(6, 0);
    const std::array<void (Reader::*)(), 6> ways = {&Reader::look_up,       &Reader::visit,
                                                    &Reader::visit_untyped, &Reader::follow_tree,
                                                    &Reader::follow_pairs,  &Reader::read_whole};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      way_ = (first + i) % ways.size();
      (this->*ways[way_])();
    }
    return sums_;
  }

 private:
  template <class Number>
  void add(Number number) {
    sums_[way_] = sums_[way_] * 31 + static_cast<std::uint64_t>(number);
  }
  void add(const std::string& text) {
    for (const char letter : text) add(letter);
  }

  void look_up() {
    const auto weights = world_.accessor<const Weight>();
    for (const Entity entity : entities_) {
      add(world_.alive(entity));
      add(world_.get<Own>(entity).value);
      add(world_.has<Marked>(entity));
      if (const Weight* const weight = world_.find<Weight>(entity)) add(weight->value);
      if (const Weight* const weight = weights.find(entity)) add(weight->value);
      add(world_.find<Unknown>(entity) == nullptr);
      add(world_.components(entity).size());
      add(world_.layer(entity).value_or(-1));
      add(world_.disabled(entity));
      add(world_.prefab_of(entity).bits());
    }
    add(world_.resources().get<Gravity>().value);
    add(world_.find_component(name_of<Own>).has_value());
  }

  void visit() {
    auto query = world_.query<Entity, const Own, Maybe<const Weight>, Parent<const Own>, Up<const Weight>>();
    const auto each = [&](Entity entity, const Own& own, const Weight* weight, const Own* parent,
                          const Weight* above) {
      add(entity.bits() + static_cast<std::uint64_t>(own.value));
      add((weight != nullptr ? weight->value : 0) + (parent != nullptr ? parent->value : 0));
      add(above != nullptr ? above->value : 0);
    };
    query.each(each);
    query.cascade().each(each);
    query.cascade(up).each(each);
    query.each_of(entities_, each);
    for (auto [weight] : world_.query<const Weight>()) add(weight.value);
    world_.query<const Own>().each_block([&](std::span<const Own> owns) {
      for (const Own& own : owns) add(own.value);
    });
    auto ordered = world_.query<const Own>();
    ordered.order_by<Own>([](const Own& own) { return own.value % 10; }).each([&](const Own& own) {
      add(own.value);
    });
    world_.layered_query<Entity, const Own>().each([&](Entity entity, const Own&) { add(entity.bits()); });
    world_.query<const Own>(child_of(entities_[0])).each([&](const Own& own) { add(own.value); });
    world_.query<Entity>().to<Likes>(entities_[3]).each([&](Entity entity) { add(entity.bits()); });
    add(world_.query<Without<Unknown>, AnyOf<Marked, UnknownWeight>>().count());
    add(world_.query<const Unknown>().count() + world_.query<const UnknownWeight>().count());
    add(query.explain());
  }

  void visit_untyped() {
    const std::array<Term, 3> terms{{{Role::read, *world_.find_component(name_of<Own>)},
                                     {Role::read_optional, *world_.find_component(name_of<Weight>)},
                                     {Role::related, *world_.find_component(name_of<Own>)}}};
    ConstRuntimeQuery query = world_.query(terms);
    query.cascade().each([&](const ConstRuntimeQuery::Row& row) {
      add(static_cast<const Own*>(row.read(0))->value);
      if (const void* const weight = row.read(1)) add(static_cast<const Weight*>(weight)->value);
      if (const void* const parent = row.related(2)) add(static_cast<const Own*>(parent)->value);
    });
    add(query.count());
  }

  void follow_tree() {
    for (const Entity root : world_.roots()) {
      for (const Entity entity : world_.depth_first(root)) add(entity.bits());
      for (const Entity entity : world_.breadth_first(root)) add(entity.bits());
    }
    for (const Entity entity : entities_) {
      add(world_.parent(entity).bits() + world_.depth(entity) + world_.child_count(entity));
      for (const Entity child : world_.children(entity)) add(child.bits());
      for (const Entity ancestor : world_.ancestors(entity)) add(ancestor.bits());
      const std::string path = world_.names().path(entity);
      add(path);
      add(world_.names().find(path) == entity);
      add(std::string(world_.names().name(entity)));
    }
  }

  void follow_pairs() {
    const Relations& relations = world_.relations();
    for (const Entity entity : entities_) {
      for (const Entity target : relations.targets<Likes>(entity)) add(target.bits());
      for (const Entity source : relations.sources<Owes>(entity)) add(source.bits());
      for (const Entity target : relations.targets<Owes>(entity))
        add(relations.get<Owes>(entity, target).amount);
      add(relations.target<DockedTo>(entity).bits());
      add(relations.size<Unknown>());
    }
  }

  void read_whole() {
    add(digest(world_));
    add(find_differences(world_, world_).size());
    std::ostringstream whole;
    add(static_cast<bool>(save(world_, whole)));
    add(whole.str());
    std::ostringstream part;
    add(static_cast<bool>(save(world_, entities_[1], part, {.outside = OutsideReferences::null})));
    add(part.str());
    add(world_.stats().entities);
    add(static_cast<bool>(world_.validate()));
    world_.each_table([&](const TableView& table) { add(table.rows()); });
  }

  const World& world_;
  const std::vector<Entity>& entities_;
  std::vector<std::uint64_t> sums_;
  std::size_t way_ = 0;
};

}  // namespace

TEST_SUITE("api/shared_reading") {
  // What this shows, the thread sanitizer judges: meson setup <folder> -Db_sanitize=thread -Db_lundef=false
  TEST_CASE("several threads do at the same time all that a const world offers, and read the same") {
    Scene scene;
    const std::vector<std::uint64_t> expected = Reader(scene).read_all(0);
    const std::size_t allocations = scene.memory.allocations;
    for (int round = 0; round < 3; ++round) {
      std::array<std::vector<std::uint64_t>, 4> found;
      std::vector<std::thread> threads;
      for (std::size_t i = 0; i < found.size(); ++i) {
        threads.emplace_back([&, i] { found[i] = Reader(scene).read_all(2 * i); });
      }
      for (std::thread& thread : threads) thread.join();
      for (const std::vector<std::uint64_t>& of_thread : found) CHECK(of_thread == expected);
    }
    CHECK(scene.memory.allocations == allocations);
    CHECK(scene.world.validate());
    scene.world.flush();
    CHECK(scene.world.get<Own>(scene.entities[4]).value == -1);
  }

  TEST_CASE("several threads make queries of types that a world knows, and change values of other rows") {
    Scene scene;
    World& world = scene.world;
    (void)world.query<Entity, Own, Maybe<const Weight>>();
    std::array<std::size_t, 4> counted{};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < counted.size(); ++i) {
      threads.emplace_back([&, i] {
        // A query of a world that is not const: each thread writes to rows of its own.
        auto query = std::as_const(world).query<Entity, const Own>();
        query.each([&](Entity entity, const Own&) {
          if (entity.index() % counted.size() == i) world.get<Own>(entity).value += 0;
        });
        counted[i] = world.query<const Weight, Without<Marked>>().count();
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::size_t count : counted) CHECK(count == counted[0]);
    CHECK(counted[0] > 50);
  }

  TEST_CASE("a world is saved while queries iterate, but not during a change") {
    Scene scene;
    World& world = scene.world;
    int saved = 0;
    auto query = std::as_const(world).query<Entity, const Own>();
    query.each([&](Entity entity, const Own&) {
      std::ostringstream out;
      if (entity == scene.entities[7] && save(world, out)) saved += out.str().empty() ? 0 : 1;
    });
    CHECK(saved == 1);
    const std::string sentence = refusal([&] {
      world.create_many<Own>(3, [&](std::span<const Entity>, std::span<Own>) {
        std::ostringstream out;
        (void)save(world, out);
      });
    });
    CHECK(sentence == "save while create_many is under way: wait until that has ended");
    CHECK(world.validate());
  }
}

}  // namespace strata::test::shared_reading_test
