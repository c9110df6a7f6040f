// extract_part and insert_part: take subtrees out of a world, and put them into another one.
#pragma once

#include <span>
#include <vector>

#include "../events/change_notifier.hpp"
#include "../saving/contents.hpp"
#include "../saving/part_entity.hpp"
#include "../saving/saved_parts.hpp"
#include "outside_references.hpp"

namespace strata::detail {

// A part is a world of its own, with entities that were taken or copied from another world. OriginalHandles has the
// handle that each entity of the part has, or had, in that other world. A pair (relation, target) may lead to an entity
// that was not taken. In the part, such a pair leads to a stand-in instead, an entity with the tag OutsideEntity.

/// Moves the entity `root`, with all entities below it in the hierarchy, from the world `from` to the empty world
/// `part`. Lists the handles that these entities had in `from` in `originals`. `outside` says what becomes of their
/// references to other entities. `notifier` notifies the observers of `from` that these entities are destroyed.
/// Returns: success; or a refusal that says why the entities cannot be moved. After a refusal, nothing has changed.
/// Errors: std::bad_alloc, and what the components' functions for replacing entity handles throw; nothing has changed
/// then, except handles in the value for which the throwing function was called.
/// Contract: the caller has begun a Store::Change (a scope for structural changes) of `from`; `part` has no observers.
Outcome extract_part(const LoadedParts& from, ChangeNotifier& notifier, const LoadedParts& part,
                     OriginalHandles& originals, Entity root, OutsideReferences outside);

/// Copies the entities `roots`, with all entities below them in the hierarchy, from the world `from` to the empty world
/// `part`. Lists the handles that these entities have in `from` in `originals`.
/// Returns: success; or a refusal that names a component that cannot be copied or, with OutsideReferences::refuse, a
/// reference to an entity that is not copied.
/// Errors: std::bad_alloc, and what copying a value throws. After an exception or a refusal, the part can only be
/// destroyed.
/// Contract: the entities are alive, and none is below another; `part` has no observers.
Outcome copy_part(const SavedParts& from, const LoadedParts& part, OriginalHandles& originals,
                  std::span<const Entity> roots, OutsideReferences outside, Undescribed undescribed);

/// Moves all entities of the world `part` to the world `to`. The roots of `part` become children of `above`, after the
/// children that it already has; if `above` is null, they stay roots. References among these entities are replaced by
/// references to the new entities. `notifier` notifies the observers of `to` that the new entities were created.
/// `originals` has the handles that the entities had in the world from which they were taken. For a part that was
/// loaded, `originals` is empty: its entities have the component OriginalHandle instead or, if the file is a saved
/// world, still have their original handles.
/// Returns: success; or a refusal that says why the entities cannot be moved. After success, the part can only be
/// destroyed, and `roots` has the new entities whose originals had no parent in the part. After a refusal, no entity
/// and no value has changed, but `to` may have got further components, and the part may keep some components in another
/// storage (tables or sparse sets) than before.
/// Errors: std::bad_alloc, and what the components' functions for replacing entity handles throw; nothing has changed
/// then, except handles in the value for which the throwing function was called.
/// Contract: `above` is alive or null; the caller has begun a Store::Change (a scope for structural changes) of `to`;
/// `part` has no observers.
Outcome insert_part(const LoadedParts& part, const OriginalHandles& originals, const LoadedParts& to,
                    ChangeNotifier& notifier, Entity above, std::vector<Entity>& roots);

/// Returns: the entities of `part` that have no parent, without the stand-ins for entities outside of the part (see
/// OutsideEntity).
std::vector<Entity> roots_of_part(const SavedParts& part);

}  // namespace strata::detail
