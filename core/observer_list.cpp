#include "observer_list.hpp"

#include "rollback.hpp"

namespace strata::detail {

void FirstError::keep_current() noexcept {
  if (error_ == nullptr) error_ = std::current_exception();
}

void FirstError::rethrow() {
#if defined(__cpp_exceptions)
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
#endif
}

void release(Observer* observer) noexcept {
  if (--observer->references == 0) observer->destroy(observer);
}

ObserverList::~ObserverList() {
  end_all();
}

void ObserverList::end_all() noexcept {
  ++notifying_;  // Prevents the removal of observers while this loop reads the list.
  for (std::size_t i = 0; i < observers_.size(); ++i) {
    if (observers_[i]->list != nullptr) end(*observers_[i]);
  }
  --notifying_;
  remove_ended();
}

void ObserverList::add(Observer* observer) {
  observer->references = 1;
  Rollback destroy([&] { release(observer); });
  observers_.push_back(observer);
  destroy.dismiss();
  observer->list = this;
  ++active_;
  only_ = find_only();
  if (count_ != nullptr) count_->add(1);
}

/// Calls all observers of the list with these arguments and keeps the first of their exceptions in `error`. `notify`
/// calls this function if the list has observers and `only_` is null. (`only_` points to the observer of a list that
/// has exactly one; see J3.)
void ObserverList::notify_all(Entity entity, void* now, const void* old, FirstError& error) {
  const Notification notification(*this);
  for (std::size_t next = 0; Observer* const observer = notification.take(next);) {
    error.catching([&] { observer->call(*observer, entity, now, old); });
  }
}

void ObserverList::notify_each(std::span<const Entity> entities, std::byte* values, std::size_t stride,
                               FirstError& error) {
  const Notification notification(*this);
  for (std::size_t next = 0; Observer* const observer = notification.take(next);) {
    std::size_t notified = 0;
    const auto notify_rest = [&] {
      while (notified < entities.size() && observer->list != nullptr) {
        const std::size_t i = notified++;
        observer->call(*observer, entities[i], values + i * stride, nullptr);
      }
    };
    do {
      error.catching(notify_rest);
    } while (notified < entities.size() && observer->list != nullptr);
  }
}

void ObserverList::end(Observer& observer) noexcept {
  observer.list = nullptr;
  --active_;
  ++ended_;
  only_ = find_only();
  if (count_ != nullptr) count_->add(-1);
  if (notifying_ == 0) remove_ended();
}

std::string ObserverList::check_invariants() const {
  std::uint32_t active = 0;
  for (const Observer* const observer : observers_) {
    if (observer->list != nullptr && observer->list != this) return "J1: an observer refers to another list";
    active += observer->list != nullptr ? 1 : 0;
  }
  if (active != active_) return "J1: an observer that has not ended does not refer to its list";
  if (active_ + ended_ != observers_.size()) return "J1: observers that have ended are counted wrongly";
  if (only_ != find_only()) return "J3: the only observer of a list is not known";
  return notifying_ == 0 && ended_ != 0 ? "J2: a list keeps an observer that has ended" : "";
}

/// Returns: the list's observer if it is the only one and has not ended (been unsubscribed); otherwise null.
/// `only_` caches this result.
Observer* ObserverList::find_only() const noexcept {
  return observers_.size() == 1 && observers_.front()->list != nullptr ? observers_.front() : nullptr;
}

/// Removes the observers that have ended (been unsubscribed) from the list. When an observer is released, the
/// destructor of its function may add and end observers of this list. So each observer is taken out of the list before
/// it is released.
void ObserverList::remove_ended() noexcept {
  ++notifying_;
  for (std::size_t i = 0; ended_ != 0;) {
    if (i >= observers_.size()) i = 0;  // A destructor has ended an earlier observer.
    Observer* const observer = observers_[i];
    if (observer->list != nullptr) {
      ++i;
      continue;
    }
    observers_.erase(i, i + 1);
    --ended_;
    only_ = find_only();
    release(observer);
  }
  --notifying_;
}

}  // namespace strata::detail
