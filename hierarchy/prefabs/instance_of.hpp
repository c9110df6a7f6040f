// InstanceOf: the relation that links the copies of a prefab (an entity that serves as a template) to the prefab.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <string_view>

#include "../../core/component.hpp"
#include "../../core/contract.hpp"
#include "../../core/entity_map.hpp"
#include "../../core/plain_list.hpp"
#include "../../core/values/byte_stream.hpp"
#include "../../core/values/members.hpp"
#include "../relations/relation_options.hpp"

namespace strata {

namespace detail {

/// An entity of a prefab (`original`), and its copy in one instance of the prefab.
struct Counterpart {
  Entity original;
  Entity copy;
};

}  // namespace detail

/// The relation that leads from an instance to its prefab. World::instantiate adds the pair (InstanceOf, prefab) to
/// each copy of a prefab. InstanceOf is a relation like others: `relations().sources<InstanceOf>(prefab)` are the
/// instances of a prefab, queries find instances by `With<Pair<InstanceOf>>`, and a pair is removed when the instance
/// or the prefab is destroyed. The value of a pair holds, for each entity of the prefab, its copy in the instance;
/// World::counterpart reads it.
class InstanceOf {
 public:
  /// Makes a value without counterparts, for a pair that is not added by World::instantiate.
  InstanceOf() = default;
  InstanceOf(InstanceOf&&) noexcept = default;
  STRATA_API InstanceOf(const InstanceOf& other);
  InstanceOf& operator=(const InstanceOf&) = delete;

  /// Makes a value that has no counterparts yet, with room for `count` of them.
  /// Errors: std::bad_alloc.
  InstanceOf(std::pmr::memory_resource* memory, std::size_t count) : nodes_(memory) { nodes_.reserve(count); }
  /// Records that `copy` is the counterpart of `original`, an entity of the prefab.
  /// Contract: there is room for one more counterpart (see the constructor), and `original` is greater (by
  /// Entity::bits) than each original that was added before.
  void append(Entity original, Entity copy) {
    STRATA_EXPECTS(
        !nodes_.full(),
        "append to a value of InstanceOf that has no room left: pass the number of counterparts to "
        "its constructor");
    STRATA_EXPECTS(
        nodes_.empty() || nodes_.back().original.bits() < original.bits(),
        "append to a value of InstanceOf: the originals are not in ascending order of Entity::bits: "
        "sort them first");
    nodes_.append({original, copy});
  }

  /// Returns: the copy of `original`, an entity of the prefab; a null handle if there is none. The copy may be stale
  /// (destroyed since it was made).
  /// Complexity: O(log n) for n entities of the prefab.
  STRATA_API Entity find(Entity original) const noexcept;

  /// `write` writes the counterparts as bytes. `read` reads such bytes; it returns false if they are not valid. The two
  /// functions are called when a world is saved or loaded, because `members_of<InstanceOf>` refers to them.
  STRATA_API void write(ByteWriter& writer) const;
  STRATA_API bool read(ByteReader& reader);

  /// Replaces the entity handles in this value. When a subtree that contains the instance is copied or moved, a new
  /// pair is made, and this function is called for its value. `map` maps the entities of that subtree to the new
  /// entities, and usually leaves other handles as they are. Each Counterpart::original becomes what `map` returns for
  /// it. So does each Counterpart::copy that is in the subtree; any other `copy` becomes null.
  STRATA_API void remap_entities(const EntityMap& map);

 private:
  detail::PlainList<detail::Counterpart> nodes_{
      std::pmr::new_delete_resource()};  // By ascending bits of the originals.
};

template <>
inline constexpr std::string_view name_of<InstanceOf> = "strata::InstanceOf";
template <>
inline constexpr auto members_of<InstanceOf> =
    OwnFormat{[](const InstanceOf& value, ByteWriter& writer) { value.write(writer); },
              [](InstanceOf& value, ByteReader& reader) { return value.read(reader); }};
template <>
inline constexpr RelationOptions relation_options_of<InstanceOf> = {.exclusive = true, .queried = true};

}  // namespace strata
