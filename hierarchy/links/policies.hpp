// Policies: options of a world for the children of entities.
#pragma once

#include <cstdint>

namespace strata {

/// The tables that hold the rows of children. The layout changes speed and memory use, but no results.
enum class Layout : std::uint8_t {
  per_parent,  ///< A table for each (signature, parent): the rows of a family are contiguous.
  per_level,   ///< A table for each (signature, depth); `defragment` sorts its rows into family order.
  adaptive,    ///< Per level, but each large family has tables of its own.
};

/// When the rows of level tables are sorted into family order.
enum class Defragmentation : std::uint8_t {
  automatic,  ///< By `defragment`, and at the start of a cascade if that pays.
  manual,     ///< By `defragment` only.
};

/// What happens to the children of a destroyed entity.
enum class ChildPolicy : std::uint8_t {
  destroy,  ///< They are destroyed with it.
  orphan,   ///< They become roots.
};

}  // namespace strata

namespace strata::detail {

/// The default layout of a world for the rows of children.
struct LayoutPolicy {
  Layout layout = Layout::adaptive;
  std::uint32_t large_family = 256;  ///< An adaptive family with more children gets tables of its own.
  Defragmentation defragmentation = Defragmentation::manual;
};

}  // namespace strata::detail
