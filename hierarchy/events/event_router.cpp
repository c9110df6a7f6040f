#include "event_router.hpp"

#include <new>
#include <utility>

#include "../../core/rollback.hpp"

namespace strata::detail {
namespace {

std::uint64_t number_of(const Observer& observer) {
  return static_cast<const EventObserver&>(observer).number;
}

}  // namespace

/// An event that is being delivered, and how far it has come on its way from entity to entity.
struct EventRouter::Way {
  EventChannel& channel;
  Propagation at;
  // Functions whose EventObserver::number is not less than `before` were added after the event was emitted, so they
  // are not called.
  const std::uint64_t before;
  FirstError& error;
  ObserverList::Notification all;  // The functions that listen at all entities.
  std::size_t calls = 0;
};

EventRouter::EventRouter(Store& store, const Links& links)
    : store_(store), links_(links), by_type_(store.memory()), queue_(store.memory()), walk_(store.memory()) {}

EventRouter::~EventRouter() {
  end();
}

void EventRouter::end() noexcept {
  has_ended_ = true;
  for (EventChannel*& channel : by_type_.values()) channel = nullptr;
  queue_.drop_all();
  // Each channel (the functions that listen to one type of event) is unlinked before it is destroyed, because
  // destructors of these functions may run code that uses the router.
  while (channels_ != nullptr) {
    EventChannel* const channel = std::exchange(channels_, channels_->next);
    channel->~EventChannel();
    store_.memory()->deallocate(channel, sizeof(EventChannel), alignof(EventChannel));
  }
}

EventChannel* EventRouter::open(TypeNumber type, std::string_view name, std::size_t bytes,
                                std::size_t alignment) {
  if (has_ended_) return nullptr;
  if (by_type_.counts(type)) by_type_.reserve(type);
  EventChannel* channel = channels_;
  while (channel != nullptr && channel->name != name) channel = channel->next;
  STRATA_EXPECTS(channel == nullptr || (channel->bytes == bytes && channel->alignment == alignment),
                 "the event " + std::string(name) +
                     " is known with another size or alignment: give one of the types another name");
  if (channel == nullptr) {
    std::pmr::memory_resource* const memory = store_.memory();
    channel = ::new (memory->allocate(sizeof(EventChannel), alignof(EventChannel)))
        EventChannel(name, bytes, alignment, store_.slots(), memory);
    channel->next = std::exchange(channels_, channel);
  }
  if (by_type_.counts(type)) by_type_.set(type, channel);
  return channel;
}

void EventRouter::listen(EventChannel& channel, EventObserver* observer) {
  observer->number = next_number_++;
  channel.everywhere.add(observer);
}

void EventRouter::listen_at(EventChannel& channel, Entity entity, EventObserver* observer, CallSite at) {
  Rollback destroy([&] { observer->destroy(observer); });
  if (!store_.slots().is_reserved(entity)) store_.require_alive("events: on", entity, at);
  ObserverList& list = channel.by_entity.get(entity);
  destroy.dismiss();
  observer->number = next_number_++;
  list.add(observer);
}

/// Called at the start of `emit` and `deliver`: checks that listening functions may be called now. If no query is
/// iterating and no user code is running, also makes sure that the end of the call does not apply commands that were
/// recorded before it. They wait for World::flush, or until later commands are applied, such as those that listening
/// functions record during the call.
/// Contract: no values are being moved, because rows are incomplete during a move.
inline void EventRouter::begin() const {
  if (store_.undisturbed()) [[likely]]
    return;
  store_.guard().require_whole();
  store_.guard().begin_replacement();
}

/// Called at the end of `emit` and `deliver`. If a listening function has thrown an exception, throws the first one.
/// Otherwise applies the commands that the functions have recorded. If a query is iterating, or user code (such as an
/// observer) has made the call, the commands are applied when the iteration or that code has ended.
inline void EventRouter::end_call(FirstError& error) {
  if (error.any()) [[unlikely]]
    error.rethrow();
  store_.iteration_ended();
}

std::size_t EventRouter::emit(EventChannel& channel, void* event, Entity entity, Spread spread) {
  begin();
  FirstError error;
  std::size_t calls = 0;
  {
    const ChangeGuard::Operation operation(store_.guard(), "emit");
    calls = send(channel, event, entity, spread, error);
  }
  end_call(error);
  return calls;
}

Deliveries EventRouter::deliver() {
  STRATA_EXPECTS(depth_ == 0 && !is_delivering_ && !queue_.in_use(),
                 std::string("deliver while ") +
                     (queue_.in_use() && !is_delivering_ ? "an event is queued or dropped"
                                                         : "functions are called with an event") +
                     ": call it when that has ended");
  begin();
  FirstError error;
  Deliveries result;
  {
    const ChangeGuard::Operation operation(store_.guard(), "deliver");
    const EventQueue::Use use(queue_);
    Rollback ended([&] { is_delivering_ = false; });
    is_delivering_ = true;
    for (std::uint32_t round = 0; queue_.size() != 0; ++round) {
      if (round == round_limit_) {
        error.catching([&] { require_round(round); });
        break;
      }
      std::size_t left = queue_.size();
      for (QueuedEvent* event = queue_.take(); event != nullptr;
           event = --left != 0 ? queue_.take() : nullptr) {
        Rollback destroy([&] { event->destroy_value(); });
        if (event->entity && !store_.alive(event->entity)) {
          event->channel->by_entity.drop(event->entity);
          ++result.dropped;
          continue;
        }
        send(*event->channel, event->value(), event->entity, event->spread, error);
        ++result.delivered;
      }
    }
  }
  end_call(error);
  return result;
}

/// Reports a broken contract if `deliver` has already done as many rounds as `set_round_limit` allows. Each round
/// delivers the events that functions have queued in the round before.
void EventRouter::require_round(std::uint32_t round) const {
  STRATA_EXPECTS(round < round_limit_, "deliver: in each of " + std::to_string(round) +
                                           " rounds, functions have queued further events; " +
                                           std::to_string(queue_.size()) +
                                           " stay queued (see Events::set_round_limit)");
}

/// Reports a broken contract: a function that was called with an event has emitted another event, and so on, deeper
/// than `set_depth_limit` allows. From then on, no function is called until the outermost of these events has ended.
void EventRouter::refuse_depth() {
  is_too_deep_ = depth_ != 0;
  STRATA_EXPECTS(depth_ < depth_limit_, "emit: functions that are called with an event emit further ones, " +
                                            std::to_string(depth_) + " deep (see Events::set_depth_limit)");
}

/// Sends an event to `entity` and to those entities above or below it that `spread` says; to the world as a whole if
/// `entity` is null. Calls the functions that listen there. Calls none if `entity` is stale, or if `refuse_depth` has
/// stopped the events that are under way.
/// Returns: the number of calls.
inline std::size_t EventRouter::send(EventChannel& channel, void* event, Entity entity, Spread spread,
                                     FirstError& error) {
  if (is_too_deep_) [[unlikely]]
    return 0;
  if (entity && !store_.alive(entity)) [[unlikely]] {
    channel.by_entity.drop(entity);
    return 0;
  }
  if (depth_ >= depth_limit_) [[unlikely]]
    refuse_depth();
  ++depth_;
  Rollback ended([&] {
    if (--depth_ == 0) is_too_deep_ = false;
  });
  Way way{channel, Propagation(event, entity), next_number_, error,
          ObserverList::Notification(channel.everywhere)};
  if (!entity || spread == Spread::none) {
    notify(way);
  } else if (spread == Spread::bubble) {
    bubble(way);
  } else {
    sink(way);
  }
  return way.calls;
}

void EventRouter::bubble(Way& way) {
  for (std::uint32_t node = way.at.origin_.index(); node != Links::kNone; node = links_.parent(node)) {
    way.at.entity_ = store_.slots().handle_of(node);
    notify(way);
    if (way.at.stopped_ || is_too_deep_) return;
  }
}

void EventRouter::sink(Way& way) {
  // `walk_` receives the visited nodes with children, level by level. A listening function may emit another event that
  // goes to descendants. The other event appends its nodes to `walk_`, from its own `first` on, and removes them when
  // it ends.
  const std::size_t first = walk_.size();
  Rollback remove([&] { walk_.erase(first, walk_.size()); });
  visit(way, way.at.origin_.index());
  visit_below(way, first);
}

inline void EventRouter::visit(Way& way, std::uint32_t node) {
  way.at.entity_ = store_.slots().handle_of(node);
  way.at.skips_descendants_ = false;
  notify(way);
  if (!way.at.skips_descendants_ && links_.first_child(node) != Links::kNone) walk_.push_back(node);
}

/// Visits the children of all nodes in `walk_` from index `first` on. `visit` appends each visited node that has
/// children to `walk_`, unless a listening function has asked to skip the node's descendants. So descendants are
/// visited level by level. Ends early if a function has stopped the event, or if events are nested too deep (see
/// `refuse_depth`).
void EventRouter::visit_below(Way& way, std::size_t first) {
  for (std::size_t i = first; i < walk_.size(); ++i) {
    for (std::uint32_t node = links_.first_child(walk_[i]);; node = links_.next_of_linked(node)) {
      if (way.at.stopped_ || is_too_deep_) return;
      if (node == Links::kNone) break;
      visit(way, node);
    }
  }
}

/// Calls the functions that listen at the entity that the event has reached (`way.at.entity_`), and the functions that
/// listen at all entities, in the order of registration. If `way.at.entity_` is null (an event for the whole world),
/// calls only the functions that listen at all entities.
inline void EventRouter::notify(Way& way) {
  ObserverList* const own = way.at.entity_ ? way.channel.by_entity.find(way.at.entity_) : nullptr;
  if (own == nullptr || !own->any()) return notify(way, way.all);
  if (!way.channel.everywhere.any()) return notify(way, ObserverList::Notification(*own));
  notify_both(way, *own);
}

inline void EventRouter::notify(Way& way, const ObserverList::Notification& notified) {
  for (std::size_t next = 0; Observer* const observer = notified.take(next);) {
    if (!call(way, *observer)) return;
  }
}

/// Calls two lists of functions: `list` (those that listen at the entity that the event has reached), and those that
/// listen at all entities. Merges the lists, so that all functions are called in the order of registration. Ends when
/// `call` returns false.
void EventRouter::notify_both(Way& way, ObserverList& list) {
  const ObserverList::Notification own(list);
  std::size_t next_own = 0;
  std::size_t next_all = 0;
  Observer* a = own.take(next_own);
  Observer* b = way.all.take(next_all);
  while (a != nullptr || b != nullptr) {
    const bool own_is_first = b == nullptr || (a != nullptr && number_of(*a) < number_of(*b));
    Observer* const observer = own_is_first ? a : b;
    // `observer->list` is null if a function that was called before has ended the subscription of this observer.
    if (observer->list != nullptr && !call(way, *observer)) return;
    (own_is_first ? a : b) = own_is_first ? own.take(next_own) : way.all.take(next_all);
  }
}

/// Calls a listening function, unless the function was added after the event was emitted.
/// Returns: whether the functions that follow in the same list may be called. False if this function was added too late
/// (then the following functions were, too), or if calls nest too deep.
inline bool EventRouter::call(Way& way, Observer& observer) {
  if (number_of(observer) >= way.before) return false;
  ++way.calls;
  way.error.catching([&] { observer.call(observer, way.at.entity_, &way.at, nullptr); });
  return !is_too_deep_;
}

void EventRouter::forget_slot(Entity entity) noexcept {
  for (EventChannel* channel = channels_; channel != nullptr; channel = channel->next) {
    channel->by_entity.drop(entity);
  }
}

void EventRouter::forget_gone() noexcept {
  for (EventChannel* channel = channels_; channel != nullptr; channel = channel->next) {
    channel->by_entity.free_unused();
  }
}

void EventRouter::shrink() noexcept {
  queue_.shrink();
  if (walk_.empty()) walk_.shrink_to_fit();
  forget_gone();
}

MemoryUse EventRouter::memory_use() const {
  MemoryUse use = by_type_.memory_use() + queue_.memory_use() + memory_use_of(walk_);
  for (const EventChannel* channel = channels_; channel != nullptr; channel = channel->next) {
    use += MemoryUse{sizeof(EventChannel), sizeof(EventChannel)} + channel->by_entity.memory_use();
  }
  return use;
}

std::string EventRouter::check_invariants() const {
  for (const EventChannel* channel = channels_; channel != nullptr; channel = channel->next) {
    for (const auto& broken :
         {channel->everywhere.check_invariants(), channel->by_entity.check_invariants()}) {
      if (!broken.empty()) return broken;
    }
  }
  return queue_.check_invariants();
}

}  // namespace strata::detail
