// WorldPart: an object that holds entities outside of any world. `extract` moves a subtree from a world to a WorldPart,
// and `insert` moves a WorldPart into a world. `save` writes subtrees to a stream, and `load_part` reads them.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/contract.hpp"
#include "../../core/outcome.hpp"
#include "../../hierarchy/moving/outside_references.hpp"
#include "saving.hpp"
#include "world.hpp"

namespace strata {

namespace detail {

struct PartAccess;

}  // namespace detail

/// Holds entities, with their subtrees, outside of any world. The program can keep a WorldPart, move it to another
/// thread, save it, and insert it into a world. A WorldPart has everything that the world stored about the entities:
/// components with their values, parents and the order of children, names, states (disabled, prefab), layers, and the
/// pairs of relations of which the entities are the sources.
class WorldPart {
 public:
  /// Makes a part without entities.
  WorldPart() : world_({.layout = Layout::per_level}) {}
  /// Contract of moves: neither part is being inserted or written.
  WorldPart(WorldPart&& other) noexcept
      : world_(std::move(other.resting())), originals_(std::move(other.originals_)) {}
  WorldPart& operator=(WorldPart&& other) noexcept {
    // `other` may be in a value of this part, which is destroyed here, so it is read before.
    World world(std::move(other.resting()));
    detail::PlainList<Entity> originals(std::move(other.originals_));
    originals_.swap(originals);  // The old list is freed here: `other` may outlive its memory resource.
    world_ = std::move(world);
    return *this;
  }
  ~WorldPart() = default;

  /// Returns: the number of entities, including stand-ins. A stand-in is an additional entity of the part, one for each
  /// entity outside of the part to which pairs lead from entities of the part.
  [[nodiscard]] std::size_t size() const { return world_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }

 private:
  friend struct detail::PartAccess;

  explicit WorldPart(World world) : world_(std::move(world)) {}

  /// Returns: the World that holds the entities.
  /// Contract: the part is not being inserted or written.
  World& resting() noexcept {
    const detail::ChangeGuard* const guard = detail::find_guard(world_);
    STRATA_EXPECTS(guard == nullptr || !guard->locked(),
                   "a part is moved while it is inserted or written: do it when that has ended");
    return world_;
  }

  World world_;
  // The handle that each entity had in the world from which it was taken, indexed by Entity::index in `world_`. The
  // values of the part still contain these handles: `insert` replaces them. The list is empty for a part that was
  // loaded.
  detail::PlainList<Entity> originals_{std::pmr::new_delete_resource()};
};

/// Options of `extract`, and of the functions `save` that write some entities of a world.
struct PartOptions {
  /// What happens to references from the part to entities outside of it: to handles in values, and to pairs of
  /// relations.
  OutsideReferences outside = OutsideReferences::keep;
  /// What `save` does if the values of a component can be neither copied nor written.
  Undescribed undescribed = Undescribed::refuse;
  /// The part allocates its memory from this resource, on whichever thread the part is used. The resource must outlive
  /// the part. Null stands for new and delete.
  std::pmr::memory_resource* memory = nullptr;
  const Codec* codec = nullptr;  ///< For `save`; see SaveOptions.
  OnProgress progress =
      {};  ///< For `save`: called while bytes are written, but not while the entities are copied before.
};

namespace detail {

/// Returns: a part with all entities of a world, which keep their handles. Hooks and observers of the world are not
/// notified any more.
STRATA_API WorldPart make_part(World world);

/// Writes the entities that a query matches, with their subtrees, to `out`; see `save` below.
/// Returns: what `save` returns.
STRATA_API Outcome save_matching(const World& world, const Matcher& query, std::ostream& out,
                                 PartOptions options);

}  // namespace detail

/// The result of `extract` and `load_part`.
struct [[nodiscard]] ExtractedPart {
  Outcome outcome;                   ///< If refused, its sentence says why, and nothing has changed.
  WorldPart part;                    ///< Without entities if the call was refused.
  std::vector<LoadNote> notes = {};  ///< From `load_part`: how differences of file and program were handled.
};

/// Takes an entity with its subtree out of a world. The values of the entities are moved, not copied. If all rows of a
/// full block (an allocation that holds rows of a table) belong to the subtree, the block itself is handed to the part,
/// and its values stay where they are. This is done only if the part allocates from the world's memory resource, and if
/// changes of no component in the block are tracked (see tracking_of). Observers are notified that the entities are
/// destroyed. Pairs of relations that lead from other entities to these entities are removed, if the policy of the
/// relation allows that (see RelationOptions::target_destroyed).
/// Returns: the part; or a refusal, in these cases: the entity is stale; the policy of a relation forbids destroying an
/// entity of the subtree, or would also destroy entities outside of the subtree; a value of a pair cannot be copied;
/// PartOptions::outside refuses a reference to an entity outside of the subtree.
/// Errors: std::bad_alloc; exceptions of `remap_entities`, the function of a component that replaces entity handles in
/// its values (see EntityMap); exceptions of observers. After an exception of an observer, the change is complete.
/// After any other exception, nothing has changed, except that the value for which `remap_entities` has thrown may have
/// other handles.
/// Contract: no query iterates, and no other change is under way.
/// Complexity: O(n * (c + p)), where n is the number of entities of the subtree, c is the greatest number of components
/// that one of them has, and p is the number of pools (sparse sets) of `world`.
STRATA_API ExtractedPart extract(World& world, Entity root, PartOptions options = {});

/// The result of `insert` and `load_below`.
struct [[nodiscard]] InsertedPart {
  /// Whether the call succeeded. If it was refused, Outcome::message says why, and nothing has changed, except that the
  /// world may have registered components of the part.
  Outcome outcome;
  /// The new handles of the entities that had no parent in the part; empty after a refusal.
  std::vector<Entity> roots;
  std::vector<LoadNote> notes = {};  ///< From `load_below`: how differences of file and program were handled.
};

/// Puts a part into a world: its roots become the last children of `parent`, or roots of the world if `parent` is null.
/// The entities get new handles, and references among them are replaced (see EntityMap). Components are found by their
/// names, and registered if they are new. Observers are notified that the entities were created. If `insert` succeeds,
/// the part has no entities afterwards; otherwise the part stays as it is.
/// Returns: the new entities that had no parent in the part; or a refusal, if a component or relation is described
/// differently in this world, or, with SiblingNames::unique, if a child of `parent` already has the name of one of
/// these entities.
/// Errors: as for `extract`.
/// Contract: the parent is alive or null; no query iterates, and no other change is under way.
/// Complexity: O(n * (c + p)), where n is the number of entities of the part, c is the greatest number of components
/// that one of them has, and p is the number of pools (sparse sets) of the part.
STRATA_API InsertedPart insert(World& world, WorldPart& part, Entity parent = Entity());

/// Write entities of a world with their subtrees, or a part, to a stream, without changing the world or the part. A
/// query given as an argument stands for the entities that it matches. An entity that is given more than once, or is
/// below another given entity, is written once. Stale entities are left out. The file has the format of a saved world,
/// so `load` can read it, too.
/// Returns: success; or a refusal that names what cannot be saved, or says that the stream cannot be written, or that
/// the call was cancelled (PartOptions::progress).
/// Errors: std::bad_alloc, and what these throw: copying a value, the program's functions for writing values (see
/// members_of), and the stream.
/// Contract: no change is under way; the query is of this world. Queries may iterate during the call, if their
/// functions write no values.
/// Complexity: O(what is written). Entities of a world are first copied to a part, so the call takes as much memory as
/// their copies.
/// Threads: the calls only read the world: several threads may save and read it at the same time.
STRATA_API Outcome save(const World& world, Entity root, std::ostream& out, PartOptions options = {});
STRATA_API Outcome save(const World& world, std::span<const Entity> roots, std::ostream& out,
                        PartOptions options = {});
template <class Query>
requires detail::EntityQuery<const Query> Outcome save(const World& world, const Query& query,
                                                       std::ostream& out, PartOptions options = {}) {
  return detail::save_matching(world, query.matcher(), out, options);
}
STRATA_API Outcome save(const WorldPart& part, std::ostream& out, const SaveOptions& options = {});

/// Reads a part, or a whole world as a part. `known` is a world in which the components of the file are registered. The
/// options say, as for `load`, what happens with components that the program does not know or that have changed, and
/// with which codec a compressed file is read; of LoadOptions::world, only `memory` is used. A damaged or malicious
/// file is refused.
/// Returns: the part; or a refusal that says what is wrong with the file, and where.
/// Errors, Contract: as for `load`.
STRATA_API ExtractedPart load_part(std::istream& in, const World& known, const LoadOptions& options = {});

/// Reads a part as `load_part` does, with `world` as the argument `known`. Then inserts the part into `world`, below
/// `parent`, as `insert` does. Either everything is inserted or nothing.
/// Returns, Errors, Contract: as for `load_part` and `insert`.
STRATA_API InsertedPart load_below(World& world, std::istream& in, Entity parent = Entity(),
                                   const LoadOptions& options = {});

}  // namespace strata
