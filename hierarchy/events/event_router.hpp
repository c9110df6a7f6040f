// EventRouter: calls the functions that listen to events, and keeps events that are delivered later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

#include "../../core/compiler.hpp"
#include "../../core/component.hpp"
#include "../../core/contract.hpp"
#include "../../core/plain_list.hpp"
#include "../../core/type_numbers.hpp"
#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "event_channel.hpp"
#include "event_queue.hpp"

namespace strata {

/// The result of EventRouter::deliver: how many of the queued events were delivered, and how many were dropped.
struct Deliveries {
  std::size_t delivered = 0;
  std::size_t dropped = 0;  ///< Events for entities that were not alive any more.
};

namespace detail {

/// Calls the functions that listen to events: at the entity of the event and, if the event spreads, at other entities.
/// EventRouter has a channel for each type of event: the functions that listen to it. It also has a queue of events
/// that are delivered later.
///
/// Structural changes are refused while functions are called. So EventRouter can follow the links of the hierarchy from
/// entity to entity while it calls functions, and need not list the entities first.
///
/// Threads: each call counts as a change of the world, so no other thread may use the world meanwhile.
class EventRouter {
 public:
  EventRouter(Store& store, const Links& links);
  EventRouter(const EventRouter&) = delete;
  EventRouter& operator=(const EventRouter&) = delete;
  ~EventRouter();

  /// Destroys all queued events and all functions that listen. From then on, no function is called, and a new event is
  /// destroyed at once instead of being queued.
  void end() noexcept;

  /// Returns: the channel of a type of event; null after `end`. The first call for a type makes the channel.
  /// Errors: std::bad_alloc.
  /// Contract: if a channel with the name of the type exists already, the channel's size and alignment are those of
  /// Event.
  template <class Event>
  EventChannel* channel_of() {
    EventChannel* const found = by_type_.find(type_number<Event>);
    if (found != nullptr) [[likely]]
      return found;
    return open(type_number_of<Event>(), name_of<Event>, sizeof(Event), alignof(Event));
  }

  /// `listen` makes the function of `observer` listen at all entities, and to events of the whole world. `listen_at`
  /// makes it listen at one entity. Both take over the observer: the router and the Subscriptions that refer to the
  /// observer share its ownership.
  /// Errors: std::bad_alloc; the observer is destroyed then.
  /// Contract: the entity given to `listen_at` is alive, or its handle is reserved for a recorded command that creates
  /// it.
  STRATA_API void listen(EventChannel& channel, EventObserver* observer);
  STRATA_API void listen_at(EventChannel& channel, Entity entity, EventObserver* observer, CallSite at);

  /// Calls the functions that listen to the event at `entity`, and those that listen at all entities. If the event
  /// spreads, does the same for each other entity to which it goes, until a function stops the event: then only the
  /// other functions at the same entity are still called (see Propagation::stop). If `entity` is null, the event is for
  /// the whole world: calls only the functions that listen at all entities. Afterwards, applies the commands that the
  /// functions have recorded. If a query is iterating, or user code (such as an observer) has called `emit`, the
  /// commands are applied when the iteration or that code has ended.
  /// Returns: the number of function calls; 0 if the entity is stale.
  /// Errors: the first exception of a function, thrown when all functions have been called; std::bad_alloc.
  STRATA_API std::size_t emit(EventChannel& channel, void* event, Entity entity, Spread spread);

  /// Delivers all queued events, and the events that listening functions queue meanwhile; see Events::deliver, which
  /// calls this function.
  STRATA_API Deliveries deliver();

  /// Frees the functions that listened at destroyed entities with the same slot (Entity::index) as `entity`. Called
  /// before `entity` is created again with the handle of a destroyed entity, so that those functions do not listen at
  /// it.
  /// Complexity: O(types of events).
  void forget_slot(Entity entity) noexcept;
  /// Frees the functions that listened at destroyed entities. Called before a world is restored to an earlier state,
  /// because the restored world may issue the handles of destroyed entities again. Called afterwards, too, because
  /// restoring destroys the entities that did not exist in the earlier state.
  /// Complexity: O(types of events + entities that are listened at).
  void forget_gone() noexcept;

  EventQueue& queue() noexcept { return queue_; }
  const EventQueue& queue() const noexcept { return queue_; }

  void set_depth_limit(std::uint32_t depth) noexcept { depth_limit_ = depth; }
  void set_round_limit(std::uint32_t rounds) noexcept { round_limit_ = rounds; }

  /// Frees the memory of delivered events, and the functions that listened at destroyed entities.
  STRATA_API void shrink() noexcept;

  MemoryUse memory_use() const;
  std::string check_invariants() const;

 private:
  struct Way;

  STRATA_NOINLINE STRATA_COLD STRATA_API EventChannel* open(TypeNumber type, std::string_view name,
                                                            std::size_t bytes, std::size_t alignment);
  STRATA_ALWAYS_INLINE inline void begin() const;
  STRATA_ALWAYS_INLINE inline void end_call(FirstError& error);
  STRATA_ALWAYS_INLINE inline std::size_t send(EventChannel& channel, void* event, Entity entity,
                                               Spread spread, FirstError& error);
  STRATA_COLD STRATA_NOINLINE void refuse_depth();
  void require_round(std::uint32_t round) const;
  void bubble(Way& way);
  void sink(Way& way);
  STRATA_ALWAYS_INLINE inline void visit(Way& way, std::uint32_t node);
  void visit_below(Way& way, std::size_t first);
  STRATA_ALWAYS_INLINE inline void notify(Way& way);
  STRATA_ALWAYS_INLINE inline void notify(Way& way, const ObserverList::Notification& notified);
  void notify_both(Way& way, ObserverList& list);
  STRATA_ALWAYS_INLINE inline bool call(Way& way, Observer& observer);

  Store& store_;
  const Links& links_;
  TypeTable<EventChannel*, nullptr> by_type_;
  EventChannel* channels_ = nullptr;  // Linked by `next`, the newest first.
  EventQueue queue_;
  PlainList<std::uint32_t> walk_;  // Nodes whose children a sinking event visits next.
  std::uint64_t next_number_ = 1;  // The number of the next function.
  std::uint32_t depth_ = 0;        // The number of nested events.
  std::uint32_t depth_limit_ = 64;
  std::uint32_t round_limit_ = 100;
  bool is_delivering_ = false;
  bool is_too_deep_ = false;  // No function is called until all events under way have ended.
  bool has_ended_ = false;
};

}  // namespace detail
}  // namespace strata
