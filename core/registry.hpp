// Registry: the components of one world, by number, by name and by C++ type.
#pragma once

#include <deque>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "component.hpp"
#include "counting_memory.hpp"
#include "memory_use.hpp"
#include "type_numbers.hpp"

namespace strata::detail {

/// Numbers components in the order in which they are first seen.
class Registry {
 public:
  static constexpr ComponentId kUnknown{0xFFFF'FFFF};  ///< No component's id.

  explicit Registry(std::pmr::memory_resource* memory)
      : memory_(memory),
        entries_(&memory_),
        by_id_(&memory_),
        by_name_(&memory_),
        by_type_(&memory_),
        declared_by_type_(&memory_) {}

  /// Returns: the id of the component of that name, registered now if it is new.
  /// Contract: the description is sound, its name is not internal, and it agrees in everything with the one that has its
  /// name; in storage, with what that said when it was registered. The operations of one C++ type may be other functions
  /// in each shared library.
  ComponentId add(const ComponentInfo& description);

  /// As `add`, for the library's own components, whose names are internal.
  ComponentId add_internal(const ComponentInfo& description);

  /// What internal names begin with. No C++ type is spelled with a single colon, so no type has such a name.
  static constexpr std::string_view kInternal = "strata:";
  static constexpr bool is_internal(std::string_view name) {
    return name.starts_with(kInternal) && !name.substr(kInternal.size()).starts_with(':');
  }

  /// Returns: the id of T, registered now if it is new.
  /// Complexity: O(1) without hashing, after the first call for T; with hashing, where another copy of the library asks
  /// than the one that made this registry.
  template <Component T>
  ComponentId id_of() {
    const ComponentId id = by_type_.find(type_number<T>);
    if (id != kUnknown) [[likely]]
      return id;
    return find_or_add<T>();
  }

  /// Returns: the id of T, if this world has seen T.
  template <Component T>
  std::optional<ComponentId> find() const {
    const ComponentId id = find_or_unknown<T>();
    return id != kUnknown ? std::optional(id) : std::nullopt;
  }
  std::optional<ComponentId> find(std::string_view name) const;

  /// Returns: as `find`, with kUnknown for none: of that, no signature has a column and no pool exists.
  template <Component T>
  ComponentId find_or_unknown() const noexcept {
    const ComponentId id = by_type_.find(type_number<T>);
    return id != kUnknown ? id : find_shaped(name_of<T>, shape_of<T>());
  }

  /// Returns: the id of T, if this world has seen T and stores it as its type says; otherwise kUnknown, and always
  /// kUnknown where another copy of the library asks than the one that made this registry. One question answers all
  /// three, so that it costs nothing that components can be moved and that there may be several copies.
  template <Component T>
  [[gnu::always_inline]] ComponentId find_as_declared() const noexcept {
    return declared_by_type_.find(type_number<T>);
  }

  /// Returns: what the descriptions take, without the characters of long names.
  MemoryUse memory_use() const { return {memory_.bytes(), memory_.bytes()}; }

  bool contains(ComponentId id) const { return to_index(id) < by_id_.size(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(by_id_.size()); }

  /// Contract: `id` was issued by this registry.
  const ComponentInfo& operator[](ComponentId id) const {
    if (to_index(id) >= by_id_.size()) [[unlikely]]
      refuse_unknown(id);
    return *by_id_[to_index(id)];
  }

  /// As above; for kUnknown, the description of a component that no entity has.
  const ComponentInfo& describe_asked(ComponentId id) const {
    if (to_index(id) >= by_id_.size()) [[unlikely]]
      return describe_unknown(id);
    return *by_id_[to_index(id)];
  }

  /// While types are withheld, `find_as_declared` finds none, so that its callers take the slow path, on which uses are
  /// observed.
  void withhold_types(bool withheld) noexcept;

  /// Notes that the values of a component have been moved: from here on, its description says `storage`.
  /// Contract: `id` was issued by this registry.
  void set_storage(ComponentId id, Storage storage) noexcept;

  /// Returns: how many components are not stored as they were registered: while there is one, what is not found where
  /// its type says may be in the other storage.
  std::uint32_t moved_components() const { return moved_; }

  /// Returns: a count that is another one after any `set_storage`: what was derived from storages before is void.
  std::uint64_t storage_epoch() const { return storage_epoch_; }

 private:
  /// What has to agree before a value may be taken for one of a C++ type.
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
    Storage declared;  ///< With which it was registered, and which its C++ type still says.
  };

  template <Component T>
  [[gnu::noinline, gnu::cold]] ComponentId find_or_add() {
    const TypeNumber number = type_number_of<T>();
    if (!by_type_.counts(number)) {
      const ComponentId id = find_shaped(name_of<T>, shape_of<T>());
      return id != kUnknown ? id : add(describe<T>());
    }
    return remember(number, add(describe<T>()));
  }
  ComponentId find_named(std::string_view name) const noexcept;
  /// Returns: the id of the component of that name, if a type of that shape can be it; otherwise kUnknown.
  // Writes to nothing, so that a loop that finds values keeps in registers what stays the same.
  [[gnu::noinline, gnu::cold, gnu::pure]] ComponentId find_shaped(std::string_view name,
                                                                  const Shape& shape) const noexcept;
  ComponentId remember(TypeNumber number, ComponentId id);
  ComponentId shown(ComponentId id) const noexcept;
  [[noreturn, gnu::cold]] void refuse_unknown(ComponentId id) const;
  [[gnu::cold]] const ComponentInfo& describe_unknown(ComponentId id) const;

  CountingMemory memory_;
  std::pmr::deque<Entry> entries_;  // Layouts point into it: addresses stay.
  std::pmr::vector<const ComponentInfo*> by_id_;
  std::pmr::unordered_map<std::string_view, ComponentId> by_name_;
  TypeTable<ComponentId, kUnknown> by_type_;
  TypeTable<ComponentId, kUnknown> declared_by_type_;  // Without what is stored otherwise.
  std::uint32_t moved_ = 0;
  bool withholds_ = false;
  std::uint64_t storage_epoch_ = 0;
};

}  // namespace strata::detail
