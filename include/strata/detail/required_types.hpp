// The components that new entities get because other components require them (see requires_of), determined at
// compile time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <tuple>
#include <type_traits>

#include "../../../hierarchy/creation/forest.hpp"
#include "../../../storage/store.hpp"
#include "new_values.hpp"

namespace strata::detail {

template <class Entry>
using RequiredValue = typename RequiredEntry<Entry>::Value;

/// Appends Entries to `List`; the member `type` is the result. An entry is a component or a Given, which names a
/// component with its initial value. An entry is left out if the list already has one for the same component.
template <class List, class... Entries>
struct AppendEntries;
template <class... Listed>
struct AppendEntries<TypeList<Listed...>> {
  using type = TypeList<Listed...>;
};
template <class... Listed, class Entry, class... Entries>
struct AppendEntries<TypeList<Listed...>, Entry, Entries...>
    : AppendEntries<std::conditional_t<(std::is_same_v<RequiredValue<Entry>, RequiredValue<Listed>> || ...),
                                       TypeList<Listed...>, TypeList<Listed..., Entry>>,
                    Entries...> {};

template <class List, class Entries>
struct AppendList;
template <class List, class... Entries>
struct AppendList<List, TypeList<Entries...>> : AppendEntries<List, Entries...> {};

template <std::size_t i, class List>
struct EntryAt;
template <std::size_t i, class... Entries>
struct EntryAt<i, TypeList<Entries...>> : std::tuple_element<i, std::tuple<Entries...>> {
  static constexpr bool is_last = i + 1 == sizeof...(Entries);
};

/// Appends to `List` the components that its entries from index `i` on require, then those that the appended entries
/// require, and so on (breadth-first). A component that the list has already is not appended again. The member `type`
/// is the result. `at_end` is true if `List` has no entry with index `i`.
template <std::size_t i, class List, bool at_end>
struct AppendRequired {
  using Longer =
      typename AppendList<List, RequiredEntries<RequiredValue<typename EntryAt<i, List>::type>>>::type;
  using type = typename AppendRequired<i + 1, Longer, EntryAt<i, Longer>::is_last>::type;
};
template <std::size_t i, class List>
struct AppendRequired<i, List, true> {
  using type = List;
};

/// A TypeList of the components that T requires, directly or through others, in the order of Registry::required_by
/// (directly required ones first). Each element is a component, or a Given (a component with its initial value).
template <class T>
using RequiredBy = typename AppendRequired<0, RequiredEntries<T>, !requires_others<T>>::type;

template <std::size_t count, class List>
struct WithoutFirst {
  using type = List;
};
template <std::size_t count, class First, class... Entries>
requires(count != 0) struct WithoutFirst<count, TypeList<First, Entries...>>
    : WithoutFirst<count - 1, TypeList<Entries...>> {
};

template <class List, class... Ts>
struct MissingEntries {
  using type = List;
};
template <class List, class T, class... Ts>
struct MissingEntries<List, T, Ts...>
    : MissingEntries<typename AppendList<List, RequiredBy<T>>::type, Ts...> {};

/// A TypeList of the components that an entity created with the components Ts gets in addition to Ts. Each element is a
/// component, or a Given (a component with its initial value).
template <class... Ts>
using Missing =
    typename WithoutFirst<sizeof...(Ts), typename MissingEntries<TypeList<Ts...>, Ts...>::type>::type;

/// Whether an entity that is created with the components Ts also gets other components, because Ts require them.
template <class... Ts>
constexpr bool gets_others() {
  if constexpr ((requires_others<Ts> || ...)) return !std::is_same_v<Missing<Ts...>, TypeList<>>;
  return false;
}

/// Creates an entity that also gets the required components Entries: makes their initial values, in the order of
/// Entries, and calls `create` with the values. Commands that are recorded while the values are made are applied at the
/// end.
/// Errors: what making a value throws; `create` has not been called then.
/// Contract: no query iterates, and no other change is under way.
template <class... Entries, class Create>
Entity create_with_others(Store& store, TypeList<Entries...>, Create create) {
  const UseScope use = store.changing("create");
  store.require_unlocked("create", Entity());
  const auto make = [&] {
    const ChangeGuard::Operation making(store.guard(), "create");
    return std::tuple<RequiredValue<Entries>...>{RequiredEntry<Entries>::make()...};
  };
  auto values = make();
  // The functions that made the values may have recorded commands. A flag in the store says so, and `change_ended`
  // applies the commands if the flag is set. But the change that `create` begins would clear the flag, and the commands
  // would wait. So the flag is remembered and cleared here, and set again below.
  const bool recorded = store.guard().take_recorded();
  const Entity created = std::apply(create, values);
  if (recorded) {
    const auto mark = [&] {
      const ChangeGuard::Operation operation(store.guard(), "create");
      store.guard().mark_recorded();
    };
    mark();
    store.change_ended();
  }
  return created;
}

/// The values of a required component for the nodes (new entities) of World::build_hierarchy. Each node gets the
/// initial value.
template <class Entry>
struct RequiredOfEach {
  using Value = RequiredValue<Entry>;

  ForestColumn column(ComponentId id, std::size_t nodes) const {
    ForestColumn column{.id = id,
                        .source = nullptr,
                        .count = nodes,
                        .gather = nullptr,
                        .calls_program = !std::is_empty_v<Value>};
    if constexpr (!std::is_empty_v<Value>) column.gather = gather;
    return column;
  }

 private:
  static void gather(void* to, const void*, const std::uint32_t* nodes, std::size_t first,
                     std::size_t count) {
    build_for_nodes<Value>(to, nodes, first, count, [&](void* place, std::size_t) {
      ::new (place) Value(RequiredEntry<Entry>::make());
    });
  }
};

/// Makes the values of a required component for new entities, for ValueTarget::build. `one` returns a value; `many`
/// builds `count` values in uninitialised memory.
template <class Entry>
struct RequiredFor {
  /// Whether making a value may run code of the program, such as the function of a Given.
  static constexpr bool kRunsCode =
      std::is_base_of_v<IsGiven, Entry> || initialisation_runs_code<RequiredValue<Entry>>;

  RequiredValue<Entry> one() const { return RequiredEntry<Entry>::make(); }
  void many(RequiredValue<Entry>* to, std::size_t count) const {
    build_values(to, count, [](void* place, std::size_t) {
      ::new (place) RequiredValue<Entry>(RequiredEntry<Entry>::make());
    });
  }
};

}  // namespace strata::detail
