// Checks the contracts of the terms that a query is made of.
#pragma once

#include <cstddef>

#include "../../storage/store.hpp"
#include "relation.hpp"
#include "runtime_term.hpp"

namespace strata::detail {

/// Checks the term at a position of a query: its role exists; the world knows its component, or the component is
/// not registered yet (`unknown`); the term reads no value of a tag, and looks at no parent if there is no
/// hierarchy. `relation` is null if there is no hierarchy. The message names the position and the component.
void require_sound(const Store& store, const Relation* relation, const Term& term, std::size_t position,
                   bool unknown);

/// Checks a term that reads values along a relation other than the one to the parent: the relation exists, and each
/// entity has at most one target in it.
void require_followed(const Store& store, const Relation* relation, const Term& term, std::size_t position);

}  // namespace strata::detail
