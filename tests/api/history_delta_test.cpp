// Deltas between checkpoints, applied to worlds that were saved and loaded.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"
#include "history_turns.hpp"

namespace strata::test::history_delta_test {
namespace {

LoadedWorld copy_of(const World& world, WorldOptions options = {}) {
  std::istringstream in(saved(world));
  return load(in, world, {.world = options});
}

void make_all_known(World& world) {
  make_known(world);
  (void)world.component<Heat>();
  (void)world.component<Charge>();
  (void)world.component<Title>();
  (void)world.component<Grip>();
}

/// Returns: in what two worlds differ; empty if they contain the same.
std::string difference(const World& first, const World& second) {
  if (const Outcome sound = second.validate(); !sound) return "the world is broken: " + sound.message();
  for (const WorldDifference& found : find_differences(first, second, 1)) return found.sentence;
  return digest(first) == digest(second) ? "" : "the digest is another one";
}

/// A copy elsewhere follows a world by deltas alone, forward and back.
Disagreement copies_follow(Bytes& bytes, Log& log) {
  if (!bytes.turn()) return {};
  World world({.layout = static_cast<Layout>(bytes.below(3)), .large_family = 3});
  make_all_known(world);
  History history(world, {.checkpoints = 8});
  if (!history.checkpoint()) return "no checkpoint is taken";
  LoadedWorld copy = copy_of(world, {.layout = static_cast<Layout>(bytes.below(3))});
  History follower(copy.world, {.checkpoints = 1});
  std::uint64_t at = 0;  // The checkpoint that the copy is at.
  std::vector<Entity> entities;
  while (bytes.turn()) {
    if (!bytes.chance(8)) {
      change_world(entities, bytes, log, world);
      continue;
    }
    log("checkpoint");
    if (!history.checkpoint()) return "no checkpoint is taken";
    if (at < history.begin()) return {};
    const std::uint64_t to = bytes.chance(4) ? history.begin() : history.position();
    log("delta from ", at, " to ", to);
    const HistoryDelta delta = history.delta(at, to);
    if (!delta.outcome) return delta.outcome.message();
    if (to != at && bytes.chance(6)) {  // A damaged delta changes nothing.
      const std::uint64_t before = digest(copy.world);
      std::string damaged = delta.bytes;
      damaged[bytes.below(damaged.size())] ^= 4;
      if (follower.apply(damaged)) return "a damaged delta is applied";
      if (digest(copy.world) != before) return "a damaged delta changes the world";
    }
    if (const Outcome applied = follower.apply(delta.bytes); !applied) return applied.message();
    at = to;
    if (history.digest(to) != digest(copy.world))
      return "the digest of the checkpoint is not that of the copy";
    if (to != history.position() && !history.restore(to)) return "the checkpoint is not restored";
    if (const std::string why = difference(world, copy.world); !why.empty()) return why;
    if (std::string wrong = wrong_parent(copy.world); !wrong.empty()) return wrong;
    std::erase_if(entities, [&](Entity entity) { return !world.alive(entity); });
  }
  return {};
}

struct Undescribed {
  int number = 0;
};

/// A world with a History, and a copy elsewhere with one of its own.
struct Following {
  explicit Following(WorldOptions options = {}) : world(options), history(world) { make_all_known(world); }

  /// Takes the first checkpoint, and the copy.
  void begin(WorldOptions options = {}) {
    REQUIRE(history.checkpoint());
    copy = copy_of(world, options).world;
    follower.emplace(copy);
    REQUIRE(follower->checkpoint());
  }
  std::string make() {
    REQUIRE(history.checkpoint());
    HistoryDelta delta = history.delta(history.position() - 1, history.position());
    REQUIRE_MESSAGE(delta.outcome, delta.outcome.message());
    return delta.bytes;
  }
  /// Returns: what is wrong after the copy has followed; empty if nothing is.
  std::string follow() {
    const Outcome applied = follower->apply(make());
    return applied ? difference(world, copy) : applied.message();
  }

  World world;
  World copy;
  History history;
  std::optional<History> follower;
};

}  // namespace

TEST_SUITE("api/history_delta") {
  STRATA_MODEL_TEST("a copy that follows by deltas is the same", copies_follow, .runs = 150, .turns = 120);

  TEST_CASE("a delta is as small as what has changed") {
    Following pair;
    std::vector<Entity> entities(10'000);
    const Entity root = pair.world.create();
    for (Entity& entity : entities) entity = pair.world.create(child_of(root), Speed{1, 2}, Heat{3});
    pair.begin();
    CHECK(pair.make().size() <= 40);  // Nothing.
    pair.world.get<Speed>(entities[77]).x = 5;
    pair.world.get<Heat>(entities[78]).degrees = 5;
    CHECK(pair.make().size() < 200);
    pair.world.destroy(entities[79]);
    pair.world.create(child_of(root));
    CHECK(pair.make().size() < 60);
    (void)pair.world.move_child_before(entities[80], entities[3]);
    CHECK(pair.make().size() < 60);
  }
  TEST_CASE("children get any order, with as few moves as there can be") {
    Following pair;
    const Entity root = pair.world.create();
    std::vector<Entity> children(5);
    for (Entity& child : children) child = pair.world.create(child_of(root));
    pair.begin();
    pair.world.clear_parent(children[0]);
    (void)pair.world.set_parent(children[0], root);  // It is the last child now.
    CHECK(pair.follow() == "");
    pair.world.sort_children(root, [](Entity a, Entity b) { return b.index() < a.index(); });
    CHECK(pair.follow() == "");
    (void)pair.world.move_child_before(children[2], children[4]);
    CHECK(pair.follow() == "");
  }
  TEST_CASE("parents and children change places, and slots are used again") {
    Following pair;
    const Entity top = pair.world.create();
    const Entity middle = pair.world.create(child_of(top));
    const Entity low = pair.world.create(child_of(middle), Speed{1, 2});
    pair.begin();
    pair.world.clear_parent(middle);
    (void)pair.world.set_parent(top, low);
    CHECK(pair.follow() == "");
    pair.world.destroy(middle, ChildPolicy::orphan);
    const Entity again = pair.world.create(child_of(top));
    CHECK(again.index() == middle.index());
    CHECK(pair.follow() == "");
  }
  TEST_CASE("siblings with names of their own exchange these") {
    Following pair({.sibling_names = SiblingNames::unique});
    const Entity root = pair.world.create();
    const Entity first = pair.world.create(child_of(root));
    const Entity second = pair.world.create(child_of(root));
    const Entity other = pair.world.create();
    CHECK(pair.world.names().set(first, "a"));
    CHECK(pair.world.names().set(second, "b"));
    CHECK(pair.world.names().set(other, "c"));
    pair.begin();
    (void)pair.world.names().remove(first);
    CHECK(pair.world.names().set(second, "a"));
    CHECK(pair.world.names().set(first, "b"));
    CHECK(pair.follow() == "");
    (void)pair.world.names().remove(other);
    CHECK(pair.world.names().set(first, "c"));
    CHECK(pair.world.names().set(other, "b"));
    CHECK(pair.world.set_parent(other, root));
    CHECK(pair.follow() == "");
  }
  TEST_CASE("a world in another state refuses a delta, and stays as it is") {
    Following pair;
    const Entity entity = pair.world.create(Speed{1, 2}, Heat{1});
    const Entity other = pair.world.create();
    pair.begin();
    pair.world.get<Speed>(entity).x = 5;
    pair.world.destroy(other);
    const std::string delta = pair.make();
    pair.copy.get<Speed>(entity).x = 3;
    const std::string before = saved(pair.copy);
    const std::string why = pair.follower->apply(delta).message();
    CHECK(why == "the delta cannot be applied: the world is not in the state that the delta was made from");
    CHECK(saved(pair.copy) == before);
    pair.copy.get<Speed>(entity).x = 1;
    pair.copy.get<Heat>(entity).degrees = 7;  // The delta does not change it.
    CHECK(pair.follower->apply(delta));
    CHECK(pair.copy.get<Speed>(entity).x == 5);
    CHECK(pair.copy.get<Heat>(entity).degrees == 7);
    CHECK(!pair.follower->apply(delta));
  }
  TEST_CASE("a delta that cannot be made or read is refused with a sentence") {
    Following pair;
    pair.begin();
    CHECK(says(pair.history.delta(0, 7).outcome.message(), "there is no checkpoint 7"));
    CHECK(says(pair.follower->apply("no delta").message(), "it is no delta of a History"));
    const Entity entity = pair.world.create(Undescribed{3});
    REQUIRE(pair.history.checkpoint());
    CHECK(says(pair.history.delta(0, 1).outcome.message(), "its values are not described"));
    CHECK(pair.follower->apply(pair.history.delta(0, 1, strata::Undescribed::leave_out).bytes));
    CHECK(pair.copy.alive(entity));
    pair.world.destroy(entity);
    pair.world.create(Speed{});
    std::string delta = pair.make();
    CHECK(says(pair.follower->apply(delta.substr(0, delta.size() - 1)).message(), "damaged or cut off"));
    World stranger;
    History history(stranger);
    CHECK(says(history.apply(delta).message(),
               "it has the component \"strata::test::Speed\", which the program does not know"));
  }
  TEST_CASE("a delta is applied without calls of observers, and counts as writes") {
    Following pair;
    const Entity entity = pair.world.create(Heat{1});
    pair.begin();
    int calls = 0;
    const auto observer = pair.copy.observers().on_set<Heat>([&](Entity, Heat&) { ++calls; });
    auto query = pair.copy.query<const Heat>();
    query.changed<Heat>().each([](const Heat&) {});
    pair.world.get<Heat>(entity).degrees = 5;
    CHECK(pair.follow() == "");
    int written = 0;
    query.changed<Heat>().each([&](const Heat& heat) { written += heat.degrees; });
    CHECK(written == 5);
    CHECK(calls == 0);
  }
  TEST_CASE("when memory is lacking, a world is as before, or gets back to its checkpoint") {
    FailingMemory memory;
    Following pair;
    const Entity root = pair.world.create(Speed{1, 2});
    const Entity child = pair.world.create(child_of(root), Title{"title"});
    const Entity gone = pair.world.create(child_of(child), SparseItem{});
    pair.begin({.memory = &memory});
    (void)pair.world.set_parent(child, pair.world.create(Heat{2}));
    pair.world.destroy(gone);
    pair.world.add(root, Item{});
    pair.world.relations().add(root, child, Likes{3});
    (void)pair.world.names().set(root, "root");
    pair.world.disable_subtree(child);
    const std::string delta = pair.make();
    const std::uint64_t before = digest(pair.copy);
    for (std::size_t nth = 1;; ++nth) {
      memory.fail_at(nth);
      bool has_failed = false;
      try {
        REQUIRE(pair.follower->apply(delta));
      } catch (const std::bad_alloc&) {
        has_failed = true;
      }
      memory.never_fail();
      if (!has_failed) break;
      REQUIRE(pair.copy.validate());
      if (digest(pair.copy) != before) REQUIRE(pair.follower->restore(pair.follower->position()));
      REQUIRE(digest(pair.copy) == before);
    }
    CHECK(difference(pair.world, pair.copy) == "");
  }
}

}  // namespace strata::test::history_delta_test
