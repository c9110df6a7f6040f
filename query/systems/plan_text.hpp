// Text for people and for Graphviz that says how the systems of a schedule run.
#pragma once

#include <string>

#include "system_plan.hpp"

namespace strata::detail {

/// Returns: lines that say for each stage which systems run in it, what each reads and writes, which it waits for, and whose
/// commands are applied; then the conflicts for which no order is declared.
std::string explain_plan(const SystemList& systems, const SystemPlan& plan);

/// Returns: the plan as a graph in the language DOT of Graphviz. Edges lead to what waits; a dashed one stands for a conflict for which no
/// order is declared.
std::string plan_to_dot(const SystemList& systems, const SystemPlan& plan);

}  // namespace strata::detail
