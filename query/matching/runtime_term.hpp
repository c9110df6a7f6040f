// Term: one condition of a query. Role: what the condition requires, and which value it gives. ChildOf: the relation
// from a child to its parent.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../core/component.hpp"

namespace strata {

/// What a term requires of an entity, and what it passes ("hands out") to the visiting function.
enum class Role : std::uint8_t {
  value,     ///< Requires the component; hands out its value, for reading and writing.
  optional,  ///< Hands out the value if the entity has one, for reading and writing.
  with,      ///< Requires the component; hands out nothing.
  without,   ///< Excludes entities with the component.
  related,   ///< Hands out the parent's value, if there is a parent and the parent has one.
  nearest,   ///< Hands out the value of the nearest ancestor that has one; see also Term::along.
  entity,    ///< Hands out the entity.
  any_of,    ///< Requires this component, or the component of another term of the same group.

  parent_with,       ///< Requires that the parent has the component; hands out nothing.
  parent_without,    ///< Excludes entities whose parent has the component. Roots match.
  ancestor_with,     ///< Requires that an ancestor has the component; hands out nothing.
  ancestor_without,  ///< Excludes entities with an ancestor that has the component. Roots match.

  /// Matches with and without the component; hands out nothing. For tags such as Disabled: entities with such a tag
  /// only match queries that have a term for the tag.
  either,

  // Like `value` and `optional`, but for reading only. The number of each is that of the writable role plus 16. Terms
  // with these roles do not count as writes (see Tracking).
  read = 16,      ///< Requires the component; hands out its value, for reading only.
  read_optional,  ///< Hands out the value if the entity has one, for reading only.
};

constexpr std::size_t kMaxTerms = 16;  ///< The most terms of one query.

/// The relation from a child to its parent. The class Relations and queries accept it like a relation that the program
/// defines. Each child has at most one parent, and the relation has no cycles.
struct ChildOf {};

/// The id of the relation ChildOf, the same in all worlds. A world also issues an id of its own for this relation:
/// Relations::relation<ChildOf>() returns that id, and the world lists the relation under it. Terms of queries,
/// Relations and World::component_info accept both ids.
inline constexpr ComponentId kChildOf = ComponentId{0xFFFF'FFFE};

/// One condition of a query: a component, and what the query does with it.
struct Term {
  Role role;
  ComponentId id;          ///< Unused for Role::entity.
  std::uint8_t group = 0;  ///< For Role::any_of: the number of the term's group, less than kMaxTerms.
  /// For Role::nearest: the relation along which the value is searched, from an entity to its target, then to the
  /// target of that target, and so on. The relation allows each entity at most one target.
  ComponentId along = kChildOf;
};

}  // namespace strata
