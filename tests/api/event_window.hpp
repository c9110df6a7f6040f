// Window: entities that events go through, and functions that write down where they are called.
#pragma once

#include <strata/strata.hpp>
#include <string>
#include <utility>
#include <vector>

namespace strata::test::event_window {

struct Click {
  int x = 0;
};
struct Damage {
  int points = 0;
};

/// A window with two panels; the first one has a button with a label.
struct Window {
  World world;
  Events& events = world.events();
  Entity window = world.create();
  Entity left = world.create(child_of(window));
  Entity right = world.create(child_of(window));
  Entity button = world.create(child_of(left));
  Entity label = world.create(child_of(button));
  std::string told;
  std::vector<Subscription> kept;

  std::string name(Entity entity) const {
    const std::vector<std::pair<Entity, const char*>> names{
        {window, "window"}, {left, "left"}, {right, "right"}, {button, "button"}, {label, "label"}};
    for (const auto& [known, text] : names) {
      if (known == entity) return text;
    }
    return entity ? "another" : "none";
  }
  void notify(const std::string& what) { told += (told.empty() ? "" : " ") + what; }
  std::string take() { return std::exchange(told, {}); }
  /// Makes a function listen that tells where it is called.
  template <class Event>
  void listen(const char* prefix = "") {
    kept.push_back(events.on<Event>(
        [this, prefix](const Event&, Propagation& at) { notify(prefix + name(at.entity())); }));
  }
  template <class Event>
  void listen(Entity entity, const char* prefix) {
    kept.push_back(events.on<Event>(
        entity, [this, prefix](const Event&, Propagation& at) { notify(prefix + name(at.entity())); }));
  }
};

}  // namespace strata::test::event_window
