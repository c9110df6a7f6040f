#include "system_list.hpp"

#include <algorithm>
#include <utility>

namespace strata::detail {

SystemOrder::Index SystemList::add(SystemDescription description, CallSite at) {
  if (description.name.empty()) description.name = "system " + std::to_string(systems_.size() + 1);
  STRATA_EXPECTS_AT(at, !find_system(description.name),
                    "there is a system " + in_quotes(description.name) +
                        " already: systems of one schedule have different names");
  STRATA_EXPECTS_AT(
      at, !find_set(description.name),
      "there is a set " + in_quotes(description.name) + " already: a system needs another name");
  systems_.push_back(std::move(description));
  return size() - 1;
}

std::uint32_t SystemList::set(std::string_view name, CallSite at) {
  STRATA_EXPECTS_AT(at, !find_system(name),
                    "there is a system " + in_quotes(name) + " already: a set needs another name");
  if (const auto found = find_set(name)) return *found;
  sets_.push_back({std::string(name), {}});
  return static_cast<std::uint32_t>(sets_.size() - 1);
}

std::optional<SystemOrder::Index> SystemList::find_system(std::string_view name) const {
  const auto found = std::find_if(systems_.begin(), systems_.end(),
                                  [&](const SystemDescription& system) { return system.name == name; });
  if (found == systems_.end()) return std::nullopt;
  return static_cast<SystemOrder::Index>(found - systems_.begin());
}

std::optional<std::uint32_t> SystemList::find_set(std::string_view name) const {
  const auto found =
      std::find_if(sets_.begin(), sets_.end(), [&](const SetDescription& set) { return set.name == name; });
  if (found == sets_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - sets_.begin());
}

bool SystemList::resolve(std::string_view name, std::vector<SystemOrder::Index>& found) const {
  if (const auto system = find_system(name)) {
    found.push_back(*system);
    return true;
  }
  const auto set = find_set(name);
  if (!set) return false;
  const std::vector<SystemOrder::Index> members = members_of(*set);
  found.insert(found.end(), members.begin(), members.end());
  return true;
}

std::vector<SystemOrder::Index> SystemList::members_of(std::uint32_t set) const {
  std::vector<SystemOrder::Index> members;
  for (SystemOrder::Index system = 0; system < size(); ++system) {
    const std::vector<std::uint32_t>& sets = systems_[system].sets;
    if (std::find(sets.begin(), sets.end(), set) != sets.end()) members.push_back(system);
  }
  return members;
}

}  // namespace strata::detail
