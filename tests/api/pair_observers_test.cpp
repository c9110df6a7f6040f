#include <doctest/doctest.h>

#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../include/strata/strata.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "observed_pairs.hpp"
#include "observer_log.hpp"

namespace strata::test::pair_observers_test {

using namespace observed_pairs;
using observed_pairs::Likes;  // Other headers of tests have a Likes, too.
using observed_pairs::Log;    // Not the log of model tests.
using observer_log::Health;

TEST_SUITE("api/pair_observers") {
  TEST_CASE("an observer is called for each pair that comes, and for each that is about to go") {
    World world;
    Log log;
    const auto likes = log_pairs<Likes>(world, log);
    const auto owes = log_pairs<Owes>(world, log);
    const std::vector<Entity> e = create(world, 3);
    world.relations().add<Likes>(e[0], e[1]);
    world.relations().add<Owes>(e[0], e[1], Owes{5});
    CHECK(log.take() == "+0>1;+0>1=5;");
    CHECK(world.relations().remove<Likes>(e[0], e[1]));
    CHECK(world.relations().remove<Owes>(e[0], e[1]));
    CHECK(log.take() == "-0>1;-0>1=5;");
    CHECK_FALSE(world.relations().has<Owes>(e[0], e[1]));
  }

  TEST_CASE("a pair that is there already is not reported again, nor is one that is not there") {
    World world;
    Log log;
    const auto likes = log_pairs<Likes>(world, log);
    const auto owes = log_pairs<Owes>(world, log);
    const std::vector<Entity> e = create(world, 2);
    world.relations().add<Likes>(e[0], e[1]);
    world.relations().add<Owes>(e[0], e[1], Owes{1});
    log.take();
    world.relations().add<Likes>(e[0], e[1]);
    CHECK(world.relations().add<Owes>(e[0], e[1], Owes{2}).gold == 2);
    CHECK_FALSE(world.relations().remove<Likes>(e[1], e[0]));
    CHECK_FALSE(world.relations().remove<Owes>(e[1], e[0]));
    CHECK(log.take() == "");
  }

  TEST_CASE(
      "a new target of an exclusive relation: the old pair goes, with its value, and the new one comes") {
    World world;
    Log log;
    const auto docked = log_pairs<DockedTo>(world, log);
    const auto serves = log_pairs<Serves>(world, log);
    const std::vector<Entity> e = create(world, 3);
    world.relations().add<DockedTo>(e[0], e[1], DockedTo{7});
    world.relations().add<DockedTo>(e[0], e[2], DockedTo{8});
    CHECK(log.take() == "+0>1=7;-0>1=7;+0>2=8;");
    world.relations().add<Serves>(e[0], e[1]);
    world.relations().add<Serves>(e[0], e[2]);
    CHECK(log.take() == "+0>1;-0>1;+0>2;");
    CHECK(world.validate());
  }

  TEST_CASE("a pair of a symmetric relation and its reverse are two calls, as for Relations::each") {
    World world;
    Log log;
    const auto knows = log_pairs<Knows>(world, log);
    const std::vector<Entity> e = create(world, 3);
    world.relations().add<Knows>(e[0], e[1]);
    world.relations().add<Knows>(e[2], e[1]);
    CHECK(log.take() == "+0>1;+1>0;+2>1;+1>2;");
    world.relations().add<Knows>(e[1], e[0]);
    CHECK(log.take() == "");
    world.relations().remove<Knows>(e[1], e[0]);
    CHECK(log.take() == "-1>0;-0>1;");
    world.destroy(e[1]);
    CHECK(log.take() == "-1>2;-2>1;");
  }

  TEST_CASE("a marriage ends those of both, before it is reported") {
    World world;
    Log log;
    const auto married = log_pairs<MarriedTo>(world, log);
    const std::vector<Entity> e = create(world, 4);
    world.relations().add<MarriedTo>(e[0], e[1], MarriedTo{1});
    world.relations().add<MarriedTo>(e[2], e[3], MarriedTo{2});
    log.take();
    world.relations().add<MarriedTo>(e[0], e[2], MarriedTo{3});
    CHECK(log.take() == "-0>1=1;-1>0=1;-2>3=2;-3>2=2;+0>2=3;+2>0=3;");
    CHECK(world.relations().size<MarriedTo>() == 2);
    CHECK(world.validate());
  }

  TEST_CASE("all pairs of an entity that are removed at once are reported first, the last one first") {
    World world;
    Log log;
    const auto owes = log_pairs<Owes>(world, log);
    const std::vector<Entity> e = create(world, 4);
    for (const int i : {1, 2, 3}) world.relations().add<Owes>(e[0], e[static_cast<std::size_t>(i)], Owes{i});
    world.relations().add<Owes>(e[1], e[3], Owes{4});
    log.take();
    CHECK(world.relations().remove_targets<Owes>(e[0]) == 3);
    CHECK(log.take() == "-0>3=3;-0>2=2;-0>1=1;");
    CHECK(world.relations().remove_sources<Owes>(e[3]) == 1);
    CHECK(log.take() == "-1>3=4;");
  }

  TEST_CASE("recorded commands report their pairs when they are applied") {
    World world;
    Log log;
    const auto owes = log_pairs<Owes>(world, log);
    const std::vector<Entity> e = create(world, 2);
    world.commands().add<Owes>(e[0], e[1], Owes{1});
    world.commands().remove<Owes>(e[0], e[1]);
    world.commands().add<Owes>(e[1], e[0], Owes{2});
    world.commands().destroy(e[0]);
    CHECK(log.take() == "");
    world.flush();
    CHECK(log.take() == "+0>1=1;-0>1=1;+1>0=2;-1>0=2;");
  }

  TEST_CASE("pairs that exist already are reported at once, if that is asked for") {
    World world;
    Log log;
    const std::vector<Entity> e = create(world, 3);
    world.relations().add<Owes>(e[1], e[0], Owes{2});
    world.relations().add<Owes>(e[0], e[2], Owes{1});
    const auto logs = [&](Entity source, Entity target, Owes& owes) {
      log("+", source, ">", target, "=", owes.gold);
    };
    const Subscription later = world.observers().on_pair_add<Owes>(logs);
    CHECK(log.take() == "");
    const Subscription now = world.observers().on_pair_add<Owes>(logs, Existing::notify);
    CHECK(log.take() == "+0>2=1;+1>0=2;");
    world.relations().add<Owes>(e[2], e[0], Owes{3});
    CHECK(log.take() == "+2>0=3;+2>0=3;");
  }

  TEST_CASE("relations that are described at run time are observed by their ids") {
    World world;
    Log log;
    ComponentInfo info = describe<Owes>();
    info.name = "owes at run time";
    info.type = nullptr;
    const ComponentId id = world.relations().relation(info, {});
    const std::vector<Entity> e = create(world, 2);
    const auto logs = [&](const char* sign) {
      return [&log, sign](Entity source, Entity target, void* value) {
        log(sign, source, ">", target, "=", static_cast<Owes*>(value)->gold);
      };
    };
    const Subscription removed = world.observers().on_pair_remove(id, logs("-"));
    Owes owes{4};
    world.relations().add(e[0], e[1], id, &owes);
    const Subscription added = world.observers().on_pair_add(id, logs("+"), Existing::notify);
    world.relations().remove(e[0], e[1], id);
    CHECK(log.take() == "+0>1=4;-0>1=4;");
    const Subscription likes = world.observers().on_pair_add(
        world.relations().relation<Likes>(),
        [&](Entity, Entity, void* value) { log(value == nullptr ? "no value" : "a value"); });
    world.relations().add<Likes>(e[0], e[1]);
    CHECK(log.take() == "no value;");
  }

  TEST_CASE("the parent is refused as a relation to observe, and so is a component that is no relation") {
    World world;
    const auto ignore = [](Entity, Entity, void*) {};
    const ComponentId parent = world.relations().relation<ChildOf>();
    CHECK(says(refusal([&] { static_cast<void>(world.observers().on_pair_add(parent, ignore)); }),
               "use on_parent_change, on_create and on_destroy"));
    const ComponentId health = world.component<Health>();
    CHECK(says(refusal([&] { static_cast<void>(world.observers().on_pair_remove(health, ignore)); }),
               "is no relation: call Relations::relation for it first"));
  }

  TEST_CASE("observers are called in the order of registration, until their subscriptions end") {
    World world;
    Log log;
    const std::vector<Entity> e = create(world, 2);
    Subscription first = world.observers().on_pair_add<Likes>([&](Entity, Entity) { log("first"); });
    const Subscription second = world.observers().on_pair_add<Likes>([&](Entity, Entity) {
      log("second");
      first.end();
    });
    world.relations().add<Likes>(e[0], e[1]);
    world.relations().add<Likes>(e[1], e[0]);
    CHECK(log.take() == "first;second;second;");
  }

  TEST_CASE("an observer may read, query, set values and record commands; other changes are refused") {
    World world;
    const std::vector<Entity> e = create(world, 2);
    world.add(e[0], Health{1});
    std::size_t seen = 0;
    std::string refused_change;
    const Subscription added = world.observers().on_pair_add<DockedTo>([&](Entity source, Entity target) {
      world.query<Entity, const Pair<DockedTo>>().each(
          [&](Entity, const Pair<DockedTo>& pair) { seen += pair.target() == target ? 1 : 0; });
      world.set(source, Health{2});
      world.commands().add(target, Health{3});
      refused_change = refusal([&] { world.relations().add<Likes>(source, target); });
    });
    world.relations().add<DockedTo>(e[0], e[1]);
    CHECK(seen == 1);
    CHECK(world.get<Health>(e[0]).points == 2);
    CHECK(world.get<Health>(e[1]).points == 3);
    CHECK(says(refused_change, "an observer"));
    CHECK(world.relations().size<Likes>() == 0);
  }

  TEST_CASE("an exception leaves the change complete: the others are called, and the first one is thrown") {
    World world;
    Log log;
    const std::vector<Entity> e = create(world, 3);
    const auto throws = [&](const char* what) {
      return [&log, what](Entity, Entity) {
        log(what);
        throw std::runtime_error(what);
      };
    };
    std::vector<Subscription> kept;
    for (const char* what : {"first", "second"}) {
      kept.push_back(world.observers().on_pair_add<Likes>(throws(what)));
      kept.push_back(world.observers().on_pair_remove<Likes>(throws(what)));
      kept.push_back(world.observers().on_pair_remove<DockedTo>(throws(what)));
    }
    CHECK_THROWS_WITH(world.relations().add<Likes>(e[0], e[1]), "first");
    CHECK(world.relations().has<Likes>(e[0], e[1]));
    CHECK_THROWS_WITH(world.relations().remove<Likes>(e[0], e[1]), "first");
    CHECK_FALSE(world.relations().has<Likes>(e[0], e[1]));
    world.relations().add<DockedTo>(e[0], e[1]);
    CHECK_THROWS_WITH(world.relations().add<DockedTo>(e[0], e[2]), "first");
    CHECK(world.relations().target<DockedTo>(e[0]) == e[2]);
    CHECK_THROWS_WITH(world.destroy(e[2]), "first");
    CHECK_FALSE(world.alive(e[2]));
    CHECK(log.take() == "first;second;first;second;first;second;first;second;");
  }

  TEST_CASE("moves of rows, layouts and storages report no pair, nor does what is quiet or restored") {
    World world;
    const std::vector<Entity> e = create(world, 3);
    world.add(e[0], Health{1});
    world.relations().add<Serves>(e[0], e[1]);
    world.relations().add<Owes>(e[0], e[1], Owes{1});
    Log log;
    const auto serves = log_pairs<Serves>(world, log);
    const auto owes = log_pairs<Owes>(world, log);
    CHECK(world.set_parent(e[0], e[2]));
    world.set_layout(e[2], Layout::per_parent);
    world.set_storage<Health>(Storage::sparse);
    world.shrink();
    History history(world);
    CHECK(history.checkpoint("before"));
    {
      const auto quiet = world.observers().quiet();
      world.relations().remove<Owes>(e[0], e[1]);
    }
    CHECK(history.checkpoint("after"));
    CHECK(history.undo());
    CHECK(world.relations().has<Owes>(e[0], e[1]));
    CHECK(log.take() == "");
    std::stringstream file;
    CHECK(save(world, file, {.undescribed = Undescribed::leave_out}));
    const LoadedWorld loaded = load(file, world);
    CHECK(log.take() == "");
    world.relations().remove<Serves>(e[0], e[1]);
    CHECK(log.take() == "-0>1;");
  }

  TEST_CASE("without memory, nothing has changed and no observer was called") {
    FailingMemory memory;
    World world({.memory = &memory});
    Log log;
    const std::vector<Entity> e = create(world, 12);
    const auto docked = log_pairs<DockedTo>(world, log);
    const auto serves = log_pairs<Serves>(world, log);
    const auto owes = log_pairs<Owes>(world, log);
    world.relations().add<DockedTo>(e[0], e[1], DockedTo{1});
    world.relations().add<Serves>(e[0], e[1]);
    for (std::size_t i = 2; i < e.size(); ++i) world.relations().add<Owes>(e[0], e[i], Owes{1});
    log.take();
    const auto sweep = [&](const auto& change) {
      world.shrink();
      return sweep_out_of_memory(memory, change, [&] {
        CHECK(log.text == "");
        CHECK(world.validate());
        CHECK(world.relations().get<DockedTo>(e[0], e[1]).port == 1);
        CHECK(world.relations().target<Serves>(e[0]) == e[1]);
      });
    };
    sweep([&] { world.relations().add<Owes>(e[3], e[1], Owes{3}); });
    CHECK(log.take() == "+3>1=3;");
    const std::size_t failures = sweep([&] { world.destroy(e[2]); });
    CHECK(failures > 0);
    CHECK(log.take() == "-0>2=1;");
    world.relations().add<DockedTo>(e[0], e[1], DockedTo{1});
    sweep_out_of_memory(
        memory, [&] { world.relations().add<Serves>(e[0], e[4]); },
        [&] {
          CHECK(log.text == "");
          CHECK(world.relations().target<Serves>(e[0]) == e[1]);
        });
    CHECK(log.take() == "-0>1;+0>4;");
    sweep_out_of_memory(
        memory, [&] { world.relations().add<DockedTo>(e[0], e[5], DockedTo{2}); },
        [&] {
          CHECK(log.text == "");
          CHECK(world.relations().target<DockedTo>(e[0]) == e[1]);
        });
    CHECK(log.take() == "-0>1=1;+0>5=2;");
    CHECK(world.validate());
  }
}

}  // namespace strata::test::pair_observers_test
