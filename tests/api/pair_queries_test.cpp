#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/refusal.hpp"

namespace strata::test::pair_queries_test {

struct Likes {};
struct Follows {};
struct Owes {
  int amount = 0;
};
struct Local {
  int value = 0;
};
struct Global {
  int value = 0;
};
struct Mood {
  int value = 0;
};

}  // namespace strata::test::pair_queries_test

template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::pair_queries_test::Follows> = {.exclusive = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::pair_queries_test::Owes> =
    {.queried = true};
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::pair_queries_test::Mood> =
    strata::Storage::sparse;

namespace strata::test::pair_queries_test {

namespace {

using Entities = std::vector<Entity>;

/// Returns: the entities that a query visits, which has the term Entity alone.
Entities visited_by(auto&& query) {
  Entities visited;
  query.each([&](Entity entity) { visited.push_back(entity); });
  return visited;
}

}  // namespace

TEST_SUITE("api/pair_queries") {
  TEST_CASE("a query visits the sources of one target that match it, in the order of their pairs") {
    World world;
    Relations& relations = world.relations();
    Entities all(600);
    world.create_many(all, Health{1});
    const Entity bob = all[0], eve = all[1];
    auto query = world.query<Entity>();
    auto healthy = world.query<Entity, Health>();
    CHECK(query.to<Likes>(bob).count() == 0);  // The relation is not known yet.
    CHECK(query.without<Likes>(bob).count() == 600);
    Entities expected;
    for (std::size_t i = all.size() - 1; i > 1; --i) {
      if (i % 3 != 0) relations.add<Likes>(all[i], i % 3 == 1 ? bob : eve);
      if (i % 3 == 1) expected.push_back(all[i]);
      if (i % 2 == 0) world.remove<Health>(all[i]);
      if (i % 5 == 0) world.add<Mood>(all[i], {3});
    }
    CHECK(visited_by(query.to<Likes>(bob)) == expected);
    CHECK(query.to<Likes>(bob).first() == expected.front());
    CHECK(query.to<Likes>(bob).contains(expected.back()));
    CHECK_FALSE(query.to<Likes>(eve).contains(expected.back()));
    CHECK_FALSE(query.without<Likes>(bob).contains(expected.back()));
    CHECK(query.without<Likes>(bob).count() == all.size() - expected.size());

    std::erase_if(expected, [&](Entity entity) { return !world.has<Health>(entity); });
    Entities found;
    for (auto [entity, health] : healthy.to<Likes>(bob)) {
      found.push_back(entity);
      health.points = 7;
    }
    CHECK(found == expected);
    CHECK(world.query<Health, With<Mood>>().to<Likes>(bob).count() ==
          static_cast<std::size_t>(std::count_if(expected.begin(), expected.end(),
                                                 [&](Entity entity) { return world.has<Mood>(entity); })));
    int marked = 0;
    healthy.each([&](Entity, const Health& health) { marked += health.points == 7 ? 1 : 0; });
    CHECK(marked == static_cast<int>(expected.size()));
    CHECK(visited_by(std::as_const(world).query<Entity>().to<Likes>(Entity())).empty());
    world.destroy(bob);
    CHECK(query.to<Likes>(bob).count() == 0);
    CHECK(world.validate());
  }

  TEST_CASE("several targets are required or excluded together, by types and by ids") {
    World world;
    Relations& relations = world.relations();
    Entities all(8);
    world.create_many(all, Health{1});
    const Entity bank = all[6], bob = all[7];
    for (const int i : {3, 1, 2}) relations.add<Likes>(all[static_cast<std::size_t>(i)], bob);
    for (const int i : {0, 2, 3}) relations.add(all[static_cast<std::size_t>(i)], bank, Owes{i});
    const ComponentId likes = relations.relation<Likes>();
    auto query = world.query<Entity>();
    CHECK(visited_by(query.to<Likes>(bob).to<Owes>(bank)) == Entities{all[3], all[2]});
    CHECK(visited_by(query.to<Owes>(bank).to(likes, bob)) == Entities{all[2], all[3]});
    CHECK(visited_by(query.to<Likes>(bob).without<Owes>(bank)) == Entities{all[1]});
    CHECK(visited_by(query.without<Owes>(bank).without(likes, bob)) == Entities{all[4], all[5], bank, bob});
    CHECK(visited_by(world.query<Entity, With<Pair<Owes>>>().without<Likes>(bob)) == Entities{all[0]});

    const std::array<Term, 2> terms{Term{Role::entity, ComponentId{}},
                                    Term{Role::value, world.component<Health>()}};
    RuntimeQuery by_id = world.query(terms);
    Entities found;
    by_id.to(likes, bob).without(relations.relation<Owes>(), bank).each([&](const RuntimeQuery::Row& row) {
      found.push_back(row.entity());
    });
    CHECK(found == Entities{all[1]});
    CHECK(by_id.to(likes, bob).count() == 3);
    CHECK(by_id.without(likes, bob).count() == 5);
    CHECK(by_id.to(likes, bob).first() == all[3]);
    ConstRuntimeQuery reading = std::as_const(world).query(terms);
    CHECK(reading.to(likes, bob).cascade().contains(all[1]));

    CHECK(refusal([&] {
            static_cast<void>(by_id.to(world.component<Health>(), bob));
          }).find("which is no relation") != std::string::npos);
    CHECK(refusal([&] {
            const auto four_more = [&](const auto& restricted) {
              return restricted.to(likes, bob).to(likes, bob).to(likes, bob).to(likes, bob);
            };
            static_cast<void>(four_more(four_more(four_more(four_more(query.to<Likes>(bob))))));
          }).find("at most 16 pairs") != std::string::npos);
    CHECK(refusal([&] {
            query.to<Likes>(bob).each([&](Entity entity) { relations.remove<Likes>(entity, bob); });
          }).find("record it") != std::string::npos);
    query.to<Likes>(bob).each([&](Entity entity) { world.commands().remove<Likes>(entity, bob); });
    CHECK(relations.size<Likes>() == 0);
  }

  TEST_CASE("sources are visited by depth, after their parents' values were written") {
    World world;
    Entities chain;
    const Entity hub = world.create();
    for (int i = 0; i < 300; ++i) {
      chain.push_back(world.create(Local{1}, Global{}));
      if (i != 0)
        CHECK(world.set_parent(chain[static_cast<std::size_t>(i)], chain[static_cast<std::size_t>(i - 1)]));
    }
    for (std::size_t i = chain.size(); i-- > 0;) world.relations().add<Likes>(chain[i], hub);
    auto query = world.query<const Local, Global, Parent<const Global>>();
    const auto sum = [](const Local& local, Global& global, const Global* above) {
      global.value = local.value + (above != nullptr ? above->value : 0);
    };
    query.to<Likes>(hub).cascade().each(sum, [](const Local&, Global&, const Global*) {});
    CHECK(world.get<Global>(chain.back()).value == 300);
    query.to<Likes>(hub).cascade().depths(1, 2).each(
        [](const Local&, Global& global, const Global*) { global.value = 0; });
    CHECK(world.get<Global>(chain[1]).value == 0);
    CHECK(world.get<Global>(chain[3]).value == 4);
    CHECK(query.to<Likes>(hub).cascade().depth(9).first() == chain[9]);
    CHECK(visited_by(world.query<Entity>().to<Likes>(hub).cascade(Direction::up)).front() == chain.back());
    CHECK(world.query<Entity>().without<Likes>(hub).cascade().count() == 1);

    auto up = world.query<const Local, Parent<Local>>();
    up.to<Likes>(hub).cascade(Direction::up).each([](const Local& local, Local* above) {
      if (above != nullptr) above->value += local.value;
    });
    CHECK(world.get<Local>(chain[0]).value == 300);
    CHECK(refusal([&] { up.to<Likes>(hub).each([](const Local&, Local*) {}); }).find("cascade(up)") !=
          std::string::npos);
    world.disable(chain[5]);
    CHECK(query.to<Likes>(hub).count() == 299);
    CHECK(world.query<Entity>().without<Likes>(hub).count() == 1);
  }

  TEST_CASE("a query says to which targets it is restricted, and why an entity is not visited") {
    World world;
    const Entity bob = world.create(), eve = world.create(), ann = world.create();
    world.relations().add<Likes>(ann, bob);
    auto query = world.query<Entity>();
    const std::string likes = "\"strata::test::pair_queries_test::Likes\"";
    CHECK(query.to<Likes>(bob).without<Likes>(eve).explain().find(
              "looks up each source of a pair of " + likes + " to " + to_string(bob) + ", without a pair") !=
          std::string::npos);
    CHECK(query.without<Likes>(bob).explain().find("archetype by archetype, without a pair") !=
          std::string::npos);
    CHECK(query.to<Likes>(bob).explain(eve) == "entity " + to_string(eve) +
                                                   " does not match: it has no pair of " + likes + " to " +
                                                   to_string(bob));
    CHECK(query.without<Likes>(bob).explain(ann).find("which is excluded") != std::string::npos);
    CHECK(query.to<Likes>(bob).explain(ann).find("matches") != std::string::npos);
  }

  TEST_CASE_TEMPLATE("the same code works for a relation of the program and for the parent", R, Follows,
                     ChildOf) {
    World world;
    Relations& relations = world.relations();
    Entities all(6);
    world.create_many(all);
    const Entity hub = all[0], other = all[5];
    for (std::size_t i = 1; i < 4; ++i) relations.add<R>(all[i], hub);
    relations.add<R>(all[4], all[1]);
    relations.add<R>(all[3], other);  // In place of that to the hub.
    CHECK(relations.target<R>(all[4]) == all[1]);
    CHECK(relations.has<R>(all[1], hub));
    CHECK(relations.has<R>(all[1]));
    CHECK_FALSE(relations.has<R>(hub, all[1]));
    CHECK_FALSE(relations.has<R>(all[3], hub));
    CHECK_FALSE(relations.has<R>(hub));
    CHECK(relations.list_sources<R>(hub) == Entities{all[1], all[2]});
    Entities found;
    for (const Entity source : relations.sources<R>(hub)) found.push_back(source);
    for (const Entity target : relations.targets<R>(all[3])) found.push_back(target);
    CHECK(found == Entities{all[1], all[2], other});
    CHECK(relations.targets<R>(hub).empty());
    CHECK(relations.size<R>() == 4);
    std::size_t pairs = 0;
    relations.each<R>([&](Entity source, Entity target) {
      CHECK(relations.has<R>(source, target));
      ++pairs;
    });
    CHECK(pairs == 4);
    REQUIRE(relations.topological<R>(found));
    CHECK(found.size() == 6);
    const auto place = [&](Entity entity) { return std::find(found.begin(), found.end(), entity); };
    relations.each<R>([&](Entity source, Entity target) { CHECK(place(target) < place(source)); });

    auto query = world.query<Entity>();
    CHECK(visited_by(query.to<R>(hub)) == Entities{all[1], all[2]});
    CHECK(query.without<R>(hub).count() == 4);
    pairs = 0;
    query.each_pair<R>([&](Entity target, Entity source) {
      CHECK(relations.target<R>(source) == target);
      ++pairs;
    });
    CHECK(pairs == 4);
    const ComponentId id = relations.relation<R>();
    CHECK(relations.has(all[1], hub, id));
    CHECK(visited_by(query.to<R>(hub).to(id, hub)) == Entities{all[1], all[2]});
    CHECK_FALSE(relations.remove(all[1], other, id));
    CHECK(relations.remove(all[1], hub, id));
    static_cast<void>(relations.add(all[1], hub, id, nullptr));
    CHECK(relations.list_sources<R>(hub) == Entities{all[2], all[1]});

    world.commands().add<R>(all[1], other);
    world.commands().remove<R>(all[2], other);  // It is not there.
    world.commands().remove<R>(all[3], other);
    world.flush();
    CHECK(relations.list_sources<R>(other) == Entities{all[1]});
    CHECK(relations.list_sources<R>(hub) == Entities{all[2]});
    CHECK_FALSE(relations.remove<R>(all[3], other));
    CHECK(relations.remove_targets<R>(all[1]) == 1);
    CHECK(relations.remove_sources<R>(hub) == 1);
    CHECK(relations.remove_sources<R>(hub) == 0);
    CHECK(relations.size<R>() == 1);
    CHECK(refusal([&] { relations.add<R>(hub, hub); }).find(to_string(hub)) != std::string::npos);
    world.destroy(other);
    CHECK(refusal([&] { relations.add<R>(hub, other); }).find(to_string(other)) != std::string::npos);
    CHECK_FALSE(relations.has<R>(other, hub));
    CHECK(relations.remove_sources<R>(other) == 0);
    CHECK(world.validate());
  }

  TEST_CASE("the parent as a relation refuses a cycle, other options and lists by its id") {
    World world;
    const Entity top = world.create();
    const Entity below = world.create(child_of(top));
    CHECK(refusal([&] { world.relations().add<ChildOf>(top, below); }).find("cycle") != std::string::npos);
    CHECK(refusal([&] {
            world.relations().relation(describe<ChildOf>(), {.symmetric = true});
          }).find("options of its own") != std::string::npos);
    const ComponentId id = world.relations().relation<ChildOf>();
    CHECK(world.relations().relation(describe<ChildOf>(), relation_options_of<ChildOf>) == id);
    CHECK(refusal([&] { static_cast<void>(world.relations().sources(top, id)); }).find("World::children") !=
          std::string::npos);
    CHECK(refusal([&] {
            static_cast<void>(world.relations().targets(top, kChildOf));
          }).find("World::parent") != std::string::npos);
    for (const ComponentId parent : {id, kChildOf}) {
      CHECK(world.relations().has(below, top, parent));
      CHECK(world.relations().find(below, top, parent) == nullptr);
      CHECK(world.relations().remove(below, top, parent));
      CHECK_FALSE(world.relations().has(below, top, parent));
      CHECK(world.relations().may_add(below, top, parent));
      world.relations().add(below, top, parent, nullptr);
      CHECK(world.parent(below) == top);
    }
    CHECK(world.query<Entity>().to<ChildOf>(top).explain(top).find("strata::ChildOf") != std::string::npos);
  }

  TEST_CASE("all pairs from, to and between entities are listed, whatever the relation") {
    World world;
    Relations& relations = world.relations();
    const Entity a = world.create(), b = world.create(child_of(a)), c = world.create(child_of(a));
    const auto listed = [&](auto call) {
      std::string text;
      call([&](ComponentId relation, Entity other) {
        const std::string& name = world.component_info(relation).name;
        text += name.substr(name.rfind(':') + 1) + " " + (other == a ? "a" : other == b ? "b" : "c") + ", ";
        CHECK(refusal([&] { relations.remove_targets<Likes>(a); }) != "");
      });
      return text;
    };
    CHECK(listed([&](auto visit) { relations.each_target(a, visit); }) == "");
    relations.add(b, a, Owes{5});
    relations.add(b, c, Owes{6});
    relations.add<Likes>(b, a);
    relations.add<Likes>(c, b);
    CHECK(listed([&](auto visit) { relations.each_target(b, visit); }) ==
          "ChildOf a, Owes a, Owes c, Likes a, ");
    CHECK(listed([&](auto visit) { relations.each_source(a, visit); }) ==
          "ChildOf b, ChildOf c, Owes b, Likes b, ");
    CHECK(listed([&](auto visit) {
            relations.each_between(b, a, [&](ComponentId relation) { visit(relation, a); });
          }) == "ChildOf a, Owes a, Likes a, ");
    relations.each_target(Entity(), [](ComponentId, Entity) { CHECK(false); });

    int sum = 0;
    world.query<Entity, With<Pair<Owes>>, Maybe<Health>>().each_pair<Owes>(
        [&](Entity target, const Owes& owes, Entity source, Health* health) {
          CHECK(source == b);
          CHECK(health == nullptr);
          sum += owes.amount * (target == a ? 1 : 10);
        });
    CHECK(sum == 65);
    std::array<Term, 1> term{Term{Role::with, relations.source_component(relations.relation<Owes>())}};
    RuntimeQuery by_id = world.query(term);
    by_id.each_pair(relations.relation<Owes>(),
                    [&](const RuntimeQuery::Row& row, Entity target, const void* value) {
                      CHECK(row.entity() == b);
                      sum -= static_cast<const Owes*>(value)->amount * (target == a ? 1 : 10);
                    });
    CHECK(sum == 0);
    CHECK(refusal([&] {
            by_id.each_pair(world.component<Health>(), [](const RuntimeQuery::Row&, Entity, const void*) {});
          }).find("no relation") != std::string::npos);
  }
}

}  // namespace strata::test::pair_queries_test
