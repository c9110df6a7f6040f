// States: conditions of entities, such as disabled, that are stored as tags which only the library sets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "component.hpp"

namespace strata {

/// The tag of the entities that are disabled, by themselves or because of an ancestor. Queries that do not name the tag
/// leave disabled entities out; a query with `With<Disabled>` visits only disabled entities, and one with
/// `Maybe<Disabled>` visits both disabled and other entities. World::disable and related functions set the tag; nothing
/// else may add or remove it.
struct Disabled {};

/// The tag of each entity that is a prefab (a template for World::instantiate) or a part of a prefab. Queries that do
/// not name the tag leave these entities out; a query with `With<Prefab>` visits only entities with the tag, and a
/// query with `Maybe<Prefab>` visits entities with and without the tag. World::make_prefab sets the tag; nothing else
/// may add or remove it.
struct Prefab {};

template <>
inline constexpr std::string_view name_of<Disabled> = "strata::Disabled";
template <>
inline constexpr std::string_view name_of<Prefab> = "strata::Prefab";

namespace detail {

/// The states that an entity may be in, several at the same time.
enum class State : std::uint8_t { disabled, prefab };

inline constexpr std::array kStates = {State::disabled, State::prefab};

constexpr std::size_t to_index(State state) {
  return static_cast<std::size_t>(state);
}

/// A set of states: a bit for each.
class StateSet {
 public:
  constexpr StateSet() = default;
  constexpr StateSet(State state) : bits_(static_cast<std::uint8_t>(1u << to_index(state))) {}

  constexpr bool any() const { return bits_ != 0; }
  constexpr bool contains(State state) const { return (*this & state).any(); }
  constexpr void set(State state, bool in) { *this = in ? *this | state : *this - state; }

  constexpr StateSet& operator|=(StateSet other) { return *this = *this | other; }

  friend constexpr StateSet operator|(StateSet a, StateSet b) { return StateSet(a.bits_ | b.bits_); }
  friend constexpr StateSet operator&(StateSet a, StateSet b) { return StateSet(a.bits_ & b.bits_); }
  /// Returns: the states that are in exactly one of the two sets.
  friend constexpr StateSet operator^(StateSet a, StateSet b) { return StateSet(a.bits_ ^ b.bits_); }
  friend constexpr StateSet operator-(StateSet a, StateSet b) { return StateSet(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(StateSet, StateSet) = default;

 private:
  constexpr explicit StateSet(int bits) : bits_(static_cast<std::uint8_t>(bits)) {}

  std::uint8_t bits_ = 0;
};

/// The tags that mark the entities in one state, such as disabled. An entity has the tag `shown` exactly if it has
/// `itself`, `subtree` or `above`.
struct StateTags {
  ComponentId shown;    ///< The public tag: the entity is in the state.
  ComponentId itself;   ///< The entity alone was put into the state.
  ComponentId subtree;  ///< The entity was put into the state with all entities below it.
  ComponentId above;    ///< An ancestor has `subtree`.
};

/// The states of an entity, such as disabled, in one set for each reason why the entity is in them. The entity is in a
/// state if at least one of the three sets contains the state. Tags of the entity store the sets: if a state is in
/// `itself`, the entity has the tag StateTags::itself of that state, and so on.
struct StateFlags {
  StateSet itself;   ///< The entity alone was put into these states.
  StateSet subtree;  ///< The entity was put into these states with all entities below it.
  StateSet above;    ///< An ancestor has these states in `subtree`.

  StateSet all() const { return itself | subtree | above; }
  /// Returns: the set `above` of each child of the entity.
  StateSet inherited_by_children() const { return subtree | above; }

  friend bool operator==(const StateFlags&, const StateFlags&) = default;
};

/// Whether T is the public tag of a state.
template <class T>
inline constexpr bool is_state = std::is_same_v<T, Disabled> || std::is_same_v<T, Prefab>;

/// Returns: the names of the tags of a state, in the order of the members of StateTags.
constexpr std::array<std::string_view, 4> tag_names(State state) {
  if (state == State::disabled) {
    return {name_of<Disabled>, "strata:disabled itself", "strata:disabled subtree", "strata:disabled above"};
  }
  return {name_of<Prefab>, "strata:prefab itself", "strata:prefab subtree", "strata:prefab above"};
}

}  // namespace detail
}  // namespace strata
