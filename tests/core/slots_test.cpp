#include "../../core/slots.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "../../core/contract.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::slots_test {

using namespace detail;

namespace {

constexpr std::uint32_t kLimit = 6;
constexpr std::uint32_t kLastGeneration = 0xFFFF'FFFF;

Block some_block{};

}  // namespace

TEST_SUITE("core/slots") {
  TEST_CASE("a handle is alive from its placing to its release") {
    Slots slots(std::pmr::new_delete_resource());
    const Entity entity = slots.reserve();
    CHECK(!slots.alive(entity));
    CHECK(slots.is_reserved(entity));
    slots.place(entity.index(), {&some_block, 7});
    CHECK(slots.alive(entity));
    CHECK(slots.find(entity).row == 7);
    slots.release(entity.index());
    CHECK(!slots.alive(entity));
  }
  TEST_CASE("a slot is live while it has a place, whatever the handle") {
    Slots slots(std::pmr::new_delete_resource());
    const Entity entity = slots.reserve();
    CHECK(!slots.is_live(entity.index()));
    slots.place(entity.index(), {&some_block, 3});
    CHECK(slots.is_live(entity.index()));
    CHECK(slots.place_of(entity.index()).row == 3);
    slots.release(entity.index());
    CHECK(!slots.is_live(entity.index()));
    const Entity retired(1, kLastGeneration);
    REQUIRE(slots.reserve_at(retired));
    slots.release(retired.index());
    CHECK(!slots.is_live(retired.index()));
  }
  TEST_CASE("many new slots are made in rows that follow each other, in memory that was reserved") {
    FailingMemory memory;
    Slots slots(&memory);
    slots.make_room(1000);
    memory.fail_at(1);
    std::vector<Entity> entities(1000);
    slots.append_placed(600, {&some_block, 3}, entities.data());
    slots.append_placed(400, {&some_block, 0}, entities.data() + 600);
    memory.never_fail();
    for (std::uint32_t i = 0; i < 1000; ++i) {
      CHECK(slots.find(entities[i]).block == &some_block);
      CHECK(slots.find(entities[i]).row == (i < 600 ? i + 3 : i - 600));
    }
    CHECK(slots.in_use() == 1000);
    CHECK(slots.check_invariants().empty());
  }
  TEST_CASE("a recycled slot has a new generation, and the old handle stays stale") {
    Slots slots(std::pmr::new_delete_resource());
    const Entity old = slots.reserve();
    slots.release(old.index());
    const Entity fresh = slots.reserve();
    slots.place(fresh.index(), {&some_block, 0});
    CHECK(fresh.index() == old.index());
    CHECK(fresh.generation() == old.generation() + 1);
    CHECK(!slots.alive(old));
  }
  TEST_CASE("a slot whose generations are exhausted is never issued again") {
    Slots slots(std::pmr::new_delete_resource());
    const Entity last(0, kLastGeneration);
    REQUIRE(slots.reserve_at(last));
    slots.release(0);
    CHECK(slots.reserve().index() == 1);
    CHECK(!slots.reserve_at(last));
    CHECK(!slots.can_reserve_again(last));
    CHECK((!slots.is_free(0) && !slots.is_in_use(0)));
    CHECK(!slots.alive(Entity(0, 0)));
    CHECK(slots.check_invariants().empty());
  }
  TEST_CASE("a released handle is issued again on purpose, and those that followed it afterwards") {
    Slots slots(std::pmr::new_delete_resource());
    const Entity first = slots.reserve();
    CHECK(!slots.can_reserve_again(first));
    slots.release(first.index());
    const Entity second = slots.reserve();
    CHECK(!slots.can_reserve_again(first));
    slots.release(second.index());
    REQUIRE(slots.can_reserve_again(first));
    slots.reserve_again(first);
    CHECK(slots.is_reserved(first));
    CHECK(slots.is_in_use(0));
    CHECK(!slots.can_reserve_again(second));
    slots.release(0);
    CHECK(slots.is_free(0));
    CHECK(!slots.can_reserve_again(second));
    CHECK(slots.reserve() == second);
    for (const Entity never : {Entity(), Entity(0, 3), Entity(1, 1), Entity(7, 1)})
      CHECK(!slots.can_reserve_again(never));
    CHECK(slots.check_invariants().empty());
  }
  TEST_CASE("worlds of different numbers never issue the same handle") {
    constexpr std::uint32_t kGenerations = 1u << 24;
    for (const std::uint32_t number : {1u, 2u, 254u, 255u}) {
      CAPTURE(number);
      Slots slots(std::pmr::new_delete_resource(), kLimit, number);
      const Entity first = slots.reserve();
      CHECK(first.generation() == number * kGenerations);
      slots.release(first.index());
      CHECK(slots.reserve().generation() == number * kGenerations + 1);
      CHECK(!slots.reserve_at({1, number * kGenerations - 1}));
      CHECK(!slots.reserve_at({1, (number + 1) * kGenerations}));  // For 255, that is 0.
      const Entity last(1, number * kGenerations + (kGenerations - 1));
      REQUIRE(slots.reserve_at(last));
      slots.release(1);
      CHECK(slots.reserve().index() == 2);
      CHECK(!slots.reserve_at(last));
      std::vector<Entity> many(2);
      slots.reserve_all(many);
      CHECK(many.front() == Entity(3, number * kGenerations));
      CHECK(slots.next_new() == Entity(5, number * kGenerations));
      CHECK(slots.check_invariants() == "");
    }
    CHECK_THROWS_WITH_AS(Slots(std::pmr::new_delete_resource(), kLimit, 256),
                         "WorldOptions::world_number is 256, and at most 255 is possible", ContractViolation);
  }
  TEST_CASE("the handles of a retired slot are not issued again in a numbered world either") {
    constexpr std::uint32_t kGenerations = 1u << 24;
    Slots slots(std::pmr::new_delete_resource(), kLimit, 3);
    const Entity last(0, 4 * kGenerations - 1);
    REQUIRE(slots.reserve_at(last));
    slots.release(0);
    for (const std::uint32_t generation : {3 * kGenerations, 4 * kGenerations - 1, 4 * kGenerations})
      CHECK(!slots.can_reserve_again(Entity(0, generation)));
    CHECK(slots.check_invariants().empty());
  }
  TEST_CASE("slots of a numbered world that were never alive are given back") {
    Slots slots(std::pmr::new_delete_resource(), 100, 7);
    REQUIRE(slots.reserve_at({50, 7u << 24 | 3}));
    slots.cancel(50);
    const Entity used = slots.reserve();
    slots.place(used.index(), {&some_block, 0});
    REQUIRE(slots.reserve_at({99, 7u << 24}));
    slots.cancel(99);
    slots.shrink();
    CHECK(slots.size() == 51);
    CHECK(slots.alive(used));
    CHECK(slots.check_invariants() == "");
  }
  TEST_CASE("indices are issued from the lowest, also after one was issued by name") {
    Slots slots(std::pmr::new_delete_resource());
    REQUIRE(slots.reserve_at({3, 9}));
    for (std::uint32_t index = 0; index < 3; ++index) CHECK(slots.reserve().index() == index);
    CHECK(slots.reserve().index() == 4);
  }
  TEST_CASE("a full house refuses with a contract and stays as it was") {
    Slots slots(std::pmr::new_delete_resource(), 1);
    const Entity only = slots.reserve();
    CHECK_THROWS_AS((void)slots.reserve(), ContractViolation);
    CHECK(slots.in_use() == 1);
    slots.release(only.index());
    CHECK(slots.reserve().generation() == 2);
  }
  TEST_CASE("out of memory leaves the slots as they were") {
    FailingMemory memory;
    {
      Slots slots(&memory);
      const std::size_t failures = sweep_out_of_memory(
          memory,
          [&] {
            (void)slots.reserve_at({100, 1});
          },
          [&] {
            CHECK(slots.in_use() == 0);
            CHECK(slots.check_invariants().empty());
          });
      CHECK(failures == 1);
      slots.release(100);  // never allocates
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
  TEST_CASE("shrink gives back slots that were never alive, and keeps the others' generations") {
    FailingMemory memory;
    Slots slots(&memory);
    const Entity used = slots.reserve();
    slots.place(used.index(), {&some_block, 0});
    REQUIRE(slots.reserve_at(Entity(1000, 1)));
    slots.place(1000, {&some_block, 0});
    slots.shrink();
    CHECK(slots.size() == 1001);
    CHECK(slots.memory_use() == MemoryUse{2 * 16, 1001 * 16});
    CHECK(memory.bytes() == 1001 * 16);
    slots.release(1000);
    slots.shrink();
    CHECK(slots.size() == 1001);
    CHECK(!slots.reserve_at(Entity(1000, 1)));

    CHECK(slots.reserve_at(Entity(2000, 1)));
    slots.cancel(2000);
    slots.shrink();
    CHECK(slots.size() == 1001);
    CHECK(slots.alive(used));
    CHECK(slots.check_invariants() == "");
  }
}

}  // namespace strata::test::slots_test
