#include "system_plan.hpp"

#include <algorithm>
#include <utility>

namespace strata::detail {
namespace {

using Index = SystemOrder::Index;
using SystemIndices = std::vector<Index>;

std::string cycle_text(const SystemList& systems, const SystemIndices& cycle) {
  if (cycle.size() == 1) return in_quotes(systems[cycle[0]].name) + " is to run before itself";
  std::string text = "the declared order is a cycle: ";
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    text += (i == 0 ? "" : ", ") + in_quotes(systems[cycle[i]].name) +
            (i == 0 ? " runs before " : " before ") + in_quotes(systems[cycle[(i + 1) % cycle.size()]].name);
  }
  return text;
}

/// Declares that each system of `before` runs before each system of `after`. Stops at the first of these pairs that
/// would make a system run before itself; the pairs before it stay declared.
/// Returns: success; or a refusal that names the systems of that cycle.
Outcome declare_all(const SystemList& systems, SystemOrder& order, const SystemIndices& before,
                    const SystemIndices& after) {
  for (const Index first : before) {
    for (const Index second : after) {
      const SystemIndices cycle = order.declare(first, second);
      if (!cycle.empty()) return Outcome::refused(cycle_text(systems, cycle));
    }
  }
  return Outcome::done();
}

/// Finds the systems that `name` stands for: one system, or the members of a set. `user` and `relation` are for the
/// error message if the name is unknown: `user` is the system or set whose declaration uses the name, and `relation`
/// says in words what the declaration demands, such as "is to run before".
Outcome resolve(const SystemList& systems, const std::string& user, const char* relation,
                const std::string& name, SystemIndices& found) {
  found.clear();
  if (systems.resolve(name, found)) return Outcome::done();
  return Outcome::refused(in_quotes(user) + ' ' + relation + ' ' + in_quotes(name) +
                          ", which is no system and no set of this schedule: add it, or correct the name");
}

/// Adds the declared order of a system or set to `order`. `user` is the name of the system or set. `own` is the system
/// itself, or the members of the set.
/// Returns: success, or why the order is impossible: an unknown name, or a cycle.
Outcome declare(const SystemList& systems, SystemOrder& order, const std::string& user,
                const DeclaredOrder& declared, const SystemIndices& own) {
  SystemIndices others;
  for (const std::string& name : declared.before) {
    if (Outcome found = resolve(systems, user, "is to run before", name, others); !found) return found;
    if (Outcome done = declare_all(systems, order, own, others); !done) return done;
  }
  for (const std::string& name : declared.after) {
    if (Outcome found = resolve(systems, user, "is to run after", name, others); !found) return found;
    if (Outcome done = declare_all(systems, order, others, own); !done) return done;
  }
  return Outcome::done();
}

Outcome declare_order(const SystemList& systems, SystemOrder& order) {
  for (Index system = 0; system < systems.size(); ++system) {
    const SystemDescription& description = systems[system];
    if (Outcome done = declare(systems, order, description.name, description.order, {system}); !done)
      return done;
  }
  for (std::uint32_t set = 0; set < systems.sets().size(); ++set) {
    const SetDescription& description = systems.sets()[set];
    if (Outcome done = declare(systems, order, description.name, description.order, systems.members_of(set));
        !done)
      return done;
  }
  return Outcome::done();
}

/// Makes conflicting systems run one after the other: in the order in which they were added, unless the order so far
/// requires the opposite. Lists in `plan.conflicts` those pairs of conflicting systems for which the program's
/// declarations give no order.
void separate_conflicts(const SystemList& systems, SystemPlan& plan) {
  for (Index first = 0; first < systems.size(); ++first) {
    for (Index second = first + 1; second < systems.size(); ++second) {
      if (!systems[first].access.conflicts_with(systems[second].access)) continue;
      plan.order.separate(first, second);
      if (plan.declared.runs_before(first, second) || plan.declared.runs_before(second, first)) continue;
      const bool keeps_order = plan.order.runs_before(first, second);
      const Index earlier = keeps_order ? first : second;
      const Index later = keeps_order ? second : first;
      plan.conflicts.push_back(
          {earlier, later, *systems[earlier].access.find_conflict(systems[later].access)});
    }
  }
}

/// Writes to `stage` the stage after which the commands of a system are applied. That is its own stage or, if later,
/// the last stage of the systems that `commands_after` names. But it is always before the next stage that has a system
/// which may read or change the whole world.
/// Returns: success; or a refusal, if `commands_after` has an unknown name.
Outcome find_application(const SystemList& systems, const SystemPlan& plan, Index system,
                         std::uint32_t* stage) {
  *stage = plan.order.stage_of(system);
  SystemIndices others;
  for (const std::string& name : systems[system].commands_after) {
    Outcome found = resolve(systems, systems[system].name, "applies its commands after", name, others);
    if (!found) return found;
    for (const Index other : others) *stage = std::max(*stage, plan.order.stage_of(other));
  }
  for (Index other = 0; other < systems.size(); ++other) {
    const SystemAccess& access = systems[other].access;
    if ((access.writes_all() || access.reads_all()) &&
        plan.order.stage_of(other) > plan.order.stage_of(system))
      *stage = std::min(*stage, plan.order.stage_of(other) - 1);
  }
  return Outcome::done();
}

Outcome fill_stages(const SystemList& systems, SystemPlan& plan) {
  plan.stages.resize(plan.order.stage_count());
  for (const Index system : plan.order.order()) {
    plan.stages[plan.order.stage_of(system)].systems.push_back(system);
    if (!systems[system].access.records()) continue;
    std::uint32_t stage = 0;
    if (Outcome found = find_application(systems, plan, system, &stage); !found) return found;
    plan.stages[stage].applied.push_back(system);
  }
  return Outcome::done();
}

}  // namespace

Outcome make_plan(const SystemList& systems, SystemPlan* plan) {
  SystemPlan made;
  made.declared = SystemOrder(systems.size());
  if (Outcome declared = declare_order(systems, made.declared); !declared) return declared;
  made.order = made.declared;
  separate_conflicts(systems, made);
  made.order.finish();
  if (Outcome filled = fill_stages(systems, made); !filled) return filled;
  *plan = std::move(made);
  return Outcome::done();
}

std::string conflict_text(const SystemList& systems, const UndeclaredConflict& conflict) {
  const std::string first = in_quotes(systems[conflict.first].name);
  const std::string second = in_quotes(systems[conflict.second].name);
  const AccessConflict& reason = conflict.conflict;
  std::string text;
  if (!reason.about) {
    const bool is_first =
        reason.first_writes || (!reason.second_writes && systems[conflict.first].access.reads_all());
    text = (is_first ? first : second) +
           (reason.first_writes || reason.second_writes ? " may change" : " may read") +
           " any part of the world, and so conflicts with " + (is_first ? second : first);
  } else if (reason.first_writes && reason.second_writes) {
    text = first + " and " + second + " both write " + in_quotes(systems.names().name_of(*reason.about));
  } else {
    text = first + (reason.first_writes ? " writes " : " reads ") +
           in_quotes(systems.names().name_of(*reason.about)) + ", which " + second +
           (reason.second_writes ? " writes" : " reads");
  }
  return text + ", and no order between them is declared: " + first + " runs first";
}

}  // namespace strata::detail
