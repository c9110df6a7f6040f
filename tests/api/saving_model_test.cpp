#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <string>
#include <vector>

#include "saving_turns.hpp"

namespace strata::test::saving_model_test {

namespace {

/// Worlds with other layouts and storages that get the same changes have the same digest; a change in one of them alone
/// shows in the digest exactly if it shows in words.
Disagreement digests_agree(Bytes& bytes, Log& log) {
  World first({.layout = Layout::per_parent});
  World second({.layout = Layout::per_level});
  World third({.layout = Layout::adaptive, .large_family = 2});
  third.set_storage<Speed>(Storage::sparse);
  third.set_storage<SparseItem>(Storage::table);
  (void)third.component<Chain>();  // Ids differ.
  std::vector<Entity> entities;
  bool apart = false;
  while (bytes.turn()) {
    apart = apart || bytes.chance(40);
    if (!apart) {
      apply_turn(entities, bytes, log, first, second, third);
      if (digest(first) != digest(second)) return "the digest depends on the layout";
      if (digest(first) != digest(third)) return "the digest depends on the storage";
      for (const WorldDifference& difference : find_differences(first, third)) return difference.sentence;
    } else {
      log("in the second world alone:");
      apply_turn(entities, bytes, log, second);
      std::erase_if(entities, [&](Entity entity) { return !first.alive(entity); });
      const bool differs = !find_differences(first, second, 1).empty();
      if (differs != (digest(first) != digest(second))) return "digest and differences disagree";
    }
  }
  return {};
}

}  // namespace

TEST_SUITE("api/saving") {
  STRATA_MODEL_TEST("digests are equal exactly if nothing differs", digests_agree, .runs = 120, .turns = 100);
}

}  // namespace strata::test::saving_model_test
