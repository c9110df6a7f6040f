// Checkpoints and restored worlds after changes that have failed half way.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../core/values/hash.hpp"
#include "../support/ended_process.hpp"
#include "../support/failing_memory.hpp"
#include "../support/hooked.hpp"
#include "../support/refusal.hpp"

namespace strata::test::history_failures_test {

namespace {

struct Heard {};
struct Title {
  std::string text;
};
struct Early {
  int number = 0;
};
struct Late {
  int number = 0;
};
/// So large that a table grows with almost each row.
struct Freight {
  std::array<int, 500> numbers{};
};
/// So large that a block of it has an allocation of its own.
struct Large {
  std::array<std::byte, 40'000> bytes{};
};

/// Made, written and read by functions of the test. A component, a relation and a resource.
struct Told {
  static inline std::function<void()> made;
  static inline std::function<void()> written;
  static inline std::function<bool()> is_read;
  int number = 0;

  Told() {
    if (made) made();
  }
  explicit Told(int first) : number(first) {}
};

void check_sound(const World& world) {
  if (const Outcome sound = world.validate(); !sound) FAIL(sound.message());
}

}  // namespace
}  // namespace strata::test::history_failures_test

using TestTold = strata::test::history_failures_test::Told;
using TestLate = strata::test::history_failures_test::Late;
template <>
inline constexpr auto strata::members_of<TestLate> = strata::Members{member("number", &TestLate::number)};
template <>
inline constexpr auto strata::members_of<TestTold> =
    strata::OwnFormat{[](const TestTold& told, strata::ByteWriter& writer) {
                        if (TestTold::written) TestTold::written();
                        writer.write(told.number);
                      },
                      [](TestTold& told, strata::ByteReader& reader) {
                        told.number = reader.read<int>();
                        return !TestTold::is_read || TestTold::is_read();
                      }};

namespace strata::test::history_failures_test {
namespace {

/// A world in the state before a delta that adds, replaces and reads values of Told everywhere.
struct BeforeDelta {
  World world;
  Entity entity = world.create(Told(1));
  Entity other = world.create();
  History history{world};
  std::string delta;

  BeforeDelta() {
    world.resources().set(Told(2));
    REQUIRE(history.checkpoint());
    world.set(entity, Told(3));
    world.add(other, Told(4));
    world.relations().add(entity, other, Told(5));
    world.resources().set(Told(6));
    REQUIRE(history.checkpoint());
    HistoryDelta made = history.delta(0, 1);
    REQUIRE(made.outcome);
    delta = std::move(made.bytes);
    REQUIRE(history.restore(0));
  }
  ~BeforeDelta() { Told::made = Told::written = nullptr, Told::is_read = nullptr; }
  BeforeDelta(const BeforeDelta&) = delete;
  BeforeDelta& operator=(const BeforeDelta&) = delete;
};

}  // namespace

TEST_SUITE("api/history_failures") {
  TEST_CASE("a creation that fails after its table has grown leaves the next checkpoint whole") {
    // Tables grow by reallocation, so some of these worlds are full when their table is.
    for (std::uint32_t size = 1; size <= 40; ++size) {
      CAPTURE(size);
      World world({.max_entities = size});
      for (std::uint32_t i = 0; i < size; ++i) world.create(Freight{{static_cast<int>(i)}});
      const std::uint64_t before = digest(world, Undescribed::leave_out);
      History history(world);
      REQUIRE(history.checkpoint());
      CHECK(refusal([&] { world.create(Freight{}); }) != "");
      REQUIRE(history.checkpoint());
      world.clear();
      REQUIRE(history.restore(1));
      CHECK(digest(world, Undescribed::leave_out) == before);
      int sum = 0;
      world.query<const Freight>().each([&](const Freight& freight) { sum += freight.numbers[0]; });
      CHECK(sum == static_cast<int>(size * (size - 1) / 2));
      CHECK(world.validate());
    }
  }
  TEST_CASE("a family whose children could not be created keeps its tables when values are restored") {
    World world({.layout = Layout::per_parent, .max_entities = 8});
    const Entity first = world.create(Title{"a"}), second = world.create(Title{"b"});
    History history(world);
    REQUIRE(history.checkpoint());
    CHECK(refusal([&] { world.spawner<Title>(child_of(first)).create_many(10, Title{"c"}); }) != "");
    check_sound(world);
    REQUIRE(history.restore(0));
    const Entity below = world.create(child_of(second), Title{"d"});
    world.create(child_of(first), Title{"e"});
    check_sound(world);
    world.destroy(first);
    check_sound(world);
    CHECK(world.get<Title>(below).text == "d");
  }
  TEST_CASE("functions that listened at an entity do not listen at another one with its handle") {
    for (const bool destroyed : {false, true}) {
      CAPTURE(destroyed);
      World world;
      History history(world);
      REQUIRE(history.checkpoint());
      const Entity before = world.create();
      int told = 0;
      const Subscription at = world.events().on<Heard>(before, [&](const Heard&) { ++told; });
      if (destroyed) world.destroy(before);
      REQUIRE(history.restore(0));
      const Entity after = world.create();
      REQUIRE(after == before);
      world.events().emit(Heard{}, after);
      CHECK(told == 0);
    }
  }
  TEST_CASE("a child that could not be created leaves no block behind") {
    FailingMemory memory;
    {
      World world({.layout = Layout::per_parent, .memory = &memory, .max_entities = 1});
      const Entity root = world.create();
      CHECK(refusal([&] { world.create(child_of(root), Large{}); }) != "");
      check_sound(world);
      world.destroy(root);
      check_sound(world);
    }
    CHECK(memory.blocks() == 0);
  }
  TEST_CASE("a world is restored after a root could not be created") {
    World world({.max_entities = 2});
    world.create(Early{1});
    const Entity second = world.create(Early{2});
    History history(world);
    REQUIRE(history.checkpoint());
    CHECK(refusal([&] { world.create(Late{3}); }) != "");
    check_sound(world);
    world.destroy(second);
    REQUIRE(history.restore(0));
    check_sound(world);
    CHECK(world.alive(second));
  }
  TEST_CASE("functions that make, read and write values for apply cannot change the world") {
    BeforeDelta b;
    int refused = 0;
    int calls = 0;
    const auto change = [&] {
      ++calls;
      if (says(refusal([&] { b.world.destroy(b.entity); }), "apply")) ++refused;
      if (says(refusal([&] { b.world.destroy(b.other); }), "apply")) ++refused;
      b.world.query<const Told>().each([&](const Told& told) { CHECK(told.number != 0); });
      if (calls == 1) (void)b.world.commands().create(Early{1});
    };
    Told::made = Told::written = change;
    Told::is_read = [&] { return change(), true; };
    const Outcome applied = b.history.apply(b.delta);
    CHECK_MESSAGE(applied, applied.message());
    Told::made = Told::written = nullptr, Told::is_read = nullptr;
    CHECK(calls >= 8);
    CHECK(refused == 2 * calls);
    CHECK(b.world.get<Told>(b.other).number == 4);
    CHECK(b.world.relations().get<Told>(b.entity, b.other).number == 5);
    CHECK(b.world.resources().get<Told>().number == 6);
    CHECK(b.world.commands().empty());
    CHECK(b.world.query<const Early>().count() == 1);
    check_sound(b.world);
  }
  TEST_CASE(
      "commands that destructors and moves record during apply are applied when the delta is complete") {
    const HookScope hooks;
    World world;
    const Entity first = world.create(Hooked(1));
    const Entity second = world.create(Hooked(2));
    History history(world);
    REQUIRE(history.checkpoint());
    world.destroy(second);
    world.add(first, Late{3});
    const Entity made = world.create(Late{4});
    REQUIRE(history.checkpoint());
    const HistoryDelta delta = history.delta(0, 1, Undescribed::leave_out);
    REQUIRE_MESSAGE(delta.outcome, delta.outcome.message());
    REQUIRE(history.restore(0));
    std::vector<bool> complete;
    const Subscription added = world.observers().on_add<Early>(
        [&](Entity, Early&) { complete.push_back(world.has<Late>(first) && world.has<Late>(made)); });
    hooks->destroyed = [&](int number) { world.commands().add(first, Early{number}); };
    hooks->moved = [&](int) { (void)world.commands().create(Early{0}); };
    const Outcome applied = history.apply(delta.bytes);
    hooks->destroyed = hooks->moved = nullptr;
    CHECK_MESSAGE(applied, applied.message());
    CHECK(world.commands().empty());
    REQUIRE(world.has<Early>(first));
    CHECK(complete.size() == world.query<const Early>().count());  // Observers hear of all of them.
    for (const bool one : complete) CHECK(one);
    check_sound(world);
  }
  TEST_CASE("a function that records commands and then fails leaves the world as before apply") {
    BeforeDelta b;
    for (const bool throws : {false, true}) {
      for (int failing = 1; failing <= 4; ++failing) {
        CAPTURE(throws);
        CAPTURE(failing);
        const std::uint64_t before = digest(b.world);
        int reads = 0;
        Told::is_read = [&] {
          (void)b.world.commands().create(Early{1});
          if (++reads < failing) return true;
          if (throws) throw 1;
          return false;
        };
        if (throws) CHECK_THROWS_AS((void)b.history.apply(b.delta), int);
        if (!throws) CHECK(!b.history.apply(b.delta));
        Told::is_read = nullptr;
        CHECK(b.world.commands().empty());
        CHECK(b.world.query<const Early>().count() == 0);
        CHECK(digest(b.world) == before);
        check_sound(b.world);
      }
    }
    CHECK(b.history.apply(b.delta));
  }
  TEST_CASE("functions that write values for a delta or a digest of checkpoints cannot change the world") {
    BeforeDelta b;
    REQUIRE(b.history.checkpoint());
    b.world.set(b.entity, Told(9));
    REQUIRE(b.history.checkpoint());
    int calls = 0;
    int refused = 0;
    Told::written = [&] {
      ++calls;
      if (says(refusal([&] { b.world.destroy(b.entity); }), "while a query is iterating")) ++refused;
    };
    const std::uint64_t last = b.history.position();
    CHECK(b.history.delta(last - 1, last).outcome);
    CHECK(calls != 0);
    CHECK(refused == calls);
    (void)b.history.digest(last);
    CHECK(refused == calls);
    Told::written = nullptr;
    CHECK(b.world.destroy(b.entity));  // Nothing is under way any more.
  }
  TEST_CASE("an observer of what is recorded during apply may throw: the delta is applied then") {
    BeforeDelta b;
    Told::is_read = [&] { return b.world.commands().add(b.entity, Early{1}), true; };
    const Subscription added =
        b.world.observers().on_add<Early>([](Entity, Early&) { throw std::runtime_error("seen"); });
    CHECK_THROWS_AS((void)b.history.apply(b.delta), std::runtime_error);
    CHECK(b.world.get<Told>(b.other).number == 4);
    CHECK(b.world.has<Early>(b.entity));
    check_sound(b.world);
  }
  TEST_CASE("a function that reads values for apply cannot replace the world") {
    BeforeDelta b;
    Told::is_read = [&] { return b.world = World(), true; };
    CHECK(says(message_at_end([&] { (void)b.history.apply(b.delta); }), "apply"));
  }
  TEST_CASE("a resource that is replaced while its new value is read for apply leaves nothing behind") {
    BeforeDelta b;
    Told::is_read = [&] {
      b.world.resources().set(Told(7));
      b.world.resources().remove<Told>();
      return true;
    };
    CHECK(b.history.apply(b.delta));
    CHECK(b.world.resources().get<Told>().number == 6);
    Told::is_read = [&] { return b.world.resources().set(Told(8)), false; };
    REQUIRE(b.history.restore(0));
    CHECK(!b.history.apply(b.delta));
    check_sound(b.world);
  }
  TEST_CASE("a small delta that creates an entity with a very high index is refused") {
    World world;
    History history(world);
    REQUIRE(history.checkpoint());
    world.create();
    REQUIRE(history.checkpoint());
    const std::string made = history.delta(0, 1).bytes;
    REQUIRE(history.restore(0));
    // The head has a magic text, the version and a hash. Two sums, no destroyed entity and one created entity follow.
    constexpr std::size_t kHash = 9;
    constexpr std::size_t kBody = kHash + 8;
    constexpr std::size_t kIndex = kBody + 16 + 2;
    REQUIRE(made.size() > kIndex + 2);
    const auto apply_with_index = [&](std::uint32_t index) {
      ByteWriter written;
      written.write_size(index);
      std::string bytes = made;
      bytes.replace(kIndex, 1, reinterpret_cast<const char*>(written.written().data()),
                    written.written().size());
      const std::uint64_t hash = detail::hash_bytes(std::as_bytes(std::span(bytes).subspan(kBody)));
      for (std::size_t i = 0; i < 8; ++i) bytes[kHash + i] = static_cast<char>(hash >> (8 * i));
      return history.apply(bytes).message();
    };
    CHECK(says(apply_with_index((1u << 28) - 1), "has too few bytes"));
    CHECK(world.stats().slots == 0);
    CHECK(!says(apply_with_index(100'000), "has too few bytes"));
  }
}

}  // namespace strata::test::history_failures_test
