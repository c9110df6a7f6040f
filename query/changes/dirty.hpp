// Dirty: a component that marks an entity as changed, for CascadeQuery::propagate.
#pragma once

#include "../../core/component.hpp"

namespace strata {

/// Marks an entity whose values have changed. The next CascadeQuery::propagate visits the entity, goes on to the
/// entities below it that the change may affect, and removes the mark. The mark is stored in the side store (sparse
/// sets), so marking an entity moves no row.
struct Dirty {};

template <>
inline constexpr Storage storage_of<Dirty> = Storage::sparse;

}  // namespace strata
