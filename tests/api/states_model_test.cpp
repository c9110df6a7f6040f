#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/model_test.hpp"

namespace strata::test::states_model_test {

namespace {

struct Marked {};

}  // namespace

}  // namespace strata::test::states_model_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::states_model_test::Marked> =
    strata::Storage::sparse;

namespace strata::test::states_model_test {

namespace {

using Set = std::set<Entity, decltype([](Entity a, Entity b) { return a.bits() < b.bits(); })>;

constexpr std::size_t kMostEntities = 60;

/// What a plain program would keep of each entity.
struct Node {
  Entity parent = {};
  bool itself = false;
  bool subtree = false;
  bool prefab = false;
  bool frozen = false;
  bool marked = false;
};

class StatesTest {
 public:
  StatesTest(Layout layout, bool observed, Bytes& bytes, Log& log)
      : world_({.layout = layout, .large_family = 3}), bytes_(bytes), log_(log) {
    if (!observed) return;
    subscriptions_.push_back(world_.observers().on_disable([&](Entity entity) { note(entity, true); }));
    subscriptions_.push_back(world_.observers().on_enable([&](Entity entity) { note(entity, false); }));
    subscriptions_.push_back(world_.observers().on_enter<With<Frozen>>([&](Entity entity) {
      if (!frozen_.insert(entity).second) wrong_ = "an entity enters a set twice";
    }));
    subscriptions_.push_back(world_.observers().on_leave<With<Frozen>>([&](Entity entity) {
      if (frozen_.erase(entity) == 0) wrong_ = "an entity leaves a set in which it was not";
    }));
  }

  Disagreement turn() {
    notified_.clear();
    created_.clear();
    before_ = disabled_ones();
    const Entity entity = pick();
    const Entity other = pick();
    switch (bytes_.below(12)) {
      case 0:
      case 1:
        create(other);
        break;
      case 2:
        copy(entity, other);
        break;
      case 3:
        destroy(entity);
        break;
      case 4:
      case 5:
        move(entity, other);
        break;
      case 6:
        set_children(other);
        break;
      case 7:
        change_component(entity);
        break;
      case 8:
        tidy();
        break;
      default:
        change_state(entity);
    }
    return wrong_;
  }

  Disagreement compare() {
    const Set disabled = disabled_ones();
    const Set prefabs = prefabs_and_parts();
    Set enabled, frozen, marked, only_disabled, only_prefabs, both;
    for (const auto& [entity, node] : nodes_) {
      if (world_.disabled(entity) != disabled.contains(entity))
        return "disabled is wrong for " + to_string(entity);
      const DisabledBy by = world_.disabled_by(entity);
      if (by.itself != node.itself || by.subtree != node.subtree) return "disabled_by is wrong";
      if (by.ancestor != is_below(entity, &Node::subtree)) return "disabled_by ancestor is wrong";
      const bool is_prefab = prefabs.contains(entity);
      if (world_.is_prefab(entity) != is_prefab) return "is_prefab is wrong for " + to_string(entity);
      if (disabled.contains(entity)) (is_prefab ? both : only_disabled).insert(entity);
      if (is_prefab && !disabled.contains(entity)) only_prefabs.insert(entity);
      if (is_prefab || disabled.contains(entity)) continue;
      enabled.insert(entity);
      if (node.frozen) frozen.insert(entity);
      if (node.marked) marked.insert(entity);
    }
    if (world_.size() != nodes_.size()) return "the number of entities is wrong";
    if (visited<>() != enabled || all_.count() != enabled.size()) return "a query visits other entities";
    if (visited<With<Disabled>>() != only_disabled) return "a query of the disabled visits other entities";
    if (visited<With<Prefab>>() != only_prefabs) return "a query of prefabs visits other entities";
    if (visited<With<Prefab>, With<Disabled>>() != both) return "a query of both visits other entities";
    if (visited<With<Prefab>, Maybe<Disabled>>() != prefabs) return "a query of one visits other entities";
    if (visited<Maybe<Disabled>, Maybe<Prefab>>().size() != nodes_.size())
      return "a query of all visits other entities";
    if (visited<With<Frozen>>() != frozen) return "a query with a tag visits other entities";
    if (visited<With<Marked>>() != marked) return "a query of a pool visits other entities";
    if (!subscriptions_.empty() && frozen_ != frozen) return "a set is told of other entities";
    if (Disagreement wrong = compare_cascade(enabled)) return wrong;
    if (Disagreement wrong = compare_observed(disabled)) return wrong;
    const Outcome valid = world_.validate();
    return valid ? Disagreement() : Disagreement(valid.message());
  }

 private:
  bool is_below(Entity entity, bool Node::*mark) const {
    for (Entity above = nodes_.at(entity).parent; above; above = nodes_.at(above).parent) {
      if (nodes_.at(above).*mark) return true;
    }
    return false;
  }
  Set prefabs_and_parts() const {
    Set prefabs;
    for (const auto& [entity, node] : nodes_) {
      if (node.prefab || is_below(entity, &Node::prefab)) prefabs.insert(entity);
    }
    return prefabs;
  }
  Set disabled_ones() const {
    Set disabled;
    for (const auto& [entity, node] : nodes_) {
      if (node.itself || node.subtree || is_below(entity, &Node::subtree)) disabled.insert(entity);
    }
    return disabled;
  }

  template <class... Terms>
  Set visited() {
    Set entities;
    world_.query<Entity, Terms...>().each([&](Entity entity) {
      if (!entities.insert(entity).second) wrong_ = "a query visits an entity twice";
    });
    return entities;
  }

  Disagreement compare_cascade(const Set& enabled) {
    std::uint32_t depth = 0;
    Set entities;
    Disagreement wrong = wrong_;
    cascade_.cascade().each([&](Entity entity, const Health& health, const Health* parent) {
      entities.insert(entity);
      if (world_.depth(entity) < depth) wrong = "a cascade goes up";
      depth = world_.depth(entity);
      if (health.points != static_cast<int>(entity.index()) && health.points != kCopied)
        wrong = "a value is wrong";
      const Entity above = nodes_.at(entity).parent;
      if ((parent == nullptr) != !above || (above && *parent != world_.get<Health>(above))) {
        wrong = "a parent's value is wrong";
      }
    });
    if (entities != enabled) return "a cascade visits other entities";
    return wrong;
  }

  /// Of each entity that lived before and lives now, its change was told once.
  Disagreement compare_observed(const Set& disabled) {
    if (subscriptions_.empty()) return {};
    for (const auto& [entity, node] : nodes_) {
      const bool was = before_.contains(entity);
      const bool is = disabled.contains(entity);
      const auto told = notified_.find(entity);
      if (created_.contains(entity) || was == is) {
        if (told != notified_.end()) return "an observer is told of " + to_string(entity) + " for nothing";
      } else if (told == notified_.end() || told->second != is) {
        return "an observer is not told of " + to_string(entity);
      }
    }
    return {};
  }

  void note(Entity entity, bool disabled) {
    if (!notified_.emplace(entity, disabled).second)
      wrong_ = "an observer is told twice of " + to_string(entity);
    if (world_.disabled(entity) != disabled) wrong_ = "an observer is told of a state that is not so";
  }

  Entity pick() {
    if (nodes_.empty()) return {};
    auto found = nodes_.begin();
    std::advance(found, bytes_.below(nodes_.size()));
    return found->first;
  }

  void add(Entity entity, Entity parent, Node node) {
    node.parent = parent;
    nodes_[entity] = node;
    created_.insert(entity);
  }

  void create(Entity parent) {
    if (nodes_.size() > kMostEntities) return destroy(parent);
    if (!parent || bytes_.chance(4)) {
      log_("create");
      const Entity root = world_.create(Health{});
      world_.get<Health>(root).points = static_cast<int>(root.index());
      return add(root, Entity(), {});
    }
    const std::size_t road = bytes_.below(5);
    log_("create below ", parent, ", road ", road);
    if (road == 0) {
      std::vector<Entity> made(1 + bytes_.below(6));
      world_.spawner<Health, Marked>(child_of(parent)).create_many(made, Health{kCopied}, Marked{});
      for (const Entity entity : made) add(entity, parent, {.marked = true});
    } else if (road == 1) {
      const std::array<std::uint32_t, 4> parents{1, kNoParent, 0, kNoParent};
      const std::vector<Entity> made =
          world_.build_hierarchy(child_of(parent), parents, Health{kCopied}, Frozen{}).entities;
      add(made[0], made[1], {.frozen = true});
      add(made[1], parent, {.frozen = true});
      add(made[2], made[0], {.frozen = true});
      add(made[3], parent, {.frozen = true});
    } else if (road == 2) {
      const Entity entity = world_.commands().create(child_of(parent), Health{kCopied}, Marked{});
      world_.flush();
      add(entity, parent, {.marked = true});
    } else {
      const Entity entity = road == 3 ? world_.create(child_of(parent), Health{kCopied})
                                      : world_.spawner<Health>(child_of(parent)).create(Health{kCopied});
      add(entity, parent, {});
    }
  }

  void add_copy(Entity original, Entity made, Entity parent) {
    std::vector<std::array<Entity, 3>> open{{original, made, parent}};
    while (!open.empty()) {
      const auto [from, to, above] = open.back();
      open.pop_back();
      if (created_.contains(from)) continue;  // A copy that lies in the subtree.
      add(to, above, nodes_.at(from));
      world_.get<Health>(to).points = kCopied;
      if (from == original) nodes_[to].prefab = false;
      auto copies = world_.children(to);
      auto copied = copies.begin();
      for (const Entity child : world_.children(from)) {
        if (created_.contains(child) || child == made) continue;
        open.push_back({child, *copied, to});
        ++copied;
      }
    }
  }

  void copy(Entity original, Entity above) {
    if (!original || nodes_.size() > kMostEntities) return;
    if (bytes_.chance(3)) above = Entity();
    log_("copy ", original, " below ", above);
    if (above) {
      add_copy(original, world_.instantiate(child_of(above), original), above);
    } else {
      add_copy(original, world_.instantiate(original), above);
    }
  }

  void forget(Entity entity) {
    std::vector<Entity> below;
    for (const auto& [child, node] : nodes_) {
      if (node.parent == entity) below.push_back(child);
    }
    nodes_.erase(entity);
    for (const Entity child : below) forget(child);
  }

  void destroy(Entity entity) {
    if (!entity) return;
    const bool orphans = bytes_.chance(2);
    log_("destroy ", entity, orphans ? ", orphans" : "");
    world_.destroy(entity, orphans ? ChildPolicy::orphan : ChildPolicy::destroy);
    if (!orphans) return forget(entity);
    for (auto& [child, node] : nodes_) {
      if (node.parent == entity) node.parent = Entity();
    }
    nodes_.erase(entity);
  }

  void move(Entity entity, Entity other) {
    const std::size_t road = bytes_.below(5);
    log_("move ", entity, " to ", other, ", road ", road);
    if (!entity) return;
    if (road == 0) {
      world_.clear_parent(entity);
      nodes_[entity].parent = Entity();
    } else if (road == 1) {
      if (world_.move_child_before(entity, other)) nodes_[entity].parent = nodes_[other].parent;
    } else if (road == 2) {
      world_.commands().set_parent(entity, other);
      world_.flush();
      if (world_.commands().refusals().empty()) nodes_[entity].parent = other;
    } else if (world_.set_parent(entity, other)) {
      nodes_[entity].parent = other;
    }
  }

  void set_children(Entity parent) {
    if (!parent) return;
    std::vector<Entity> children;
    for (std::size_t i = bytes_.below(5); i-- > 0;) children.push_back(pick());
    log_("set ", children.size(), " children of ", parent);
    if (!world_.set_children(parent, children)) return;
    for (auto& [entity, node] : nodes_) {
      if (node.parent == parent) node.parent = Entity();
    }
    for (const Entity child : children) nodes_[child].parent = parent;
  }

  void change_component(Entity entity) {
    if (!entity) return;
    Node& node = nodes_[entity];
    const bool tag = bytes_.chance(2);
    log_(tag ? "toggle the tag of " : "toggle the mark of ", entity);
    if (tag) {
      node.frozen ? (void)world_.remove<Frozen>(entity) : world_.add<Frozen>(entity);
      node.frozen = !node.frozen;
    } else {
      node.marked ? (void)world_.remove<Marked>(entity) : world_.add<Marked>(entity);
      node.marked = !node.marked;
    }
  }

  void tidy() {
    const std::size_t what = bytes_.below(4);
    log_("tidy ", what);
    if (what == 0) world_.defragment();
    if (what == 1) world_.shrink();
    if (what == 2) {
      const Storage now = world_.storage<Frozen>();
      world_.set_storage<Frozen>(now == Storage::table ? Storage::sparse : Storage::table);
    }
    if (what == 3 && !nodes_.empty()) world_.set_layout(pick(), static_cast<Layout>(bytes_.below(3)));
  }

  void change_state(Entity entity) {
    if (!entity) return;
    Node& node = nodes_[entity];
    const bool on = bytes_.chance(2);
    if (bytes_.chance(3)) return change_prefab(entity, on);
    const bool whole = bytes_.chance(2);
    const bool recorded = bytes_.chance(4);
    log_(on ? "disable " : "enable ", whole ? "with its subtree " : "", entity, recorded ? ", recorded" : "");
    bool& flag = whole ? node.subtree : node.itself;
    bool changed = flag != on;
    if (recorded) {
      Commands& commands = world_.commands();
      if (whole) on ? commands.disable_subtree(entity) : commands.enable_subtree(entity);
      if (!whole) on ? commands.disable(entity) : commands.enable(entity);
      world_.flush();
    } else if (whole) {
      changed = on ? world_.disable_subtree(entity) : world_.enable_subtree(entity);
    } else {
      changed = on ? world_.disable(entity) : world_.enable(entity);
    }
    if (changed != (flag != on)) wrong_ = "the answer is wrong";
    flag = on;
  }

  void change_prefab(Entity entity, bool on) {
    bool& is_prefab = nodes_[entity].prefab;
    const bool recorded = bytes_.chance(4);
    log_(on ? "make prefab " : "unmake prefab ", entity, recorded ? ", recorded" : "");
    if (recorded) {
      on ? world_.commands().make_prefab(entity) : world_.commands().unmake_prefab(entity);
      world_.flush();
    } else if ((on ? world_.make_prefab(entity) : world_.unmake_prefab(entity)) != (is_prefab != on)) {
      wrong_ = "the answer is wrong";
    }
    is_prefab = on;
  }

  static constexpr int kCopied = -1;

  World world_;
  Bytes& bytes_;
  Log& log_;
  Query<Entity> all_ = world_.query<Entity>();
  Query<Entity, const Health, Parent<const Health>> cascade_ =
      world_.query<Entity, const Health, Parent<const Health>>();
  std::map<Entity, Node, decltype([](Entity a, Entity b) { return a.bits() < b.bits(); })> nodes_;
  Set before_;   // Those that were disabled before the turn.
  Set created_;  // In this turn.
  std::map<Entity, bool, decltype([](Entity a, Entity b) { return a.bits() < b.bits(); })> notified_;
  Set frozen_;  // Those that observers were told to match.
  std::vector<Subscription> subscriptions_;
  Disagreement wrong_;
};

Disagreement states_agree(Bytes& bytes, Log& log) {
  if (!bytes.turn()) return {};
  StatesTest test(static_cast<Layout>(bytes.below(3)), bytes.chance(2), bytes, log);
  return take_turns(test, bytes);
}

}  // namespace

TEST_SUITE("api/states") {
  STRATA_MODEL_TEST("entities in states are those that filtering by their ancestors finds", states_agree,
                    .runs = 60, .turns = 120);

}  // TEST_SUITE

}  // namespace strata::test::states_model_test
