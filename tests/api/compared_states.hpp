// ComparedStates: a world of entities in states, and what a plain program would keep of each; compares both.
#pragma once

#include <strata/strata.hpp>

#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/model_test.hpp"

namespace strata::test::states_model_test {

struct Marked {};

}  // namespace strata::test::states_model_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::states_model_test::Marked> =
    strata::Storage::sparse;

namespace strata::test::states_model_test {

struct ByBits {
  bool operator()(Entity a, Entity b) const { return a.bits() < b.bits(); }
};
using Set = std::set<Entity, ByBits>;

/// What a plain program would keep of each entity.
struct Node {
  Entity parent = {};
  bool itself = false;
  bool subtree = false;
  bool prefab = false;
  bool frozen = false;
  bool marked = false;
};

/// A world of entities in states, and the model of it. What observers are told is compared, too, if there are any.
/// Turns of the model test change both.
class ComparedStates {
 public:
  ComparedStates(Layout layout, bool observed, Bytes& bytes, Log& log)
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

 protected:
  Entity pick() {
    if (nodes_.empty()) return {};
    auto found = nodes_.begin();
    std::advance(found, bytes_.below(nodes_.size()));
    return found->first;
  }

  Set disabled_ones() const {
    Set disabled;
    for (const auto& [entity, node] : nodes_) {
      if (node.itself || node.subtree || is_below(entity, &Node::subtree)) disabled.insert(entity);
    }
    return disabled;
  }

  static constexpr int kCopied = -1;

  World world_;
  Bytes& bytes_;
  Log& log_;
  Query<Entity> all_ = world_.query<Entity>();
  Query<Entity, const Health, Parent<const Health>> cascade_ =
      world_.query<Entity, const Health, Parent<const Health>>();
  std::map<Entity, Node, ByBits> nodes_;
  Set before_;   // Those that were disabled before the turn.
  Set created_;  // In this turn.
  std::map<Entity, bool, ByBits> notified_;
  Set frozen_;  // Those that observers were told to match.
  std::vector<Subscription> subscriptions_;
  Disagreement wrong_;

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
};

}  // namespace strata::test::states_model_test
