// Questions: what the query benches ask, one function per question.
#pragma once

#include <cstddef>

#include "support/suite.hpp"

namespace strata::bench {

/// How long does it take to add one component to another, for all entities of one archetype: if they have
/// nothing else, and if they have five components more?
void ask_iterate_2(Suite& suite, std::size_t n);
void ask_iterate_7comps_of_2(Suite& suite, std::size_t n);

/// How long does it take if the entities are of many archetypes?
void ask_frag_1024(Suite& suite, std::size_t n);
void ask_frag_26x20(Suite& suite);

/// How long does it take if the side store says which entities are meant?
void ask_sparse_filter(Suite& suite, std::size_t n);

/// How long does it take if both components are in the side store?
void ask_two_pools(Suite& suite, std::size_t n);

/// How long does a system take that visits few entities: with a query that is kept, and with one made for the call?
void ask_small_world(Suite& suite, std::size_t n);

/// How long does it take to make a query and iterate it once?
void ask_query_create(Suite& suite);

/// How long does a new archetype take that a hundred queries have to hear of?
void ask_new_table_100q(Suite& suite);

/// How long does an iteration take, and a cascade, where there are thousands of archetypes and a deep chain; and how long
/// does it take to make archetypes?
void ask_many_archetypes(Suite& suite);

}  // namespace strata::bench
