// SystemList: the systems and sets of a schedule, as the program describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/contract.hpp"
#include "../../core/outcome.hpp"
#include "../../core/quotes.hpp"
#include "system_access.hpp"
#include "system_order.hpp"

namespace strata::detail {

/// The declared order of a system or set: the names of systems and sets before or after which it runs.
struct DeclaredOrder {
  std::vector<std::string> before;
  std::vector<std::string> after;
};

/// What a schedule knows about a system, without its function.
struct SystemDescription {
  std::string name;
  SystemAccess access;
  DeclaredOrder order;
  std::vector<std::uint32_t> sets;  ///< Positions of the sets in SystemList::sets.
  bool is_parallel = false;         ///< Whether the system may visit several rows at the same time.
  /// Names of systems and sets. The commands of this system are applied as soon as its own stage (the systems that may
  /// run at the same time) and the stages of all named systems, and of all systems in the named sets, have ended. But
  /// they are always applied before the next system that may read or change the whole world begins.
  std::vector<std::string> commands_after;
};

/// A set of systems: their common name, and the order that is declared for all of them.
struct SetDescription {
  std::string name;
  DeclaredOrder order;
};

/// The systems of a schedule, in the order in which they were added, and its sets. No two systems or sets have the same
/// name.
class SystemList {
 public:
  /// Adds a system. If its name is empty, it gets a name from its number, such as "system 3" for the third system.
  /// `at` is the place of the call in the source code, for messages.
  /// Contract: no system or set has the given or generated name.
  SystemOrder::Index add(SystemDescription description, CallSite at);

  /// Returns: the position of the set with this name; makes the set if there is none.
  /// Contract: no system has the name.
  std::uint32_t set(std::string_view name, CallSite at);

  /// `find_system` returns the index of the system with this name, for `operator[]`; `find_set` returns the position in
  /// `sets()` of the set with this name. Both return none if there is no such system or set.
  std::optional<SystemOrder::Index> find_system(std::string_view name) const;
  std::optional<std::uint32_t> find_set(std::string_view name) const;

  /// Adds to `found` the systems that a name stands for: the system with the name, or the members of the set
  /// with the name.
  /// Returns: false if there is no such system or set.
  bool resolve(std::string_view name, std::vector<SystemOrder::Index>& found) const;
  std::vector<SystemOrder::Index> members_of(std::uint32_t set) const;

  std::uint32_t size() const { return static_cast<std::uint32_t>(systems_.size()); }
  SystemDescription& operator[](SystemOrder::Index system) { return systems_[system]; }
  const SystemDescription& operator[](SystemOrder::Index system) const { return systems_[system]; }
  std::vector<SetDescription>& sets() { return sets_; }
  const std::vector<SetDescription>& sets() const { return sets_; }
  AccessNames& names() { return names_; }
  const AccessNames& names() const { return names_; }

 private:
  std::vector<SystemDescription> systems_;
  std::vector<SetDescription> sets_;
  AccessNames names_;
};

}  // namespace strata::detail
