// Questions: what the core benches ask, one function per family of questions, each for all sizes.
#pragma once

#include "support/suite.hpp"

namespace strata::bench {

/// How long does it take to create entities, without components and with two, one by one and many at once? How many
/// bytes does an entity take?
void ask_creation(Suite& suite);

/// How long does it take to destroy all entities, whatever pools there are, and to replace half of them?
void ask_destruction(Suite& suite);

/// How long does it take to get a component, and to ask whether an entity has one, in random order?
void ask_look_ups(Suite& suite);

/// How long does it take to add a component and remove it again, in tables, in the side store and by commands?
void ask_changes(Suite& suite);

/// How much does an observer add to creating, changing and destroying?
void ask_observers(Suite& suite);

/// How long does it take to add a component that requires others?
void ask_requirements(Suite& suite);

}  // namespace strata::bench
