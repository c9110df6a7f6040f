#include "registry.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "contract.hpp"
#include "reserve.hpp"
#include "rollback.hpp"

namespace strata::detail {

namespace {

/// Returns: whether two descriptions of one component agree in a pointer, such as that to the function `relocate`. `a`
/// is the pointer in one description, `b` in the other. They agree if `a` and `b` are the same. If two shared libraries
/// made the descriptions, they also agree if neither pointer is null, because two libraries have different addresses
/// for the same function of one C++ type.
template <class Operation>
bool agree(Operation a, Operation b, bool two_libraries) {
  return two_libraries ? (a == nullptr) == (b == nullptr) : a == b;
}

/// Returns: the name of the first property in which two descriptions of one component differ; empty when they
/// agree. Hooks are not compared, because `set_hooks` may have changed them since the registration. `stored` is the
/// storage with which `a` was registered. It is compared instead of `a.storage`, which `set_storage` may have changed.
std::string find_difference(const ComponentInfo& a, Storage stored, const ComponentInfo& b) {
  const bool two_libraries = a.type != nullptr && b.type != nullptr && a.type != b.type;
  if (a.size != b.size) return "size";
  if (a.alignment != b.alignment) return "alignment";
  if (stored != b.storage) return "storage";
  if (a.tracking != b.tracking) return "tracking";
  if (a.pool != b.pool) return "pool options";
  if (a.can_toggle != b.can_toggle) return "can_toggle";
  if (a.can_copy() != b.can_copy()) return "being copyable";
  if (!agree(a.relocate, b.relocate, two_libraries)) return "relocate operation";
  if (!agree(a.destroy, b.destroy, two_libraries)) return "destroy operation";
  if (!agree(a.copy, b.copy, two_libraries)) return "copy operation";
  if (!agree(a.remap, b.remap, two_libraries)) return "remap operation";
  if (!agree(a.value, b.value, two_libraries)) return "description of values";
  const auto same_name = [](const Requirement& x, const Requirement& y) { return x.name == y.name; };
  if (!std::equal(a.requirements.begin(), a.requirements.end(), b.requirements.begin(), b.requirements.end(),
                  same_name))
    return "requirements";
  return "";
}

}  // namespace

struct Registry::Names : std::pmr::unordered_map<std::string_view, ComponentId> {
  using unordered_map::unordered_map;
};

Registry::Registry(std::pmr::memory_resource* memory)
    : memory_(memory),
      entries_(&memory_),
      by_id_(&memory_),
      toggled_(&memory_),
      by_name_(std::in_place, &memory_),
      by_type_(&memory_),
      declared_by_type_(&memory_),
      requirements_(&memory_) {
  states_.fill({kUnknown, kUnknown, kUnknown, kUnknown});
}

Registry::~Registry() = default;

ComponentId Registry::add(const ComponentInfo& description) {
  STRATA_EXPECTS(!is_internal(description.name),
                 "component \"" + description.name + "\": names that begin with \"" + std::string(kInternal) +
                     "\" and no second colon are the library's own: choose another one");
  return add_internal(description);
}

ComponentId Registry::add_internal(const ComponentInfo& description) {
  const std::string complaint = check_description(description);
  STRATA_EXPECTS(complaint.empty(), complaint);
  if (const auto known = find(description.name)) {
    const std::string difference = find_conflict(description);
    STRATA_EXPECTS(difference.empty(), "component \"" + description.name +
                                           "\" is registered already, and differs in its " + difference +
                                           ": give one of them another name");
    return *known;
  }
  if (description.requirements.empty()) return add_one(description);
  for (const ComponentInfo& next : order_by_requirement(*this, description)) {
    const std::string wrong = check_description(next);
    STRATA_EXPECTS(wrong.empty(), wrong);
    add_one(next);
  }
  return find_named(description.name);
}

std::string Registry::find_conflict(const ComponentInfo& description) const {
  const auto known = find(description.name);
  if (!known) return "";
  const Entry& first = entries_[to_index(*known)];
  return find_difference(first.description, first.declared, description);
}

void Registry::copy(const Registry& other) {
  for (const Entry& entry : other.entries_) {
    ComponentInfo description = entry.description;
    description.storage = entry.declared;
    const ComponentId id = add_internal(description);
    if (entry.is_kept) keep(id);
    if (entry.is_protected) protect(id);
  }
}

/// Registers a component.
/// Contract: its name is new; the components that it requires are registered already; `is_shared` returns false: no
/// other thread may be using the registry.
ComponentId Registry::add_one(const ComponentInfo& description) {
  const UseScope use = uses_.changing("registering a component");
  STRATA_EXPECTS(!is_shared(),
                 "component \"" + description.name +
                     "\" is not registered, and several threads visit the world: register it before, by "
                     "World::component or by making a query with it");
  const RequirementLists::List* const list =
      requirements_.make(*this, description.name, description.requirements);
  const ComponentId id{size()};
  reserve_one(by_id_);
  entries_.push_back({description, description.storage});
  ComponentInfo& kept = entries_.back().description;
  if (list != nullptr) kept.requirements = list->direct;
  Rollback forget([&] {
    by_name_->erase(kept.name);
    while (by_id_.size() > to_index(id)) by_id_.pop_back();
    entries_.pop_back();
  });
  by_name_->emplace(kept.name, id);
  by_id_.push_back(&kept);
  if (kept.hooks.any() && hooks_function_ != nullptr) hooks_function_(hooks_context_, id);
  forget.dismiss();
  if (list != nullptr) {
    requirements_.set(id, list);
    adds_plainly_ = false;
  }
  mark_state_tag(kept.name, id);
  return id;
}

void Registry::mark_state_tag(std::string_view name, ComponentId id) noexcept {
  for (const State state : kStates) {
    StateTags& of = states_[to_index(state)];
    ComponentId* const tags[] = {&of.shown, &of.itself, &of.subtree, &of.above};
    for (std::size_t i = 0; i < std::size(tags); ++i) {
      if (name != tag_names(state)[i]) continue;
      *tags[i] = id;
      if (tags[i] != &of.shown) protect(id);
    }
  }
}

void Registry::add_state_tags(State state) {
  static_cast<void>(state == State::disabled ? id_of<Disabled>() : id_of<Prefab>());
  for (const std::string_view name : tag_names(state)) {
    ComponentInfo tag;
    tag.name = name;
    if (!find(name)) static_cast<void>(add_internal(tag));
  }
}

void Registry::set_hooks(ComponentId id, const ComponentHooks& hooks) {
  ComponentHooks& kept = entries_[to_index(id)].description.hooks;
  Rollback restore([&, before = kept] { kept = before; });
  kept = hooks;
  if (hooks_function_ != nullptr) hooks_function_(hooks_context_, id);
  restore.dismiss();
}

void Registry::set_storage(ComponentId id, Storage storage) noexcept {
  Entry& entry = entries_[to_index(id)];
  if (entry.description.storage == storage) return;
  entry.description.storage = storage;
  storage == entry.declared ? --moved_ : ++moved_;
  ++storage_epoch_;
  const auto ids = by_type_.values();
  for (std::size_t type = 0; type < ids.size(); ++type) {
    if (ids[type] == id) declared_by_type_.values()[type] = shown(id);
  }
}

ComponentId Registry::add_off_tag(ComponentId id) {
  ComponentInfo tag;
  tag.name = "strata:off " + (*this)[id].name;
  tag.storage = Storage::sparse;
  const ComponentId added = add_internal(tag);
  keep(added);
  return added;
}

void Registry::set_off_tag(ComponentId id, ComponentId tag) {
  reserve_one(toggled_);
  toggled_.append({id, tag});
  ++storage_epoch_;
}

std::optional<ComponentId> Registry::find(std::string_view name) const {
  const ComponentId id = find_named(name);
  return id != kUnknown ? std::optional(id) : std::nullopt;
}

ComponentId Registry::find_named(std::string_view name) const noexcept {
  const auto found = by_name_->find(name);
  return found != by_name_->end() ? found->second : kUnknown;
}

void Registry::refuse_unknown(ComponentId id) const {
  STRATA_EXPECTS(contains(id), "component id " + std::to_string(to_index(id)) +
                                   " is not of this world: use the id that world.component returned");
  std::abort();
}

const ComponentInfo& Registry::describe_unknown(ComponentId id) const {
  if (id != kUnknown) refuse_unknown(id);
  static const ComponentInfo unknown{.name = "(not known to this world yet)", .size = 1};
  return unknown;
}

ComponentId Registry::find_shaped(std::string_view name, const Shape& shape) const noexcept {
  const ComponentId id = find_named(name);
  if (id == kUnknown) return kUnknown;
  const Entry& entry = entries_[to_index(id)];
  const ComponentInfo& description = entry.description;
  const bool agrees = description.size == shape.size && description.alignment == shape.alignment &&
                      entry.declared == shape.storage && description.tracking == shape.tracking &&
                      description.pool == shape.pool;
  return agrees ? id : kUnknown;
}

ComponentId Registry::find_or_add(TypeNumber number, std::string_view name, const Shape& shape,
                                  ComponentInfo (*describe)()) {
  const bool is_remembered = by_type_.counts(number) && !is_shared();
  if (is_remembered) return remember(number, add(describe()));
  const ComponentId id = find_shaped(name, shape);
  return id != kUnknown ? id : add(describe());
}

ComponentId Registry::remember(TypeNumber number, ComponentId id) {
  // Room is made in both arrays before either is changed, so that they still agree if memory runs out.
  declared_by_type_.reserve(number);
  by_type_.reserve(number);
  declared_by_type_.set(number, shown(id));
  by_type_.set(number, id);
  return id;
}

/// Returns: what `find_as_declared` has to return for a type whose component has this id: the id, or kUnknown
/// if the component was moved to another storage or `withhold_types(true)` is in effect.
ComponentId Registry::shown(ComponentId id) const noexcept {
  const Entry& entry = entries_[to_index(id)];
  return withholds_ || entry.description.storage != entry.declared ? kUnknown : id;
}

/// Calls the contract handler if only the library may add and remove the component (if `keep` or `protect` was called
/// for it); otherwise does nothing.
void Registry::refuse_kept(const char* operation, ComponentId id) const {
  STRATA_EXPECTS(to_index(id) >= entries_.size() || !is_of_library(id),
                 std::string(operation) + " of \"" + entries_[to_index(id)].description.name +
                     "\", which only the library adds and removes: add and remove pairs or names, enable and "
                     "disable components or entities, or set layers instead");
}

void Registry::refuse_state(ComponentId id) const {
  STRATA_EXPECTS(false, "\"" + (*this)[id].name + "\" is not added or removed as a component: use " +
                            (id == state_tags(State::disabled).shown ? "disable, enable"
                                                                     : "make_prefab, unmake_prefab") +
                            " and the like");
}

void Registry::withhold_types(bool withheld) noexcept {
  withholds_ = withheld;
  adds_plainly_ = !withheld && requirements_.empty();
  const auto ids = by_type_.values();
  for (std::size_t type = 0; type < ids.size(); ++type) {
    if (ids[type] != kUnknown) declared_by_type_.values()[type] = shown(ids[type]);
  }
}

}  // namespace strata::detail
