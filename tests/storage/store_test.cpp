#include "../../storage/store.hpp"

#include <doctest/doctest.h>

#include <array>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"
#include "../support/values.hpp"

using namespace strata;
using namespace strata::test;

namespace {

// What a store says, kept the dumb way: every live entity, its branch and its components by kind.
struct Record {
  Branch* branch;
  std::map<std::size_t, int> numbers;
};

struct Subject {
  FailingMemory memory;
  Store store{&memory};
  std::vector<Kind> kinds = all_kinds(store.registry());
};

class StoreTest {
 public:
  StoreTest(Bytes& bytes, Log& log) : bytes_(bytes), log_(log) {
    branches_.push_back(&store().tables().root());
  }

  Disagreement turn() {
    switch (bytes_.below(10)) {
      case 0:
        return create();
      case 1:
        return create_at();
      case 2:
        return destroy();
      case 3:
      case 4:
        return add();
      case 5:
        return remove();
      case 6:
        return move_to_branch();
      case 7:
        return change_archetype();
      case 8:
        return change_branch();
      default:
        return drop_branch();
    }
  }

  Disagreement compare() const {
    for (const Entity entity : seen_) {
      if (Disagreement wrong = compare(entity)) return wrong;
    }
    if (std::string broken = store().check_invariants(); !broken.empty()) return broken;
    return {};
  }

 private:
  Store& store() { return subject_.store; }
  const Store& store() const { return subject_.store; }
  const std::vector<Kind>& kinds() const { return subject_.kinds; }

  Entity pick() {
    if (seen_.empty() || bytes_.chance(10)) {
      return {static_cast<std::uint32_t>(bytes_.below(40)), static_cast<std::uint32_t>(bytes_.below(4))};
    }
    return seen_[bytes_.below(seen_.size())];
  }
  Branch* pick_branch() { return branches_[bytes_.below(branches_.size())]; }

  // A set of kinds stored in tables, as bits.
  std::size_t pick_table_kinds() {
    std::size_t picked = bytes_.below(65536);
    for (std::size_t kind = 0; kind < 16; ++kind) {
      const bool in_table =
          kind < kinds().size() && store().registry()[kinds()[kind].id].storage == Storage::table;
      if (!in_table) picked &= ~(std::size_t{1} << kind);
    }
    return picked;
  }
  Archetype& archetype_of(std::size_t picked) {
    std::vector<ComponentId> ids;
    for (std::size_t kind = 0; kind < kinds().size(); ++kind) {
      if ((picked >> kind & 1) != 0) ids.push_back(kinds()[kind].id);
    }
    return store().archetypes().get(Signature(ids, std::pmr::new_delete_resource()));
  }

  // Builds the values that a row has too little, and drops from the record those it has no more.
  void settle(Place place, Record& record, std::size_t picked) {
    std::map<std::size_t, int> numbers;
    for (const auto& [kind, number] : record.numbers) {
      if (store().registry()[kinds()[kind].id].storage == Storage::sparse) numbers[kind] = number;
    }
    for (std::size_t kind = 0; kind < kinds().size(); ++kind) {
      if ((picked >> kind & 1) == 0) continue;
      const auto had = record.numbers.find(kind);
      numbers[kind] = had != record.numbers.end() ? had->second : fresh();
      if (had == record.numbers.end() && !kinds()[kind].tag) {
        kinds()[kind].make(place.block->layout->find(*place.block, place.row, kinds()[kind].id),
                           numbers[kind]);
      }
    }
    record.numbers = numbers;
  }
  int fresh() { return ++last_number_ % 1'000'000; }

  Disagreement create() {
    const std::size_t picked = pick_table_kinds();
    Branch* branch = pick_branch();
    const std::size_t count = bytes_.chance(4) ? bytes_.below(24) : 1;
    log_("create ", count, " at rank ", branch->rank, " with ", names_of(kinds(), picked));
    for (std::size_t i = 0; i < count; ++i) {
      const Place place = store().create(archetype_of(picked), *branch);
      const Entity entity = place.block->layout->entities(*place.block)[place.row];
      if (known_.contains(entity)) return "create issued " + to_string(entity) + " twice";
      born(entity, place, branch, picked);
    }
    return {};
  }
  Disagreement create_at() {
    const Entity entity = pick();
    const std::size_t picked = pick_table_kinds();
    Branch* branch = pick_branch();
    log_("create at ", entity, " with ", names_of(kinds(), picked));
    const bool issued = store().slots().reserve_at(entity);
    if (issued && (known_.contains(entity) || !entity)) return "create_at revived " + to_string(entity);
    if (issued) born(entity, store().create_reserved(entity, archetype_of(picked), *branch), branch, picked);
    return {};
  }
  void born(Entity entity, Place place, Branch* branch, std::size_t picked) {
    Record& record = records_[entity];
    record.branch = branch;
    settle(place, record, picked);
    seen_.push_back(entity);
    known_.insert(entity);
  }

  Disagreement destroy() {
    const Entity entity = pick();
    log_("destroy ", entity);
    const bool expected = records_.erase(entity) == 1;
    if (store().destroy(entity) != expected) return "destroy(" + to_string(entity) + ") answered wrongly";
    return {};
  }

  Disagreement add() {
    const Entity entity = pick();
    const std::size_t kind = bytes_.below(kinds().size());
    const auto record = records_.find(entity);
    log_("add ", kinds()[kind].name, " to ", entity);
    if (record == records_.end()) {
      try {
        store().add(entity, kinds()[kind].id);
      } catch (const ContractViolation&) {
        return {};
      }
      return "add to the stale " + to_string(entity) + " was not refused";
    }
    record->second.numbers[kind] = fresh();
    alignas(64) std::array<std::byte, sizeof(Huge) + 64> value;
    if (!kinds()[kind].tag) kinds()[kind].make(value.data(), record->second.numbers[kind]);
    store().add(entity, kinds()[kind].id, value.data());
    return {};
  }

  Disagreement remove() {
    const Entity entity = pick();
    const std::size_t kind = bytes_.below(kinds().size());
    log_("remove ", kinds()[kind].name, " from ", entity);
    const auto record = records_.find(entity);
    const bool expected = record != records_.end() && record->second.numbers.erase(kind) == 1;
    if (store().remove(entity, kinds()[kind].id) != expected) return "remove answered wrongly";
    return {};
  }

  Disagreement move_to_branch() {
    const Entity entity = pick();
    Branch* branch = pick_branch();
    const auto record = records_.find(entity);
    if (record == records_.end()) return {};
    log_("move ", entity, " to a branch of rank ", branch->rank);
    const Place place = store().move_to_branch(entity, *branch);
    if (&table_of(*place.block).branch() != branch) return "the row is in another branch";
    record->second.branch = branch;
    return {};
  }

  Disagreement change_archetype() {
    const Entity entity = pick();
    const std::size_t picked = pick_table_kinds();
    const auto record = records_.find(entity);
    if (record == records_.end()) return {};
    log_("change ", entity, " to ", names_of(kinds(), picked));
    settle(store().change_archetype(entity, archetype_of(picked)), record->second, picked);
    return {};
  }

  Disagreement change_branch() {
    const auto rank = static_cast<std::uint32_t>(bytes_.below(6));
    if (branches_.size() < 2 || bytes_.chance(2)) {
      log_("create a branch of rank ", rank);
      branches_.push_back(&store().tables().create_branch(rank, 0));
      return {};
    }
    Branch* branch = branches_[1 + bytes_.below(branches_.size() - 1)];
    log_("change rank ", branch->rank, " to ", rank);
    store().tables().expect_rank(*branch, rank);
    store().tables().set_rank(*branch, rank);
    return {};
  }

  Disagreement drop_branch() {
    if (branches_.size() < 2) return {};
    const std::size_t which = 1 + bytes_.below(branches_.size() - 1);
    Branch* branch = branches_[which];
    for (const auto& [entity, record] : records_) {
      if (record.branch == branch) return {};
    }
    log_("drop a branch of rank ", branch->rank);
    store().tables().drop_branch(*branch);
    branches_.erase(branches_.begin() + static_cast<std::ptrdiff_t>(which));
    return {};
  }

  Disagreement compare(Entity entity) const {
    const auto record = records_.find(entity);
    const bool alive = record != records_.end();
    if (store().alive(entity) != alive) return "alive(" + to_string(entity) + ") is wrong";
    for (std::size_t kind = 0; kind < kinds().size(); ++kind) {
      const std::string what = std::string(kinds()[kind].name) + " of " + to_string(entity);
      const bool has = alive && record->second.numbers.contains(kind);
      if (store().has(entity, kinds()[kind].id) != has) return "has is wrong for " + what;
      const void* value = store().find(entity, kinds()[kind].id);
      if ((value != nullptr) != (has && !kinds()[kind].tag)) return "find is wrong for " + what;
      if (value && kinds()[kind].read(value) != record->second.numbers.at(kind))
        return what + " has a wrong value";
    }
    return {};
  }

  Subject subject_;
  Bytes& bytes_;
  Log& log_;
  std::map<Entity, Record> records_;
  std::vector<Branch*> branches_;
  std::vector<Entity> seen_;
  std::set<Entity> known_;
  int last_number_ = 0;
};

Disagreement store_agrees(Bytes& bytes, Log& log) {
  const CountedScope scope;
  {
    StoreTest test(bytes, log);
    while (bytes.turn()) {
      if (Disagreement wrong = test.turn()) return wrong;
      if (Disagreement wrong = test.compare()) return wrong;
    }
  }
  if (scope.leaked() != 0) return "a value was leaked or destroyed twice";
  if (scope.misuses() != 0) return "a value was used after its end";
  return {};
}

}  // namespace

TEST_SUITE("storage/store") {
  STRATA_MODEL_TEST("a store behaves like a map of entities to their components", store_agrees, .runs = 80,
                    .turns = 100);

  TEST_CASE("a change of an entity that is not alive is refused with its name") {
    Subject subject;
    const ComponentId health = subject.store.registry().id_of<Health>();
    CHECK_THROWS_WITH_AS(subject.store.add(Entity(7, 2), health),
                         "add: entity 7v2 is stale or was never issued", ContractViolation);
    CHECK_THROWS_WITH_AS(subject.store.add(Entity(), health), "add: entity none names nothing",
                         ContractViolation);
    CHECK(!subject.store.remove(Entity(7, 2), health));
    CHECK(!subject.store.destroy(Entity(7, 2)));
    CHECK(subject.store.find(Entity(7, 2), health) == nullptr);
  }
  TEST_CASE("a structural change while iterating is refused, and the way out is named") {
    Subject subject;
    Store& store = subject.store;
    const Place place = store.create(store.archetypes().empty(), store.tables().root());
    const Entity entity = place.block->layout->entities(*place.block)[place.row];
    const ComponentId health = store.registry().id_of<Health>();
    {
      const Store::IterationLock outer(store);
      { const Store::IterationLock inner(store); }
      CHECK_THROWS_AS(store.add(entity, health), ContractViolation);
      CHECK_THROWS_AS(store.remove(entity, health), ContractViolation);
      CHECK_THROWS_WITH_AS(
          store.destroy(entity),
          "destroy of entity 0v1 while a query is iterating: record it with world.commands()",
          ContractViolation);
    }
    CHECK(store.destroy(entity));
  }
  TEST_CASE("all memory goes back where it came from") {
    FailingMemory memory;
    {
      Store store(&memory);
      const std::vector<Kind> kinds = all_kinds(store.registry());
      for (int i = 0; i < 100; ++i) {
        const Place place = store.create(store.archetypes().empty(), store.tables().root());
        const Entity entity = place.block->layout->entities(*place.block)[place.row];
        for (const Kind& kind : kinds) {
          const Store::Added added = store.add(entity, kind.id);
          if (!kind.tag) kind.make(added.value, i);
        }
      }
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
  }
}
