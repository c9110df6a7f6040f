// RequirementLists: for each component of a world, the list of all components that it requires, directly or by way of
// others.
#pragma once

#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "component_table.hpp"

namespace strata::detail {

class Registry;

/// A component that another one requires, directly or by way of further components.
struct RequiredComponent {
  ComponentId id;
  Requirement::Make make;  ///< As in Requirement.
  const void* source;      ///< As in Requirement.
  bool nothrow;            ///< Building the value throws nothing.
};

/// Builds the initial value of a required component in uninitialised memory; does nothing for a tag.
/// Errors: what Requirement::make throws.
void make_required(const RequiredComponent& required, const ComponentInfo& component, void* place);

/// For each component that requires others, keeps the list of all components that it requires, directly or by way of
/// others. The list is in breadth-first order and has each component once.
///
/// Invariants:
///   Z1. No component requires itself.
///   Z2. The list of a component also has the requirements of each component in the list.
class RequirementLists {
 public:
  struct List {
    std::span<const Requirement> direct;
    std::span<const RequiredComponent> all;  ///< Begins with the components of `direct`, each once.
    std::size_t direct_count;  ///< How many components at the beginning of `all` are those of `direct`.
  };

  explicit RequirementLists(std::pmr::memory_resource* memory) : lasting_(memory), lists_(memory) {}

  /// Returns: whether no component requires another one.
  bool empty() const { return lists_.empty(); }

  /// Returns: the components that a component requires, directly or by way of others; empty if it requires none.
  /// Complexity: O(1).
  std::span<const RequiredComponent> of(ComponentId id) const {
    const List* const* const list = lists_.find(id);
    return list != nullptr ? (*list)->all : std::span<const RequiredComponent>();
  }

  /// Makes the list of all components that a component requires, from its direct requirements, and reserves room
  /// so that `set` cannot fail.
  /// Returns: the list; null if there are no requirements.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the registry knows the required components. Each of them is a tag, has values that are plain bytes,
  /// or has a Requirement::make. `name` is the name of the component that requires them, for error messages.
  const List* make(const Registry& registry, std::string_view name,
                   std::span<const Requirement> requirements);
  /// Sets the list of a component to one that `make` has returned.
  void set(ComponentId id, const List* list) noexcept { lists_.insert(id, list); }

  std::string check_invariants() const;

 private:
  std::pmr::monotonic_buffer_resource lasting_;  // The memory of the lists, which never change.
  ComponentTable<const List*> lists_;
};

/// Returns: `description` and the descriptions of the components that it requires, directly or by way of others,
/// leaving out the components that the registry already knows. The description of a component comes before those of
/// components that require it.
/// Contract: no component requires itself, directly or by way of others; the message names the chain. If a Requirement
/// has no function `describe`, the registry knows the required component.
std::vector<ComponentInfo> order_by_requirement(const Registry& registry, const ComponentInfo& description);

}  // namespace strata::detail
