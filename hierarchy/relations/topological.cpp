#include "topological.hpp"

#include <algorithm>
#include <cstdint>

namespace strata::detail {
namespace {

/// A depth-first search along the pairs of a relation.
class TopologicalSearch {
 public:
  TopologicalSearch(const Pairs& pairs, std::vector<Entity>& order) : pairs_(pairs), order_(order) {
    std::uint32_t highest = 0;
    for (std::uint32_t pair = 0; pair < pairs.numbers(); ++pair) {
      for (const End end : {End::source, End::target}) {
        highest = std::max(highest, pairs.entity(end, pair).index());
      }
    }
    states_.resize(std::size_t{highest} + 1, State::unseen);
  }

  /// Appends an entity to the order, after the targets that it leads to.
  Outcome visit(Entity entity) {
    enter(entity);
    while (!steps_.empty()) {
      Step& step = steps_.back();
      if (step.pair == Pairs::kNone) {
        state_of(step.entity) = State::listed;
        order_.push_back(step.entity);
        steps_.pop_back();
        continue;
      }
      const Entity target = pairs_.entity(End::target, step.pair);
      if (state_of(target) == State::open) return refuse_cycle(step.entity, target);
      step.pair = pairs_.next(End::source, step.pair);
      enter(target);
    }
    return Outcome::done();
  }

 private:
  enum class State : std::uint8_t { unseen, open, listed };
  /// An entity that the search has reached, and the next pair to follow from it.
  struct Step {
    Entity entity;
    std::uint32_t pair;
  };

  State& state_of(Entity entity) { return states_[entity.index()]; }
  void enter(Entity entity) {
    if (state_of(entity) != State::unseen) return;
    state_of(entity) = State::open;
    steps_.push_back({entity, pairs_.first(End::source, entity)});
  }
  Outcome refuse_cycle(Entity source, Entity target) const {
    return Outcome::refused("the pairs of \"" + pairs_.component().name +
                            "\" form a cycle: it contains the one from entity " + to_string(source) +
                            " to entity " + to_string(target));
  }

  const Pairs& pairs_;
  std::vector<Entity>& order_;
  std::vector<State> states_;  // By the index of an entity.
  std::vector<Step> steps_;
};

}  // namespace

Outcome list_topological(const Pairs& pairs, std::vector<Entity>& order) {
  order.clear();
  TopologicalSearch search(pairs, order);
  for (std::uint32_t pair = 0; pair < pairs.numbers(); ++pair) {
    const Entity source = pairs.entity(End::source, pair);
    if (!source) continue;
    if (Outcome visited = search.visit(source); !visited) {
      order.clear();
      return visited;
    }
  }
  return Outcome::done();
}

}  // namespace strata::detail
