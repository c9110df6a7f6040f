// Checks the contracts of the terms that a query is made of.
#pragma once

#include <cstddef>

#include "../../storage/store.hpp"
#include "relation.hpp"
#include "runtime_term.hpp"

namespace strata::detail {

/// Checks the contracts of one term of a query:
/// - The role of the term exists.
/// - The component is registered, or `unknown` is true, which means that the query will look the component up later.
/// - If the component is a tag, the term does not read its value.
/// - If `relation` is null, because there is no hierarchy, the term uses no parent or ancestor.
/// - If the role is Role::any_of, the term's group is less than kMaxTerms.
/// `position` is the position of the term in the query, for error messages.
void require_sound(const Store& store, const Relation* relation, const Term& term, std::size_t position,
                   bool unknown);

/// Checks the contract of a term that follows a relation other than the one to the parent, in order to read values of
/// targets. `relation` gives access to the relations (Relation::pairs). The followed relation (Term::along) is
/// registered as a relation, and is exclusive: a source has at most one target. If its id is Registry::kUnknown, it is
/// not checked. `position` is the position of the term in the query, for error messages.
void require_followed(const Store& store, const Relation* relation, const Term& term, std::size_t position);

}  // namespace strata::detail
