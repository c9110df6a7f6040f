// Events: delivers events, of types that the program chooses, to functions that listen to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "../../core/rollback.hpp"
#include "../../core/subscription.hpp"
#include "../../hierarchy/events/event_router.hpp"

namespace strata {

/// Delivers the events of a world, such as a click or damage; each type of event is a type of the program. A function
/// listens to a type of event, either everywhere or at one entity. `emit` calls the listening functions at once;
/// `queue` keeps the event until `deliver` is called.
///
/// A function takes an `Event&`, which it may change, and optionally a `Propagation&`, which tells at which entity the
/// function is called, and for which entity the event was emitted. An event may spread from its entity to the ancestors
/// or to the descendants (see Spread); functions that listen everywhere are then called at each of these entities. At
/// each entity, functions are called in the order of registration.
///
/// While functions are called, they may read, run queries, record commands, emit and queue events, add and remove
/// listening functions; see callbacks.hpp. A function that is added during the delivery of an event is not called with
/// this event. A function that was removed is not called any more. If a function throws, the other functions are still
/// called, and the first exception is thrown at the end.
///
/// Types of events are distinguished by their names (`name_of`), so shared libraries that use one world also share the
/// events of that world.
///
/// World::events returns this object, which is valid as long as the world. When the world is destroyed, functions and
/// queued events are destroyed first, while entities are alive; no function is called.
///
/// Threads: each call counts as a change of the world: no other thread may use the world at the same time.
class Events {
 public:
  Events(detail::Store& store, const detail::Links& links) : router_(store, links) {}

  /// Makes a function listen to all events of a type: those emitted for any entity, and those emitted for the whole
  /// world.
  /// Returns: the Subscription, which keeps the function registered. While the world is being destroyed, the function
  /// is not registered, and the Subscription is empty.
  /// Errors: std::bad_alloc, and what moving the function throws; the function is not registered then.
  template <class Event, class Function>
  [[nodiscard]] Subscription on(Function function) {
    detail::EventChannel* const channel = router_.channel_of<Checked<Event>>();
    if (channel == nullptr) return {};  // The world is ending.
    auto* const observer = make_observer<Event>(function);
    router_.listen(*channel, observer);
    return Subscription(observer);
  }

  /// Makes a function listen to events of a type at one entity. After the entity was destroyed, the function is not
  /// called any more, and the library frees it later (see `shrink`).
  /// Returns: the Subscription, which keeps the function registered.
  /// Errors: std::bad_alloc, and what moving the function throws; the function is not registered then.
  /// Contract: the entity is alive, or recorded commands will create it. A handle that was recorded by a
  /// system may be used here only when the stage of that system has ended: before, it may have no slot.
  template <class Event, class Function>
  [[nodiscard]] Subscription on(Entity entity, Function function, CallSite at = {}) {
    detail::EventChannel* const channel = router_.channel_of<Checked<Event>>();
    if (channel == nullptr) return {};
    auto* const observer = make_observer<Event>(function);
    router_.listen_at(*channel, entity, observer, at);
    return Subscription(observer);
  }

  /// Calls, now, the functions that listen to this type of event at the entity, and those that listen everywhere; see
  /// Spread for further entities. Without an entity, or with a null handle, the event belongs to the whole world, and
  /// only the functions that listen everywhere are called, once.
  /// Returns: how many times functions were called; 0 if the entity is stale.
  /// Errors: the first exception of a function, thrown after all functions were called; commands that functions
  /// recorded stay recorded in that case. std::bad_alloc, for an event that is delivered to the descendants of its
  /// entity (Spread::sink); some descendants may have received the event before the exception.
  /// Contract: events that functions emit meanwhile are not nested deeper than `set_depth_limit` allows. If they are,
  /// no further function is called, and the delivery of all nested events ends.
  /// Complexity: O(functions + entities that receive the event); O(1) if no function listens to this type.
  template <class Event>
  std::size_t emit(Event&& event, Entity entity = {}, Spread spread = Spread::none) {
    static_assert(!std::is_const_v<std::remove_reference_t<Event>>,
                  "functions may change an event: emit one that is not const");
    detail::EventChannel* const channel = router_.channel_of<Checked<std::remove_reference_t<Event>>>();
    if (channel == nullptr || !channel->any()) return 0;
    return router_.emit(*channel, detail::address_of(event), entity, spread);
  }

  /// Keeps an event until `deliver`. The event is moved, or copied if the argument is an lvalue.
  /// Errors: std::bad_alloc, and what moving or copying the event throws; nothing is queued then.
  /// Complexity: O(1). Allocates only if the queued events take more bytes than ever before.
  template <class Event>
  void queue(Event&& event, Entity entity = {}, Spread spread = Spread::none) {
    using Value = Checked<std::remove_cvref_t<Event>>;
    detail::EventChannel* const channel = router_.channel_of<Value>();
    if (channel == nullptr) return;
    detail::EventQueue& queue = router_.queue();
    const auto append = [&] {
      detail::QueuedEvent& queued = queue.append(sizeof(Value), alignof(Value));
      ::new (queued.value()) Value(std::forward<Event>(event));
      queue.commit(queued, *channel, destructor_of<Value>(), entity, spread);
    };
    if constexpr (std::is_trivially_constructible_v<Value, Event>) {
      append();
    } else {
      const detail::EventQueue::Use use(queue);
      append();
    }
  }

  /// Delivers all queued events in the order of queuing, each as `emit` does. Events that functions queue meanwhile are
  /// delivered in the same call, in further rounds. Recorded commands are applied at the end, so events for entities
  /// that these commands destroy are still delivered.
  /// Returns: the number of delivered events, and the number of dropped ones. An event is dropped if its entity is not
  /// alive, because the entity was destroyed, or because recorded commands have yet to create it.
  /// Errors: the first exception of a function, thrown after all events were delivered; std::bad_alloc, after which the
  /// events that were not delivered yet stay queued.
  /// Contract: no function is being called with an event. There are not more rounds than `set_round_limit` allows; if
  /// there are, the events of the further rounds stay queued.
  Deliveries deliver() { return router_.deliver(); }

  /// Returns: the number of queued events.
  [[nodiscard]] std::size_t queued() const noexcept { return router_.queue().size(); }

  /// Destroys all queued events.
  /// Returns: the number of destroyed events.
  std::size_t drop_queued() noexcept { return router_.queue().drop_all(); }

  /// Sets how deep events may be nested: a function that is called with an event may emit another one, which is nested
  /// one level deeper. The default is 64. A deeper event breaks the contract of `emit`.
  void set_depth_limit(std::uint32_t depth) noexcept { router_.set_depth_limit(depth); }
  /// Sets the greatest number of rounds of one `deliver`. The first round delivers the events that were queued before
  /// the call; each later round, the events that were queued during the round before it. The default is 100. A further
  /// round breaks the contract of `deliver`.
  void set_round_limit(std::uint32_t rounds) noexcept { router_.set_round_limit(rounds); }

  /// Frees unused memory, and the functions that listen at destroyed entities. Without a call of `shrink`, such
  /// functions are freed later: by an event of their type for the destroyed entity or for a later entity with the same
  /// Entity::index, or when functions are added at so many entities that the table of these entities is nearly full.
  /// Complexity: O(entities with functions).
  void shrink() noexcept { router_.shrink(); }

  /// Returns: the object that stores the listening functions and the queued events. Only the library's own code calls
  /// this function.
  detail::EventRouter& router() { return router_; }
  const detail::EventRouter& router() const { return router_; }

 private:
  template <class Event>
  struct Check {
    static_assert(
        std::is_object_v<Event> && !std::is_const_v<Event> && !std::is_array_v<Event> &&
            !std::is_pointer_v<Event> && std::is_nothrow_destructible_v<Event>,
        "an event is a value of an object type, not const and no pointer, whose destruction does not "
        "throw");
    static_assert(
        alignof(Event) <= detail::EventQueue::kMostAlignment,
        "an event is aligned to at most detail::EventQueue::kMostAlignment bytes, the size of a page");
    using Type = Event;
  };
  /// The same type as `Event`. Does not compile if `Event` cannot be the type of an event.
  template <class Event>
  using Checked = typename Check<Event>::Type;

  template <class Event, class Function>
  static detail::EventObserver* make_observer(Function& function) {
    static_assert(
        std::is_invocable_v<Function&, Event&> || std::is_invocable_v<Function&, Event&, Propagation&>,
        "a function that listens to events takes an Event&, and perhaps a Propagation& behind it");
    return new detail::EventFunction<Event, Function>(std::move(function));
  }

  template <class Value>
  static auto destructor_of() -> void (*)(void*) noexcept {
    if constexpr (std::is_trivially_destructible_v<Value>) {
      return nullptr;
    } else {
      return [](void* value) noexcept { static_cast<Value*>(value)->~Value(); };
    }
  }

  detail::EventRouter router_;
};

}  // namespace strata
