// A copy of a world that is kept by observers alone: what they are not told of, it does not know.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../support/model_test.hpp"
#include "typed_kinds.hpp"

namespace strata::test {

/// The sets of entities whose entering and leaving a mirror is told of, each as terms and as a naive predicate.
struct WatchedSet {
  Subscription (*enter)(World&, std::function<void(Entity)>);
  Subscription (*leave)(World&, std::function<void(Entity)>);
  bool (*matches)(const World&, Entity);
};

template <class... Terms>
WatchedSet watched_set(bool (*matches)(const World&, Entity)) {
  return {[](World& world, std::function<void(Entity)> function) {
            return world.observers().on_enter<Terms...>(std::move(function));
          },
          [](World& world, std::function<void(Entity)> function) {
            return world.observers().on_leave<Terms...>(std::move(function));
          },
          matches};
}

inline const std::array kWatchedSets{
    watched_set<With<Health>, Without<Frozen>>([](const World& world, Entity entity) {
      return world.has<Health>(entity) && !world.has<Frozen>(entity);
    }),
    watched_set<SparseHealth, const Hooked>([](const World& world, Entity entity) {
      return world.has<SparseHealth>(entity) && world.has<Hooked>(entity);
    }),
    watched_set<AnyOf<Counted, SparseCounted>, Without<SparseHooked>>([](const World& world, Entity entity) {
      return (world.has<Counted>(entity) || world.has<SparseCounted>(entity)) &&
             !world.has<SparseHooked>(entity);
    }),
    watched_set<With<Parent<Health>>, Without<Hooked>>([](const World& world, Entity entity) {
      return world.has<Health>(world.parent(entity)) && !world.has<Hooked>(entity);
    }),
    watched_set<Without<Up<SparseHealth>>, With<Up<Health>>>([](const World& world, Entity entity) {
      bool healthy = false;
      for (const Entity above : world.ancestors(entity)) {
        if (world.has<SparseHealth>(above)) return false;
        healthy = healthy || world.has<Health>(above);
      }
      return healthy;
    }),
};

/// Checks each event against what was told before, and in the end that the world is what was told.
class WorldMirror {
 public:
  /// Called by every observer: what user code does there.
  std::function<void()> act = [] {};

  void watch(World& world) {
    world_ = &world;
    Observers observers = world.observers();
    keep(observers.on_create([this](Entity entity) { created(entity); }));
    keep(observers.on_destroy([this](Entity entity) { destroyed(entity); }));
    keep(observers.on_parent_change(
        [this](Entity child, Entity before, Entity now) { moved(child, before, now); }));
    keep(observers.on_depth_change(
        [this](Entity entity, std::uint32_t before, std::uint32_t now) { sunk(entity, before, now); }));
    // Nothing acts here: a test that sorts by a contradicting comparison could not tell what came of it.
    keep(observers.on_order_change([this](Entity parent) { read_children(parent); }));
    for (std::size_t kind = 0; kind < kTypedKinds.size(); ++kind) watch_kind(kind);
    for (std::size_t set = 0; set < kWatchedSets.size(); ++set) watch_set(set);
  }

  /// Returns: the first thing that observers were told wrongly, or in which the world is not what was told.
  Disagreement compare(const std::vector<Entity>& seen) {
    if (wrong_) return wrong_;
    if (world_ == nullptr) return {};
    std::size_t alive = 0;
    for (const Entity entity : seen) {
      if (!world_->alive(entity)) continue;
      ++alive;
      if (Disagreement wrong = compare_entity(entity)) return wrong;
    }
    if (alive != nodes_.size()) return "observers know entities that are gone";
    return {};
  }
  /// Returns: what is wrong after the world has ended.
  Disagreement ended() const {
    if (wrong_) return wrong_;
    return nodes_.empty() ? Disagreement() : "observers were not told that all entities go";
  }

 private:
  struct Node {
    Entity parent{};
    std::uint32_t depth = 0;
    std::map<std::size_t, int> numbers;
    std::vector<Entity> children;
  };

  void keep(Subscription subscription) { subscriptions_.push_back(std::move(subscription)); }
  void expect(bool condition, const std::string& what) {
    if (!condition && !wrong_) wrong_ = "observers are told wrongly: " + what;
  }
  Node& node(Entity entity) {
    expect(nodes_.contains(entity) && world_->alive(entity), "of unknown " + to_string(entity));
    return nodes_[entity];
  }
  int read(std::size_t kind, Entity entity) const {
    return kTypedKinds[kind].tag ? 0 : kTypedKinds[kind].read(*world_, entity);
  }
  void read_children(Entity parent) {
    if (!parent) return;
    const auto range = world_->children(parent);
    node(parent).children.assign(range.begin(), range.end());
  }

  void created(Entity entity) {
    expect(!nodes_.contains(entity), to_string(entity) + " is new again");
    Node& created = nodes_[entity];
    created.parent = world_->parent(entity);
    created.depth = world_->depth(entity);
    expect(!created.parent || nodes_.contains(created.parent), "a child comes before its parent");
    read_children(created.parent);
    act();
  }
  void destroyed(Entity entity) {
    const Node gone = node(entity);
    expect(gone.numbers.empty(), to_string(entity) + " goes before its components");
    for (const auto& [other, below] : nodes_)
      expect(below.parent != entity, "a parent goes before its child");
    nodes_.erase(entity);
    for (auto& [other, above] : nodes_) std::erase(above.children, entity);
    act();
  }
  void moved(Entity child, Entity before, Entity now) {
    Node& moved = node(child);
    expect(moved.parent == before, "another parent before");
    expect(before != now && world_->parent(child) == now, "another parent now");
    moved.parent = now;
    if (before && nodes_.contains(before)) std::erase(nodes_[before].children, child);
    read_children(now);
    act();
  }
  void sunk(Entity entity, std::uint32_t before, std::uint32_t now) {
    Node& sunk = node(entity);
    expect(sunk.depth == before && before != now, "another depth before");
    expect(!sunk.parent || node(sunk.parent).depth + 1 == now, "a child sinks before its parent");
    sunk.depth = now;
  }

  void watch_kind(std::size_t kind) {
    const ComponentId id = kTypedKinds[kind].id(*world_);
    Observers observers = world_->observers();
    keep(observers.on_add(id, [this, kind](Entity entity, void*) {
      const bool is_new = node(entity).numbers.emplace(kind, read(kind, entity)).second;
      expect(is_new, std::string(kTypedKinds[kind].name) + " of " + to_string(entity) + " is added again");
      act();
    }));
    keep(observers.on_remove(id, [this, kind](Entity entity, void*) {
      const auto known = node(entity).numbers.find(kind);
      const std::string what = std::string(kTypedKinds[kind].name) + " of " + to_string(entity);
      expect(known != nodes_[entity].numbers.end(), what + " is removed again");
      expect(kTypedKinds[kind].has(*world_, entity), what + " is told of when it has gone");
      node(entity).numbers.erase(kind);
      act();
    }));
    if (kTypedKinds[kind].tag) return;
    keep(observers.on_replace(id, [this, kind](Entity entity, const void* old, void*) {
      expect(node(entity).numbers[kind] == kTypedKinds[kind].number_at(old), "another old value");
      act();
    }));
    keep(observers.on_set(id, [this, kind](Entity entity, void* value) {
      expect(node(entity).numbers.contains(kind), "a value is set that was not added");
      const int number = kTypedKinds[kind].number_at(value);
      expect(number == read(kind, entity), "another value is told of than the entity has");
      node(entity).numbers[kind] = number;
      act();
    }));
  }

  void watch_set(std::size_t set) {
    keep(kWatchedSets[set].enter(*world_, [this, set](Entity entity) {
      expect(sets_[set].insert(entity).second, to_string(entity) + " enters a set again");
      act();
    }));
    keep(kWatchedSets[set].leave(*world_, [this, set](Entity entity) {
      expect(world_->alive(entity), to_string(entity) + " has gone when it leaves a set");
      expect(sets_[set].erase(entity) == 1, to_string(entity) + " leaves a set that it is not in");
      act();
    }));
  }

  Disagreement compare_entity(Entity entity) {
    const auto known = nodes_.find(entity);
    if (known == nodes_.end()) return "observers do not know " + to_string(entity);
    Node& node = known->second;
    if (node.parent != world_->parent(entity)) return "observers know another parent of " + to_string(entity);
    if (node.depth != world_->depth(entity)) return "observers know another depth of " + to_string(entity);
    const auto range = world_->children(entity);
    if (!std::equal(range.begin(), range.end(), node.children.begin(), node.children.end())) {
      return "observers know another order of the children of " + to_string(entity);
    }
    for (std::size_t kind = 0; kind < kTypedKinds.size(); ++kind) {
      const bool has = kTypedKinds[kind].has(*world_, entity);
      const std::string what = std::string(kTypedKinds[kind].name) + " of " + to_string(entity);
      if (has != node.numbers.contains(kind)) return "observers are not told of " + what;
      if (has && node.numbers[kind] != read(kind, entity)) return "observers know another value: " + what;
    }
    for (std::size_t set = 0; set < kWatchedSets.size(); ++set) {
      const bool matches = !world_->disabled(entity) && kWatchedSets[set].matches(*world_, entity);
      if (matches != sets_[set].contains(entity)) {
        return "observers know that " + to_string(entity) + " is in another set, of number " +
               std::to_string(set);
      }
    }
    return {};
  }

  World* world_ = nullptr;
  std::map<Entity, Node> nodes_;
  std::array<std::set<Entity>, std::tuple_size_v<std::remove_cvref_t<decltype(kWatchedSets)>>> sets_;
  std::vector<Subscription> subscriptions_;
  Disagreement wrong_;
};

}  // namespace strata::test
