// How functions of the user are registered as observers, and called with the arguments that they take.
#pragma once

#include <type_traits>
#include <utility>

#include "../../../core/component_traits.hpp"
#include "../../../core/entity.hpp"
#include "../../../core/subscription.hpp"

namespace strata::detail {

/// Calls a function of the user with the entity and a reference to the value, or with the entity alone if the
/// function does not take the value or T is a tag.
template <class T, class Function>
void call_with_value(Function& function, Entity entity, void* value) {
  if constexpr (is_tag<T> || !std::is_invocable_v<Function&, Entity, T&>) {
    static_assert(std::is_invocable_v<Function&, Entity>,
                  "an observer of a component takes (Entity, T&) or (Entity)");
    function(entity);
  } else {
    function(entity, *static_cast<T*>(value));
  }
}

/// Calls a function of the user with the source and the target of a pair and a reference to its value, or with the two
/// entities alone if the function does not take the value or the pairs of R have none.
template <class R, class Function>
void call_with_pair(Function& function, Entity source, Entity target, void* value) {
  if constexpr (is_tag<R> || !std::is_invocable_v<Function&, Entity, Entity, R&>) {
    static_assert(
        std::is_invocable_v<Function&, Entity, Entity>,
        "an observer of pairs takes (Entity source, Entity target, R&) or (Entity source, Entity target)");
    function(source, target);
  } else {
    function(source, target, *static_cast<R*>(value));
  }
}

/// The Bridge (see `subscribe`) for functions of the user that take the entity alone.
struct CallWithEntity {
  template <class Function>
  void operator()(Function& function, Entity entity, void*, const void*) const {
    function(entity);
  }
};

/// Adds the user's function to a list of observers. `Bridge` is the type of a function object without state, such as a
/// lambda without captures. It receives the user's function and the arguments of an Observer, in which values are
/// pointers to void, and calls the function with typed arguments.
/// Returns: the Subscription, which keeps the function registered.
/// Errors: std::bad_alloc.
template <class Function, class Bridge>
Subscription subscribe(ObserverList& list, Function function, Bridge) {
  using Node = FunctionObserver<Function>;
  auto* const observer =
      new Node([](Observer& called, Entity entity, void* now,
                  const void* old) { Bridge()(static_cast<Node&>(called).function, entity, now, old); },
               std::move(function));
  list.add(observer);
  return Subscription(observer);
}

}  // namespace strata::detail
