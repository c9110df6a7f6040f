// Dirty: the mark of an entity whose values have changed, for updates of a part of the hierarchy.
#pragma once

#include "../../core/component.hpp"

namespace strata {

/// Marks an entity for the next `changed` pass (see CascadeQuery::changed), which takes the mark away.
/// Lives in the side store: marking an entity moves no row.
struct Dirty {};

template <>
inline constexpr Storage storage_of<Dirty> = Storage::sparse;

}  // namespace strata
