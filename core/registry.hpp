// Registry: the components of one world, by number, by name and by C++ type.
#pragma once

#include <deque>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "component.hpp"

namespace strata {

namespace detail {

/// Returns: the next number of the process-wide type counter.
std::uint32_t next_type_index() noexcept;

template <class T>
[[gnu::noinline, gnu::cold, gnu::const]] std::uint32_t assign_type_index() noexcept {
  static const std::uint32_t index = next_type_index();
  return index;
}

/// One more than T's index, so that 0 says: the initialisation of this variable has not had its turn yet.
template <class T>
inline const std::uint32_t type_number = assign_type_index<T>() + 1;

/// Returns: a small number that is the same in every world of this process. Another shared library may have
/// another one for the same type; names bring the two together.
template <class T>
std::uint32_t type_index() noexcept {
  // A plain load, which loops keep in a register; the static in a function would be guarded at every call.
  const std::uint32_t number = type_number<T>;
  if (number == 0) [[unlikely]]
    return assign_type_index<T>();  // Called by the initialisation of something else.
  return number - 1;
}

}  // namespace detail

/// Numbers components in the order in which they are first seen.
class Registry {
 public:
  static constexpr ComponentId kUnknown{0xFFFF'FFFF};  ///< No component's id.

  explicit Registry(std::pmr::memory_resource* memory)
      : entries_(memory), by_id_(memory), by_name_(memory), by_type_(memory), declared_by_type_(memory) {}

  /// Returns: the id of the component of that name, registered now if it is new.
  /// Contract: the description is sound, its name is not internal, and it agrees in everything with the one that has its
  /// name; in storage, with what that said when it was registered. The operations of one C++ type may be other functions
  /// in each shared library.
  ComponentId add(const ComponentDescription& description);

  /// As `add`, for the library's own components, whose names are internal.
  ComponentId add_internal(const ComponentDescription& description);

  /// What internal names begin with. No C++ type is spelled with a single colon, so no type has such a name.
  static constexpr std::string_view kInternal = "strata:";
  static constexpr bool is_internal(std::string_view name) {
    return name.starts_with(kInternal) && !name.substr(kInternal.size()).starts_with(':');
  }

  /// Returns: the id of T, registered now if it is new.
  /// Complexity: O(1) without hashing, after the first call for T.
  template <Component T>
  ComponentId id_of() {
    const ComponentId id = recall(detail::type_number<T>);
    if (id != kUnknown) [[likely]]
      return id;
    return remember(detail::type_index<T>() + 1, add(describe<T>()));
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
    const ComponentId id = recall(detail::type_number<T>);
    return id != kUnknown ? id : find_named(name_of<T>);
  }

  /// Returns: the id of T, if this world has seen T and stores it as its type says; otherwise kUnknown. One question
  /// answers both, so that it costs nothing that components can be moved.
  template <Component T>
  ComponentId find_as_declared() const noexcept {
    const std::uint32_t number = detail::type_number<T>;
    return number < declared_by_type_.size() ? declared_by_type_[number] : kUnknown;
  }

  bool contains(ComponentId id) const { return to_index(id) < by_id_.size(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(by_id_.size()); }

  /// Contract: `id` was issued by this registry.
  const ComponentDescription& operator[](ComponentId id) const {
    if (to_index(id) >= by_id_.size()) [[unlikely]]
      refuse_unknown(id);
    return *by_id_[to_index(id)];
  }

  /// While types are withheld, `find_as_declared` has no answers, so that whoever asks it goes another way, on which
  /// uses are observed.
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
  /// Returns: the id of the type of that number, if it has been asked for here before.
  ComponentId recall(std::uint32_t type_number) const noexcept {
    return type_number < by_type_.size() ? by_type_[type_number] : kUnknown;
  }
  struct Entry {
    ComponentDescription description;
    Storage declared;  ///< With which it was registered, and which its C++ type still says.
  };

  // Writes to nothing, so that a loop that finds values keeps in registers what stays the same.
  [[gnu::noinline, gnu::cold, gnu::pure]] ComponentId find_named(std::string_view name) const noexcept;
  ComponentId remember(std::uint32_t type_number, ComponentId id);
  ComponentId shown(ComponentId id) const noexcept;
  [[noreturn, gnu::cold]] void refuse_unknown(ComponentId id) const;

  std::pmr::deque<Entry> entries_;  // Layouts point into it: addresses stay.
  std::pmr::vector<const ComponentDescription*> by_id_;
  std::pmr::unordered_map<std::string_view, ComponentId> by_name_;
  std::pmr::vector<ComponentId> by_type_;           // By type number; there is no type 0.
  std::pmr::vector<ComponentId> declared_by_type_;  // kUnknown, too, for what is stored otherwise.
  std::uint32_t moved_ = 0;
  bool withholds_ = false;
  std::uint64_t storage_epoch_ = 0;
};

}  // namespace strata
