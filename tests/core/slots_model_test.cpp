#include "../../core/slots.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "../../core/contract.hpp"
#include "../support/model_test.hpp"

namespace strata::test::slots_model_test {

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
}  // TEST_SUITE

}  // namespace strata::test::slots_model_test
