// The arguments of systems: how each is made, and what a system with such an argument reads and writes.
#pragma once

#include <span>
#include <string>
#include <type_traits>

#include "../../../core/requirements.hpp"
#include "../../../hierarchy/layers/layered_query.hpp"
#include "../../../query/query.hpp"
#include "../../../query/systems/system_access.hpp"
#include "../../../query/systems/system_body.hpp"
#include "../../../query/terms/term_list.hpp"
#include "../accessor.hpp"
#include "../system_arguments.hpp"
#include "system_commands.hpp"
#include "world_parts.hpp"

namespace strata::detail {

/// What the arguments of a system are made from: the parts of the world, and AccessNames, which numbers the
/// components and resources that systems access.
struct SystemSource {
  WorldParts& parts;
  AccessNames& names;

  template <Component T>
  Accessed values_of() const {
    Registry& registry = parts.store.registry();
    return names.number_of(registry[registry.id_of<T>()].name);
  }
  template <class T>
  Accessed resource() const {
    return names.number_of("resource " + std::string(name_of<T>));
  }
};

template <Component T>
void add_access(SystemAccess& access, const SystemSource& source, bool writes) {
  writes ? access.add_write(source.values_of<T>()) : access.add_read(source.values_of<T>());
}

/// Adds to `access` what the terms of a query read or write. A term that only tests whether an entity has a component
/// reads no values. But if the changes of the component are tracked, such a term reads the times of the changes, which
/// counts as reading the component.
STRATA_API void add_access(SystemAccess& access, const SystemSource& source,
                           std::span<const TypedTerm> terms);

template <class Term>
inline constexpr bool reads_above =
    TermTraits<Term>::role == Role::related || TermTraits<Term>::role == Role::nearest;

/// How an argument of a system is made. A specialisation for the type of a parameter has these members:
/// - `State`: what the system keeps for the argument from run to run, made from a SystemSource
/// - `add_access`: adds what the argument reads or writes
/// - `get`: returns the argument for a SystemCall, when the system runs
/// - `has_matcher`: whether the State has a query, with whose Matcher the rows that the system visits are estimated
/// - `cascades`: whether the argument is a query that may visit rows by depth and read the values of parents or
///   ancestors
/// - `is_shareable`: whether several threads, each of which visits another part of the rows, may call `get` and use the
///   arguments at the same time
/// A parameter without a specialisation stands for a visited row: a value of one of its components, or its entity.
template <class Parameter>
struct SystemParameter {
  static constexpr bool is_known = false;
};

struct KnownParameter {
  static constexpr bool is_known = true;
  static constexpr bool has_matcher = false;
  static constexpr bool cascades = false;
  static constexpr bool is_shareable = false;
};

template <class AnyQuery, class... Terms>
struct QueryParameter : KnownParameter {
  static constexpr bool cascades = (reads_above<Terms> || ...);

  static void add_access(SystemAccess& access, const SystemSource& source) {
    detail::add_access(access, source, typed_terms<Terms...>);
  }
};

template <class... Terms>
struct SystemParameter<Query<Terms...>&> : QueryParameter<Query<Terms...>, Terms...> {
  static constexpr bool has_matcher = true;
  struct State {
    explicit State(const SystemSource& source)
        : query(source.parts.store, &source.parts.hierarchy.parents()) {
      query.matcher().set_declaring();
    }
    Query<Terms...>& get(const SystemCall&) { return query; }

    Query<Terms...> query;
  };
};

template <class... Terms>
struct SystemParameter<LayeredQuery<Terms...>&> : QueryParameter<LayeredQuery<Terms...>, Terms...> {
  static constexpr bool cascades = true;
  struct State {
    explicit State(const SystemSource& source)
        : query(source.parts.store, &source.parts.hierarchy.parents(), source.parts.layers) {}
    LayeredQuery<Terms...>& get(const SystemCall&) { return query; }

    LayeredQuery<Terms...> query;
  };
};

template <class T>
struct SystemParameter<Accessor<T>&> : KnownParameter {
  struct State {
    explicit State(const SystemSource& source) : accessor(source.parts.typed) {}
    Accessor<T>& get(const SystemCall&) { return accessor; }

    Accessor<T> accessor;
  };
  static void add_access(SystemAccess& access, const SystemSource& source) {
    detail::add_access<std::remove_const_t<T>>(access, source, !std::is_const_v<T>);
  }
};

template <class T>
struct SystemParameter<Resource<T>> : KnownParameter {
  static constexpr bool is_shareable = std::is_const_v<T>;
  struct State {
    explicit State(const SystemSource& source) : resources(source.parts.resources) {}
    Resource<T> get(const SystemCall&) { return Resource<T>(resources.get<std::remove_const_t<T>>()); }

    Resources& resources;
  };
  static void add_access(SystemAccess& access, const SystemSource& source) {
    const Accessed resource = source.resource<std::remove_const_t<T>>();
    std::is_const_v<T> ? access.add_read(resource) : access.add_write(resource);
  }
};

template <>
struct SystemParameter<Commands&> : KnownParameter {
  static constexpr bool is_shareable = true;
  struct State {
    explicit State(const SystemSource& source) : commands(source.parts) {}
    Commands& get(const SystemCall& call) { return commands.of(call.part); }

    SystemCommands commands;
  };
  static void add_access(SystemAccess& access, const SystemSource&) { access.add_commands(); }
};

template <>
struct SystemParameter<Elapsed> : KnownParameter {
  static constexpr bool is_shareable = true;
  struct State {
    explicit State(const SystemSource&) {}
    Elapsed get(const SystemCall& call) { return {call.seconds}; }
  };
  static void add_access(SystemAccess&, const SystemSource&) {}
};

template <>
struct SystemParameter<World&> : KnownParameter {
  struct State {
    explicit State(const SystemSource& source) : parts(source.parts) {}
    World& get(const SystemCall&) { return *parts.hierarchy.notifier().world(); }

    WorldParts& parts;
  };
  static void add_access(SystemAccess& access, const SystemSource&) { access.add_write_of_all(); }
};

template <>
struct SystemParameter<const World&> : KnownParameter {
  struct State : SystemParameter<World&>::State {
    using SystemParameter<World&>::State::State;
    const World& get(const SystemCall& call) { return SystemParameter<World&>::State::get(call); }
  };
  static void add_access(SystemAccess& access, const SystemSource&) { access.add_read_of_all(); }
};

/// The parameters of a function as a TypeList; void if they are not known, as for a generic lambda.
template <class Function>
struct ParametersOf {
  using type = void;
};
template <class Result, class... Parameters>
struct ParametersOf<Result (*)(Parameters...)> {
  using type = TypeList<Parameters...>;
};
template <class Result, class... Parameters>
struct ParametersOf<Result (*)(Parameters...) noexcept> : ParametersOf<Result (*)(Parameters...)> {};
template <class Result, class Class, class... Parameters>
struct ParametersOf<Result (Class::*)(Parameters...)> : ParametersOf<Result (*)(Parameters...)> {};
template <class Result, class Class, class... Parameters>
struct ParametersOf<Result (Class::*)(Parameters...) const> : ParametersOf<Result (*)(Parameters...)> {};
template <class Result, class Class, class... Parameters>
struct ParametersOf<Result (Class::*)(Parameters...) noexcept> : ParametersOf<Result (*)(Parameters...)> {};
template <class Result, class Class, class... Parameters>
struct ParametersOf<Result (Class::*)(Parameters...) const noexcept>
    : ParametersOf<Result (*)(Parameters...)> {};
template <class Function>
requires requires {
  &Function::operator();
}
struct ParametersOf<Function> : ParametersOf<decltype(&Function::operator())> {};

/// Splits the parameter types of a system into three lists. A type without a specialisation of SystemParameter is that
/// of a parameter for the visited row. `Leading` are the types before the first such type, `Others` the types from the
/// first to the last one, with all types between them, and `Trailing` the types after the last one. `Rest` are the
/// types that are not in a list yet.
template <class Leading, class Others, class Trailing, class Rest>
struct SplitRest;
template <class... Leading, class First, class... Rest>
requires(SystemParameter<First>::is_known) struct SplitRest<TypeList<Leading...>, TypeList<>, TypeList<>,
                                                            TypeList<First, Rest...>>
    : SplitRest<TypeList<Leading..., First>, TypeList<>, TypeList<>, TypeList<Rest...>> {
};
template <class Leading, class First, class... Others, class... Trailing, class Next, class... Rest>
requires(SystemParameter<Next>::is_known) struct SplitRest<Leading, TypeList<First, Others...>,
                                                           TypeList<Trailing...>, TypeList<Next, Rest...>>
    : SplitRest<Leading, TypeList<First, Others...>, TypeList<Trailing..., Next>, TypeList<Rest...>> {
};
template <class Leading, class... Others, class... Trailing, class Next, class... Rest>
struct SplitRest<Leading, TypeList<Others...>, TypeList<Trailing...>, TypeList<Next, Rest...>>
    : SplitRest<Leading, TypeList<Others..., Trailing..., Next>, TypeList<>, TypeList<Rest...>> {};
template <class LeadingTypes, class OtherTypes, class TrailingTypes>
struct SplitRest<LeadingTypes, OtherTypes, TrailingTypes, TypeList<>> {
  using Leading = LeadingTypes;
  using Others = OtherTypes;
  using Trailing = TrailingTypes;
};
template <class Parameters>
using SplitParameters = SplitRest<TypeList<>, TypeList<>, TypeList<>, Parameters>;

/// For a system that is called for each row of a query: `type` is the query term that gives the function an argument of
/// the type Parameter. For example, the term of `T&` is T, and the term of `T*` is Maybe<T>.
template <class Parameter>
struct TermOfParameter {
  static_assert(
      sizeof(Parameter) == 0,
      "a system that visits rows takes, between arguments such as Resource<T>, Commands& and Elapsed: "
      "Entity, "
      "T& to write a value, const T& to read it, or T* or const T* for a value that is not always there; "
      "for other terms name them: schedule.add<Position, With<Enemy>>(name, function)");
};
template <>
struct TermOfParameter<Entity> {
  using type = Entity;
};
template <class T>
struct TermOfParameter<T&> {
  static_assert(!SystemParameter<T&>::is_known,
                "arguments such as Commands& come before those for the row, or behind them");
  using type = T;
};
template <class T>
struct TermOfParameter<T*> {
  using type = Maybe<T>;
};

}  // namespace strata::detail
