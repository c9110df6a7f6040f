// The cascades of a world, compared with the values that its model says.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "../support/cascade_check.hpp"
#include "world_model.hpp"

namespace strata::test {

/// Queries that live through a whole run, with parents' values in tables and in the side store.
class WorldCascades {
 public:
  explicit WorldCascades(WorldPair& pair) : pair_(pair) {}

  /// Runs cascades until rows out of order have cost more than defragmentation does, if they cost anything.
  void repeat() {
    for (int i = 0; i < 100; ++i) one_.cascade().each([](Entity, const Health&, const Health*) {});
  }

  Disagreement check() {
    const WorldModel& model = pair_.model;
    const auto number = [&](Entity entity, std::size_t kind) { return model.number(entity, kind); };
    const auto above = [&](Entity entity, std::size_t kind) {
      return model.number(model.tree.parent(entity), kind);
    };
    using Numbers = std::optional<std::vector<int>>;
    const auto one = [&](Entity entity) -> Numbers {
      if (number(entity, kHealth) == -1) return {};
      return std::vector{number(entity, kHealth), above(entity, kHealth)};
    };
    const auto two = [&](Entity entity) -> Numbers {
      return std::vector{number(entity, kHealth), above(entity, kHealth), above(entity, kCounted)};
    };
    const auto sparse = [&](Entity entity) -> Numbers {
      return std::vector{above(entity, kSparseHealth), above(entity, kHealth)};
    };
    const auto mixed = [&](Entity entity) -> Numbers {
      if (number(entity, kSparseCounted) == -1 || number(entity, kFrozen) != -1) return {};
      if (number(entity, kCounted) == -1 && number(entity, kWide) == -1) return {};
      return std::vector{number(entity, kSparseHealth)};
    };
    const auto has_above = [&](Entity entity, std::size_t kind) {
      const std::vector<Entity> ancestors = model.tree.ancestors(entity);
      return std::any_of(ancestors.begin(), ancestors.end(),
                         [&](Entity ancestor) { return number(ancestor, kind) != -1; });
    };
    const auto below = [&](Entity entity) -> Numbers {
      if (above(entity, kCounted) == -1 || has_above(entity, kSparseHealth)) return {};
      return std::vector{number(entity, kHealth), above(entity, kHealth)};
    };
    const auto deep = [&](Entity entity) -> Numbers {
      if (!has_above(entity, kHealth) || above(entity, kFrozen) != -1) return {};
      return std::vector<int>{};
    };
    const auto sparse_below = [&](Entity entity) -> Numbers {
      if (number(entity, kSparseHealth) == -1 || has_above(entity, kFrozen)) return {};
      return std::vector{number(entity, kSparseHealth)};
    };
    const bool in_tables = pair_.world.storage<Health>() == Storage::table;
    const auto check = [&](auto& query, auto expect, bool in_blocks) {
      const auto of_enabled = [&](Entity entity) {
        return model.is_disabled(entity) ? Numbers() : expect(entity);
      };
      return check_cascades(query, model.tree, of_enabled, in_blocks);
    };
    if (Disagreement wrong = check(one_, one, in_tables)) return wrong;
    if (Disagreement wrong = check(two_, two, in_tables)) return wrong;
    if (Disagreement wrong = check(below_, below, in_tables)) return *wrong + ", below";
    if (Disagreement wrong = check(deep_, deep, true)) return *wrong + ", deep";
    if (Disagreement wrong = check(sparse_below_, sparse_below, false)) return *wrong + ", sparse below";
    if (Disagreement wrong = check(mixed_, mixed, false)) return wrong;
    return check(sparse_, sparse, true);
  }

 private:
  WorldPair& pair_;
  Query<Entity, const Health, Parent<const Health>> one_ =
      pair_.world.query<Entity, const Health, Parent<const Health>>();
  Query<Entity, Maybe<const Health>, Parent<const Health>, Parent<const Counted>> two_ =
      pair_.world.query<Entity, Maybe<const Health>, Parent<const Health>, Parent<const Counted>>();
  using Below = Query<Entity, Maybe<const Health>, Parent<const Health>, With<Parent<Counted>>,
                      Without<Up<SparseHealth>>>;
  Below below_{pair_.world.query<Entity, Maybe<const Health>, Parent<const Health>, With<Parent<Counted>>,
                                 Without<Up<SparseHealth>>>()};
  Query<Entity, With<Up<Health>>, Without<Parent<Frozen>>> deep_ =
      pair_.world.query<Entity, With<Up<Health>>, Without<Parent<Frozen>>>();
  Query<Entity, const SparseHealth, Without<Up<Frozen>>> sparse_below_ =
      pair_.world.query<Entity, const SparseHealth, Without<Up<Frozen>>>();
  using Mixed =
      Query<Entity, Maybe<const SparseHealth>, With<SparseCounted>, Without<Frozen>, AnyOf<Counted, Wide>>;
  Mixed mixed_{pair_.world.query<Entity, Maybe<const SparseHealth>, With<SparseCounted>, Without<Frozen>,
                                 AnyOf<Counted, Wide>>()};
  Query<Entity, Parent<const SparseHealth>, Parent<const Health>> sparse_ =
      pair_.world.query<Entity, Parent<const SparseHealth>, Parent<const Health>>();
};

}  // namespace strata::test
