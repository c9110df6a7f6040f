// EntityPaths: the texts by which a JSON document refers to entities.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "../world.hpp"

namespace strata::detail {

/// The paths of names of entities, as far as each leads to one entity, and the texts of references.
///
/// Contract: the world outlives it.
class EntityPaths {
 public:
  explicit EntityPaths(const World& world) : world_(world) {}

  /// Adds an entity, after its parent.
  void add(Entity entity);

  /// Returns: the text of a reference: "/house/door", "12v3" or "none".
  std::string name(Entity entity) const;
  /// Finds the entity of such a text. A handle need not be of an entity that is alive.
  /// Returns: false if the text is no such text.
  bool find(const std::string& text, Entity& entity) const;
  /// Reads a handle, such as "12v3"; not "none".
  static bool read_handle(const std::string& text, Entity& entity);

 private:
  static constexpr std::size_t kLongest =
      512;  // A limit, so that paths of deep trees take no more memory than the trees.

  const World& world_;
  std::vector<std::string> paths_;                   // By slot index; empty if there is none.
  std::unordered_map<std::string, Entity> by_path_;  // A null handle if a path leads to several entities.
};

}  // namespace strata::detail
