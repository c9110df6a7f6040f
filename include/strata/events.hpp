// Events: events of the user's own, which functions listen to.
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

/// The events of a world, of types that the user chooses, such as a click or damage. Functions listen to a type
/// of event: everywhere, or at one entity. `emit` calls them at once; `queue` keeps the event for `deliver`.
///
/// A function takes an `Event&`, which it may change, and perhaps a `Propagation&`, which has the entity at
/// which the function is called, and the entity of origin. An event that spreads (see Spread) comes to several
/// entities; functions that listen everywhere are called at each of them. At one entity, functions are called
/// in the order of registration.
///
/// While functions are called, they may read, run queries, record commands, emit and queue events, make
/// functions listen and end that; see callbacks.hpp. A function that begins to listen is not called with the
/// event under way, and one that has ended is not called any more. If a function throws, the others are called,
/// and the first exception is passed on at the end.
///
/// Types are distinguished by their names (`name_of`), so shared libraries that use one world share its events.
///
/// World::events returns it; it is valid as long as the world. When the world ends, functions and queued events
/// are destroyed first, while entities are alive; no function is called.
///
/// Threads: a writer of the world.
class Events {
 public:
  Events(detail::Store& store, const detail::Links& links) : router_(store, links) {}

  /// Makes a function listen to events of a type: to those of all entities, and to those of the whole world.
  /// Returns: what keeps the function registered; see Subscription.
  /// Errors: std::bad_alloc, and what moving the function throws; nothing listens then.
  template <class Event, class Function>
  [[nodiscard]] Subscription on(Function function) {
    detail::EventChannel* const channel = router_.channel_of<Checked<Event>>();
    if (channel == nullptr) return {};  // The world is ending.
    auto* const observer = make_observer<Event>(function);
    router_.listen(*channel, observer);
    return Subscription(observer);
  }

  /// Makes a function listen to events of a type at one entity. It ends with the entity: it is not called any
  /// more when the entity was destroyed, and the library frees it later (see `shrink`).
  /// Returns: what keeps the function registered; see Subscription.
  /// Errors: std::bad_alloc, and what moving the function throws; nothing listens then.
  /// Contract: the entity is alive, or recorded commands will create it.
  template <class Event, class Function>
  [[nodiscard]] Subscription on(Entity entity, Function function, CallSite at = {}) {
    detail::EventChannel* const channel = router_.channel_of<Checked<Event>>();
    if (channel == nullptr) return {};
    auto* const observer = make_observer<Event>(function);
    router_.listen_at(*channel, entity, observer, at);
    return Subscription(observer);
  }

  /// Calls the functions that listen to an event, now. Without an entity, or if that is null, it is an event of
  /// the whole world, and functions that listen everywhere are called once.
  /// Returns: the number of calls; 0 if the entity is stale.
  /// Errors: the first exception of a function, when all have been called; then commands that functions have
  /// recorded stay recorded. std::bad_alloc, when events that sink have come to some of the entities.
  /// Contract: events that functions emit meanwhile are nested at most as deep as `set_depth_limit` says. If
  /// that is broken, no further function is called, and all events under way end.
  /// Complexity: O(functions), and O(entities on the way) if there are any functions for this type.
  template <class Event>
  std::size_t emit(Event&& event, Entity entity = {}, Spread spread = Spread::none) {
    static_assert(!std::is_const_v<std::remove_reference_t<Event>>,
                  "functions may change an event: emit one that is not const");
    detail::EventChannel* const channel = router_.channel_of<Checked<std::remove_reference_t<Event>>>();
    if (channel == nullptr || !channel->any()) return 0;
    return router_.emit(*channel, detail::address_of(event), entity, spread);
  }

  /// Keeps an event until `deliver`. It is moved, or copied if the argument is an lvalue.
  /// Errors: std::bad_alloc, and what moving or copying the event throws; nothing is queued then.
  /// Complexity: O(1). Allocates only if more bytes of events wait than ever before.
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

  /// Delivers all queued events in the order of queuing, each as `emit` does. Those that functions queue
  /// meanwhile are delivered in the same call, in further rounds. Recorded commands are applied at the end, so
  /// an event for an entity that they destroy is delivered before.
  /// Returns: the number of delivered events, and that of dropped ones. An event is dropped if its entity is not
  /// alive: it was destroyed, or recorded commands have yet to create it.
  /// Errors: the first exception of a function, when all events are delivered; std::bad_alloc, and the events
  /// not delivered yet stay queued.
  /// Contract: no function is being called with an event. Functions do not queue further events in each of so
  /// many rounds as `set_round_limit` says; if they do, these events stay queued.
  Deliveries deliver() { return router_.deliver(); }

  /// Returns: the number of queued events.
  [[nodiscard]] std::size_t queued() const noexcept { return router_.queue().size(); }

  /// Destroys all queued events.
  /// Returns: their number.
  std::size_t drop_queued() noexcept { return router_.queue().drop_all(); }

  /// Sets how deep events may be nested that functions emit while they are called with an event; 64 unless set.
  void set_depth_limit(std::uint32_t depth) noexcept { router_.set_depth_limit(depth); }
  /// Sets how many rounds of events `deliver` may take, those queued before it are the first; 100 unless set.
  void set_round_limit(std::uint32_t rounds) noexcept { router_.set_round_limit(rounds); }

  /// Frees unused memory, and the functions that listen at entities that are gone. These are also freed when
  /// an event for that entity, or for a later one in its slot, is emitted or delivered, and when many functions
  /// are added.
  /// Complexity: O(entities with functions).
  void shrink() noexcept { router_.shrink(); }

  /// Returns: the object that does the work, for the library's own code.
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
    static_assert(alignof(Event) <= detail::EventQueue::kMostAlignment,
                  "an event is aligned to at most 4096 bytes");
    using Type = Event;
  };
  /// The type of an event, if it may be one.
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
