// extract_part and insert_part: take subtrees out of a world, and put them into another one.
#pragma once

#include <span>
#include <vector>

#include "../events/change_notifier.hpp"
#include "../saving/contents.hpp"
#include "../saving/saved_parts.hpp"
#include "outside_references.hpp"

namespace strata::detail {

// A part of a world is a world of its own, whose entities have the component OriginalHandle. A pair that leads to
// an entity outside of the part leads to a stand-in for it, which has the tag OutsideEntity.

/// Moves an entity with all entities below it to the world of a part, which has no entities. `notifier` notifies the
/// observers of the first world that they are destroyed.
/// Returns: success; or a refusal that says why nothing has changed.
/// Errors: std::bad_alloc, and what functions that replace references throw; nothing has changed then, except
/// references in the value for which the function was called.
/// Contract: the caller has begun a change; the part is not notified of changes.
Outcome extract_part(const LoadedParts& from, ChangeNotifier& notifier, const LoadedParts& part, Entity root,
                     OutsideReferences outside);

/// Copies entities, with all entities below them, to the world of a part, which has no entities.
/// Returns: success; or a refusal that names a component that cannot be copied, or a reference outside.
/// Errors: std::bad_alloc, and what copying a value throws. The part can only be destroyed then, or if it is refused.
/// Contract: the entities are alive, and none is below another; the part is not notified of changes.
Outcome copy_part(const SavedParts& from, const LoadedParts& part, std::span<const Entity> roots,
                  OutsideReferences outside, Undescribed undescribed);

/// Moves all entities of a part to a world, as the last children of `above`, or as roots if it is null. References
/// among them are replaced. `notifier` notifies the observers of the world that they are new.
/// Returns: success, and the part can only be destroyed then; or a refusal that says why nothing has changed. `roots`
/// are the new entities without a parent in the part.
/// Errors: as `extract_part`.
/// Contract: `above` is alive or null; the caller has begun a change; the part is not notified of changes.
Outcome insert_part(const LoadedParts& part, const LoadedParts& to, ChangeNotifier& notifier, Entity above,
                    std::vector<Entity>& roots);

/// Returns: the entities of a part that have no parent there, and are not stand-ins for entities outside.
std::vector<Entity> roots_of_part(const SavedParts& part);

}  // namespace strata::detail
