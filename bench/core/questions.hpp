// Questions: what the core benches ask, one function per question for any number of entities.
#pragma once

#include <cstddef>

#include "support/suite.hpp"

namespace strata::bench {

/// How long does it take to create entities, without components and with two, one by one and many at once?
void ask_create_0(Suite& suite, std::size_t n);
void ask_create_2(Suite& suite, std::size_t n);
void ask_create_2_bulk(Suite& suite, std::size_t n);

/// How long does it take to destroy all entities, whatever pools there are, and to replace half of them?
void ask_destroy_2(Suite& suite, std::size_t n);
void ask_destroy_pools(Suite& suite, std::size_t n);
void ask_churn(Suite& suite, std::size_t n);

/// How long does it take to look a component up, and to ask whether there is one, in random order?
void ask_get_random(Suite& suite, std::size_t n);
void ask_has_random(Suite& suite, std::size_t n);

/// How long does it take to add a component and remove it again, in tables and in the side store?
void ask_add_remove_arch(Suite& suite, std::size_t n);
void ask_toggle_sparse(Suite& suite, std::size_t n);
void ask_toggle_sparse_two_passes(Suite& suite, std::size_t n);
void ask_toggle_sparse_tag(Suite& suite, std::size_t n);

/// How long does it take to record changes and apply them?
void ask_cmd_buffer(Suite& suite, std::size_t n);

/// How many bytes does an entity take in all?
void ask_memory(Suite& suite, std::size_t n);

}  // namespace strata::bench
