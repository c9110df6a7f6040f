// explain_plan and plan_to_dot: describe how the systems of a schedule run, in words and as a graph for Graphviz.
#pragma once

#include <string>

#include "system_plan.hpp"
#include "system_times.hpp"

namespace strata::detail {

/// Returns: lines that say for each stage which systems run in it, what each system reads, writes and waits for, and
/// which commands are applied after the stage. Further lines list the pairs of systems that conflict and for which no
/// order is declared. If `times` has the times of some runs, the text also has the mean time of each system, and the
/// critical path: of all chains of systems in which each waits for the one before, the one that takes longest.
std::string explain_plan(const SystemList& systems, const SystemPlan& plan, const SystemTimes* times);

/// Returns: the plan as a graph in the language DOT of Graphviz. An edge leads from a system to one that waits for
/// it. The edge is dashed if the systems conflict and no order is declared for them.
std::string plan_to_dot(const SystemList& systems, const SystemPlan& plan);

}  // namespace strata::detail
