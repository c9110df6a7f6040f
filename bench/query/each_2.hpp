// each_2: how long it takes to add one component to another, for all entities of one archetype.
#pragma once

#include "support/suite.hpp"

namespace strata::bench {

/// Asks `query/each_2/one_table/N`.
void ask_each_2(Suite& suite);

}  // namespace strata::bench
