// Side store: which entities are in which pool, across the number of pools from which on that is recorded.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "../../storage/side_store/side_store.hpp"
#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"

namespace strata::test::side_store_model_test {

using namespace detail;

namespace {

// A set of entities for each pool. Pools are made as they are needed, so that a run has few first and more later.
class SideStoreTest {
 public:
  SideStoreTest(Bytes& bytes, Log& log) : bytes_(bytes), log_(log) { generations_.fill(1); }

  Disagreement turn() {
    switch (bytes_.below(8)) {
      case 0:
      case 1:
      case 2:
        return insert();
      case 3:
        return erase_from_pool();
      case 4:
      case 5:
        return erase();
      case 6:
        return erase_if();
      default:
        return shrink();
    }
  }

  Disagreement compare() const {
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const SparsePool* const pool = side_.find(ids_[i]);
      if ((pool != nullptr ? pool->size() : 0) != members_[i].size()) return "a pool has too few or too many";
      for (const Entity entity : members_[i]) {
        if (!pool->contains(entity)) return to_string(entity) + " has been lost";
      }
    }
    if (const std::string broken = side_.check_invariants(); !broken.empty()) return broken;
    return {};
  }

 private:
  static constexpr std::array<std::uint32_t, 8> kIndices{0, 1, 63, 64, 1023, 1024, 4096, 12'290};
  static constexpr std::size_t kComponents = 20;

  std::size_t which_entity() { return bytes_.below(kIndices.size()); }
  Entity entity_of(std::size_t which) const { return {kIndices[which], generations_[which]}; }

  Disagreement insert() {
    // One more component than there are, as often as not: it takes many turns to have more than few.
    const std::size_t pool = bytes_.below(std::min(ids_.size() + 1, kComponents));
    if (pool == ids_.size()) {
      const std::uint32_t entries = pool % 2 == 0 ? 64 : 4096;
      ids_.push_back(registry_.add({.name = "mark " + std::to_string(pool),
                                    .storage = Storage::sparse,
                                    .pool = {.entries_per_page = entries}}));
      members_.emplace_back();
    }
    const Entity entity = entity_of(which_entity());
    const std::size_t fail_at = bytes_.below(4) == 3 ? 1 + bytes_.below(6) : 0;
    log_("insert ", entity, " into ", pool, fail_at != 0 ? " while memory runs out" : "");
    if (fail_at != 0) memory_.fail_at(fail_at);
    try {
      side_.get(ids_[pool]).insert(entity);
      members_[pool].insert(entity);
    } catch (const std::bad_alloc&) {
      if (fail_at == 0) return "insert failed for no reason";
    }
    memory_.never_fail();
    return {};
  }
  Disagreement erase_from_pool() {
    if (ids_.empty()) return {};
    const std::size_t which = bytes_.below(ids_.size());
    const Entity entity = entity_of(which_entity());
    log_("erase ", entity, " from ", which);
    SparsePool* const pool = side_.find(ids_[which]);
    if ((pool != nullptr && pool->erase(entity)) != (members_[which].erase(entity) != 0)) {
      return "erase answered wrongly";
    }
    return {};
  }
  Disagreement erase() {
    const std::size_t which = which_entity();
    const Entity entity = entity_of(which);
    log_("erase ", entity, " from all");
    std::size_t left = 0;
    for (std::set<Entity>& members : members_) left += members.erase(entity);
    if (side_.erase(entity) < left) return "fewer pools were asked than it was in";
    ++generations_[which];
    return {};
  }
  Disagreement erase_if() {
    const std::uint32_t parity = bytes_.chance(2) ? 0 : 1;
    if (!bytes_.chance(4)) return {};
    const auto leaves = [&](Entity entity) { return entity.index() % 2 == parity; };
    log_("erase those whose index modulo 2 is ", parity);
    side_.erase_if(leaves);
    for (std::set<Entity>& members : members_) std::erase_if(members, leaves);
    return {};
  }
  Disagreement shrink() {
    log_("shrink");
    for (const ComponentId id : ids_) {
      if (SparsePool* const pool = side_.find(id)) pool->shrink();
    }
    side_.shrink_memberships();
    return {};
  }

  Bytes& bytes_;
  Log& log_;
  FailingMemory memory_;
  Registry registry_{std::pmr::new_delete_resource()};
  SideStore side_{registry_, &memory_};
  std::vector<ComponentId> ids_;
  std::vector<std::set<Entity>> members_;  // Of each of the ids.
  std::array<std::uint32_t, kIndices.size()> generations_{};
};

Disagreement side_store_agrees(Bytes& bytes, Log& log) {
  SideStoreTest test(bytes, log);
  while (bytes.turn()) {
    if (const Disagreement wrong = test.turn()) return wrong;
    if (const Disagreement wrong = test.compare()) return wrong;
  }
  return {};
}

}  // namespace

TEST_SUITE("storage/side_store") {
  STRATA_MODEL_TEST("pools behave like sets, few of them or many", side_store_agrees, .runs = 75,
                    .turns = 200);
}

}  // namespace strata::test::side_store_model_test
