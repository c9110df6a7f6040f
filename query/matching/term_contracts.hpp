// Functions that check whether the terms of a query are valid, for example whether their components are registered.
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

/// Checks the contracts of a term that reads values of targets, by following a relation other than the one to the
/// parent (Term::along):
/// - `relation` is not null, and gives access to the relations of the world (Relation::pairs).
/// - Term::along is registered as a relation, and this relation is exclusive: a source has at most one target. Not
///   checked if Term::along is Registry::kUnknown.
/// `position` is the position of the term in the query, for error messages.
void require_followed(const Store& store, const Relation* relation, const Term& term, std::size_t position);

}  // namespace strata::detail
