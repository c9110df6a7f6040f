#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "../support/components.hpp"
#include "../support/model_test.hpp"
#include "relations_reading.hpp"

namespace strata::test::relations_model_test {

namespace {

constexpr std::size_t kMostEntities = 40;

class RelationsTest : public RelationsReading {
 public:
  using RelationsReading::RelationsReading;

  Disagreement turn() {
    const std::size_t change = bytes_.below(30);
    if (change == 0) observe();
    if (change == 1 || change == 2) observe_pairs();
    added_.clear();
    removed_.clear();
    several_ = false;
    wrong_pair_ = {};
    const std::set<PairKey> before = mirror_;
    if (Disagreement wrong = act()) return wrong;
    return compare_notified(before);
  }

 private:
  using PairKey = std::tuple<std::size_t, Entity, Entity>;

  Disagreement act() {
    const std::size_t what = bytes_.below(18);
    if (what < 4) return create();
    if (what < 9) return add();
    if (what == 9) return remove();
    if (what == 10) return destroy_many();
    if (what == 11) return instantiate();
    if (what == 12) return re_parent();
    if (what == 13) return command();
    if (what == 14) return other();
    if (what == 16) return follow();
    if (what == 15) return bytes_.chance(3) ? list_all() : query();
    return destroy();
  }

  /// Begins or ends to observe the pairs of all relations. Those that exist are told at once, to `mirror_`.
  void observe_pairs() {
    if (!pair_observers_.empty()) {
      pair_observers_.clear();
      mirror_.clear();
      return;
    }
    log_("observe pairs");
    for (std::size_t relation = 0; relation < ids_.size(); ++relation) {
      pair_observers_.push_back(world_.observers().on_pair_remove(
          ids_[relation], [this, relation](Entity source, Entity target, void* value) {
            lose({relation, source, target}, value);
          }));
      pair_observers_.push_back(world_.observers().on_pair_add(
          ids_[relation],
          [this, relation](Entity source, Entity target, void* value) {
            gain({relation, source, target}, value);
          },
          Existing::notify));
    }
  }

  void gain(const PairKey& key, void* value) {
    if (!mirror_.insert(key).second) wrong_pair_ = "a pair was reported twice";
    added_.insert(key);
    check_pair(key, value);
  }
  void lose(const PairKey& key, void* value) {
    if (mirror_.erase(key) == 0) wrong_pair_ = "a pair was reported that was never there";
    removed_.insert(key);
    check_pair(key, value);
    const auto [relation, source, target] = key;
    if (several_ || relation == 1) return;
    for (const RelationsModel::Pair& pair : model_.pairs) {
      if (PairKey(pair.relation, pair.source, pair.target) != key) continue;
      if (static_cast<const Counted*>(value)->value() != pair.value)
        wrong_pair_ = "a removed pair has another value";
    }
  }
  /// Checks that a pair which is reported is there.
  void check_pair(const PairKey& key, void* value) {
    const auto [relation, source, target] = key;
    if (!world_.alive(source) || !world_.alive(target)) wrong_pair_ = "an end of a reported pair is dead";
    if (!world_.relations().has(source, target, ids_[relation])) wrong_pair_ = "a reported pair is not there";
    if (world_.relations().find(source, target, ids_[relation]) != value)
      wrong_pair_ = "a reported value is wrong";
  }

  /// Compares what was notified of in a turn with the pairs before and after it.
  Disagreement compare_notified(const std::set<PairKey>& before) const {
    if (pair_observers_.empty()) return {};
    if (wrong_pair_) return wrong_pair_;
    std::set<PairKey> after;
    for (const RelationsModel::Pair& pair : model_.pairs)
      after.insert({pair.relation, pair.source, pair.target});
    if (mirror_ != after) return "the pairs that were reported are not those of the world";
    if (several_) return {};  // A pair may come and go in one turn.
    for (const PairKey& key : added_) {
      if (before.contains(key)) return "a pair was reported that was there before";
    }
    for (const PairKey& key : removed_) {
      if (after.contains(key)) return "a pair was reported that is still there";
    }
    return {};
  }

  void observe() {
    if (observer_.active()) {
      observer_ = {};
    } else {
      observer_ = world_.observers().on_destroy([this](Entity entity) { notified_.push_back(entity); });
    }
  }

  Disagreement create() {
    if (model_.parents.size() >= kMostEntities) return {};
    const Entity parent = bytes_.chance(2) ? pick() : Entity();
    const bool below = alive(parent);
    seen_.push_back(below ? world_.create(child_of(parent)) : world_.create());
    log_("create ", seen_.back(), " below ", parent);
    model_.parents[seen_.back()] = below ? parent : Entity();
    if (bytes_.chance(4)) {
      model_.marks[seen_.back()] = static_cast<int>(seen_.size());
      world_.add(seen_.back(), Health{static_cast<int>(seen_.size())});
    }
    return {};
  }

  Disagreement add() {
    const std::size_t relation = bytes_.below(ids_.size());
    Entity source = pick();
    if (!bytes_.chance(4)) return add(relation, source, pick());
    const Entity first = source;
    several_ = true;
    for (int i = 0; i < 3; ++i) {  // A path, and the pair that closes it.
      const Entity target = pick();
      if (Disagreement wrong = add(relation, source, target)) return wrong;
      source = target;
    }
    return add(relation, source, first);
  }

  Disagreement add(std::size_t relation, Entity source, Entity target) {
    const int value = static_cast<int>(bytes_.below(100));
    log_("add ", relation, ": ", source, " to ", target, " = ", value);
    alignas(Counted) std::array<std::byte, sizeof(Counted)> place;
    Counted* const given = ::new (static_cast<void*>(place.data())) Counted(value);
    const bool closes = model_.options[relation].acyclic && model_.leads_to(relation, target, source);
    const bool may = alive(source) && alive(target) && source != target && !closes;
    if (static_cast<bool>(world_.relations().may_add(source, target, ids_[relation])) != may) {
      given->~Counted();
      return "may_add is wrong";
    }
    if (may) {
      if (relation == 1) given->~Counted();
      world_.relations().add(source, target, ids_[relation], relation == 1 ? nullptr : given);
      model_.add(relation, source, target, value);
      return {};
    }
    bool refused = false;
    try {
      world_.relations().add(source, target, ids_[relation], given);
    } catch (const ContractViolation&) {
      refused = true;
    }
    given->~Counted();
    return refused ? Disagreement()
                   : "a pair of stale or equal entities, or one that closes a cycle, was added";
  }

  Disagreement remove() {
    const std::size_t relation = bytes_.below(ids_.size());
    const Entity source = pick();
    const Entity target = pick();
    log_("remove ", relation, ": ", source, " to ", target);
    if (bytes_.chance(4)) {  // Those of the types can be removed at once.
      const std::size_t removed = world_.relations().remove_targets<Follows>(source);
      if (model_.remove_if(0, [&](Entity from, Entity) { return from == source; }) != removed)
        return "the wrong number of targets was removed";
      return {};
    }
    const bool removed = world_.relations().remove(source, target, ids_[relation]);
    const std::size_t expected =
        model_.remove_if(relation, [&](Entity from, Entity to) { return from == source && to == target; });
    return removed == (expected != 0) ? Disagreement() : "a pair was removed, or not";
  }

  /// Destroys entities by `destroy`, which returns whether it has answered as it should, given the number
  /// of destroyed entities.
  template <class Destroy>
  Disagreement destroy_by(const std::vector<Entity>& given, bool orphan, Destroy destroy) {
    const std::set<Entity> leaving = model_.closure(given, orphan);
    notified_.clear();
    bool refused = false;
    bool right = true;
    try {
      right = destroy(leaving.size());
    } catch (const ContractViolation&) {
      refused = true;
    }
    if (refused != model_.refuses(leaving))
      return refused ? "a destruction was refused" : "a destruction was not refused";
    if (refused) return notified_.empty() ? Disagreement() : "observers were told of what was refused";
    model_.destroy(leaving);
    if (observer_.active() && std::set<Entity>(notified_.begin(), notified_.end()) != leaving)
      return "observers were told of others";
    if (observer_.active() && notified_.size() != leaving.size()) return "observers were told twice";
    return right ? Disagreement() : "the answer of a destruction is wrong";
  }

  Disagreement destroy() {
    const Entity entity = pick();
    const bool orphan = bytes_.chance(3);
    log_("destroy ", entity, orphan ? ", children become roots" : "");
    if (bytes_.chance(4)) {
      const std::size_t children = world_.child_count(entity);
      const auto range = world_.children(entity);
      return destroy_by({range.begin(), range.end()}, false,
                        [&](std::size_t) { return world_.destroy_children(entity) == children; });
    }
    const bool was_alive = alive(entity);
    return destroy_by({entity}, orphan, [&](std::size_t) {
      return world_.destroy(entity, orphan ? ChildPolicy::orphan : ChildPolicy::destroy) == was_alive;
    });
  }

  Disagreement destroy_many() {
    std::vector<Entity> given;
    for (std::size_t i = bytes_.below(5); i-- > 0;) given.push_back(pick());
    log_("destroy ", given.size(), " entities from ", given.empty() ? Entity() : given.front());
    const std::set<Entity> leaving = model_.closure(given, false);
    const bool may = static_cast<bool>(world_.relations().may_destroy(given));
    if (may == model_.refuses(leaving)) return "may_destroy is wrong";
    return destroy_by(given, false, [&](std::size_t count) { return world_.destroy(given) == count; });
  }

  Disagreement instantiate() {
    const Entity root = pick();
    if (!alive(root)) return {};
    const auto range = world_.depth_first(root);
    const std::vector<Entity> originals(range.begin(), range.end());
    if (originals.size() * 2 + model_.parents.size() > kMostEntities) return {};
    log_("instantiate ", root, " twice");
    for (const Entity copy : world_.instantiate(root, 2)) {
      const auto copies = world_.depth_first(copy);
      std::map<Entity, Entity> copy_of;
      auto next = copies.begin();
      for (const Entity original : originals) copy_of[original] = *next++;
      copy_pairs(originals, copy_of);
      for (const auto& [original, one] : copy_of) {
        seen_.push_back(one);
        if (model_.marks.contains(original)) model_.marks[one] = model_.marks[original];
        const Entity above = model_.parents[original];
        model_.parents[one] = copy_of.contains(above) ? copy_of[above] : Entity();
      }
    }
    return {};
  }

  void copy_pairs(const std::vector<Entity>& originals, std::map<Entity, Entity>& copy_of) {
    const std::vector<RelationsModel::Pair> before = model_.pairs;
    for (std::size_t relation = 0; relation < ids_.size(); ++relation) {
      const RelationOptions& how = model_.options[relation];
      for (const Entity original : originals) {
        for (const RelationsModel::Pair& pair : before) {
          if (pair.relation != relation || pair.source != original) continue;
          const bool inside = copy_of.contains(pair.target);
          if (how.exclusive && how.symmetric && !inside) continue;
          model_.add(relation, copy_of[original], inside ? copy_of[pair.target] : pair.target, pair.value);
        }
      }
    }
  }

  Disagreement re_parent() {
    const Entity child = pick();
    const Entity parent = pick();
    log_("move ", child, " below ", parent);
    if (world_.set_parent(child, parent)) model_.parents[child] = parent;
    return {};
  }

  /// Records commands and applies them.
  Disagreement command() {
    const Entity source = pick();
    const Entity target = pick();
    const Entity leaving = pick();
    log_("commands: add ", source, " to ", target, ", destroy ", leaving);
    const int value = static_cast<int>(bytes_.below(100));
    several_ = true;
    world_.commands().add<Follows>(source, target, Follows(value));
    world_.commands().add<Bound>(target, source);
    const bool takes = bytes_.chance(3);
    if (takes) world_.commands().remove<Follows>(source, target);
    const bool destroys = bytes_.chance(2);
    if (destroys) world_.commands().destroy(leaving);
    world_.flush();

    if (alive(source) && alive(target) && source != target) {
      model_.add(0, source, target, value);
      model_.add(1, target, source, 0);
    }
    if (takes) {
      model_.remove_if(0, [&](Entity from, Entity to) { return from == source && to == target; });
    }
    if (!destroys) return {};
    const std::set<Entity> gone = model_.closure({leaving}, false);
    if (!model_.refuses(gone)) {
      model_.destroy(gone);
    } else if (world_.commands().refusals().empty()) {
      return "a command was not refused";
    }
    return {};
  }

  Disagreement other() {
    if (bytes_.chance(12)) {
      log_("clear");
      world_.clear();
      model_.parents.clear();
      model_.pairs.clear();
    } else if (bytes_.chance(2)) {
      log_("shrink");
      world_.shrink();
    } else {
      log_("move the world");
      World moved = std::move(world_);
      world_ = std::move(moved);
    }
    return {};
  }

  std::vector<Entity> notified_;
  Subscription observer_;
  std::vector<Subscription> pair_observers_;
  std::set<PairKey> mirror_;  // The pairs, as the observers were told.
  std::set<PairKey> added_, removed_;
  bool several_ = false;  // This turn makes several changes of pairs.
  Disagreement wrong_pair_;
};

Disagreement relations_agree(Bytes& bytes, Log& log) {
  const CountedScope scope;
  {
    RelationsTest test(bytes, log);
    if (Disagreement wrong = take_turns(test, bytes)) return wrong;
  }
  return scope.clean() ? Disagreement() : "a value was not destroyed, twice or misused";
}

}  // namespace

TEST_SUITE("api/relations") {
  STRATA_MODEL_TEST("relations are a set of triples, with clean-up by policy", relations_agree, .runs = 80,
                    .turns = 120);
}

}  // namespace strata::test::relations_model_test
