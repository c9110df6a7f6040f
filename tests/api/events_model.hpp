// A naive model of events: which functions are called with which event, by walks over a tree of maps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <strata/strata.hpp>
#include <string>
#include <utility>
#include <vector>

namespace strata::test {

/// What a listening function does when it is called.
struct EventAction {
  enum class Kind {
    nothing,
    stop,
    skip,
    end,
    listen,
    emit,
    queue,
    destroy,
    move,
    fail,
    drop_queued,
    deliver
  };

  Kind kind = Kind::nothing;
  Entity entity;          ///< Null for `listen` and events: everywhere, of the whole world.
  Entity parent;          ///< Of `move`.
  std::size_t other = 0;  ///< Of `end`: the number of the function. Of `listen`: what the new one does.
  std::size_t type = 0;
  Spread spread = Spread::none;
};

/// A call of a function, with the value of the event before it.
struct EventCall {
  std::size_t function;
  Entity entity;
  Entity origin;
  int value;

  friend bool operator==(const EventCall&, const EventCall&) = default;
};

/// What a function makes of the value of an event.
inline int next_value(int value, std::size_t function) {
  return (value * 31 + static_cast<int>(function) + 1) % 10'007;
}

/// What a function does that is made to listen by an action with this number.
inline EventAction action_of_new(std::size_t other) {
  using Deed = EventAction::Kind;
  constexpr Deed kinds[] = {Deed::nothing, Deed::stop, Deed::skip, Deed::end};
  EventAction action;
  action.kind = kinds[other % 4];
  action.other = other;
  return action;
}

/// How many functions are never ended: one for each type, as events without any function do not nest.
inline constexpr std::size_t kPermanent = 2;

/// Errors are words, so that they can be compared: "failed 3", "too deep", "too many rounds", "nested".
using EventError = std::optional<std::string>;

/// The tree, the functions and the queue in plain containers.
struct NaiveEvents {
  struct Node {
    Entity parent;
    std::vector<Entity> children;
  };
  struct Function {
    std::size_t type;
    Entity at;
    EventAction action;
    int uses = 0;        // How often it may still do that in this turn.
    bool ended = false;  // By its subscription.
    bool gone = false;   // With its entity.
  };
  struct Waiting {
    std::size_t type;
    int value;
    Entity entity;
    Spread spread;
  };
  struct Way {
    std::size_t type;
    int value;
    Entity origin;
    std::size_t before;
    bool stopped = false;
    bool skips = false;
    std::size_t calls = 0;
    EventError error = {};
  };

  std::map<Entity, Node> tree;
  std::vector<Function> functions;
  std::deque<Waiting> queue;
  std::vector<EventAction> recorded;
  std::vector<EventCall> calls;
  std::size_t depth = 0;
  std::size_t depth_limit = 64;
  std::size_t round_limit = 100;
  bool too_deep = false;
  bool delivering = false;

  bool alive(Entity entity) const { return tree.contains(entity); }

  void create(Entity entity, Entity parent) {
    tree[entity].parent = parent;
    if (parent) tree[parent].children.push_back(entity);
    for (Function& function : functions) function.gone = function.gone || function.at == entity;
  }
  void destroy(Entity entity) {
    if (!alive(entity)) return;
    detach(entity);
    std::vector<Entity> below{entity};
    for (std::size_t i = 0; i < below.size(); ++i) {
      for (const Entity child : tree[below[i]].children) below.push_back(child);
    }
    for (const Entity gone : below) {
      tree.erase(gone);
      for (Function& function : functions) function.gone = function.gone || function.at == gone;
    }
  }
  void move(Entity child, Entity parent) {
    if (!alive(child) || !alive(parent)) return;
    for (Entity above = parent; above; above = tree[above].parent) {
      if (above == child) return;
    }
    if (tree[child].parent == parent) return;
    detach(child);
    tree[child].parent = parent;
    tree[parent].children.push_back(child);
  }
  void detach(Entity entity) {
    if (const Entity parent = std::exchange(tree[entity].parent, Entity())) {
      std::erase(tree[parent].children, entity);
    }
  }

  void apply_recorded() {
    for (const EventAction& command : std::exchange(recorded, {})) {
      if (command.kind == EventAction::Kind::destroy) destroy(command.entity);
      if (command.kind == EventAction::Kind::move) move(command.entity, command.parent);
    }
  }

  /// An event that is emitted, or delivered.
  Way send(std::size_t type, int value, Entity entity, Spread spread) {
    Way way{type, value, entity, functions.size()};
    if (too_deep || (entity && !alive(entity))) return way;
    if (depth == depth_limit) {
      too_deep = depth != 0;
      way.error = "too deep";
      return way;
    }
    ++depth;
    if (!entity || spread == Spread::none) {
      notify(way, entity);
    } else if (spread == Spread::bubble) {
      for (Entity at = entity; at && !way.stopped; at = tree[at].parent) notify(way, at);
    } else {
      sink(way, {entity});
    }
    if (--depth == 0) too_deep = false;
    return way;
  }
  void sink(Way& way, std::vector<Entity> level) {
    while (!level.empty()) {
      std::vector<Entity> below;
      for (const Entity at : level) {
        way.skips = false;
        notify(way, at);
        if (way.stopped) return;
        if (way.skips) continue;
        for (const Entity child : tree[at].children) below.push_back(child);
      }
      level = below;
    }
  }
  void notify(Way& way, Entity at) {
    for (std::size_t i = 0; i < way.before && !too_deep; ++i) {
      const Function& function = functions[i];
      const bool listens = !function.ended && !function.gone && function.type == way.type;
      if (!listens || (function.at && function.at != at)) continue;
      ++way.calls;
      const EventError error = call(way, i, at);
      if (!way.error) way.error = error;
    }
  }
  EventError call(Way& way, std::size_t number, Entity at) {
    calls.push_back({number, at, way.origin, way.value});
    way.value = next_value(way.value, number);
    const EventAction action = functions[number].action;
    if (functions[number].uses-- <= 0) return {};
    switch (action.kind) {
      case EventAction::Kind::nothing:
        break;
      case EventAction::Kind::stop:
        way.stopped = true;
        break;
      case EventAction::Kind::skip:
        way.skips = true;
        break;
      case EventAction::Kind::end:
        end(action.other);
        break;
      case EventAction::Kind::listen:
        listen(action);
        break;
      case EventAction::Kind::emit:
        return send(action.type, way.value, action.entity, action.spread).error;
      case EventAction::Kind::queue:
        queue.push_back({action.type, way.value, action.entity, action.spread});
        break;
      case EventAction::Kind::destroy:
      case EventAction::Kind::move:
        recorded.push_back(action);
        break;
      case EventAction::Kind::fail:
        return "failed " + std::to_string(number);
      case EventAction::Kind::drop_queued:
        queue.clear();
        break;
      case EventAction::Kind::deliver:
        return "nested";
    }
    return {};
  }
  void end(std::size_t number) {
    if (number % functions.size() >= kPermanent) functions[number % functions.size()].ended = true;
  }
  void listen(const EventAction& action) {
    if (action.entity && !alive(action.entity)) return;
    functions.push_back({action.type, action.entity, action_of_new(action.other), 1});
  }

  std::pair<Deliveries, EventError> deliver() {
    Deliveries result;
    EventError error;
    for (std::size_t round = 0; !queue.empty(); ++round) {
      if (round == round_limit) {
        if (!error) error = "too many rounds";
        break;
      }
      for (std::size_t left = queue.size(); left != 0 && !queue.empty(); --left) {
        const Waiting event = queue.front();
        queue.pop_front();
        if (event.entity && !alive(event.entity)) {
          ++result.dropped;
          continue;
        }
        const Way way = send(event.type, event.value, event.entity, event.spread);
        if (!error) error = way.error;
        ++result.delivered;
      }
    }
    return {result, error};
  }
};

}  // namespace strata::test
