#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"
#include "typed_kinds.hpp"

using namespace strata;
using namespace strata::test;

namespace {

template <class Range>
std::vector<Entity> listed(const Range& range) {
  std::vector<Entity> entities;
  for (const Entity entity : range) entities.push_back(entity);
  return entities;
}

// The model of a world: a forest, and every entity's components as numbers.
struct Model {
  TreeModel tree;
  std::map<Entity, std::map<std::size_t, int>> numbers;

  bool alive(Entity entity) const { return tree.contains(entity); }
  void create(Entity entity, Entity parent) {
    tree.create(entity, parent);
    numbers[entity] = {};
  }
  void forget_dead() {
    std::erase_if(numbers, [&](const auto& entry) { return !tree.contains(entry.first); });
  }
  void destroy(Entity entity) {
    tree.destroy(entity);
    forget_dead();
  }
  void destroy_alone(Entity entity) {
    tree.destroy_alone(entity);
    forget_dead();
  }
  int number(Entity entity, std::size_t kind) const {
    const auto found = numbers.find(entity);
    if (found == numbers.end() || !found->second.contains(kind)) return -1;
    return found->second.at(kind);
  }
};

class WorldTest {
 public:
  WorldTest(Layout layout, std::pmr::memory_resource* memory, Bytes& bytes, Log& log)
      : world_(WorldOptions{layout, memory}), bytes_(bytes), log_(log) {}

  Disagreement turn() {
    switch (bytes_.below(14)) {
      case 0:
      case 1:
      case 2:
        return create();
      case 3:
        return create_at();
      case 4:
        return destroy();
      case 5:
      case 6:
        return add();
      case 7:
        return remove();
      case 8:
      case 9:
        return set_parent();
      case 10:
        return clear_parent();
      case 11:
      case 12:
        return record();
      default:
        return flush();
    }
  }

  Disagreement compare() {
    if (world_.size() != model_.tree.size()) return "size() is wrong";
    for (const Entity entity : seen_) {
      if (Disagreement wrong = compare_components(entity)) return wrong;
      if (Disagreement wrong = compare_place(entity)) return wrong;
    }
    // The end of an iteration applies what is recorded, so these wait for a flush.
    for (const Direction direction : {Direction::down, Direction::up}) {
      if (!recorded_.empty()) break;
      if (Disagreement wrong = compare_cascade(direction)) return wrong;
    }
    if (const Outcome sound = world_.validate(); !sound) return sound.message();
    return {};
  }

 private:
  Entity pick() {
    if (seen_.empty() || bytes_.chance(12)) {
      return {static_cast<std::uint32_t>(bytes_.below(40)), static_cast<std::uint32_t>(bytes_.below(4))};
    }
    const std::size_t first = bytes_.below(seen_.size());
    if (bytes_.chance(4)) return seen_[first];
    // Mostly a live one: most of those ever seen are dead, and to them nothing much can happen.
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const Entity entity = seen_[(first + i) % seen_.size()];
      if (model_.alive(entity)) return entity;
    }
    return seen_[first];
  }
  // Often one of a few, so that the same component is added, replaced and removed.
  std::size_t pick_kind() { return bytes_.below(bytes_.chance(2) ? 4 : kTypedKinds.size()); }
  int fresh() { return ++last_number_ % 1'000'000; }

  Disagreement create() {
    const Entity parent = pick();
    const bool with_parent = bytes_.below(4) != 0;
    const std::size_t count = bytes_.chance(8) ? bytes_.below(12) : 1;
    const bool with_values = bytes_.chance(2);
    log_("create ", count, with_parent ? " under " + to_string(parent) : " roots",
         with_values ? " with Health" : "");
    for (std::size_t i = 0; i < count; ++i) {
      const int number = fresh();
      Entity entity;
      if (with_parent && !model_.alive(parent)) {
        return refused([&] { world_.create(child_of(parent), Health{number}); }, "a stale parent");
      }
      if (with_parent) {
        entity = with_values ? world_.create(child_of(parent), Health{number}, SparseHealth{number})
                             : world_.create(child_of(parent));
      } else {
        entity = with_values ? world_.create(Health{number}, SparseHealth{number}) : world_.create();
      }
      if (known_.contains(entity)) return "create issued " + to_string(entity) + " twice";
      born(entity, with_parent ? parent : Entity());
      if (with_values) model_.numbers[entity] = {{kHealth, number}, {kSparseHealth, number}};
    }
    return {};
  }
  Disagreement create_at() {
    const Entity entity = pick();
    log_("create at ", entity);
    const bool created = world_.create_at(entity);
    if (created && (!entity || known_.contains(entity))) return "create_at revived " + to_string(entity);
    if (created) born(entity, {});
    return {};
  }
  void born(Entity entity, Entity parent) {
    model_.create(entity, parent);
    if (known_.insert(entity).second) seen_.push_back(entity);
  }

  Disagreement destroy() {
    const Entity entity = pick();
    const bool orphan = bytes_.chance(3);
    log_("destroy ", entity, orphan ? " and orphan its children" : "");
    const bool expected = model_.alive(entity);
    if (world_.destroy(entity, orphan ? Children::orphan : Children::destroy) != expected) {
      return "destroy(" + to_string(entity) + ") answered wrongly";
    }
    if (expected) orphan ? model_.destroy_alone(entity) : model_.destroy(entity);
    return {};
  }

  Disagreement add() {
    const Entity entity = pick();
    const std::size_t kind = pick_kind();
    log_("add ", kTypedKinds[kind].name, " to ", entity);
    const int number = fresh();
    if (!model_.alive(entity)) {
      return refused([&] { kTypedKinds[kind].add(world_, entity, number); }, "add to a stale entity");
    }
    kTypedKinds[kind].add(world_, entity, number);
    model_.numbers[entity][kind] = number;
    return {};
  }
  Disagreement remove() {
    const Entity entity = pick();
    const std::size_t kind = pick_kind();
    log_("remove ", kTypedKinds[kind].name, " from ", entity);
    const bool expected = model_.alive(entity) && model_.numbers[entity].erase(kind) == 1;
    if (kTypedKinds[kind].remove(world_, entity) != expected) return "remove answered wrongly";
    return {};
  }

  Disagreement set_parent() {
    const Entity child = pick();
    const Entity parent = pick();
    log_("set the parent of ", child, " to ", parent);
    const bool expected = model_.tree.can_set_parent(child, parent);
    const Outcome outcome = world_.set_parent(child, parent);
    if (static_cast<bool>(outcome) != expected) return "set_parent answered wrongly: " + outcome.message();
    if (expected) {
      model_.tree.set_parent(child, parent);
    } else if (outcome.message().find(to_string(child)) == std::string::npos &&
               outcome.message().find(to_string(parent)) == std::string::npos) {
      return "the refusal names no entity: " + outcome.message();
    }
    return {};
  }
  Disagreement clear_parent() {
    const Entity child = pick();
    log_("clear the parent of ", child);
    const bool expected = static_cast<bool>(model_.tree.parent(child));
    if (world_.clear_parent(child) != expected) return "clear_parent answered wrongly";
    if (expected) model_.tree.clear_parent(child);
    return {};
  }

  // Commands: recorded for the subject now, and for the model as functions that say whether they were
  // refused.

  Disagreement record() {
    Commands& commands = world_.commands();
    const Entity entity = pick();
    const Entity other = pick();
    const std::size_t kind = pick_kind();
    const int number = fresh();
    switch (bytes_.below(9)) {
      case 0:
        return record_create({});
      case 1:
        return record_create(other);
      case 2: {
        log_("later: destroy ", entity);
        commands.destroy(entity);
        return later(entity, [=, this] { model_.destroy(entity); });
      }
      case 3:
      case 4:
      case 5: {
        log_("later: add ", kTypedKinds[kind].name, " to ", entity);
        kTypedKinds[kind].add_later(commands, entity, number);
        return later(entity, [=, this] { model_.numbers[entity][kind] = number; });
      }
      case 6: {
        log_("later: remove ", kTypedKinds[kind].name, " from ", entity);
        kTypedKinds[kind].remove_later(commands, entity);
        return later(entity, [=, this] { model_.numbers[entity].erase(kind); });
      }
      case 7: {
        log_("later: set the parent of ", entity, " to ", other);
        commands.set_parent(entity, other);
        return later(entity, [=, this] {
          if (model_.tree.can_set_parent(entity, other)) model_.tree.set_parent(entity, other);
        });
      }
      default: {
        log_("later: clear the parent of ", entity);
        commands.clear_parent(entity);
        return later(entity, [=, this] { model_.tree.clear_parent(entity); });
      }
    }
  }
  Disagreement later(Entity entity, std::function<void()> apply) {
    recorded_.push_back([=, this] {
      if (model_.alive(entity)) apply();
    });
    return {};
  }
  Disagreement record_create(std::optional<Entity> parent) {
    log_("later: create", parent ? " under " + to_string(*parent) : " a root");
    const int number = fresh();
    const Entity entity = parent ? world_.commands().create(child_of(*parent), Health{number})
                                 : world_.commands().create(Health{number});
    if (!known_.insert(entity).second) return "commands issued " + to_string(entity) + " twice";
    seen_.push_back(entity);
    recorded_.push_back([=, this] {
      if (parent && !model_.alive(*parent)) return;
      model_.create(entity, parent.value_or(Entity()));
      model_.numbers[entity] = {{kHealth, number}};
    });
    return {};
  }
  Disagreement flush() {
    const bool iterate = bytes_.chance(2);
    log_(iterate ? "flush by iterating" : "flush");
    if (iterate) {
      world_.query<Entity>().each([](Entity) {});
    } else {
      world_.flush();
    }
    for (const std::function<void()>& apply : recorded_) apply();
    recorded_.clear();
    if (!world_.commands().empty()) return "commands are left after a flush";
    return {};
  }

  template <class Call>
  Disagreement refused(Call call, const char* what) {
    try {
      call();
    } catch (const ContractViolation&) {
      return {};
    }
    return std::string(what) + " was not refused";
  }

  Disagreement compare_components(Entity entity) const {
    const bool alive = model_.alive(entity);
    if (world_.alive(entity) != alive) return "alive(" + to_string(entity) + ") is wrong";
    for (std::size_t kind = 0; kind < kTypedKinds.size(); ++kind) {
      const int number = model_.number(entity, kind);
      const std::string what = std::string(kTypedKinds[kind].name) + " of " + to_string(entity);
      if (kTypedKinds[kind].has(world_, entity) != (number != -1)) return "has is wrong for " + what;
      if (!kTypedKinds[kind].tag && kTypedKinds[kind].read(world_, entity) != number)
        return what + " is wrong";
    }
    return {};
  }
  Disagreement compare_place(Entity entity) const {
    const TreeModel& tree = model_.tree;
    const std::string of = " of " + to_string(entity) + " is wrong";
    if (world_.parent(entity) != tree.parent(entity)) return "parent" + of;
    if (listed(world_.children(entity)) != tree.children(entity)) return "children" + of;
    if (world_.child_count(entity) != tree.children(entity).size()) return "child_count" + of;
    if (listed(world_.ancestors(entity)) != tree.ancestors(entity)) return "ancestors" + of;
    if (tree.contains(entity) && world_.depth(entity) != tree.depth(entity)) return "depth" + of;
    if (listed(world_.depth_first(entity)) != tree.depth_first(entity)) return "depth_first" + of;
    if (listed(world_.breadth_first(entity)) != tree.breadth_first(entity)) return "breadth_first" + of;
    const Entity above = seen_[entity.index() % seen_.size()];
    if (world_.is_ancestor(above, entity) != tree.is_ancestor(above, entity)) return "is_ancestor" + of;
    return {};
  }
  Disagreement compare_cascade(Direction direction) {
    std::vector<Entity> visited;
    Disagreement wrong;
    cascade_.cascade(direction).each([&](Entity entity, const Health* own, const Health* parents) {
      visited.push_back(entity);
      const int expected = model_.number(model_.tree.parent(entity), kHealth);
      if ((parents ? parents->points : -1) != expected)
        wrong = "Parent<Health> of " + to_string(entity) + " is wrong";
      if ((own ? own->points : -1) != model_.number(entity, kHealth)) wrong = "a visited value is wrong";
    });
    if (wrong) return wrong;
    for (const Entity entity : visited) {
      if (!model_.alive(entity)) return "a cascade visits the dead " + to_string(entity);
    }
    const bool ordered = std::is_sorted(visited.begin(), visited.end(), [&](Entity a, Entity b) {
      return direction == Direction::down ? model_.tree.depth(a) < model_.tree.depth(b)
                                          : model_.tree.depth(a) > model_.tree.depth(b);
    });
    if (!ordered) return "a cascade leaves the order of depths";
    if (std::set(visited.begin(), visited.end()).size() != model_.tree.size())
      return "a cascade misses an entity";
    if (visited.size() != model_.tree.size()) return "a cascade visits an entity twice";
    return {};
  }

  World world_;
  Bytes& bytes_;
  Log& log_;
  Model model_;
  std::vector<Entity> seen_;
  std::set<Entity> known_;
  std::vector<std::function<void()>> recorded_;
  int last_number_ = 0;
  Query<Entity, Maybe<const Health>, Parent<const Health>> cascade_ =
      world_.query<Entity, Maybe<const Health>, Parent<const Health>>();
};

Disagreement worlds_agree(Bytes& bytes, Log& log) {
  const CountedScope scope;
  FailingMemory memory;
  {
    const Layout layout = bytes.turn() && bytes.chance(2) ? Layout::per_level : Layout::per_parent;
    log(layout == Layout::per_level ? "layout per_level" : "layout per_parent");
    WorldTest test(layout, &memory, bytes, log);
    while (bytes.turn()) {
      if (Disagreement wrong = test.turn()) return wrong;
      if (Disagreement wrong = test.compare()) return wrong;
    }
  }
  if (memory.blocks() != 0) return "memory was leaked";
  if (!memory.complaint().empty()) return memory.complaint();
  if (scope.leaked() != 0) return "a value was leaked or destroyed twice";
  if (scope.misuses() != 0) return "a value was used after its end";
  return {};
}

}  // namespace

TEST_SUITE("door/world") {
  STRATA_MODEL_TEST("a world behaves like a forest of maps, whatever the layout", worlds_agree, .runs = 60,
                    .turns = 90);
}
