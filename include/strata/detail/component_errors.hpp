// ComponentErrors: understandable compiler messages for calls with a type that cannot be a component.
#pragma once

#include <type_traits>

#include "../../../core/component.hpp"
#include "../../../core/contract.hpp"
#include "../../../core/entity.hpp"

namespace strata::detail {

struct ParentArgument;  // What child_of returns; see commands.hpp.

/// Fails to compile, with a sentence for each requirement of the concept Component that T does not meet.
template <class T>
constexpr void explain_component() {
  static_assert(std::is_object_v<T>, "a component is an object type: no reference, no function, not void");
  static_assert(!std::is_const_v<T>,
                "a component is not const: write const where it is read, as in "
                "query<const T>");
  static_assert(!std::is_pointer_v<T>,
                "a component is no pointer: put it into a struct that says what it "
                "is for");
  static_assert(!std::is_array_v<T>, "a component is no array: put it into a struct");
  static_assert(
      !std::is_same_v<T, Entity>,
      "a component is no entity: put the handle into a struct that says what it is for, or add a pair "
      "of a relation");
  static_assert(!is_query_term<T> || std::is_same_v<T, Entity>,
                "a component is no term of a query such as With<T>: name the component T itself");
  static_assert(std::is_array_v<T> || std::is_nothrow_move_constructible_v<T>,
                "a component is moved when its entity changes, and that may not throw: give it a move "
                "constructor that is noexcept");
  static_assert(std::is_nothrow_destructible_v<T>,
                "a component is destroyed with its entity, and that may not throw: make its destructor "
                "public and noexcept");
}

/// Fails to compile, for a call of `add` or `remove` with several components. The message says how to change several
/// components.
template <class T>
constexpr void explain_one_component() {
  static_assert(
      sizeof(T) == 0,
      "World::add and World::remove take one component: call them for each, or record all of them with "
      "world.commands() and call flush(), which moves the row once");
}

/// Overloads of World's functions for wrong calls: with types that cannot be components, or with arguments in a wrong
/// order or number. World inherits these overloads, so that the compiler chooses one of them for a wrong call. The call
/// then fails to compile, with a sentence that says why. The parameter lists of the overloads differ from those of
/// World's own functions, because a function of World with an equal list would hide the overload.
class ComponentErrors {
 public:
  template <class... Ts>
  requires(!(Component<Ts> && ...)) static void create(const Ts&...) { (explain_component<Ts>(), ...); }
  template <class First, class... Others>
  requires(!std::is_same_v<First, ParentArgument> &&
           (std::is_same_v<Others, ParentArgument> || ...)) static Entity
      create(const First&, const Others&...) {
    static_assert(sizeof(First) == 0,
                  "child_of(parent) is the first argument: create(child_of(parent), ...)");
    return {};
  }
  template <class... Ts, class... Above>
  requires(!(Component<Ts> && ...)) static void spawner(const Above&...) { (explain_component<Ts>(), ...); }
  template <class T>
  requires(!Component<T>) static void add(Entity) { explain_component<T>(); }
  template <class T>
  requires(!Component<T>) static void add(Entity, const T&) { explain_component<T>(); }
  template <Component T, Component Second, Component... Others>
  requires(!std::is_same_v<T, ComponentId> &&
           !std::is_same_v<Second, CallSite>) static void add(Entity, const T&, const Second&,
                                                              const Others&...) {
    explain_one_component<T>();
  }
  template <Component T, Component Second, Component... Others>
  static void add(Entity) {
    explain_one_component<T>();
  }
  template <class T>
  requires(!Component<T>) static void remove(Entity) { explain_component<T>(); }
  template <Component T, Component Second, Component... Others>
  static void remove(Entity) {
    explain_one_component<T>();
  }
  template <class T>
  requires(!Component<T>) static void has(Entity, CallSite = {}) { explain_component<T>(); }
  template <class T>
  requires(!Component<T>) static void find(Entity, CallSite = {}) { explain_component<T>(); }
  template <class T>
  requires(!Component<T>) static void get(Entity) { explain_component<T>(); }
  template <class T>
  requires(!Component<T>) static void set(Entity, const T&) { explain_component<T>(); }
  template <class T>
  requires(!Component<std::remove_const_t<T>>) static void accessor(CallSite = {}) {
    explain_component<std::remove_const_t<T>>();
  }
};

}  // namespace strata::detail
