#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../../include/strata/strata.hpp"
#include "observed_pairs.hpp"

namespace strata::test::pair_observers_lifetime_test {

using namespace observed_pairs;
using observed_pairs::Likes;  // Other headers of tests have a Likes, too.
using observed_pairs::Log;    // Not the log of model tests.

// The pairs that come and go because their entities do.
TEST_SUITE("api/pair_observers_lifetime") {
  TEST_CASE("pairs of destroyed entities are reported once, before what happens to the entities") {
    World world;
    Log log;
    const auto owes = log_pairs<Owes>(world, log);
    const Subscription destroyed = world.observers().on_destroy([&](Entity entity) { log("x", entity); });
    const Entity parent = world.create();
    const Entity child = world.create(child_of(parent));
    const Entity other = world.create();
    world.relations().add<Owes>(parent, child, Owes{1});
    world.relations().add<Owes>(other, child, Owes{2});
    world.relations().add<Owes>(child, other, Owes{3});
    log.take();
    SUBCASE("with their parent") {
      world.destroy(parent);
      CHECK(log.take() == "-1>2=3;-2>1=2;-0>1=1;x1;x0;");
    }
    SUBCASE("as children") {
      world.destroy_children(parent);
      CHECK(log.take() == "-1>2=3;-0>1=1;-2>1=2;x1;");
    }
    SUBCASE("alone") {
      world.destroy(other);
      CHECK(log.take() == "-2>1=2;-1>2=3;x2;");
    }
    SUBCASE("when the children become roots") {
      world.destroy(parent, ChildPolicy::orphan);
      CHECK(log.take() == "-0>1=1;x0;");
    }
    SUBCASE("together") {
      CHECK(world.destroy(std::vector<Entity>{child, other}) == 2);
      CHECK(log.take() == "-1>2=3;-0>1=1;-2>1=2;x1;x2;");
    }
    CHECK(world.validate());
  }

  TEST_CASE("entities that a clean-up policy destroys lose their pairs alike") {
    World world;
    Log log;
    const auto part = log_pairs<PartOf>(world, log);
    const auto serves = log_pairs<Serves>(world, log);
    const std::vector<Entity> e = create(world, 4);
    world.relations().add<PartOf>(e[1], e[0]);
    world.relations().add<PartOf>(e[2], e[1]);
    world.relations().add<Serves>(e[3], e[2]);
    log.take();
    world.destroy(e[0]);
    CHECK(log.take() == "-2>1;-3>2;-1>0;");
    CHECK(world.size() == 1);
    CHECK(world.validate());
  }

  TEST_CASE("clear and the end of the world report all pairs") {
    Log log;
    std::vector<Subscription> kept;
    {
      World world;
      kept = log_pairs<Owes>(world, log);
      std::vector<Entity> e = create(world, 2);
      world.relations().add<Owes>(e[0], e[1], Owes{1});
      log.take();
      world.clear();
      CHECK(log.take() == "-0>1=1;");
      e = create(world, 2);
      world.relations().add<Owes>(e[1], e[0], Owes{2});
      log.take();
    }
    CHECK(log.text.size() == std::string("-0>1=2;").size());
    CHECK_FALSE(kept[0].active());
  }

  TEST_CASE("while all pairs are reported, an observer may make further relations known") {
    World world;
    const std::vector<Entity> e = create(world, 2);
    int known = 0;
    const Subscription removed = world.observers().on_pair_remove<Likes>([&](Entity, Entity) {
      for (int i = 0; i < 40; ++i, ++known)
        world.relations().relation(ComponentInfo{.name = "relation " + std::to_string(known)}, {});
    });
    world.relations().add<Likes>(e[0], e[1]);
    world.relations().add<Owes>(e[0], e[1], Owes{1});
    world.clear();
    CHECK(known == 40);
    CHECK(world.validate());
  }

  TEST_CASE("copies of a subtree have pairs of their own, which are reported when all is there") {
    World world;
    Log log;
    const auto owes = log_pairs<Owes>(world, log);
    const auto knows = log_pairs<Knows>(world, log);
    const Entity root = world.create();
    const Entity child = world.create(child_of(root));
    const Entity outside = world.create();
    world.relations().add<Owes>(root, child, Owes{1});
    world.relations().add<Owes>(child, outside, Owes{2});
    world.relations().add<Owes>(outside, child, Owes{3});
    world.relations().add<Knows>(child, outside);
    log.take();
    const Subscription created = world.observers().on_create([&](Entity entity) { log("c", entity); });
    world.instantiate(root);
    CHECK(log.take() == "c3;c4;+3>4=1;+4>2=2;+4>2;+2>4;");
  }

  TEST_CASE("an instance of a prefab is the source of one new pair") {
    World world;
    Log log;
    const Entity prefab = world.create();
    world.make_prefab(prefab);
    const Entity variant = world.instantiate(prefab);
    world.make_prefab(variant);
    const Subscription added = world.observers().on_pair_add<InstanceOf>(
        [&](Entity source, Entity target) { log("+", source, ">", target); });
    const Subscription removed = world.observers().on_pair_remove<InstanceOf>(
        [&](Entity source, Entity target) { log("-", source, ">", target); });
    const Entity instance = world.instantiate(variant);
    CHECK(log.take() == "+2>1;");
    world.destroy(instance);
    CHECK(log.take() == "-2>1;");
  }

  TEST_CASE("parts of a world take their pairs with them") {
    World world;
    Log log;
    const Entity root = world.create();
    const Entity child = world.create(child_of(root));
    const Entity outside = world.create();
    world.relations().add<Owes>(root, child, Owes{1});
    world.relations().add<Owes>(child, outside, Owes{2});
    world.relations().add<Owes>(outside, root, Owes{3});
    const auto owes = log_pairs<Owes>(world, log);
    ExtractedPart taken = extract(world, root);
    REQUIRE(taken.outcome);
    CHECK(log.take() == "-1>2=2;-0>1=1;-2>0=3;");
    const InsertedPart put = insert(world, taken.part);
    REQUIRE(put.outcome);
    const std::string text = log.take();
    const Entity again = put.roots[0];
    const Entity below = *world.children(again).begin();
    const std::string one = std::to_string(again.index()), two = std::to_string(below.index());
    CHECK(text == "+" + one + ">" + two + "=1;+" + two + ">2=2;");
    CHECK(world.validate());
  }
}

}  // namespace strata::test::pair_observers_lifetime_test
