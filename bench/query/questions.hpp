// Questions: what the query benches ask, one function per family of questions.
#pragma once

#include "support/suite.hpp"

namespace strata::bench {

/// How long does it take to visit all entities of two components: of one archetype, and of many?
void ask_iteration(Suite& suite);

/// How long does it take if the side store says which entities are meant, or has both components?
void ask_side_store(Suite& suite);

/// How long does a system take that visits few entities: with a query that is kept, and with one made for the call?
void ask_small_world(Suite& suite);

/// How long does a new archetype take that a hundred queries have to find?
void ask_new_table_100q(Suite& suite);

/// How long does it take to make a query, to iterate and to make archetypes where there are thousands of them?
void ask_archetypes(Suite& suite);

/// How long does it take to switch a component off and on, and to visit entities while it is off for some?
void ask_toggles(Suite& suite);

/// How long does a schedule take beside the work of its systems, and is it faster on two threads?
void ask_systems(Suite& suite);

}  // namespace strata::bench
