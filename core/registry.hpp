// Registry: the components of one world, by id, by name and by C++ type.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <memory_resource>
#include <optional>
#include <string_view>

#include "compiler.hpp"
#include "component.hpp"
#include "counting_memory.hpp"
#include "memory_use.hpp"
#include "owned.hpp"
#include "plain_list.hpp"
#include "requirement_lists.hpp"
#include "states.hpp"
#include "type_numbers.hpp"
#include "use_guard.hpp"

namespace strata::detail {

/// The list of all components that one world knows, with their descriptions. Registering a component adds it to
/// the list and assigns it the next id. A component is identified by its name, and found by id, by name or by C++
/// type.
///
/// Threads: any number of readers, or one writer. A call of `id_of` counts as reading if `id_of` was called for the
/// same C++ type before. While a Shared object of this registry exists, no component can be registered, and calls of
/// `id_of` for all registered types count as reading.
class Registry {
 public:
  static constexpr ComponentId kUnknown{0xFFFF'FFFF};  ///< The id of no component.

  explicit Registry(std::pmr::memory_resource* memory);
  ~Registry();

  /// Registers a component, unless a component with its name is already registered. The components that it requires are
  /// registered before it.
  /// Returns: the id of the component with this name.
  /// Contract: the description is valid (see check_description), and its name is not internal (see is_internal). If the
  /// name is registered already, `description` equals the description with which it was registered. Exceptions: the
  /// hooks may differ. If another shared library made the description, its functions that handle values (such as
  /// `relocate`) and its ValueType may have other addresses.
  ComponentId add(const ComponentInfo& description);

  /// Registers a component of the library itself, as `add` does. Its name may be internal (see is_internal).
  ComponentId add_internal(const ComponentInfo& description);

  /// Registers the components of another registry. Each gets the id that it has in `other`, and the storage with
  /// which it was registered there.
  /// Errors: std::bad_alloc.
  /// Contract: this registry knows no component.
  void copy(const Registry& other);

  /// The prefix of internal names, which only the library's own components have. The name of a C++ type
  /// never contains a single colon, so no type has an internal name.
  static constexpr std::string_view kInternal = "strata:";
  static constexpr bool is_internal(std::string_view name) {
    return name.starts_with(kInternal) && !name.substr(kInternal.size()).starts_with(':');
  }

  /// Registers T if it is not registered yet.
  /// Returns: the id of T.
  /// Contract: if a component with the name of T is registered already, its description is that of T (see `add`).
  /// While several threads share the registry (a Shared object exists), T is registered already.
  /// Complexity: O(1) after the first call for T. A caller in another copy of the library than the one that made
  /// this registry needs a hash look-up by name in every call.
  template <Component T>
  ComponentId id_of() {
    const ComponentId id = by_type_.find(type_number<T>);
    if (id != kUnknown) [[likely]]
      return id;
    return find_or_add<T>();
  }

  /// Returns: the id of T; nullopt if T is not registered, or if its name is registered with another size,
  /// alignment, storage, tracking or pool options.
  template <Component T>
  std::optional<ComponentId> find() const {
    const ComponentId id = find_or_unknown<T>();
    return id != kUnknown ? std::optional(id) : std::nullopt;
  }
  std::optional<ComponentId> find(std::string_view name) const;

  /// Returns: the id of T; kUnknown if T is not registered, or if its name is registered with another size,
  /// alignment, storage, tracking or pool options. The caller may look up the column or pool of the id kUnknown:
  /// there is none.
  template <Component T>
  ComponentId find_or_unknown() const noexcept {
    const ComponentId id = by_type_.find(type_number<T>);
    return id != kUnknown ? id : find_shaped(name_of<T>, shape_of<T>());
  }

  /// Finds T for a fast path. The fast path assumes that the values of T are in the storage `storage_of<T>`.
  /// Returns: the id of T; kUnknown if the fast path must not be taken. That is the case in these situations:
  /// - `id_of<T>` was not called yet, even if a component with the name of T is registered.
  /// - The values of T were moved to another storage.
  /// - Uses of components are being recorded (see withhold_types).
  /// - The caller is in another copy of the library than the one that made this registry.
  template <Component T>
  STRATA_ALWAYS_INLINE ComponentId find_as_declared() const noexcept {
    return declared_by_type_.find(type_number<T>);
  }

  /// Returns: whether several threads may be using the registry now; see Shared.
  bool is_shared() const noexcept { return shared_.load(std::memory_order_relaxed) != 0; }

  /// While an object of this class exists, several threads may read the registry. The registry does not change
  /// meanwhile: registering a component breaks a contract. Several threads may have such objects, and one thread may
  /// have several.
  class Shared {
   public:
    explicit Shared(const Registry& registry) : registry_(registry) {
      registry_.shared_.fetch_add(1, std::memory_order_relaxed);
    }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
    ~Shared() { registry_.shared_.fetch_sub(1, std::memory_order_relaxed); }

   private:
    const Registry& registry_;
  };

  /// Sets the UseGuard that checks, whenever a component is registered, that no other thread uses the registry.
  void check_uses(const UseGuard& uses) noexcept { uses_.set(uses); }

  /// Returns: the bytes that the registry's lists and hash tables have allocated; all of them count as used. Names that
  /// a std::string stores in memory of its own are not included.
  MemoryUse memory_use() const { return {memory_.bytes(), memory_.bytes()}; }

  /// Returns: the description with which a component was registered. ComponentInfo::storage in it is the storage at
  /// registration, even if `set_storage` was called since.
  /// Contract: `id` was issued by this registry.
  ComponentInfo declared(ComponentId id) const {
    ComponentInfo info = (*this)[id];
    info.storage = entries_[to_index(id)].declared;
    return info;
  }
  /// Compares `description`, except for its hooks, with the description of the registered component of the same name.
  /// Returns: the name of the first property in which they differ; empty if they agree or there is no such
  /// component.
  std::string find_conflict(const ComponentInfo& description) const;

  bool contains(ComponentId id) const { return to_index(id) < by_id_.size(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(by_id_.size()); }

  /// Returns: the description of a component.
  /// Contract: `id` was issued by this registry.
  const ComponentInfo& operator[](ComponentId id) const {
    if (to_index(id) >= by_id_.size()) [[unlikely]]
      refuse_unknown(id);
    return *by_id_[to_index(id)];
  }

  /// Returns: the description of a component; for kUnknown, a description of a component that no entity has. So a query
  /// may name a component that is not registered.
  /// Contract: `id` was issued by this registry or is kUnknown.
  const ComponentInfo& describe_asked(ComponentId id) const {
    if (to_index(id) >= by_id_.size()) [[unlikely]]
      return describe_unknown(id);
    return *by_id_[to_index(id)];
  }

  /// Sets the function that is called with `context` and the id of a component when a component with hooks is
  /// registered and when `set_hooks` sets hooks. If `function` is null, none is called. If the function throws
  /// std::bad_alloc, the component is not registered or, in `set_hooks`, keeps the hooks that it had before.
  void on_hooks(void (*function)(void* context, ComponentId id), void* context) noexcept {
    hooks_function_ = function;
    hooks_context_ = context;
  }
  /// Sets the hooks of a component; the rest of its description does not change.
  /// Contract: `id` was issued by this registry.
  void set_hooks(ComponentId id, const ComponentHooks& hooks);

  /// If `withheld` is true, `find_as_declared` returns kUnknown for all types until this function is called with false.
  /// So callers take the slow path, which reports each access to an AccessObserver (an object that records how
  /// components are used).
  void withhold_types(bool withheld) noexcept;

  /// Changes the storage in a component's description. Moves no values: the caller must have moved them before.
  /// Contract: `id` was issued by this registry.
  void set_storage(ComponentId id, Storage storage) noexcept;

  /// Returns: the components that an entity gets together with component `id`, unless it has them already. Those that
  /// the component requires directly come first; see requires_of.
  std::span<const RequiredComponent> required_by(ComponentId id) const { return requirements_.of(id); }

  /// Returns: whether no component requires another one, and uses of components are not being recorded (see
  /// withhold_types). If so, a call that adds a component by its id neither has to add further components nor to report
  /// the use.
  bool adds_plainly() const noexcept { return adds_plainly_; }

  std::string check_invariants() const { return requirements_.check_invariants(); }

  /// Returns: the ids of the tags that mark the entities in a state, such as disabled (see State); kUnknown for
  /// tags that are not registered.
  const StateTags& state_tags(State state) const { return states_[to_index(state)]; }
  /// Registers the tags that mark the entities in a state, such as disabled (see State).
  /// Errors: std::bad_alloc; some of the tags may be registered, and another call registers the others.
  void add_state_tags(State state);
  /// Returns: the state that the tag `id` marks (see StateTags), as a set; an empty set if the component does not
  /// mark a state.
  StateSet state_of_tag(ComponentId id) const {
    StateSet of;
    for (const State state : kStates) {
      const StateTags& tags = state_tags(state);
      if (id == tags.shown || id == tags.itself || id == tags.subtree || id == tags.above) of |= state;
    }
    return id != kUnknown ? of : StateSet();
  }
  /// If the component is one of the tags `itself`, `subtree` and `above` of a state (see StateTags), adds the state to
  /// the set of the same name in `flags`. For any other component, changes nothing. Each of the three tags stands for
  /// one reason why an entity is in the state, such as its own disabling or that of an ancestor.
  void add_flag(ComponentId id, StateFlags& flags) const {
    for (const State state : kStates) {
      const StateTags& tags = state_tags(state);
      if (id == tags.itself) flags.itself |= state;
      if (id == tags.subtree) flags.subtree |= state;
      if (id == tags.above) flags.above |= state;
    }
  }
  /// Returns: whether the component is a tag that marks the entities in a state, such as disabled.
  bool is_state_tag(ComponentId id) const { return state_of_tag(id).any(); }

  /// Called when a program adds or removes a component by its id.
  /// Contract: the component is not the public tag of a state, such as Disabled (see StateTags::shown). Such a tag is
  /// only set by functions for this state, such as World::disable.
  void require_no_state(ComponentId id) const {
    for (const StateTags& tags : states_) {
      if (id == tags.shown) [[unlikely]]
        refuse_state(id);
    }
  }
  /// Reports a broken contract: a program adds or removes the public tag of a state.
  [[noreturn]] STRATA_COLD void refuse_state(ComponentId id) const;

  /// Marks a component as one that only the library adds and removes: `require_free` refuses it from now on.
  /// Contract: `id` was issued by this registry.
  void keep(ComponentId id) noexcept {
    entries_[to_index(id)].is_kept = true;
    keeps_any_ = true;
  }
  /// Returns: whether `keep` has marked the component as one that only the library adds and removes.
  /// Contract: `id` was issued by this registry.
  bool is_kept(ComponentId id) const noexcept { return entries_[to_index(id)].is_kept; }
  /// Makes `require_free` refuse a component, as it refuses components that `keep` has marked. But `is_kept` stays
  /// false: ComponentOperations::components, the list of an entity's components, contains this component, and leaves
  /// out those that `keep` has marked. Called for components that identify a state, such as disabled, or a layer (a set
  /// of entities that a LayeredQuery visits together).
  void protect(ComponentId id) noexcept {
    entries_[to_index(id)].is_protected = true;
    keeps_any_ = true;
  }
  /// Returns: whether only the library adds and removes the component (see `keep` and `protect`).
  /// Contract: `id` was issued by this registry.
  bool is_of_library(ComponentId id) const noexcept {
    return entries_[to_index(id)].is_kept || entries_[to_index(id)].is_protected;
  }
  /// Checks that a program may add or remove a component by its id. `operation` is the operation's name for the
  /// message.
  /// Contract: the component is not one that only the library adds and removes (see `keep` and `protect`).
  void require_free(const char* operation, ComponentId id) const {
    if (keeps_any_) [[unlikely]]
      refuse_kept(operation, id);
  }

  /// A component that was switched off for some entity at least once (see can_toggle), and its off tag: the tag that
  /// marks the entities for which the component is switched off.
  struct Toggled {
    ComponentId id;
    ComponentId off;
  };
  /// Returns: the components that were switched off for some entity at least once, in the order in which each was first
  /// switched off.
  std::span<const Toggled> toggled() const noexcept { return {toggled_.data(), toggled_.size()}; }
  /// Returns: the off tag of component `id`, which marks the entities for which it is switched off; kUnknown if it was
  /// never switched off for any entity.
  ComponentId off_tag_of(ComponentId id) const noexcept {
    for (const Toggled& toggled : toggled_) {
      if (toggled.id == id) return toggled.off;
    }
    return kUnknown;
  }
  /// Registers a tag that marks the entities for which component `id` is switched off. The tag is stored in a sparse
  /// set, not in tables, so that switching the component off does not move the entity's row. `off_tag_of(id)` returns
  /// the tag only after `set_off_tag` was called.
  /// Returns: the id of the tag.
  ComponentId add_off_tag(ComponentId id);
  /// Makes `off_tag_of(id)` return `tag` from now on. Increases `storage_epoch`: by this, queries that use the
  /// component notice that they have to test from now on which entities have the tag.
  /// Errors: std::bad_alloc; nothing has changed then.
  void set_off_tag(ComponentId id, ComponentId tag);

  /// Returns: the storage in which a component was registered.
  Storage declared_storage(ComponentId id) const { return entries_[to_index(id)].declared; }

  /// Returns: the number of components whose storage now differs from that at registration. If it is not 0, a
  /// look-up that finds no value in the storage that the C++ type declares has to try the other storage, too.
  std::uint32_t moved_components() const { return moved_; }

  /// Returns: a counter that grows whenever `set_storage` changes a storage or `set_off_tag` is called. A caller that
  /// keeps data about where components are stored compares the counter with an earlier value, to find out whether the
  /// data are out of date.
  std::uint64_t storage_epoch() const { return storage_epoch_; }

 private:
  /// The properties in which a C++ type and a registered description have to agree before values are accessed
  /// as that type.
  struct Shape {
    std::size_t size;
    std::size_t alignment;
    Storage storage;
    Tracking tracking;
    PoolOptions pool;
  };
  template <Component T>
  static constexpr Shape shape_of() {
    return {is_tag<T> ? 0 : sizeof(T), is_tag<T> ? 1 : alignof(T), storage_of<T>, tracking_of<T>,
            pool_options_of<T>};
  }

  struct Entry {
    ComponentInfo description;
    Storage declared;  ///< The storage at registration, which the C++ type still declares.
    bool is_kept = false;
    bool is_protected = false;
  };

  template <Component T>
  STRATA_NOINLINE STRATA_COLD ComponentId find_or_add() {
    return find_or_add(type_number_of<T>(), name_of<T>, shape_of<T>(), describe<T>);
  }
  STRATA_API ComponentId find_or_add(TypeNumber number, std::string_view name, const Shape& shape,
                                     ComponentInfo (*describe)());
  ComponentId add_one(const ComponentInfo& description);
  ComponentId find_named(std::string_view name) const noexcept;
  void mark_state_tag(std::string_view name, ComponentId id) noexcept;
  /// Returns: the id of the component with this name if it has the properties in `shape`; otherwise kUnknown.
  // STRATA_PURE tells the compiler that the function changes nothing. So a loop that calls the function can keep values
  // in registers across the call.
  STRATA_NOINLINE STRATA_COLD STRATA_PURE STRATA_API ComponentId
  find_shaped(std::string_view name, const Shape& shape) const noexcept;
  ComponentId remember(TypeNumber number, ComponentId id);
  ComponentId shown(ComponentId id) const noexcept;
  [[noreturn]] STRATA_COLD STRATA_API void refuse_unknown(ComponentId id) const;
  STRATA_COLD const ComponentInfo& describe_unknown(ComponentId id) const;
  STRATA_NOINLINE STRATA_API void refuse_kept(const char* operation, ComponentId id) const;

  struct Names;  // Maps names to ids.

  CountingMemory memory_;
  std::pmr::deque<Entry> entries_;  // A deque, so that descriptions never move: block formats point to them.
  PlainList<const ComponentInfo*> by_id_;
  PlainList<Toggled> toggled_;  // See `toggled`.
  Owned<Names> by_name_;
  TypeTable<ComponentId, kUnknown> by_type_;
  TypeTable<ComponentId, kUnknown> declared_by_type_;  // What find_as_declared returns.
  std::array<StateTags, kStates.size()> states_;
  std::uint32_t moved_ = 0;
  bool withholds_ = false;
  bool adds_plainly_ = true;
  bool keeps_any_ = false;
  void (*hooks_function_)(void* context, ComponentId id) = nullptr;
  void* hooks_context_ = nullptr;
  std::uint64_t storage_epoch_ = 0;
  mutable std::atomic<std::uint32_t> shared_{0};  // The number of Shared objects.
  RequirementLists requirements_;
  STRATA_NO_UNIQUE_ADDRESS UseGuardPointer uses_;
};

}  // namespace strata::detail
