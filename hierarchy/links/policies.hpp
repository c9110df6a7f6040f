// Policies: the options of a world that concern the children of entities.
#pragma once

#include <cstdint>

namespace strata {

/// In which tables the rows of children are stored. The choice changes speed and memory use, but no results.
enum class Layout : std::uint8_t {
  per_parent,  ///< A table for each set of components and parent: rows of siblings are contiguous.
  per_level,   ///< A table for each set of components and depth; World::defragment sorts its rows by parent.
  adaptive,    ///< Like per_level, but many siblings get their own tables; see WorldOptions::large_family.
};

/// The children of several parents may share a table. This option says when the rows of such a table are sorted into
/// the order of the parents' rows, which makes visits by depth faster.
enum class Defragmentation : std::uint8_t {
  automatic,  ///< Sorted by World::defragment, and before a visit by depth if that saves time.
  manual,     ///< Sorted by World::defragment only.
};

/// What happens to the children of an entity that is destroyed.
enum class ChildPolicy : std::uint8_t {
  destroy,  ///< The children are destroyed with the entity.
  orphan,   ///< The children become roots.
};

/// Whether children of one parent may have equal names; see Names. Roots may always have equal names.
enum class SiblingNames : std::uint8_t {
  any,     ///< Equal names are allowed. A path with such a name leads to the child that got the name first.
  unique,  ///< A change of a name or parent that would make the names of two siblings equal is refused.
};

}  // namespace strata

namespace strata::detail {

/// The options of a world that say in which tables the rows of children are stored, and when these rows are sorted; see
/// WorldOptions.
struct LayoutPolicy {
  Layout layout = Layout::adaptive;
  /// For Layout::adaptive: a parent's children get tables of their own if there are more of them than this.
  std::uint32_t large_family = 256;
  Defragmentation defragmentation = Defragmentation::manual;
};

}  // namespace strata::detail
