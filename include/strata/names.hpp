// Names: names of entities, and paths of names that lead to entities.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "../../core/compiler.hpp"
#include "../../core/entity.hpp"
#include "../../core/outcome.hpp"

namespace strata {

namespace detail {

class EntityNames;

}  // namespace detail

/// The names of a world's entities. World::names returns this object.
///
/// A name is any text but the empty one; its bytes are kept as they are, UTF-8 or not. A path such as
/// "tank/turret/barrel" leads from a root, or from a given entity, along children to an entity. In a path, a backslash
/// precedes each slash and backslash that belongs to a name; `escape` and `path` write these backslashes.
///
/// A name is removed when its entity is destroyed, and stays when the entity gets another parent. Copies that
/// `instantiate` makes have the names of their originals. Children of one parent may have equal names unless
/// WorldOptions::sibling_names says otherwise; roots may always have equal names. If siblings have equal names, a path
/// leads to the sibling that was the first to have both this parent and this name.
///
/// With SiblingNames::unique, the names of two children of one parent are never equal: `set`, and every function that
/// gives an entity another parent, refuse a change that would make them equal. A copy that `instantiate` adds to a
/// parent gets no name if another child of that parent has the name already.
///
/// Threads: any number of readers, or one writer.
class Names {
 public:
  explicit Names(detail::EntityNames& names) : names_(&names) {}
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  /// Gives an entity a name, which replaces its present name if it has one.
  /// Returns: success; or a refusal if the entity is stale, if the name is empty, or if a sibling has this name and
  /// WorldOptions::sibling_names is SiblingNames::unique. The message of the refusal contains the handle of the entity,
  /// and that of the sibling.
  /// Errors: std::bad_alloc, and nothing has changed then; exceptions of observers that are notified of the change, and
  /// the entity has been named then.
  /// Contract: no query iterates.
  /// Complexity: O(size of the name), on average.
  STRATA_API Outcome set(Entity entity, std::string_view name);

  /// Removes the name of an entity.
  /// Returns: false if the entity is stale or has no name.
  /// Contract: no query iterates.
  /// Complexity: O(1), on average.
  STRATA_API bool remove(Entity entity);

  /// Returns: the name of an entity; empty if the entity is stale or has no name.
  /// Invalidates: the text, when the entity gets another name, loses its name or is destroyed.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_API std::string_view name(Entity entity) const;

  /// Follows a path from the roots, or from the children of `from`.
  /// Returns: the entity; a null handle if no entity has this path, `from` is stale or the path is empty.
  /// Complexity: O(size of the path), on average, however many siblings there are.
  [[nodiscard]] STRATA_API Entity find(std::string_view path) const;
  [[nodiscard]] STRATA_API Entity find(Entity from, std::string_view path) const;

  /// Returns: the path that leads to an entity from the roots, or from the children of `from`; empty if the entity is
  /// stale or is not below `from`, if an entity on the path has no name, or if null was passed as `from`.
  /// Complexity: O(characters of all names on the path).
  [[nodiscard]] STRATA_API std::string path(Entity entity) const;
  [[nodiscard]] STRATA_API std::string path(Entity from, Entity entity) const;

  /// Returns: a name as it is written in a path, with a backslash before each slash and backslash.
  [[nodiscard]] STRATA_API static std::string escape(std::string_view name);

  /// Returns: the number of entities that have a name.
  [[nodiscard]] STRATA_API std::size_t size() const;

 private:
  detail::EntityNames* names_;
};

}  // namespace strata
