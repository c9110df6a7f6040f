// save and load: write worlds to streams and files, and read them. digest: hashes the contents of a world.
// find_differences: lists in what two worlds differ.
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

// The contents of a world are its entities and resources (see is_saved_resource). The contents of an entity are its
// handle, its parent, the order of its children, its name, its components with their values and whether they are
// switched off, its states (disabled, prefab), its layer (see World::set_layer) and its pairs of relations. The tables
// or pools (sparse sets) in which values are stored, and the order of values and pairs in them, are not part of the
// contents.
//
// A program describes its types by members_of, so that values of these types can be read and written. "Functions of
// members_of" are functions of the program in such a description.

/// Returns: a hash of the contents of a world. The hash is the same on every machine, with every layout and storage.
/// Errors: std::bad_alloc, and exceptions of functions that members_of lists.
/// Contract: the program describes, by members_of, the types of all resources and of all components that entities have,
/// unless `undescribed` says that values of other types are left out. No values are being moved, and functions of
/// members_of make no structural changes; see callbacks.hpp. Queries may iterate during the call.
/// Complexity: O(contents).
STRATA_API std::uint64_t digest(const World& world, Undescribed undescribed = Undescribed::refuse);

/// Returns: the first `most` differences between the contents of two worlds: first those of resources, then those of
/// entities, by Entity::index. Empty if the worlds have the same contents.
/// Errors, Contract: as for `digest`.
STRATA_API std::vector<WorldDifference> find_differences(
    const World& first, const World& second, std::size_t most = std::numeric_limits<std::size_t>::max(),
    Undescribed undescribed = Undescribed::refuse);

/// Options of `save`.
struct SaveOptions {
  Undescribed undescribed = Undescribed::refuse;
  OnProgress progress = {};
  /// The codec that compresses the file, such as zstd_codec; null for a file that is not compressed. The codec outlives
  /// the call.
  const Codec* codec = nullptr;
};

/// Options of `load`.
struct LoadOptions {
  /// The options of the new world. The values of layout, large_family, world_number and sibling_names are ignored here,
  /// and are read from the file instead.
  WorldOptions world = {};
  UnknownComponents unknown = UnknownComponents::refuse;
  ChangedComponents changed = ChangedComponents::refuse;
  /// How components of older files are converted: at most one Migration for each component. A component with a
  /// Migration is first converted by the names of its members, as with ChangedComponents::convert, even if `changed`
  /// has another value. Then the function of the Migration completes the value (see Migration::Convert). The migrations
  /// outlive the call.
  std::span<const Migration> migrations = {};
  OnProgress progress = {};
  /// The codec that reads compressed files. With a codec, files that are not compressed can be read, too. A file that
  /// needs another codec is refused.
  const Codec* codec = nullptr;
};

/// Writes a world: its contents; the indices and generations that later handles will have; in which storage each
/// component is; and in which tables the rows of children are stored (see Layout). Observers, events and recorded
/// commands are not written.
/// Returns: success; or a refusal that names a component or resource that cannot be saved, or says that the stream
/// cannot be written, or that SaveOptions::progress has cancelled the call.
/// Errors: std::bad_alloc, and what the program's functions for writing values (see members_of) and the stream throw.
/// Contract: no change is under way. Queries may iterate during the call, if their functions write no values.
/// Threads: the call only reads the world: several threads may save and read it at the same time.
/// Complexity: O(contents + slots), where slots are the entity indices ever used. Takes a few MiB of memory, whatever
/// the size of the world.
STRATA_API Outcome save(const World& world, std::ostream& out, const SaveOptions& options = {});

/// The result of `load`.
struct [[nodiscard]] LoadedWorld {
  Outcome outcome;  ///< If refused, its sentence says what is wrong with the file, and where.
  World world;      ///< Without entities if the call was refused.
  std::vector<LoadNote> notes = {};  ///< How differences between the file and the program were handled.
};

/// Reads what `save` has written, and makes a new world from it, which can be moved out of the result. The entities of
/// the new world have the handles of the saved ones. The same components are registered in the new world as in `known`,
/// with the same ids, and the same types of resources. So first register all components of the file in `known`, and the
/// types of resources (Resources::add_type). No hooks are called. The options say what happens with components and
/// resources that the program does not know, or that have changed.
///
/// A file need not be trusted: a file that is cut off, damaged, made by another program or made to do harm is refused.
/// The memory that reading takes is at most a bounded multiple of the size of the file. Either the whole world is read
/// or nothing.
///
/// To put the new world in the place of `known`, assign it: `known = std::move(loaded.world)`. That ends the old world:
/// its queries, schedules and subscriptions must be made again, with the new world.
/// Contract: no component or resource is named by two migrations.
/// Errors: std::bad_alloc, and exceptions of the stream and of functions that members_of lists.
/// Complexity: O(contents + slots).
STRATA_API LoadedWorld load(std::istream& in, const World& known, const LoadOptions& options = {});

/// Saves to the file `path`, so that a crash at any moment leaves the old file or the new one: writes a file with the
/// name `path` and ".part" behind it, waits until its bytes are on the disk, and renames it to `path`. A ".part" file
/// that a crash has left is overwritten.
/// Returns, Errors, Contract: as for `save`; after a refusal, the old file is unchanged.
STRATA_API Outcome save_file(const World& world, const std::string& path, const SaveOptions& options = {});

/// Loads what `save_file` has written.
/// Returns, Errors, Contract: as for `load`; the sentences of refusals name the file.
STRATA_API LoadedWorld load_file(const std::string& path, const World& known,
                                 const LoadOptions& options = {});

}  // namespace strata
