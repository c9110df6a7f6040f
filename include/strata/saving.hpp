// save and load: worlds as data. digest and find_differences: what a world contains, as a number, and in what two
// worlds differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/outcome.hpp"
#include "../../core/values/byte_delta.hpp"
#include "../../hierarchy/saving/codec.hpp"
#include "../../hierarchy/saving/comparison.hpp"
#include "../../hierarchy/saving/load_rules.hpp"
#include "../../hierarchy/saving/progress.hpp"
#include "world.hpp"

namespace strata {

// What a world contains are its entities with their handles, parents and the order of children, names, components,
// states and pairs of relations, and its resources (see is_saved_resource). In which tables or pools values lie is no
// part of it, nor is their order there or the order of pairs.

/// Returns: a hash of what a world contains. It is the same on every machine, with every layout and storage.
/// Errors: std::bad_alloc, and what functions of members_of throw.
/// Contract: the values of resources and of all components that entities have are described (see members_of), or are
/// left out.
/// Complexity: O(contents).
STRATA_API std::uint64_t digest(const World& world, Undescribed undescribed = Undescribed::refuse);

/// Returns: in what two worlds differ, by entity index, and in all or the first `most` cases; empty if they contain the
/// same. Resources come first.
/// Errors, Contract: as for `digest`.
STRATA_API std::vector<WorldDifference> find_differences(
    const World& first, const World& second, std::size_t most = std::numeric_limits<std::size_t>::max(),
    Undescribed undescribed = Undescribed::refuse);

/// How `save` goes about it.
struct SaveOptions {
  Undescribed undescribed = Undescribed::refuse;
  OnProgress progress = {};
  /// Compresses the file, such as zstd_codec; null for a file that is not compressed. It outlives the call.
  const Codec* codec = nullptr;
};

/// How `load` goes about it.
struct LoadOptions {
  /// The options of the world. The file decides about the layout, large_family, world_number and sibling_names.
  WorldOptions world = {};
  UnknownComponents unknown = UnknownComponents::refuse;
  ChangedComponents changed = ChangedComponents::refuse;
  /// For components of older files, each named once. They are converted as ChangedComponents::convert says, whatever
  /// `changed` is. They outlive the call.
  std::span<const Migration> migrations = {};
  OnProgress progress = {};
  /// For files that were compressed with it; other files are read, too. A file that needs another one is refused.
  const Codec* codec = nullptr;
};

/// Writes a world: what it contains, and all that decides about later handles, in which storage components are, and in
/// which layout children are. Observers, events and recorded commands are not written.
/// Returns: success; or a refusal that names a component or resource that cannot be saved, or says that the stream
/// cannot be written, or that it was cancelled.
/// Errors: std::bad_alloc, and what functions of members_of and the stream throw.
/// Contract: no change is under way. Queries may iterate, if their functions write no values meanwhile.
/// Threads: a reader: several threads may save and read at a time.
/// Complexity: O(contents + slots). Takes a few MiB of memory, whatever the size of the world.
STRATA_API Outcome save(const World& world, std::ostream& out, const SaveOptions& options = {});

/// The result of `load`.
struct LoadedWorld {
  Outcome outcome;  ///< If refused, its sentence says what is wrong with the file, and where.
  World world;      ///< Without entities if it was refused.
  std::vector<LoadNote> notes = {};  ///< What was done where the file and the program differ.
};

/// Reads what `save` has written, into a new world: move it to where it is to be. Its entities have the handles of the
/// saved ones. It knows the components that `known` knows, by the same ids; register all of the file there before; as
/// are the types of resources (Resources::add_type). No hooks are called. The options say what happens with components
/// and resources that the program does not know, or that have changed.
///
/// A file may have any content: one that is cut off, damaged, made by another program or made to do harm is refused,
/// and takes no more memory than a large multiple of its bytes. Either all of a world is read or nothing.
/// Contract: no component or resource is named by two migrations.
/// Errors: std::bad_alloc, and what functions of members_of and the stream throw.
/// Complexity: O(contents + slots).
STRATA_API LoadedWorld load(std::istream& in, const World& known, const LoadOptions& options = {});

/// Saves to a file, so that a crash at any moment leaves the old file or the new one: writes the file PATH.part beside
/// it, waits until that is on the disk, and renames it. A file PATH.part that a crash has left is overwritten.
/// Returns, Errors, Contract: as for `save`; if it is refused, the old file is as it was.
STRATA_API Outcome save_file(const World& world, const std::string& path, const SaveOptions& options = {});

/// Loads what `save_file` has written.
/// Returns, Errors, Contract: as for `load`; sentences name the file.
STRATA_API LoadedWorld load_file(const std::string& path, const World& known,
                                 const LoadOptions& options = {});

}  // namespace strata
