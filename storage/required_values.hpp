// RequiredValues: adds a component to an entity together with those that it requires, as one structural change.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <span>

#include "../core/plain_list.hpp"
#include "store.hpp"

namespace strata::detail {

/// The components that an entity lacks and that a component which it gets requires. Their first values are built
/// beside the tables, so that nothing has changed if one cannot be built. The order of calls: `build`, then `add`.
class RequiredValues {
 public:
  /// Contract: the entity is alive and does not have the component `id`.
  RequiredValues(Store& store, Entity entity, ComponentId id);
  RequiredValues(const RequiredValues&) = delete;
  RequiredValues& operator=(const RequiredValues&) = delete;
  ~RequiredValues();

  /// Lists the components, and builds their first values.
  /// Errors: std::bad_alloc, and what building a value throws.
  void build();

  /// Adds the component, whose value is uninitialised, and those that it requires with their values. The row of
  /// the entity moves at most once.
  /// Returns: the address of the component's value; null for a tag.
  /// Errors: std::bad_alloc; nothing has changed then.
  void* add();

  /// Returns: the components that `add` has added, in ascending order.
  std::span<const ComponentId> added() const { return {added_.data(), added_.size()}; }

 private:
  struct Value {
    const ComponentInfo* component;
    ComponentId id;
    void* place;  // Null for a tag, and when the value has been moved to the entity.
  };

  bool is_in_table(ComponentId id) const { return store_.registry()[id].storage == Storage::table; }
  Archetype& archetype_above(Archetype& from) const;
  void* join(ComponentId id);
  void leave(std::size_t joined) noexcept;
  void move_to(Value& value, void* to) noexcept;
  void move_to_row(Place place) noexcept;

  Store& store_;
  const Entity entity_;
  const ComponentId id_;
  alignas(std::max_align_t) std::byte bytes_[256];
  std::pmr::monotonic_buffer_resource memory_;
  PlainList<Value> values_;
  PlainList<ComponentId> added_;
};

}  // namespace strata::detail
