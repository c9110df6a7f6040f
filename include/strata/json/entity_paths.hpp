// EntityPaths: the texts by which a JSON document refers to entities.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "../world.hpp"

namespace strata::detail {

/// The paths of entities, such as "/house/door". A path has the names of the entity and its ancestors. A reference to
/// an entity is written as its path, or as its handle, such as "12v3", if the entity has no path or another entity has
/// the same path. An entity has no path if it or an ancestor has no name or a name that is not valid UTF-8, or if the
/// path would be longer than `kLongest`.
///
/// Contract: the world outlives the EntityPaths.
class EntityPaths {
 public:
  explicit EntityPaths(const World& world) : world_(world) {}

  /// Adds the path of an entity, if it has one. A path begins with the path of the parent, so call this function for
  /// the parent first.
  void add(Entity entity);

  /// Returns: the text of a reference to an entity: "/house/door", "12v3", or "none" for a null handle.
  std::string name(Entity entity) const;
  /// Sets `entity` to the entity to which a text refers: to null if the text is "none", to the handle if the text is a
  /// handle (even of an entity that is not alive), or to the entity with this path.
  /// Returns: false if the text is neither "none", nor a handle, nor the path of exactly one added entity.
  bool find(const std::string& text, Entity& entity) const;
  /// Reads a handle, such as "12v3", and writes it to `entity`.
  /// Returns: whether the text is a handle; false for "none".
  static bool read_handle(const std::string& text, Entity& entity);

 private:
  static constexpr std::size_t kLongest =
      512;  // The longest path, in bytes. Limits the memory for paths of deep trees.

  const World& world_;
  std::vector<std::string> paths_;                   // By slot index: the path; empty if the entity has none.
  std::unordered_map<std::string, Entity> by_path_;  // By path: the entity; null if there are several.
};

}  // namespace strata::detail
