// AccessObserver: the interface for reports of how the components of a store are used.
#pragma once

#include <cstdint>
#include <span>

#include "../../core/component.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// How a query term uses a component.
enum class AccessKind : std::uint8_t {
  value,     ///< Reads the value; matches entities that have it.
  maybe,     ///< Reads the value if the entity has it.
  with,      ///< Matches entities that have it.
  without,   ///< Matches entities that do not have it.
  any_of,    ///< Matches entities that have it or an alternative.
  relative,  ///< Reads the value of another entity, such as the parent.
};

/// A component of a query and how a term uses it.
struct ComponentAccess {
  ComponentId id;
  AccessKind asked;

  friend bool operator==(const ComponentAccess&, const ComponentAccess&) = default;
};

/// The order in which an iteration visits rows.
enum class Visited : std::uint8_t {
  rows,      ///< One by one, in any order.
  in_order,  ///< Level by level.
  blocks,    ///< As spans, which only tables have.
  family,    ///< The children of one entity.
};

/// One iteration of a query.
struct Iteration {
  std::span<const ComponentAccess> asked;  ///< At most one for each component and use.
  Visited visited;
  std::uint64_t rows;    ///< Matching rows.
  std::uint64_t tables;  ///< Non-empty tables of the matching archetypes.
};

/// Receives reports of uses of components while it observes a store; see Store::observe.
///
/// Threads: several readers may report at the same time.
class AccessObserver {
 public:
  virtual void looked_up(ComponentId id, bool found) noexcept = 0;

  /// Reports that a component is about to be added to or removed from an entity. `row` is the entity's row
  /// before the change; `had` is whether it has the component.
  virtual void added(ComponentId id, Place row, bool had) noexcept = 0;
  virtual void removed(ComponentId id, Place row, bool had) noexcept = 0;

  /// Errors: std::bad_alloc; the iteration has not begun then.
  virtual void iterated(const Iteration& iteration) = 0;

 protected:
  AccessObserver() = default;
  AccessObserver(const AccessObserver&) = default;
  AccessObserver& operator=(const AccessObserver&) = default;
  ~AccessObserver() = default;
};

}  // namespace strata::detail
