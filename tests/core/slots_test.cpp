#include "../../core/slots.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "../../core/contract.hpp"
#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"

namespace strata::test::slots_test {

using namespace detail;

namespace {

constexpr std::uint32_t kLimit = 6;
constexpr std::uint32_t kLastGeneration = 0xFFFF'FFFF;

Block some_block{};

// What slots say, kept the dumb way: every handle that is in use, and per index the least generation that was
// never issued.
struct Model {
  struct State {
    bool placed;
    std::uint32_t row;
  };
  std::map<Entity, State> in_use;
  std::map<std::uint32_t, std::uint64_t> unissued;  // a 33rd bit: all are issued
  std::vector<Entity> seen;                         // handles worth asking about

  std::uint64_t least_unissued(std::uint32_t index) const {
    const auto found = unissued.find(index);
    return found == unissued.end() ? 1 : found->second;
  }
  bool occupied(std::uint32_t index) const {
    return std::any_of(in_use.begin(), in_use.end(),
                       [&](const auto& use) { return use.first.index() == index; });
  }
  bool can_issue(Entity entity) const {
    return entity.index() < kLimit && entity.generation() != 0 && !occupied(entity.index()) &&
           entity.generation() >= least_unissued(entity.index());
  }
  bool can_reissue(Entity entity) const {
    const std::uint64_t next = least_unissued(entity.index());
    return entity.generation() != 0 && !occupied(entity.index()) && entity.generation() < next &&
           next <= kLastGeneration;
  }
  bool any_can_be_issued() const {
    for (std::uint32_t index = 0; index < kLimit; ++index) {
      if (!occupied(index) && least_unissued(index) <= kLastGeneration) return true;
    }
    return false;
  }
  void issue(Entity entity) {
    in_use[entity] = {false, 0};
    unissued[entity.index()] = std::uint64_t{entity.generation()} + 1;
    seen.push_back(entity);
  }
};

Entity pick_handle(Bytes& bytes, const Model& model) {
  if (bytes.chance(3) || model.seen.empty()) {
    // Never issued, perhaps: small numbers, and the last generations.
    const auto index = static_cast<std::uint32_t>(bytes.below(kLimit + 2));
    const auto generation = static_cast<std::uint32_t>(bytes.below(5));
    return {index, bytes.chance(3) ? kLastGeneration - generation : generation};
  }
  return model.seen[bytes.below(model.seen.size())];
}

Entity pick_used(Bytes& bytes, const Model& model) {
  return std::next(model.in_use.begin(), static_cast<std::ptrdiff_t>(bytes.below(model.in_use.size())))
      ->first;
}

Disagreement reserve(Slots& slots, Model& model) {
  Entity entity;
  try {
    entity = slots.reserve();
  } catch (const ContractViolation&) {
    if (model.any_can_be_issued()) return "no slot was left although one is free";
    return {};
  }
  if (!model.can_issue(entity)) return "reserve issued " + to_string(entity) + " a second time";
  model.issue(entity);
  return {};
}

/// Issues several, and takes them back at once if `take_back`.
Disagreement reserve_all(Slots& slots, Model& model, std::size_t count, bool take_back) {
  std::vector<Entity> entities(count);
  try {
    slots.reserve_all(entities);
  } catch (const ContractViolation&) {
    Model filled = model;
    for (std::size_t i = 0; i < count; ++i) {
      if (!filled.any_can_be_issued()) return {};
      for (std::uint32_t index = 0; index < kLimit; ++index) {
        if (filled.occupied(index) || filled.least_unissued(index) > kLastGeneration) continue;
        filled.issue({index, static_cast<std::uint32_t>(filled.least_unissued(index))});
        break;
      }
    }
    return "no slots were left although they are free";
  }
  if (take_back) {
    slots.cancel_all(entities);
    std::vector<Entity> again(count);
    slots.reserve_all(again);
    if (again != entities) return "other handles are issued after some were taken back";
  }
  for (const Entity entity : entities) {
    if (!model.can_issue(entity)) return "reserve_all issued " + to_string(entity) + " a second time";
    model.issue(entity);
  }
  return {};
}

/// Makes new slots with their places, as many of `count` as the limit allows.
Disagreement append_placed(Slots& slots, Model& model, std::uint32_t count, std::uint32_t row) {
  const std::uint32_t first = slots.size();
  count = std::min(count, kLimit - first);
  slots.make_room(count);
  std::vector<Entity> entities(count);
  const Entity next = slots.next_new();
  slots.append_placed(count, {&some_block, row}, entities.data());
  for (std::uint32_t i = 0; i < count; ++i) {
    const Entity entity = entities[i];
    if (entity != Entity(first + i, next.generation())) return "new slots are not issued in their order";
    if (!model.can_issue(entity)) return "append_placed issued " + to_string(entity) + " a second time";
    model.issue(entity);
    model.in_use[entity] = {true, row + i};
  }
  return {};
}

Disagreement reserve_at(Slots& slots, Model& model, Entity entity) {
  const bool expected = model.can_issue(entity);
  if (slots.reserve_at(entity) != expected) return "reserve_at(" + to_string(entity) + ") answered wrongly";
  if (expected) model.issue(entity);
  return {};
}

Disagreement reserve_again(Slots& slots, Model& model, Entity entity) {
  const bool expected = model.can_reissue(entity);
  if (slots.can_reserve_again(entity) != expected)
    return "can_reserve_again(" + to_string(entity) + ") is wrong";
  if (!expected) return {};
  slots.reserve_again(entity);
  model.issue(entity);
  return {};
}

Disagreement compare(const Slots& slots, const Model& model, Entity entity) {
  const auto found = model.in_use.find(entity);
  const bool placed = found != model.in_use.end() && found->second.placed;
  const bool reserved = found != model.in_use.end() && !found->second.placed;
  if (slots.alive(entity) != placed) return "alive(" + to_string(entity) + ") is wrong";
  if (slots.is_reserved(entity) != reserved) return "is_reserved(" + to_string(entity) + ") is wrong";
  const Place place = slots.find(entity);
  if (place.block != (placed ? &some_block : nullptr))
    return "find(" + to_string(entity) + ") has a wrong block";
  if (placed && place.row != found->second.row) return "find(" + to_string(entity) + ") has a wrong row";
  return {};
}

Disagreement compare(const Slots& slots, const Model& model) {
  if (slots.in_use() != model.in_use.size()) return "in_use() is wrong";
  for (const Entity entity : model.seen) {
    if (const Disagreement wrong = compare(slots, model, entity)) return wrong;
  }
  if (const std::string broken = slots.check_invariants(); !broken.empty()) return broken;
  return {};
}

Disagreement turn(Bytes& bytes, Log& log, Slots& slots, Model& model) {
  switch (bytes.below(9)) {
    case 0: {
      log("reserve");
      return reserve(slots, model);
    }
    case 1: {
      const Entity entity = pick_handle(bytes, model);
      log("reserve_at ", entity);
      return reserve_at(slots, model, entity);
    }
    case 2: {
      if (model.in_use.empty()) return {};
      const Entity entity = pick_used(bytes, model);
      log("release ", entity);
      slots.release(entity.index());
      model.in_use.erase(entity);
      return {};
    }
    case 3: {
      const std::size_t count = bytes.below(4);
      const bool take_back = bytes.chance(3);
      log("reserve ", count, " at once", take_back ? ", twice" : "");
      return reserve_all(slots, model, count, take_back);
    }
    case 4: {
      if (model.in_use.empty()) return {};
      const Entity entity = pick_used(bytes, model);
      const auto row = static_cast<std::uint32_t>(bytes.below(1000));
      log("place ", entity, " in row ", row);
      slots.place(entity.index(), {&some_block, row});
      model.in_use[entity] = {true, row};
      return {};
    }
    case 5: {
      const auto count = static_cast<std::uint32_t>(bytes.below(4));
      const auto row = static_cast<std::uint32_t>(bytes.below(1000));
      log("append ", count, " in rows from ", row);
      return append_placed(slots, model, count, row);
    }
    case 6: {
      log("shrink");
      slots.shrink();
      return {};
    }
    case 7: {
      const Entity entity = pick_handle(bytes, model);
      log("reserve ", entity, " again");
      return reserve_again(slots, model, entity);
    }
    default: {
      const Entity entity = pick_handle(bytes, model);
      log("ask for ", entity);
      return compare(slots, model, entity);
    }
  }
}

Disagreement slots_agree(Bytes& bytes, Log& log) {
  Slots slots(std::pmr::new_delete_resource(), kLimit);
  Model model;
  while (bytes.turn()) {
    if (const Disagreement wrong = turn(bytes, log, slots, model)) return wrong;
    if (const Disagreement wrong = compare(slots, model)) return wrong;
  }
  return {};
}

}  // namespace

TEST_SUITE("core/slots") {
  STRATA_MODEL_TEST("slots behave like a map of the handles in use", slots_agree, .runs = 400, .turns = 150);

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
