// EntityPaths: the texts by which a JSON document refers to entities.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "../world.hpp"

namespace strata::detail {

/// The paths of entities, each made of names. A path that leads to several entities is not used: the text of a
/// reference to one of them is its handle.
///
/// Contract: the world outlives the EntityPaths.
class EntityPaths {
 public:
  explicit EntityPaths(const World& world) : world_(world) {}

  /// Adds an entity. Its parent must be added before.
  void add(Entity entity);

  /// Returns: the text of a reference to an entity: "/house/door", "12v3", or "none" for a null handle.
  std::string name(Entity entity) const;
  /// Finds the entity to which a text refers. A handle in the text need not be of an entity that is alive.
  /// Returns: false if the text is not the text of a reference.
  bool find(const std::string& text, Entity& entity) const;
  /// Reads a handle, such as "12v3". Does not accept "none".
  static bool read_handle(const std::string& text, Entity& entity);

 private:
  static constexpr std::size_t kLongest = 512;  // Limits the memory that paths of deep trees take.

  const World& world_;
  std::vector<std::string> paths_;                   // By slot index; empty if there is none.
  std::unordered_map<std::string, Entity> by_path_;  // A null handle if a path leads to several entities.
};

}  // namespace strata::detail
