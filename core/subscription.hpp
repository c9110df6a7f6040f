// Subscription: keeps a function registered as an observer of events.
#pragma once

#include <utility>

#include "compiler.hpp"
#include "observer_list.hpp"

namespace strata {

/// Keeps a function registered as an observer of events. The registration ends when `end` is called, or when the
/// Subscription or the world is destroyed; `detach` leaves the function registered until the world is destroyed. A
/// Subscription may outlive the world.
///
/// Threads: each call counts as a change of the world: during the call, no other thread may use the world.
class Subscription {
 public:
  /// Makes a Subscription that refers to no function.
  Subscription() noexcept = default;
  /// For the library: makes a Subscription that refers to `observer`, which is registered in an ObserverList.
  explicit Subscription(detail::Observer* observer) noexcept : observer_(observer) { ++observer->references; }
  Subscription(Subscription&& other) noexcept : observer_(std::exchange(other.observer_, nullptr)) {}
  Subscription& operator=(Subscription&& other) noexcept {
    // `other` may be a capture of the function to which this object refers. The destructor of `taken` destroys that
    // function, so `other` is emptied before.
    Subscription taken(std::move(other));
    std::swap(observer_, taken.observer_);
    return *this;
  }
  ~Subscription() { end(); }

  /// Ends the registration: the function is not called any more, not even for an event that is being delivered. The
  /// function is destroyed now or, if it is being called, when that call has returned. Does nothing if the registration
  /// has ended already.
  void end() noexcept {
    if (observer_ == nullptr) return;
    detail::Observer* const observer = std::exchange(observer_, nullptr);
    if (observer->list != nullptr) observer->list->end(*observer);
    detail::release(observer);
  }

  /// Leaves the function registered as long as the world exists. From then on, this Subscription refers to no function.
  void detach() noexcept {
    if (observer_ != nullptr) detail::release(std::exchange(observer_, nullptr));
  }

  /// For the library: returns the observer to which this Subscription refers; null if there is none.
  detail::Observer* observer() const noexcept { return observer_; }

  /// Returns: whether the function is still notified of events.
  [[nodiscard]] bool active() const noexcept { return observer_ != nullptr && observer_->list != nullptr; }

 private:
  detail::Observer* observer_ = nullptr;
};

}  // namespace strata
