// Policies: how a world treats the children of an entity, for its embedder to choose.
#pragma once

#include <cstdint>

namespace strata {

/// Where the rows of children live. A world means the same with each; its speed and size differ.
enum class Layout : std::uint8_t {
  per_parent,  ///< A table for each (signature, parent): a family's rows are contiguous.
  per_level,   ///< A table for each (signature, depth), its rows in family order once settled.
  adaptive,    ///< Per level, and a table of its own for each family that has grown large.
};

/// When the rows of levels are brought into family order.
enum class Settling : std::uint8_t {
  automatic,  ///< By `settle`, and at the start of a cascade once that pays.
  manual,     ///< By `settle` alone.
};

/// What becomes of the children of an entity that is destroyed.
enum class ChildPolicy : std::uint8_t {
  destroy,  ///< They are destroyed with it.
  orphan,   ///< They become roots.
};

}  // namespace strata
