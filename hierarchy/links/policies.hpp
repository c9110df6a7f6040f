// Policies: options of a world for the children of entities.
#pragma once

#include <cstdint>

namespace strata {

/// The tables that hold the rows of children. The layout changes speed and memory use, but no results.
enum class Layout : std::uint8_t {
  per_parent,  ///< A table for each set of components and parent: the rows of its children are contiguous.
  per_level,   ///< A table for each set of components and depth; World::defragment sorts its rows by parent.
  adaptive,    ///< Like per_level, but the children of a parent with many children get their own tables.
};

/// When the rows of tables that several parents' children share are sorted into the order of the parents'
/// rows.
enum class Defragmentation : std::uint8_t {
  automatic,  ///< In World::defragment, and at the start of a cascade if that saves time.
  manual,     ///< In World::defragment only.
};

/// What happens to the children of a destroyed entity.
enum class ChildPolicy : std::uint8_t {
  destroy,  ///< They are destroyed with it.
  orphan,   ///< They become roots.
};

}  // namespace strata

namespace strata::detail {

/// The options of a world that concern the rows of children; see WorldOptions.
struct LayoutPolicy {
  Layout layout = Layout::adaptive;
  std::uint32_t large_family = 256;  ///< An adaptive family with more children gets tables of its own.
  Defragmentation defragmentation = Defragmentation::manual;
};

}  // namespace strata::detail
