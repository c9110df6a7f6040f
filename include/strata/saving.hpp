// save and load: worlds as data. digest and find_differences: what a world contains, as a number, and in what two worlds
// differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/outcome.hpp"
#include "../../hierarchy/saving/comparison.hpp"
#include "world.hpp"

namespace strata {

// What a world contains are its entities with their handles, parents and the order of children, names, components,
// states and pairs of relations. In which tables or pools values lie is no part of it, nor is their order there or the
// order of pairs.

/// Returns: a hash of what a world contains. It is the same on every machine, with every layout and storage.
/// Errors: std::bad_alloc, and what functions of members_of throw.
/// Contract: the values of all components that entities have are described (see members_of), or are left out.
/// Complexity: O(contents).
STRATA_API std::uint64_t digest(const World& world, Undescribed undescribed = Undescribed::refuse);

/// Returns: in what two worlds differ, by entity index, and in all or the first `most` cases; empty if they contain the
/// same.
/// Errors, Contract: as for `digest`.
STRATA_API std::vector<WorldDifference> find_differences(
    const World& first, const World& second, std::size_t most = std::numeric_limits<std::size_t>::max(),
    Undescribed undescribed = Undescribed::refuse);

/// Writes a world: what it contains, and all that decides about later handles, in which storage components are, and in
/// which layout children are. Resources, observers, events and recorded commands are not written.
/// Returns: success; or a refusal that names a component that cannot be saved, or says that the stream cannot be written.
/// Errors: std::bad_alloc, and what functions of members_of and the stream throw.
/// Contract: no query iterates, and no other change is under way.
/// Complexity: O(contents + slots). Takes a few MiB of memory, whatever the size of the world.
STRATA_API Outcome save(const World& world, std::ostream& out, Undescribed undescribed = Undescribed::refuse);

/// The result of `load`.
struct LoadedWorld {
  Outcome outcome;  ///< If refused, its sentence says what is wrong with the file, and where.
  World world;      ///< Without entities if it was refused.
};

/// Reads what `save` has written, into a new world: move it to where it is to be. Its entities have the handles of the
/// saved ones. It knows the components that `known` knows, by the same ids; register all of the file there before. No
/// hooks are called. The file decides about the layout, large_family, world_number and sibling_names in the options.
///
/// A file may have any content: one that is cut off, damaged, made by another program or made to do harm is refused, and
/// never takes far more memory than it has bytes.
/// Errors: std::bad_alloc, and what functions of members_of and the stream throw.
/// Complexity: O(contents + slots).
STRATA_API LoadedWorld load(std::istream& in, const World& known, WorldOptions options = {});

}  // namespace strata
