// AccessObserver: the interface for reports of how the components of a store are used.
#pragma once

#include <cstdint>
#include <span>

#include "../../core/component.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// How a query term uses a component.
enum class AccessKind : std::uint8_t {
  value,     ///< Reads the value; matches entities that have the component.
  maybe,     ///< Reads the value if the entity has the component.
  with,      ///< Matches entities that have the component.
  without,   ///< Matches entities that do not have the component.
  any_of,    ///< Matches entities that have the component or another one of the same term.
  relative,  ///< Reads the value of another entity, such as the parent.
};

/// A component that a query term uses, and how the term uses it.
struct ComponentAccess {
  ComponentId id;
  AccessKind kind;

  friend bool operator==(const ComponentAccess&, const ComponentAccess&) = default;
};

/// How an iteration visits rows.
enum class Visited : std::uint8_t {
  rows,      ///< All matching rows one by one, in any order.
  in_order,  ///< All matching rows one by one, parents before children or the reverse.
  blocks,    ///< Matching rows as spans of adjacent rows. Only possible for table components.
  family,    ///< The matching children of one entity.
};

/// The report of one iteration of a query.
struct Iteration {
  std::span<const ComponentAccess> terms;  ///< How the query uses components. Elements may be equal.
  Visited visited;
  std::uint64_t rows;    ///< The number of matching rows that the iteration selects, such as by depth.
  std::uint64_t tables;  ///< The number of all non-empty tables of matching archetypes, visited or not.
};

/// An interface that receives reports of how the components of a store are used, after it was passed to Store::observe.
///
/// Threads: several readers may report at the same time.
class AccessObserver {
 public:
  /// Reports that a component was looked up by the handle of an entity. `found` is whether the entity is
  /// alive and has the component.
  virtual void looked_up(ComponentId id, bool found) noexcept = 0;

  /// Reports that a component is about to be added to an entity. `row` is the place of the entity's row before the
  /// change; `had` is whether the entity already has the component. If it has, the change only replaces the value.
  virtual void added(ComponentId id, Place row, bool had) noexcept = 0;
  /// Reports that a component is about to be removed from an entity. `row` is the place of the entity's row before the
  /// change; `had` is whether the entity has the component. If it does not, the removal changes nothing.
  virtual void removed(ComponentId id, Place row, bool had) noexcept = 0;

  /// Reports that an iteration is about to begin.
  /// Errors: std::bad_alloc; the iteration has not begun then.
  virtual void iterated(const Iteration& iteration) = 0;

 protected:
  AccessObserver() = default;
  AccessObserver(const AccessObserver&) = default;
  AccessObserver& operator=(const AccessObserver&) = default;
  ~AccessObserver() = default;
};

}  // namespace strata::detail
