// Full blocks change worlds when subtrees are moved.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/tracked.hpp"
#include "large_values.hpp"

namespace strata::test::block_exchange_test {

namespace {

/// A relation whose values cannot be copied, so that its sources cannot be extracted.
struct Anchor {
  std::unique_ptr<int> value;
};
/// Hands out the piece of the same size that was given back last, if there is one.
class Reusing final : public std::pmr::memory_resource {
 public:
  ~Reusing() override {
    for (const auto& piece : free_) ::operator delete (piece.first, std::align_val_t{64});
  }

 private:
  void* do_allocate(std::size_t size, std::size_t) override {
    for (auto piece = free_.rbegin(); piece != free_.rend(); ++piece) {
      if (piece->second != size) continue;
      void* const address = piece->first;
      free_.erase(std::next(piece).base());
      return address;
    }
    return ::operator new (size, std::align_val_t{64});
  }
  void do_deallocate(void* address, std::size_t size, std::size_t) override {
    free_.emplace_back(address, size);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::vector<std::pair<void*, std::size_t>> free_;
};

/// Creates `count` children of `parent` with the numbers from `first` on.
std::vector<Entity> load(World& world, Entity parent, std::size_t count, int first = 0) {
  std::vector<Entity> children;
  for (std::size_t i = 0; i < count; ++i)
    children.push_back(world.create(child_of(parent), Cargo(first + static_cast<int>(i))));
  return children;
}

std::vector<int> numbers_of(World& world) {
  std::vector<int> numbers;
  world.query<const Cargo>().each([&](const Cargo& cargo) { numbers.push_back(cargo.number()); });
  return numbers;
}
std::vector<const void*> addresses_of(World& world) {
  std::vector<const void*> addresses;
  world.query<const Cargo>().each([&](const Cargo& cargo) { addresses.push_back(&cargo); });
  std::ranges::sort(addresses);
  return addresses;
}
std::size_t count_shared(const std::vector<const void*>& a, const std::vector<const void*>& b) {
  std::vector<const void*> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both.size();
}

void check_sound(const World& world) {
  if (const Outcome sound = world.validate(); !sound) FAIL(sound.message());
}

}  // namespace

TEST_SUITE("api/block_exchange") {
  TEST_CASE("the values of full blocks stay at their addresses in another world, and the others come too") {
    const CountedScope scope;
    {
      World from, to;
      const Entity stays = from.create(), goes = from.create(), dock = to.create();
      load(from, stays, 5);
      const std::vector<Entity> moved = load(from, goes, 4 * kRows, 100);
      load(to, dock, 3, 50);
      const std::vector<const void*> before = addresses_of(from);
      ExtractedPart taken = extract(from, goes);
      REQUIRE(taken.outcome);
      check_sound(from);
      CHECK(numbers_of(from) == std::vector<int>{0, 1, 2, 3, 4});
      for (const Entity entity : moved) CHECK_FALSE(from.alive(entity));
      REQUIRE(insert(to, taken.part, dock).outcome);
      check_sound(to);
      // The first block of `from` has other rows, too, and is not full of moved ones.
      CHECK(count_shared(addresses_of(to), before) == 3 * kRows);
      std::vector<int> numbers = numbers_of(to);
      std::ranges::sort(numbers);
      REQUIRE(numbers.size() == 4 * kRows + 3);
      for (std::size_t i = 0; i < 3; ++i) CHECK(numbers[i] == 50 + static_cast<int>(i));
      for (std::size_t i = 3; i < numbers.size(); ++i) CHECK(numbers[i] == 97 + static_cast<int>(i));
      // Both worlds can go on with the blocks that they got.
      load(from, stays, 2 * kRows);
      to.destroy(dock);
      check_sound(from);
      check_sound(to);
    }
    CHECK(scope.clean());
  }
  TEST_CASE("a part that is destroyed, and worlds that end before the other one, free the blocks once") {
    const CountedScope scope;
    FailingMemory memory;
    for (const bool is_inserted : {false, true}) {
      CAPTURE(is_inserted);
      World to({.memory = &memory});
      {
        World from({.memory = &memory});
        const Entity goes = from.create();
        load(from, goes, 3 * kRows);
        ExtractedPart taken = extract(from, goes, {.memory = &memory});
        REQUIRE(taken.outcome);
        if (is_inserted) REQUIRE(insert(to, taken.part).outcome);
      }
      check_sound(to);
      CHECK(numbers_of(to).size() == (is_inserted ? 3 * kRows : 0));
    }
    CHECK(scope.clean());
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint() == "");
  }
  TEST_CASE("values are moved if the memory, the columns or tracking differ") {
    FailingMemory memory;
    World from, arena({.memory = &memory}), other;
    (void)other.component<Ballast>();  // Before Cargo, so the columns have another order.
    const Entity goes = from.create();
    for (std::size_t i = 0; i < 2 * kRows; ++i)
      from.create(child_of(goes), Cargo(static_cast<int>(i)), Ballast{{static_cast<int>(i)}});
    const auto is_moved_to = [&](World& to, WorldPart& part) {
      const InsertedPart put = insert(to, part);
      REQUIRE(put.outcome);
      check_sound(to);
      std::size_t right = 0;
      to.query<const Cargo, const Ballast>().each([&](const Cargo& cargo, const Ballast& ballast) {
        right += cargo.number() == ballast.numbers[0] ? 1 : 0;
      });
      CHECK(right == 2 * kRows);
      return put.roots[0];
    };
    ExtractedPart taken = extract(from, goes);
    REQUIRE(taken.outcome);
    const Entity in_arena = is_moved_to(arena, taken.part);
    taken = extract(arena, in_arena);
    REQUIRE(taken.outcome);
    is_moved_to(other, taken.part);
    CHECK(arena.validate());

    const Entity tracked = from.create();
    for (int i = 0; i < 2 * static_cast<int>(kRows); ++i)
      from.create(child_of(tracked), Cargo(i), Ballast{{i}}, ByRow{i}, ByBlock{i});
    taken = extract(from, tracked);
    REQUIRE(taken.outcome);
    World last;
    (void)last.component<Cargo>();
    (void)last.component<Ballast>();
    last.create(ByRow{7});
    auto rows = last.query<const ByRow>();
    for (int i = 0; i < 100; ++i) rows.changed<ByRow>().each([](const ByRow&) {});
    is_moved_to(last, taken.part);
    std::size_t changed = 0;
    rows.changed<ByRow>().each([&](const ByRow&) { ++changed; });
    CHECK(changed == 2 * kRows);
    last.query<const Cargo, const ByRow, const ByBlock>().each(
        [&](const Cargo& cargo, const ByRow& row, const ByBlock& block) {
          CHECK(cargo.number() == row.value);
          CHECK(cargo.number() == block.value);
        });
  }
  TEST_CASE("each allocation that fails leaves both worlds as they were, in the same order") {
    const CountedScope scope;
    FailingMemory memory;
    {
      World from({.memory = &memory}), to({.memory = &memory});
      const Entity goes = from.create(), dock = to.create();
      load(from, goes, 2 * kRows + 5, 100);
      load(to, dock, 7);
      const std::vector<int> there = numbers_of(to);
      std::vector<int> here = numbers_of(from);
      ExtractedPart taken{Outcome::done(), {}};
      const auto are_whole = [&] {
        check_sound(from);
        check_sound(to);
        CHECK(numbers_of(from) == here);
        CHECK(numbers_of(to) == there);
      };
      const std::size_t failed = sweep_out_of_memory(
          memory, [&] { taken = extract(from, goes, {.memory = &memory}); }, are_whole);
      CHECK(failed > 10);
      REQUIRE(taken.outcome);
      here.clear();
      InsertedPart put{Outcome::done(), {}};
      const std::size_t failed_later = sweep_out_of_memory(
          memory, [&] { put = insert(to, taken.part, dock); }, are_whole);
      CHECK(failed_later > 10);
      REQUIRE(put.outcome);
      CHECK(numbers_of(to).size() == 2 * kRows + 12);
      check_sound(to);
    }
    CHECK(scope.clean());
    CHECK(memory.blocks() == 0);
  }
  TEST_CASE("a refused insertion leaves the rows in their order, and the part as it was") {
    World from, to({.sibling_names = SiblingNames::unique});
    const Entity goes = from.create();
    load(from, goes, 3 * kRows, 100);
    REQUIRE(from.names().set(goes, "hold"));
    const Entity dock = to.create();
    load(to, to.create(child_of(dock)), kRows + 5);
    REQUIRE(to.names().set(to.create(child_of(dock)), "hold"));
    const std::vector<int> before = numbers_of(to);
    ExtractedPart taken = extract(from, goes);
    REQUIRE(taken.outcome);
    const InsertedPart put = insert(to, taken.part, dock);
    CHECK_FALSE(put.outcome);
    CHECK(numbers_of(to) == before);
    check_sound(to);
    CHECK(taken.part.size() == 3 * kRows + 1);
    REQUIRE(insert(from, taken.part).outcome);
    CHECK(numbers_of(from).size() == 3 * kRows);
    check_sound(from);
  }
  TEST_CASE("a refused extraction leaves the values at their addresses") {
    World world;
    const Entity goes = world.create();
    const std::vector<Entity> cargo = load(world, goes, 2 * kRows);
    world.relations().add(goes, cargo[0], Anchor{});
    const std::vector<const void*> before = addresses_of(world);
    CHECK_FALSE(extract(world, goes).outcome);
    CHECK(addresses_of(world) == before);
    CHECK(numbers_of(world).size() == 2 * kRows);
    check_sound(world);
  }
  TEST_CASE("a checkpoint does not take a block for another one that was at its address") {
    Reusing memory;
    World world({.memory = &memory});
    const Entity goes = world.create();
    std::vector<Entity> children(2 * kRows - 1);
    world.spawner<Ballast>(child_of(goes)).create_many(children, Ballast{});
    children.push_back(world.create(child_of(goes), Ballast{}));
    History history(world);
    REQUIRE(history.checkpoint());
    while (children.size() > kRows) {
      world.destroy(children.back());
      children.pop_back();
    }
    world.shrink();
    world.relations().add(goes, children[0], Anchor{});
    CHECK_FALSE(extract(world, goes, {.memory = &memory}).outcome);
    world.relations().remove<Anchor>(goes, children[0]);
    REQUIRE(history.checkpoint());
    world.destroy(children[1]);
    REQUIRE(history.restore(1));
    check_sound(world);
    for (const Entity child : children) CHECK(world.alive(child));
  }
  TEST_CASE("observers see the values of entities that go, and of those that come") {
    World from, to;
    const Entity goes = from.create();
    load(from, goes, 2 * kRows, 1);
    std::size_t gone = 0, come = 0;
    const Subscription on_gone =
        from.observers().on_remove<Cargo>([&](Entity, Cargo& cargo) { gone += cargo.number() > 0 ? 1 : 0; });
    const Subscription on_come =
        to.observers().on_add<Cargo>([&](Entity, Cargo& cargo) { come += cargo.number() > 0 ? 1 : 0; });
    ExtractedPart taken = extract(from, goes);
    REQUIRE(taken.outcome);
    CHECK(gone == 2 * kRows);
    REQUIRE(insert(to, taken.part).outcome);
    CHECK(come == 2 * kRows);
    check_sound(from);
    check_sound(to);
  }
  TEST_CASE("a checkpoint from before a part left or came is restored") {
    World from, to;
    const Entity goes = from.create(), dock = to.create();
    for (int i = 0; i < 3 * static_cast<int>(kRows); ++i) from.create(child_of(goes), Ballast{{i}});
    for (int i = 0; i < 5; ++i) to.create(child_of(dock), Ballast{{-i}});
    History there(from), here(to);
    REQUIRE(there.checkpoint());
    REQUIRE(here.checkpoint());
    const std::uint64_t from_before = digest(from, Undescribed::leave_out);
    const std::uint64_t to_before = digest(to, Undescribed::leave_out);
    const auto sum_of = [](World& world) {
      long sum = 0;
      world.query<const Ballast>().each([&](const Ballast& ballast) { sum += ballast.numbers[0]; });
      return sum;
    };
    ExtractedPart taken = extract(from, goes);
    REQUIRE(insert(to, taken.part, dock).outcome);
    REQUIRE(here.checkpoint());
    REQUIRE(there.checkpoint());
    CHECK(sum_of(from) == 0);
    CHECK(sum_of(to) == 1128 - 10);
    REQUIRE(there.restore(0));
    REQUIRE(here.restore(0));
    CHECK(sum_of(from) == 1128);
    CHECK(sum_of(to) == -10);
    CHECK(digest(from, Undescribed::leave_out) == from_before);
    CHECK(digest(to, Undescribed::leave_out) == to_before);
    REQUIRE(here.restore(1));
    CHECK(sum_of(to) == 1128 - 10);
    check_sound(from);
    check_sound(to);
  }
}

}  // namespace strata::test::block_exchange_test
