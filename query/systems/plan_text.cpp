#include "plan_text.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace strata::detail {
namespace {

using Index = SystemOrder::Index;

/// Returns: the names of these systems, separated by commas.
std::string list_names(const SystemList& systems, std::span<const Index> which) {
  std::string text;
  for (const Index system : which) text += (text.empty() ? "" : ", ") + systems[system].name;
  return text;
}

/// Returns: `verb`, and then the names of the components and resources for which `is_accessed` is true, separated by
/// commas; empty if there are none.
template <class Test>
std::string list_accessed(const AccessNames& names, const char* verb, Test is_accessed) {
  std::string text;
  for (std::uint32_t number = 0; number < names.size(); ++number) {
    const auto accessed = static_cast<Accessed>(number);
    if (is_accessed(accessed)) text += (text.empty() ? verb : ", ") + names.name_of(accessed);
  }
  return text;
}

void append_part(std::string& line, const std::string& part) {
  if (!part.empty()) line += (line.empty() ? "" : "; ") + part;
}

/// Returns: a time in milliseconds, with three digits after the decimal point.
std::string in_milliseconds(double seconds) {
  const std::string digits = std::to_string(std::llround(seconds * 1e6));
  const std::string padded = digits.size() < 4 ? std::string(4 - digits.size(), '0') + digits : digits;
  return padded.substr(0, padded.size() - 3) + '.' + padded.substr(padded.size() - 3);
}

/// Returns: a line with the critical path (the chain of systems, each waiting for the one before, that takes longest),
/// the sum of the mean times of its systems, and the sum of the mean times of all systems.
/// Contract: there is at least one system.
std::string describe_critical_path(const SystemList& systems, const SystemPlan& plan,
                                   const SystemTimes& times) {
  std::vector<double> ends(systems.size());
  std::vector<Index> awaited(systems.size(), systems.size());
  double total = 0;
  Index last = 0;
  for (const Index system : plan.order.order()) {
    for (const Index before : plan.order.direct_predecessors(system)) {
      if (awaited[system] != systems.size() && ends[before] <= ends[awaited[system]]) continue;
      awaited[system] = before;
    }
    ends[system] = (awaited[system] != systems.size() ? ends[awaited[system]] : 0) + times.mean(system);
    total += times.mean(system);
    if (ends[system] > ends[last]) last = system;
  }
  std::vector<Index> path{last};
  while (awaited[path.back()] != systems.size()) path.push_back(awaited[path.back()]);
  std::reverse(path.begin(), path.end());
  const std::string runs = std::to_string(times.runs()) + (times.runs() == 1 ? " run: " : " runs: ");
  return "critical path, means of " + runs + list_names(systems, path) + ": " + in_milliseconds(ends[last]) +
         " of " + in_milliseconds(total) + " ms\n";
}

std::string describe_system(const SystemList& systems, const SystemPlan& plan, const SystemTimes* times,
                            Index system) {
  const SystemDescription& description = systems[system];
  const SystemAccess& access = description.access;
  std::string line;
  if (access.writes_all()) {
    append_part(line, "may change anything");
  } else if (access.reads_all()) {
    append_part(line, "may read anything");
  }
  append_part(line, list_accessed(systems.names(), "reads ",
                                  [&](Accessed what) { return access.reads(what) && !access.writes(what); }));
  append_part(line,
              list_accessed(systems.names(), "writes ", [&](Accessed what) { return access.writes(what); }));
  if (access.records()) append_part(line, "records commands");
  if (description.is_parallel) append_part(line, "visits rows in parallel");
  const std::string awaited = list_names(systems, plan.order.direct_predecessors(system));
  if (!awaited.empty()) append_part(line, "waits for " + awaited);
  if (times != nullptr) {
    append_part(line, in_milliseconds(times->mean(system)) + " ms (longest " +
                          in_milliseconds(times->longest(system)) + ')');
  }
  return "  " + description.name + (line.empty() ? "" : ": ") + line + '\n';
}

/// Returns: the text as it is written in a string of DOT (the language of Graphviz), with `"` and `\` escaped.
std::string in_dot(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string explain_plan(const SystemList& systems, const SystemPlan& plan, const SystemTimes* times) {
  if (times != nullptr && times->runs() == 0) times = nullptr;
  std::string text;
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    const std::vector<Index>& members = plan.stages[stage].systems;
    const std::vector<Index>& applied = plan.stages[stage].applied;
    text += "stage " + std::to_string(stage + 1);
    if (members.size() > 1) text += ", " + std::to_string(members.size()) + " systems side by side";
    if (plan.stages[stage].joins_previous) text += ", block by block with stage " + std::to_string(stage);
    text += '\n';
    for (const Index system : members) text += describe_system(systems, plan, times, system);
    if (!applied.empty()) text += "  then the commands of " + list_names(systems, applied) + " are applied\n";
  }
  if (times != nullptr && systems.size() != 0) text += describe_critical_path(systems, plan, *times);
  if (plan.conflicts.empty()) return text + "no conflicts without a declared order\n";
  text += "conflicts without a declared order\n";
  for (const UndeclaredConflict& conflict : plan.conflicts)
    text += "  " + conflict_text(systems, conflict) + '\n';
  return text;
}

std::string plan_to_dot(const SystemList& systems, const SystemPlan& plan) {
  std::string text = "digraph schedule {\n  rankdir=LR;\n  node [shape=box];\n";
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    text += "  subgraph cluster_" + std::to_string(stage + 1) + " {\n    label=\"stage " +
            std::to_string(stage + 1);
    if (!plan.stages[stage].applied.empty())
      text += "; commands of " + in_dot(list_names(systems, plan.stages[stage].applied));
    text += "\";\n";
    for (const Index system : plan.stages[stage].systems)
      text += "    s" + std::to_string(system) + " [label=\"" + in_dot(systems[system].name) + "\"];\n";
    text += "  }\n";
  }
  for (const Index system : plan.order.order()) {
    for (const Index before : plan.order.direct_predecessors(system)) {
      text += "  s" + std::to_string(before) + " -> s" + std::to_string(system);
      text += plan.declared.runs_before(before, system) ? ";\n" : " [style=dashed];\n";
    }
  }
  return text + "}\n";
}

}  // namespace strata::detail
