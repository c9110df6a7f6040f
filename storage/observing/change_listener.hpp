// ChangeListener: the interface through which a store reports its changes.
#pragma once

#include <span>

#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "../../core/observer_list.hpp"

namespace strata::detail {

/// The components that one structural change adds to an entity and removes from it. The ids in each list ascend.
/// Components whose values are replaced are in neither list.
struct ComponentChange {
  Entity entity;
  std::span<const ComponentId> added;    ///< Components that the entity does not have before the change.
  std::span<const ComponentId> removed;  ///< Components that the entity has before the change.
};

/// An interface that is notified of the changes of a store while ChangeGuard::listened is true. Its functions call user
/// code. User code may read values, run queries and record commands, but must not make structural changes. If user code
/// throws, the listener keeps the exception, and `finish` throws it. No other function of the listener throws.
class ChangeListener {
 public:
  /// Reports that a change is about to remove components. Called when the change cannot fail any more; the values are
  /// still there. Not called for a change that removes no component.
  virtual void before(const ComponentChange& change) noexcept = 0;
  /// Reports that a change has added components, removed components, or both. The values of added components are
  /// complete.
  virtual void after(const ComponentChange& change) noexcept = 0;
  /// Reports the same as `before`, for a change that only removes one component. `value` is the component's value, null
  /// for a tag.
  /// Returns: whether the caller has to call `removed` after the removal.
  virtual bool removing(Entity entity, ComponentId id, void* value) noexcept = 0;
  /// `added` and `removed` report the same as `after`, for a change that only adds one component or only removes one.
  /// `value` is the new value, null for a tag.
  virtual void added(Entity entity, ComponentId id, void* value) noexcept = 0;
  virtual void removed(Entity entity, ComponentId id) noexcept = 0;

  /// Reports that a value has been replaced. `now` is the new value, at its final address. `old` is the old value,
  /// which is destroyed after the call.
  virtual void replaced(Entity entity, ComponentId id, void* now, const void* old) noexcept = 0;
  /// Reports that a value has been changed in place. `now` is its address.
  virtual void written(Entity entity, ComponentId id, void* now) noexcept = 0;

  /// Reports that entities were created, and have all of their values and parents. Parents come before their children.
  virtual void created(std::span<const Entity> entities) noexcept = 0;
  /// Reports that entities are about to be destroyed. All of them are still alive. Children come before their parents.
  virtual void destroying(std::span<const Entity> entities) noexcept = 0;
  /// Reports the same as `created`, for one entity.
  /// Contract: ChangeGuard::listened is true.
  virtual void created_one(Entity entity) noexcept = 0;

  /// Calls all observers (user functions) in the list `observers`. Passes the last three arguments to each of them; see
  /// Observer::Call. Used for changes of pairs (links between entities): the hierarchy owns the observers of pairs, and
  /// calls them through the listener, which handles their exceptions.
  virtual void call_observers(ObserverList& observers, Entity entity, void* now,
                              const void* old) noexcept = 0;

  /// `hold` begins a section, and `release` ends the innermost one; sections nest. During a section, `finish` throws
  /// nothing, so that no exception of user code interrupts an operation that makes several changes. If user code has
  /// thrown meanwhile, the first call of `finish` after the outermost section throws the first of these exceptions.
  virtual void hold() noexcept = 0;
  virtual void release() noexcept = 0;

  /// The scope of a section in which `finish` throws nothing: the constructor calls `hold`, and the destructor calls
  /// `release`. Does nothing if `listener` is null.
  class Hold {
   public:
    explicit Hold(ChangeListener* listener) : listener_(listener) {
      if (listener_ != nullptr) listener_->hold();
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() {
      if (listener_ != nullptr) listener_->release();
    }

   private:
    ChangeListener* listener_;
  };

  /// Throws the first exception that user code has thrown since `finish` last threw one. Throws nothing while user code
  /// is being called or while a section that `hold` began has not ended: a later call throws the exception then. Called
  /// at the end of each change, when the change is complete.
  void finish() {
    if (error_.any()) [[unlikely]]
      throw_first();
  }

 protected:
  ChangeListener() = default;
  ChangeListener(const ChangeListener&) = default;
  ChangeListener& operator=(const ChangeListener&) = default;
  ~ChangeListener() = default;

  /// The part of `finish` that is called if user code has thrown an exception.
  virtual void throw_first() = 0;

  FirstError error_;  // The first exception of user code since `finish` last threw.
};

}  // namespace strata::detail
