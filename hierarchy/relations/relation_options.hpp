// RelationOptions: how a relation between entities behaves.
#pragma once

#include <cstdint>

#include "../../core/component.hpp"

namespace strata {

/// What happens to a pair of a relation when only one of its two entities is destroyed.
enum class PairCleanup : std::uint8_t {
  remove,   ///< The pair is removed. The other entity stays.
  destroy,  ///< The other entity is destroyed, too, with the entities below it.
  refuse,   ///< Destroying the entity without the other one breaks the contract (see World::destroy).
};

/// How a relation behaves. A pair of the relation is a link from one entity, its source, to another entity, its target.
struct RelationOptions {
  bool exclusive = false;  ///< A source has at most one target: a new target replaces the old one.
  bool symmetric = false;  ///< Each pair has a reverse pair, with the same value.
  /// Pairs form no cycle: a pair that would close a cycle is refused; see Relations::may_add. Not for symmetric
  /// relations.
  bool acyclic = false;
  /// What happens to a pair, and to its source, when its target is destroyed.
  PairCleanup target_destroyed = PairCleanup::remove;
  /// What happens to a pair, and to its target, when its source is destroyed.
  PairCleanup source_destroyed = PairCleanup::remove;
  /// Storage::table: the sources of a target are in tables of their own, so that they are contiguous, for example the
  /// members of one faction. The row of a source moves when a pair is added or removed, and each target takes a
  /// component id, so use this for relations with few targets. Not for symmetric relations.
  Storage storage = Storage::sparse;
  bool queried = false;  ///< Sources have the component Pair, by which queries find them.

  friend constexpr bool operator==(const RelationOptions&, const RelationOptions&) = default;
};

/// Chooses the options of a relation, in one line after its definition:
/// `template <> inline constexpr strata::RelationOptions strata::relation_options_of<DockedTo> = {.exclusive = true};`
template <class T>
inline constexpr RelationOptions relation_options_of = {};

namespace detail {

/// Returns: whether, in a relation with these options and without values, adding or removing a pair changes only two
/// lists: the targets of its source and the sources of its target. Such a pair is not visible to queries, replaces no
/// other pair, has no reverse, and may be part of a cycle.
constexpr bool is_plain_relation(const RelationOptions& options) {
  return !options.queried && !options.exclusive && !options.symmetric && !options.acyclic &&
         options.storage != Storage::table;
}

}  // namespace detail
}  // namespace strata
