// Dirty: marks an entity whose values have changed, for updates of a part of the hierarchy.
#pragma once

#include "../../core/component.hpp"

namespace strata {

/// Marks an entity for the next CascadeQuery::propagate, which removes the mark. It is in the side store, so
/// marking an entity moves no row.
struct Dirty {};

template <>
inline constexpr Storage storage_of<Dirty> = Storage::sparse;

}  // namespace strata
