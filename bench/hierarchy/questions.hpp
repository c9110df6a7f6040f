// Questions: what the hierarchy benches ask, one function per family of questions.
#pragma once

#include "subject.hpp"
#include "support/suite.hpp"

namespace strata::bench {

/// How long does it take to compute all values in the world, when nothing else changes, and when nodes have been
/// re-parented in between?
void ask_updates(Suite& suite);

/// How long do a hundred frames after a build take, without edits and with some in each, if the world defragments by itself
/// and if it is told when?
void ask_defragmentation(Suite& suite, const Subject& subject);

/// How long does it take to compute the values of a few changed nodes and what is below them?
void ask_dirty(Suite& suite);

/// How long does it take to create a tree, one entity at a time and in one go, and how many bytes does it take?
void ask_building(Suite& suite);

/// How long does it take to compute all values in the world on two threads, and to move particles?
void ask_threads(Suite& suite);

/// How long does it take to destroy all trees by their roots, and leaves here and there?
void ask_destroying(Suite& suite);

/// How long does it take to sum up the values of each node's children, and of each leaf's ancestors?
void ask_walks(Suite& suite);

/// How long does it take to replace a tenth of many units by fresh copies of a prototype?
void ask_spawn_units(Suite& suite);

/// How long does it take to call functions with events that are emitted, bubble, sink, or are queued?
void ask_events(Suite& suite);

/// How long does it take to find entities by paths of names, and to rename siblings?
void ask_names(Suite& suite);

/// How long does it take to add and remove pairs, to follow them, to query them, and to destroy their ends?
void ask_relations(Suite& suite);

/// How long does it take to disable a subtree, and to visit what is left?
void ask_states(Suite& suite);

/// How long does it take to save a world and to load it?
void ask_saving(Suite& suite);

/// How long does it take to copy a prefab, with values of the copy's own and without?
void ask_prefabs(Suite& suite);

/// How long does it take to take a checkpoint after each frame, and to go back eight frames?
void ask_checkpoints(Suite& suite);

/// How long does it take to take a tree out of a world, and to put it into another one?
void ask_moving(Suite& suite);

}  // namespace strata::bench
