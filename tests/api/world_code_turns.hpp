// What a world does by functions of the user, as turns of the model test: visitors, orders, fill functions.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include "world_hostility.hpp"

namespace strata::test {

/// Iterates and sorts with functions that do what a WorldHostility does, contradict themselves, or throw.
class WorldCodeTurns {
 public:
  WorldCodeTurns(WorldPair& pair, WorldHostility& hostility) : pair_(pair), hostility_(hostility) {}

  Disagreement turn() {
    switch (pair_.bytes.below(8)) {
      case 0:
      case 1:
      case 2:
        return iterate();
      case 3:
      case 4:
      case 5:
        return sort();
      case 6:
        return clear();
      default:
        return compact();
    }
  }

 private:
  struct Stop : std::runtime_error {
    Stop() : std::runtime_error("a function that was to throw") {}
  };
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  /// Runs an operation that calls a function of the user, which may throw. `applies` is whether what is
  /// recorded is applied also then.
  template <class Operation>
  Disagreement run(Operation operation, bool applies = false) {
    try {
      operation();
    } catch (const Stop&) {
      return applies ? hostility_.ended() : hostility_.interrupted();
    }
    return hostility_.ended();
  }
  void count_down() {
    if (calls_left_ != kNever && calls_left_-- == 0) throw Stop();
  }

  Disagreement iterate() {
    const std::size_t any_way = pair_.bytes.below(8);
    const bool in_tables = pair_.world.storage<Health>() == Storage::table;
    const std::size_t way = any_way == 4 && !in_tables ? 3 : any_way;  // Blocks are for tables alone.
    calls_left_ = pair_.bytes.chance(4) ? pair_.bytes.below(8) : kNever;
    pair_.log("iterate, way ", way, calls_left_ == kNever ? "" : ", until a visitor throws");
    pair_.world.defragment();  // A cascade might do so at first, before any visit.
    if (Disagreement wrong = hostility_.ended()) return wrong;
    std::set<Entity> expected;
    for (const Entity entity : pair_.model.tree.all()) {
      const bool enabled = !pair_.model.is_disabled(entity);
      if (enabled && pair_.model.number(entity, kHealth) != -1) expected.insert(entity);
    }
    std::set<Entity> visited;
    bool twice = false;
    hostility_.model_is_ahead();  // An iteration changes nothing.
    const auto visit = [&](Entity entity, auto&&...) {
      count_down();
      hostility_.visit();
      twice = !visited.insert(entity).second || twice;
    };
    bool finished = false;
    const bool is_loop = way == 3 || way == 7;  // A range-for.
    const Disagreement wrong = run(
        [&] {
          iterate_by(way, visit);
          finished = true;
        },
        is_loop);
    if (wrong) return wrong;
    if (twice) return "an entity was visited twice";
    return !finished || visited == expected ? Disagreement() : "other entities were visited";
  }
  template <class Visit>
  void iterate_by(std::size_t way, Visit visit) {
    if (way == 0) query_.each(visit);
    if (way == 1) query_.cascade().each(visit);
    if (way == 2) query_.cascade(up).each(visit);
    if (way == 3) {
      for (const auto [entity, health] : query_) visit(entity);
    }
    if (way == 4) {
      query_.each_block([&](std::span<const Entity> entities, std::span<const Health>) {
        for (const Entity entity : entities) visit(entity);
      });
    }
    if (way == 5) {
      query_
          .order_by<Health>([&](const Health& a, const Health& b) {
            hostility_.visit();
            return a.points % 3 < b.points % 3;
          })
          .each(visit);
    }
    if (way == 6) {
      query_
          .order_by<Health>([&](const Health& a) {
            hostility_.visit();
            return a.points % 3;
          })
          .each(visit);
    }
    if (way == 7) {
      // One iteration around both, so that commands wait until their end.
      Query<Entity> all = pair_.world.query<Entity>();
      for ([[maybe_unused]] const auto& any : all) {
        roots_and_children(visit);
        break;
      }
    }
  }
  template <class Visit>
  void roots_and_children(Visit visit) {
    query_.each([&](Entity entity, const Health&) {
      if (!pair_.world.parent(entity)) visit(entity);
      auto children = query_.children_of(entity);
      children.each(visit);
    });
    // Children of entities without Health, and of disabled ones.
    query_.each([&](Entity entity, const Health&) {
      const Entity parent = pair_.model.tree.parent(entity);
      const bool visited = pair_.model.number(parent, kHealth) != -1 && !pair_.model.is_disabled(parent);
      if (parent && !visited) visit(entity);
    });
  }

  Disagreement sort() {
    const std::size_t way = pair_.bytes.below(7);
    const std::size_t kind = pair_.bytes.below(3);
    calls_left_ = pair_.bytes.chance(4) ? pair_.bytes.below(12) : kNever;
    contradicts_ = pair_.bytes.chance(4);
    pair_.log("sort ", kTypedKinds[kSparse[kind]].name, " in way ", way,
              contradicts_ ? " by contradictions" : "",
              calls_left_ == kNever ? "" : ", until the order throws");
    if (kTypedKinds[kSparse[kind]].storage(pair_.world) == Storage::table) return {};
    return run([&] {
      if (kind == 0) sort_by<SparseHealth>(way);
      if (kind == 1) sort_by<SparseHooked>(way);
      if (kind == 2) sort_by<StableHooked>(way);
    });
  }
  template <class T>
  void sort_by(std::size_t way) {
    const auto key = [&](const T& value) {
      tick();
      return contradicts_ ? next_random() % 5 : static_cast<std::size_t>(number_in(value)) % 5;
    };
    const auto less = [&](const T& a, const T& b) { return key(a) < key(b); };
    const auto less_entity = [&](Entity a, Entity b) {
      tick();
      return contradicts_ ? next_random() % 2 == 0 : b < a;
    };
    World& world = pair_.world;
    if (way == 0) world.pool<T>().sort(less);
    if (way == 1) world.pool<T>().sort(key);
    if (way == 2) world.pool<T>().sort(less_entity, sorting::Insertion());
    if (way == 3) world.pool<T>().sort(less, sorting::InPlace<>());
    if (way == 4) world.pool<T>().sort(less, sorting::BySwaps<>());
    if (way == 5) world.pool<T>().sort(less_entity, sorting::ByPermutation<>());
    if (way == 6) world.pool<T>().sort_step(less, 40);
  }
  void tick() {
    count_down();
    hostility_.compare_members();
  }
  std::size_t next_random() { return (random_ = random_ * 1664525 + 1013904223) >> 16 & 0xFFFF; }

  /// Takes a component away from all entities: all destructors run, and see that none has it.
  Disagreement clear() {
    const std::size_t kind = kSparse[pair_.bytes.below(3)];
    pair_.log("clear ", kTypedKinds[kind].name);
    if (kTypedKinds[kind].storage(pair_.world) == Storage::table) return {};
    std::size_t expected = 0;
    for (auto& [entity, numbers] : pair_.model.numbers) expected += numbers.erase(kind);
    hostility_.model_is_ahead();
    World& world = pair_.world;
    const std::size_t cleared = kind == kSparseHealth   ? world.pool<SparseHealth>().clear()
                                : kind == kSparseHooked ? world.pool<SparseHooked>().clear()
                                                        : world.pool<StableHooked>().clear();
    return cleared == expected ? hostility_.ended() : "clear answered wrongly";
  }
  Disagreement compact() {
    pair_.log("compact StableHooked");
    if (kTypedKinds[kStableHooked].storage(pair_.world) == Storage::table) return {};
    pair_.world.pool<StableHooked>().compact();
    return hostility_.ended();
  }

  static constexpr std::array kSparse{kSparseHealth, kSparseHooked, kStableHooked};

  WorldPair& pair_;
  WorldHostility& hostility_;
  Query<Entity, const Health> query_ = pair_.world.query<Entity, const Health>();
  std::size_t calls_left_ = kNever;
  bool contradicts_ = false;
  std::size_t random_ = 1;
};

}  // namespace strata::test
