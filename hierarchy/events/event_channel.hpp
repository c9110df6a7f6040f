// EventChannel: the functions that listen to one type of event, at all entities or at single entities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "entity_listeners.hpp"
#include "propagation.hpp"

namespace strata::detail {

/// The functions that listen to one type of event. `everywhere` has those that listen at all entities, `by_entity`
/// those that listen at single entities. EventRouter links the channels of all types by `next`.
struct EventChannel {
  EventChannel(std::string_view type, std::size_t type_bytes, std::size_t type_alignment, const Slots& slots,
               std::pmr::memory_resource* memory)
      : name(type),
        bytes(type_bytes),
        alignment(type_alignment),
        everywhere(memory, &count),
        by_entity(slots, &count, memory) {}

  /// Returns: whether a function listens to this type of event. Functions that listen at a destroyed entity count, too,
  /// until EntityListeners frees the list of that entity.
  bool any() const noexcept { return count.count != 0; }

  std::string_view name;  ///< The name of the type, as `name_of` gives it.
  std::size_t bytes;
  std::size_t alignment;
  ObserverCount count;
  ObserverList everywhere;  ///< Functions for events of all entities and of the whole world.
  EntityListeners by_entity;
  EventChannel* next = nullptr;
};

/// A function that listens to events. The functions for all types of events are numbered together, in the order in
/// which they were registered. EventRouter calls functions in ascending order of `number`.
struct EventObserver : Observer {
  EventObserver(Call how, void (*destroys)(Observer*) noexcept) : Observer{how, destroys} {}

  std::uint64_t number = 0;
};

/// Reads the event that a Propagation points to. Propagation is not a template, so it stores a private void pointer.
/// EventCalls is a friend of Propagation, and converts the pointer to the type of the event.
struct EventCalls {
  template <class Event>
  static Event& event_of(const Propagation& at) noexcept {
    return *static_cast<Event*>(at.event_);
  }
};

/// An EventObserver with the function that it calls. The function takes an Event& and, optionally, a Propagation& as
/// second parameter.
template <class Event, class Function>
struct EventFunction : EventObserver {
  explicit EventFunction(Function what) : EventObserver(call_one, destroy_one), function(std::move(what)) {}

  static void call_one(Observer& observer, Entity, void* propagation, const void*) {
    Function& function = static_cast<EventFunction&>(observer).function;
    auto& at = *static_cast<Propagation*>(propagation);
    if constexpr (std::is_invocable_v<Function&, Event&, Propagation&>) {
      function(EventCalls::event_of<Event>(at), at);
    } else {
      function(EventCalls::event_of<Event>(at));
    }
  }
  static void destroy_one(Observer* observer) noexcept { delete static_cast<EventFunction*>(observer); }

  Function function;
};

}  // namespace strata::detail
