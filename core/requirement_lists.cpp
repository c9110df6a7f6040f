#include "requirement_lists.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "contract.hpp"
#include "registry.hpp"

namespace strata::detail {
namespace {

std::string quoted_name(std::string_view name) {
  return '"' + std::string(name) + '"';
}

/// The description of a component whose requirements are being visited.
struct Description {
  ComponentInfo description;
  std::size_t next = 0;  ///< Index of the next element of `description.requirements` to visit.
};

/// Returns: a cycle of requirements as a text for an error message: `"A" requires "B" requires "A"`. Each component in
/// `path` requires the next one, and the last one requires the component `name`, which is also in `path`.
std::string chain_to(const std::vector<Description>& path, std::string_view name) {
  std::string chain;
  const auto begin = std::find_if(path.begin(), path.end(),
                                  [&](const Description& at) { return at.description.name == name; });
  std::for_each(begin, path.end(),
                [&](const Description& at) { chain += quoted_name(at.description.name) + " requires "; });
  return chain + quoted_name(name);
}

template <class List>
void append_new(List& list, const RequiredComponent& required) {
  const auto is_same = [&](const RequiredComponent& other) { return other.id == required.id; };
  if (std::find_if(list.begin(), list.end(), is_same) == list.end()) list.push_back(required);
}

template <class T>
std::span<const T> copy_of(const std::vector<T>& list, std::pmr::memory_resource& memory) {
  T* const copy = static_cast<T*>(memory.allocate(list.size() * sizeof(T), alignof(T)));
  std::uninitialized_copy(list.begin(), list.end(), copy);
  return {copy, list.size()};
}

}  // namespace

void make_required(const RequiredComponent& required, const ComponentInfo& component, void* place) {
  if (component.is_tag()) return;
  if (required.make != nullptr) return required.make(place, required.source);
  std::memset(place, 0, component.size);
}

const RequirementLists::List* RequirementLists::make(const Registry& registry, std::string_view name,
                                                     std::span<const Requirement> requirements) {
  if (requirements.empty()) return nullptr;
  std::vector<Requirement> direct(requirements.begin(), requirements.end());
  std::vector<RequiredComponent> all;
  for (Requirement& requirement : direct) {
    const ComponentId id = *registry.find(requirement.name);
    const ComponentInfo& component = registry[id];
    STRATA_EXPECTS(component.is_tag() || requirement.make != nullptr ||
                       (component.relocate == nullptr && component.destroy == nullptr),
                   "component " + quoted_name(name) + " requires " + quoted_name(component.name) +
                       ", whose values are not plain bytes: give Requirement::make");
    requirement.name = component.name;  // The registry's copy of the name, which never moves.
    const bool nothrow = requirement.nothrow || requirement.make == nullptr || component.is_tag();
    append_new(all, {id, requirement.make, requirement.source, nothrow});
  }
  const std::size_t direct_count = all.size();
  // The direct requirements of the component `all[i]` are appended at the end, so the order is breadth-first.
  for (std::size_t i = 0; i < all.size(); ++i) {
    const List* const* const list = lists_.find(all[i].id);
    if (list == nullptr) continue;
    for (const RequiredComponent& further : (*list)->all.first((*list)->direct_count))
      append_new(all, further);
  }
  lists_.reserve(lists_.size() + 1);
  void* const place = lasting_.allocate(sizeof(List), alignof(List));
  return ::new (place) List{copy_of(direct, lasting_), copy_of(all, lasting_), direct_count};
}

std::string RequirementLists::check_invariants() const {
  std::string complaint = lists_.check_invariants();
  lists_.for_each([&](ComponentId id, const List* list) {
    const auto lists = [&](ComponentId wanted) {
      return std::any_of(list->all.begin(), list->all.end(),
                         [&](const RequiredComponent& required) { return required.id == wanted; });
    };
    if (lists(id)) complaint = "Z1: a component requires itself";
    for (const RequiredComponent& required : list->all) {
      for (const RequiredComponent& further : of(required.id)) {
        if (!lists(further.id)) complaint = "Z2: what a required component requires is not listed";
      }
    }
  });
  return complaint;
}

std::vector<ComponentInfo> order_by_requirement(const Registry& registry, const ComponentInfo& description) {
  std::vector<ComponentInfo> order;
  std::vector<Description> path;
  path.push_back({description});
  while (!path.empty()) {
    Description& last = path.back();
    if (last.next == last.description.requirements.size()) {
      order.push_back(std::move(last.description));
      path.pop_back();
      continue;
    }
    const Requirement& requirement = last.description.requirements[last.next++];
    const auto names_it = [&](const ComponentInfo& info) { return info.name == requirement.name; };
    if (registry.find(requirement.name) || std::any_of(order.begin(), order.end(), names_it)) continue;
    STRATA_EXPECTS(std::none_of(path.begin(), path.end(),
                                [&](const Description& at) { return names_it(at.description); }),
                   "components cannot require each other in a cycle: " + chain_to(path, requirement.name));
    STRATA_EXPECTS(requirement.describe != nullptr,
                   "component " + quoted_name(last.description.name) + " requires " +
                       quoted_name(requirement.name) + ", which this world does not know: register it first");
    path.push_back({requirement.describe()});
  }
  return order;
}

}  // namespace strata::detail
