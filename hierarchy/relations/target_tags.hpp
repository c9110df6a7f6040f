// TargetTags: for relations that store the entities with the same target in tables of their own. It has a tag for each
// target; the entities with this target have the tag, and so are in archetypes of their own.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

#include "../../core/entity.hpp"
#include "../../core/plain_list.hpp"
#include "../../core/registry.hpp"
#include "../../storage/side_store/paged_index.hpp"
#include "../../storage/tables/archetypes.hpp"

namespace strata::detail {

/// The tags of a relation that is stored in tables (Storage::table), one for each target. The sources of a target (the
/// entities from which a pair leads to it) have its tag, so they are in archetypes of their own. When a target has no
/// source any more, its tag is free for another target.
///
/// Threads: any number of readers, or one writer.
class TargetTags {
 public:
  /// The names of the tags begin with this.
  static constexpr std::string_view kName = "strata:target ";

  TargetTags(Registry& registry, const ComponentInfo& relation, std::pmr::memory_resource* memory);

  /// Returns: the tag of a target; Registry::kUnknown if it has none.
  ComponentId find(Entity target) const noexcept {
    const std::uint32_t use = uses_by_target_.find(target.index());
    return use != PagedIndex::kAbsent && uses_[use].target == target ? uses_[use].tag : Registry::kUnknown;
  }
  /// Returns: the tag of a target. If the target has none, gives it one.
  /// Errors: std::bad_alloc; nothing has changed then, but there may be one more free tag.
  ComponentId get(Entity target);
  /// Frees the tag of a target, if it has one.
  void release(Entity target) noexcept;
  /// Adds all tags of `other`, another object for the same relation, to this object, as free tags: no target has them
  /// until `assign` or `get` gives them to targets.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: this object has no tags.
  void take_over(const TargetTags& other);
  /// Gives each target that has a tag in `other`, another object for the same relation, the same tag in this object.
  /// Errors: std::bad_alloc; some targets may have got their tags then, and the others have none.
  /// Contract: this object has got its tags by `take_over(other)`, and all of them are free.
  void assign(const TargetTags& other);
  /// Exchanges the tags with those of another object for the same relation.
  void swap(TargetTags& other) noexcept;
  /// Returns: whether this object and `other`, an object for the same relation, have equally many tags, and the tags
  /// with the same number (position in `uses_`) belong to the same target or are both free.
  bool equals(const TargetTags& other) const noexcept;
  /// Takes the tags away from all targets. The tags are free for other targets then.
  void clear() noexcept;

  /// Returns: the archetype with the components of `from`, but without the tag of the target `without`, and with the
  /// tag of the target `with`. A target that has no tag (such as a null handle) is ignored.
  /// Errors: std::bad_alloc; nothing has changed then.
  Archetype& exchange(Archetypes& archetypes, Archetype& from, Entity without, Entity with) const;

  /// Returns: the sum, over all tags, of the number of rows that have the tag.
  /// Complexity: O(tags + the number of tables with rows that have the tag, summed over all tags).
  std::size_t count_rows(const Archetypes& archetypes) const;
  std::size_t reserved() const noexcept { return uses_by_target_.reserved() + memory_use_of(uses_).reserved; }

 private:
  struct Use {
    ComponentId tag;
    Entity target;  ///< Null: the tag is free.
  };

  Registry& registry_;
  const ComponentInfo& relation_;
  PagedIndex uses_by_target_;  // By slot index of a target: the position of its tag in `uses_`.
  PlainList<Use> uses_;
  std::size_t free_ = 0;  // The number of tags that are free.
};

}  // namespace strata::detail
