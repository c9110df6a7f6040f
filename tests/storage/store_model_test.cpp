#include "../../storage/store.hpp"

#include <doctest/doctest.h>

#include <array>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "../../storage/store_change.hpp"
#include "../support/failing_memory.hpp"
#include "../support/hooked.hpp"
#include "../support/model_test.hpp"
#include "../support/refusal.hpp"
#include "../support/values.hpp"

namespace strata::test::store_model_test {

using namespace detail;

namespace {

// What a store says, kept the dumb way: every live entity, its branch and its components by kind.
struct Record {
  Branch* branch;
  std::map<std::size_t, int> numbers;
};

struct Subject {
  HookScope hooks;
  FailingMemory memory;
  Store store{&memory};
  std::vector<Kind> kinds = hooked_kinds(store.registry());

  /// Returns: all kinds, with those that run code of this test.
  static std::vector<Kind> hooked_kinds(Registry& registry) {
    std::vector<Kind> kinds = all_kinds(registry);
    kinds.push_back(kind_of<Hooked>(registry, "Hooked"));
    kinds.push_back(kind_of<SparseHooked>(registry, "SparseHooked"));
    kinds.push_back(kind_of<StableHooked>(registry, "StableHooked"));
    return kinds;
  }
};

class StoreTest {
 public:
  StoreTest(Bytes& bytes, Log& log) : bytes_(bytes), log_(log) {
    branches_.push_back(&store().tables().root());
    subject_.hooks->moved = [this](int) { act(false); };
    subject_.hooks->destroyed = [this](int) { act(true); };
  }

  StoreTest(const StoreTest&) = delete;
  StoreTest& operator=(const StoreTest&) = delete;
  ~StoreTest() { Hooks::all() = {}; }

  Disagreement turn() {
    acts_left_ = 6;
    unbuilt_ = {};
    is_ahead_ = false;
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
    return wrong_;
  }

 private:
  /// What code of values does while the store moves or destroys them: it looks at the store and tries to change it.
  /// When values are destroyed, the store is whole, and as the model says if that is ahead.
  void act(bool destroys) {
    if (acts_left_ == 0) return;
    --acts_left_;
    const Entity entity = seen_.empty() ? Entity(1, 1) : seen_[++acts_ * 7 % seen_.size()];
    for (const Kind& kind : kinds()) {
      const void* const value = entity == unbuilt_ ? nullptr : store().find(entity, kind.id);
      if (value != nullptr && kind.read(value) < 0)
        wrong_ = std::string("half a value is found: ") + kind.name;
    }
    if (destroys) {
      if (std::string broken = store().check_invariants(); !broken.empty()) wrong_ = broken;
      if (is_ahead_) {
        if (Disagreement wrong = compare(entity)) wrong_ = "in a destructor: " + *wrong;
      }
    } else if (!says(refusal([&] { const ChangeGuard::Iteration iteration(store().guard()); }),
                     "moves values")) {
      wrong_ = "an iteration is not refused while values are moved";
    }
    const std::string said = refusal([&] { change(entity); });
    if (!says(said, "is under way")) wrong_ = "a change by code of a value is refused with \"" + said + '"';
  }
  void change(Entity entity) {
    const ComponentId id = kinds()[acts_ % kinds().size()].id;
    if (acts_ % 3 == 0) {
      store().destroy(entity);
    } else if (acts_ % 3 == 1) {
      store().remove(entity, id);
    } else {
      store().add(entity, id);
    }
  }

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
  void defragment(Place place, Record& record, std::size_t picked) {
    std::map<std::size_t, int> numbers;
    for (const auto& [kind, number] : record.numbers) {
      if (store().registry()[kinds()[kind].id].storage == Storage::sparse) numbers[kind] = number;
    }
    for (std::size_t kind = 0; kind < kinds().size(); ++kind) {
      if ((picked >> kind & 1) == 0) continue;
      const auto had = record.numbers.find(kind);
      numbers[kind] = had != record.numbers.end() ? had->second : fresh();
      if (had == record.numbers.end() && !kinds()[kind].tag) {
        kinds()[kind].make(place.block->format->find(*place.block, place.row, kinds()[kind].id),
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
      const auto [entity, place] = store().create_row(archetype_of(picked), *branch);
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
    if (issued) born(entity, store().create_row(archetype_of(picked), *branch, entity).place, branch, picked);
    return {};
  }
  void born(Entity entity, Place place, Branch* branch, std::size_t picked) {
    Record& record = records_[entity];
    record.branch = branch;
    defragment(place, record, picked);
    seen_.push_back(entity);
    known_.insert(entity);
  }

  Disagreement destroy() {
    const Entity entity = pick();
    log_("destroy ", entity);
    const bool expected = records_.erase(entity) == 1;
    is_ahead_ = true;
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
    is_ahead_ = true;
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
    is_ahead_ = true;
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
    unbuilt_ = entity;  // Its new values, by this test.
    defragment(store().change_archetype(entity, archetype_of(picked)), record->second, picked);
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
    store().tables().reserve_rank(*branch, rank);
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
  std::size_t acts_ = 0;
  std::size_t acts_left_ = 0;
  Entity unbuilt_;
  bool is_ahead_ = false;
  Disagreement wrong_;
};

Disagreement store_agrees(Bytes& bytes, Log& log) {
  const CountedScope scope;
  const int hooked = live_hooked;
  {
    StoreTest test(bytes, log);
    if (Disagreement wrong = take_turns(test, bytes)) return wrong;
  }
  if (live_hooked != hooked) return "a value that calls hooks was leaked or destroyed twice";
  if (scope.leaked() != 0) return "a value was leaked or destroyed twice";
  if (scope.misuses() != 0) return "a value was used after its end";
  return {};
}

}  // namespace

TEST_SUITE("storage/store") {
  STRATA_MODEL_TEST("a store behaves like a map of entities to their components", store_agrees, .runs = 40,
                    .turns = 100);
}

}  // namespace strata::test::store_model_test
