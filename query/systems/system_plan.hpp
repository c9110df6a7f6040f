// SystemPlan: in which stages the systems of a schedule run, and after which stages their commands are applied.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../core/outcome.hpp"
#include "system_list.hpp"

namespace strata::detail {

/// Two systems that conflict although no order between them is declared. `first` runs first.
struct UndeclaredConflict {
  SystemOrder::Index first;
  SystemOrder::Index second;
  AccessConflict conflict;
};

/// Systems that may run at the same time: no two of them conflict, and none has to run before another.
struct SystemStage {
  std::vector<SystemOrder::Index> systems;  ///< In the order of the plan.
  std::vector<SystemOrder::Index>
      applied;  ///< The systems whose commands are applied after the stage, in the order of the plan.
  /// Whether this stage runs together with the previous stage. Where possible, the systems of both stages are then
  /// called one after the other for some rows, and then for the next rows (see RowPass).
  bool joins_previous = false;
};

/// How the systems of a schedule run: stage by stage. The systems of a stage may run at the same time.
///
/// The commands of a system are applied at the end of its stage, or at the end of a later stage if that is declared
/// (see SystemDescription::commands_after). Before a system that may read or change the whole world, the commands of
/// all earlier systems are applied, so this system sees the changes that the earlier ones have recorded.
struct SystemPlan {
  SystemOrder declared{0};  ///< The order that follows from declarations alone.
  SystemOrder order{0};
  std::vector<SystemStage> stages;
  std::vector<UndeclaredConflict> conflicts;
};

/// Makes the plan for these systems.
/// Returns: success, or why there is no plan: an unknown name, or declarations that contradict each other. If there
/// is no plan, `*plan` is unchanged.
/// Complexity: O(systems^3 / 64 + pairs of systems for which an order is declared).
Outcome make_plan(const SystemList& systems, SystemPlan* plan);

/// Returns: a sentence that says which two systems conflict, why, and which of them runs first.
std::string conflict_text(const SystemList& systems, const UndeclaredConflict& conflict);

}  // namespace strata::detail
