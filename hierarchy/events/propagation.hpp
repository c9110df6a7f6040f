// Spread: to which entities an event goes. Propagation: the second argument of functions that listen to an event.
#pragma once

#include <cstdint>

#include "../../core/entity.hpp"

namespace strata {

namespace detail {

class EventRouter;
struct EventCalls;

}  // namespace detail

/// To which entities an event goes, besides the entity for which it is emitted.
enum class Spread : std::uint8_t {
  none,    ///< To no other entity.
  bubble,  ///< From its entity to the parent, the parent's parent, and so on up to the root.
  sink,    ///< From its entity to all entities below it, level by level.
};

/// The second argument of a function that listens to an event. Tells the function at which entity the event is and
/// where it comes from, and lets the function stop the event. The object is valid until the function returns.
class Propagation {
 public:
  /// Returns: the entity at which the function is called; a null handle for an event of the whole world.
  [[nodiscard]] Entity entity() const noexcept { return entity_; }
  /// Returns: the entity for which the event was emitted or queued.
  [[nodiscard]] Entity origin() const noexcept { return origin_; }

  /// Stops the event: the other functions that listen at this entity are still called, but the event goes to no further
  /// entity.
  void stop() noexcept { stopped_ = true; }
  /// Returns: whether a function that listens to this event has called `stop`.
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }

  /// Keeps the event from going to the entities below `entity()`. Only has an effect on events with Spread::sink.
  void skip_descendants() noexcept { skips_descendants_ = true; }

 private:
  friend class detail::EventRouter;
  friend struct detail::EventCalls;

  Propagation(void* event, Entity origin) noexcept : event_(event), entity_(origin), origin_(origin) {}

  void* event_;
  Entity entity_;
  Entity origin_;
  bool stopped_ = false;
  bool skips_descendants_ = false;
};

}  // namespace strata
