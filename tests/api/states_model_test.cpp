#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include "../support/components.hpp"
#include "../support/model_test.hpp"
#include "compared_states.hpp"

namespace strata::test::states_model_test {

namespace {

constexpr std::size_t kMostEntities = 60;

class StatesTest : public ComparedStates {
 public:
  using ComparedStates::ComparedStates;

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

 private:
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
