// extract_part and insert_part: take subtrees out of a world, and put them into another one.
#pragma once

#include <span>
#include <vector>

#include "../events/change_notifier.hpp"
#include "../saving/contents.hpp"
#include "../saving/saved_parts.hpp"
#include "outside_references.hpp"

namespace strata::detail {

// A part of a world is a world of its own, whose entities have the component OriginalHandle: the handle that the entity
// had in the first world. If an entity outside of the part is the target of a pair, the pair in the part leads to a
// stand-in for that entity, which has the tag OutsideEntity.

/// Moves an entity with all entities below it to the world of a part, which has no entities. `notifier` notifies the
/// observers of the first world that these entities are destroyed.
/// Returns: success; or a refusal that says why the entities cannot be moved; nothing has changed then.
/// Errors: std::bad_alloc, and what functions that replace references throw; nothing has changed then, except
/// references in the value for which the throwing function was called.
/// Contract: the caller has begun a Store::Change of the first world; nothing observes changes of the part.
Outcome extract_part(const LoadedParts& from, ChangeNotifier& notifier, const LoadedParts& part, Entity root,
                     OutsideReferences outside);

/// Copies entities, with all entities below them, to the world of a part, which has no entities.
/// Returns: success; or a refusal that names a component that cannot be copied, or a reference outside.
/// Errors: std::bad_alloc, and what copying a value throws. After an exception or a refusal, the part can only be
/// destroyed.
/// Contract: the entities are alive, and none is below another; nothing observes changes of the part.
Outcome copy_part(const SavedParts& from, const LoadedParts& part, std::span<const Entity> roots,
                  OutsideReferences outside, Undescribed undescribed);

/// Moves all entities of a part to a world, as the last children of `above`, or as roots if `above` is null. References
/// among these entities are replaced by references to the new ones. `notifier` notifies the observers of the world that
/// the new entities were created.
/// Returns: success, after which the part can only be destroyed; or a refusal that says why the entities cannot be
/// moved; nothing has changed then. After success, `roots` has the new entities for those that had no parent in the
/// part.
/// Errors: those of `extract_part`.
/// Contract: `above` is alive or null; the caller has begun a Store::Change of the world; nothing observes changes of
/// the part.
Outcome insert_part(const LoadedParts& part, const LoadedParts& to, ChangeNotifier& notifier, Entity above,
                    std::vector<Entity>& roots);

/// Returns: the entities of a part that have no parent there, and are not stand-ins for entities outside.
std::vector<Entity> roots_of_part(const SavedParts& part);

}  // namespace strata::detail
