#include "topological.hpp"

#include <cstdint>
#include <span>

namespace strata::detail {
namespace {

/// A depth-first search along the pairs of a relation.
class TopologicalSearch {
 public:
  TopologicalSearch(const Pairs& pairs, std::vector<Entity>& order)
      : pairs_(pairs), order_(order), states_(pairs.index_limit(), State::unseen) {}

  /// Appends an entity to the order, and before it all entities to which chains of pairs lead from it. Leaves out those
  /// that are in the order already.
  /// Returns: success; or a refusal that names two entities of a cycle.
  Outcome visit(Entity entity) {
    enter(entity);
    while (!steps_.empty()) {
      Step& step = steps_.back();
      if (step.next == step.targets.size()) {
        state_of(step.entity) = State::listed;
        order_.push_back(step.entity);
        steps_.pop_back();
        continue;
      }
      const Entity target = step.targets[step.next++];
      if (state_of(target) == State::open) return refuse_cycle(step.entity, target);
      enter(target);
    }
    return Outcome::done();
  }

 private:
  enum class State : std::uint8_t { unseen, open, listed };
  /// An entity that the search has reached, its targets, and the index of the next target to visit.
  struct Step {
    Entity entity;
    std::span<const Entity> targets;
    std::size_t next;
  };

  State& state_of(Entity entity) { return states_[entity.index()]; }
  void enter(Entity entity) {
    if (state_of(entity) != State::unseen) return;
    state_of(entity) = State::open;
    steps_.push_back({entity, pairs_.of(End::source, entity), 0});
  }
  Outcome refuse_cycle(Entity source, Entity target) const {
    return Outcome::refused("the pairs of \"" + pairs_.component().name +
                            "\" form a cycle: it contains the one from entity " + to_string(source) +
                            " to entity " + to_string(target));
  }

  const Pairs& pairs_;
  std::vector<Entity>& order_;
  std::vector<State> states_;  // By slot index.
  std::vector<Step> steps_;
};

}  // namespace

Outcome list_topological(const Pairs& pairs, std::vector<Entity>& order) {
  order.clear();
  TopologicalSearch search(pairs, order);
  Outcome outcome = Outcome::done();
  pairs.for_each_source([&](Entity source, std::span<const Entity>) {
    if (outcome) outcome = search.visit(source);
  });
  if (!outcome) order.clear();
  return outcome;
}

}  // namespace strata::detail
