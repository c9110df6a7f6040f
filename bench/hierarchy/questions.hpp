// Questions: what the hierarchy benches ask, one function per question for any shape and size.
#pragma once

#include <cstdint>

#include "subject.hpp"
#include "support/suite.hpp"

namespace strata::bench {

/// How long does it take to compute all values in the world, when nothing else changes?
void ask_update_affine(Suite& suite, const Subject& subject);
void ask_update_pos(Suite& suite, const Subject& subject);

/// How long does it take when 1 % of the nodes have been re-parented in between?
void ask_update_after_edits(Suite& suite, const Subject& subject);

/// How long do a hundred frames after a build take, without edits and with some in each, if the world settles by itself
/// and if it is told when?
void ask_settling(Suite& suite, const Subject& subject);

/// How long does it take to compute the values of a few changed nodes and what is below them?
void ask_dirty_1pct(Suite& suite, const Subject& subject);
void ask_dirty_one(Suite& suite, const Subject& subject);

/// How long does it take to create the tree, one entity at a time?
void ask_build(Suite& suite, const Subject& subject);

/// How long does it take to create the tree in one go, its nodes given in any order?
void ask_build_hierarchy(Suite& suite, const Subject& subject);

/// How long does it take to destroy all trees by their roots?
void ask_delete_tree(Suite& suite, const Subject& subject);

/// How long does it take to destroy leaves here and there?
void ask_delete_leaves(Suite& suite, const Subject& subject);

/// How long does it take to give leaves other parents?
void ask_reparent_leaf(Suite& suite, const Subject& subject);

/// How long does it take to give inner nodes other parents at another depth, the next cascade included?
void ask_reparent_inner(Suite& suite, const Subject& subject);

/// How long does it take to sum up the values of each node's children?
void ask_children_sum(Suite& suite, const Subject& subject);

/// How long does it take to sum up the values of each leaf's ancestors?
void ask_ancestors_sum(Suite& suite, const Subject& subject);

/// How long does it take to replace a tenth of many units by fresh copies of a prototype?
void ask_spawn_units(Suite& suite);

/// How many bytes does the tree take beyond its components?
void ask_memory(Suite& suite, const Subject& subject);

}  // namespace strata::bench
