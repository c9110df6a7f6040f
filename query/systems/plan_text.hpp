// Texts, for reading and for Graphviz, that say how the systems of a schedule run.
#pragma once

#include <string>

#include "system_plan.hpp"

namespace strata::detail {

/// Returns: lines that say for each stage which systems run in it, what each of them reads, writes and waits for, and
/// which commands are applied; then the conflicts without a declared order.
std::string explain_plan(const SystemList& systems, const SystemPlan& plan);

/// Returns: the plan as a graph in the language DOT of Graphviz. An edge leads to the system that waits; it is dashed
/// for a conflict without a declared order.
std::string plan_to_dot(const SystemList& systems, const SystemPlan& plan);

}  // namespace strata::detail
