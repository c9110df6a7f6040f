// References of a part (a subtree that was taken out of a world) that lead out of it: in the values of pairs, and by
// relations that destroy entities.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <functional>
#include <memory>
#include <memory_resource>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../support/ended_process.hpp"
#include "../support/refusal.hpp"

namespace strata::test::part_references_test {
namespace {

/// A relation whose pairs refer to an entity in their values, too.
struct Watches {
  Entity post;
};
/// A relation whose targets are destroyed together with their sources.
struct Owns {};
struct Follows {};
struct Needs {};
/// Keeps only the handles that a map contains.
struct Crew {
  std::vector<Entity> members;
};
/// The same in the side store.
struct Guests : Crew {};
/// Has a function of the test called in place of replacing handles.
struct Called {
  static inline std::function<void()> remaps;
  Entity to;
};

void remap_entities(Crew& crew, const EntityMap& map) {
  std::erase_if(crew.members, [&](Entity member) { return !map.contains(member); });
  for (Entity& member : crew.members) member = map(member);
}
void remap_entities(Called&, const EntityMap&) {
  if (Called::remaps) Called::remaps();
}

}  // namespace
}  // namespace strata::test::part_references_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::part_references_test::Guests> =
    strata::Storage::sparse;
template <>
inline constexpr auto strata::members_of<strata::test::part_references_test::Watches> =
    strata::Members{member("post", &strata::test::part_references_test::Watches::post)};
template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::part_references_test::Owns> = {
        .source_destroyed = strata::PairCleanup::destroy};

template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::part_references_test::Needs> = {.exclusive = true,
                                                                              .acyclic = true};

namespace strata::test::part_references_test {
namespace {

/// A room with two guards, the first of which watches the second.
struct Room {
  explicit Room(Entity (*post)(const Room&)) { world.relations().add(first, second, Watches{post(*this)}); }

  World world;
  Entity outside = world.create();
  Entity top = world.create();
  Entity first = world.create(child_of(top));
  Entity second = world.create(child_of(top));
};

/// Moves the room to another world.
/// Returns: the post in the value of the pair there.
Entity post_after_move(Room& room, World& other, OutsideReferences outside) {
  ExtractedPart taken = extract(room.world, room.top, {.outside = outside});
  REQUIRE_MESSAGE(taken.outcome, taken.outcome.message());
  const Entity top = insert(other, taken.part).roots[0];
  const Entity first = *other.children(top).begin();
  return other.relations().get<Watches>(first, other.relations().target<Watches>(first)).post;
}

}  // namespace

TEST_SUITE("api/part_references") {
  TEST_CASE("handles in values of pairs that lead outside are kept, become null, or are refused") {
    const auto at_outside = [](const Room& room) { return room.outside; };
    Room kept(at_outside);
    World other;
    CHECK(post_after_move(kept, other, OutsideReferences::keep) == kept.outside);
    Room cleared(at_outside);
    CHECK(!post_after_move(cleared, other, OutsideReferences::null));
    Room refused(at_outside);
    const ExtractedPart taken = extract(refused.world, refused.top, {.outside = OutsideReferences::refuse});
    CHECK(says(taken.outcome.message(), ("of entity " + to_string(refused.first) + " refers to entity " +
                                         to_string(refused.outside) + ", which is outside")
                                            .c_str()));
    CHECK(refused.world.relations().get<Watches>(refused.first, refused.second).post == refused.outside);
    std::ostringstream file;
    CHECK(!save(refused.world, refused.top, file, {.outside = OutsideReferences::refuse}));
  }
  TEST_CASE("handles in values of pairs that stay inside follow, whatever happens to others") {
    for (const OutsideReferences outside :
         {OutsideReferences::keep, OutsideReferences::null, OutsideReferences::refuse}) {
      Room room([](const Room& of) { return of.second; });
      World other;
      (void)other.create();
      const Entity post = post_after_move(room, other, outside);
      CHECK(other.alive(post));
      CHECK(other.parent(post) == other.parent(other.relations().sources<Watches>(post)[0]));
    }
  }
  TEST_CASE("a prefab and its instance move together, whatever happens to references outside") {
    for (const OutsideReferences outside :
         {OutsideReferences::keep, OutsideReferences::null, OutsideReferences::refuse}) {
      World world;
      World other;
      const Entity top = world.create();
      const Entity prefab = world.create(child_of(top));
      (void)world.create(child_of(prefab));
      world.make_prefab(prefab);
      (void)world.instantiate(child_of(top), prefab);
      ExtractedPart taken = extract(world, top, {.outside = outside});
      REQUIRE_MESSAGE(taken.outcome, taken.outcome.message());
      const Entity moved = insert(other, taken.part).roots[0];
      const Entity prefab_there = *other.children(moved).begin();
      const Entity instance = other.next_sibling(prefab_there);
      CHECK(other.prefab_of(instance) == prefab_there);
      CHECK(other.counterpart(instance, *other.children(prefab_there).begin()) ==
            *other.children(instance).begin());
    }
  }
  TEST_CASE("a pair that leads outside does not lead to a new entity with the handle of its target") {
    for (const bool by_file : {false, true}) {
      World first;
      const Entity outside = first.create();
      const Entity source = first.create();
      first.relations().add<Follows>(source, outside);
      first.relations().add<Needs>(source, outside);
      World second;
      InsertedPart put{Outcome::done(), {}};
      if (by_file) {
        (void)second.relations().relation<Follows>();
        (void)second.relations().relation<Needs>();
        std::stringstream file;
        REQUIRE(save(first, source, file));
        put = load_below(second, file);
      } else {
        ExtractedPart taken = extract(first, source);
        put = insert(second, taken.part);
      }
      REQUIRE_MESSAGE(put.outcome, put.outcome.message());
      const Entity there = put.roots[0];
      CHECK(there == outside);  // The same handle, in another world.
      CHECK(second.relations().targets<Follows>(there).empty());
      CHECK(second.relations().targets<Needs>(there).empty());
      CHECK(second.validate());
    }
  }
  TEST_CASE("the entity that a relation would destroy is named, not one of the subtree or below it") {
    World world;
    const Entity other = world.create();
    (void)world.create(child_of(other));
    const Entity root = world.create();
    (void)world.create(child_of(world.create(child_of(root))));
    world.relations().add(root, other, Owns{});
    CHECK(
        says(extract(world, root).outcome.message(), ("destroys entity " + to_string(other) + " ").c_str()));
    CHECK(world.size() == 5);
  }
  TEST_CASE("the search for references outside leaves the values of the world as they are") {
    World world;
    const Entity outside = world.create();
    const Entity top = world.create();
    world.add(top, Crew{{outside, top}});
    world.add(top, Guests{{{outside, top}}});
    const Entity child = world.create(child_of(top));
    world.relations().add(child, outside, Follows{});
    CHECK(!extract(world, top, {.outside = OutsideReferences::refuse}).outcome);
    CHECK(world.get<Crew>(top).members.size() == 2);
    CHECK(world.get<Guests>(top).members.size() == 2);
    std::stringstream file;
    CHECK(!save(world, top, file,
                {.outside = OutsideReferences::refuse, .undescribed = Undescribed::leave_out}));
    CHECK(world.get<Crew>(top).members.size() == 2);
    CHECK(world.get<Guests>(top).members.size() == 2);
  }
  TEST_CASE("a part cannot be replaced while it is inserted") {
    World world;
    const Entity top = world.create(Called{});
    world.create(child_of(top), Called{});
    WorldPart part = std::move(extract(world, top).part);
    Called::remaps = [&] { part = WorldPart(); };
    const std::string message = message_at_end([&] { (void)insert(world, part); });
    CHECK_MESSAGE(says(message, "insert"), message);
    World other;
    std::ostringstream out;
    Called::remaps = [&] { (void)insert(other, part); };
    CHECK(message_at_end([&] { (void)insert(world, part); }) ==
          "insert of a part that is being inserted or written: do it when that has ended");
    Called::remaps = [&] { (void)save(part, out); };
    CHECK(message_at_end([&] { (void)insert(world, part); }).starts_with("save while insert"));
    Called::remaps = nullptr;
    CHECK(insert(world, part).outcome);
    CHECK(part.empty());
    CHECK(world.size() == 2);
    CHECK(world.validate());
  }
  TEST_CASE("a part that was assigned to another one may outlive the memory of that one") {
    World world;
    const Entity first = world.create(Called{});
    const Entity second = world.create(Called{});
    auto memory = std::make_unique<std::pmr::unsynchronized_pool_resource>();
    WorldPart given = std::move(extract(world, second).part);
    {
      WorldPart part = std::move(extract(world, first, {.memory = memory.get()}).part);
      part = std::move(given);
      CHECK(insert(world, part).outcome);
    }
    memory.reset();
    CHECK(world.query<const Called>().count() == 1);
    CHECK(world.validate());
  }
  TEST_CASE("a part cannot be moved away while it is inserted or written") {
    World world;
    const Entity top = world.create(Called{});
    WorldPart part = std::move(extract(world, top).part);
    std::optional<WorldPart> kept;
    Called::remaps = [&] { kept.emplace(std::move(part)); };
    CHECK(message_at_end([&] { (void)insert(world, part); }) ==
          "a part is moved while it is inserted or written: do it when that has ended");
    auto move = [&](const SavingProgress&) { return kept.emplace(std::move(part)), true; };
    std::ostringstream out;
    CHECK(message_at_end([&] {
            (void)save(part, out, {.undescribed = Undescribed::leave_out, .progress = move});
          }) == "a part is moved while it is inserted or written: do it when that has ended");
    Called::remaps = nullptr;
    kept.emplace(std::move(part));
    std::swap(part, *kept);  // One of them was moved from.
    CHECK(insert(world, part).outcome);
    CHECK(world.size() == 1);
  }
  TEST_CASE("a part is not used while observers are notified of its insertion") {
    World world;
    World other;
    const Entity top = world.create(Called{});
    world.create(child_of(top), Called{});
    WorldPart part = std::move(extract(world, top).part);
    int refused = 0;
    const Subscription added = world.observers().on_add<Called>([&](Entity, Called&) {
      if (says(refusal([&] { (void)insert(other, part); }), "being inserted")) ++refused;
    });
    CHECK(insert(world, part).outcome);
    CHECK(refused == 2);
    CHECK(part.empty());
    CHECK(other.size() == 0);
    CHECK(other.validate());
    CHECK(world.validate());
  }
}

}  // namespace strata::test::part_references_test
