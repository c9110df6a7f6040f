// AccessObserver: is told how the components of a store are used.
#pragma once

#include <cstdint>
#include <span>

#include "../../core/component.hpp"
#include "../../core/slots.hpp"

namespace strata::detail {

/// What an iteration asked of a component.
enum class Asked : std::uint8_t {
  value,     ///< Its value, of entities that have it.
  maybe,     ///< Its value, where an entity has it.
  with,      ///< That entities have it.
  without,   ///< That they do not.
  any_of,    ///< That they have it, or another one.
  relative,  ///< Its value on another entity, such as the parent.
};

struct AskedOf {
  ComponentId id;
  Asked asked;

  friend bool operator==(const AskedOf&, const AskedOf&) = default;
};

/// How the rows of an iteration were visited.
enum class Visited : std::uint8_t {
  rows,      ///< One by one, in any order.
  in_order,  ///< Level by level.
  blocks,    ///< As spans, which only tables have.
  family,    ///< The children of one entity.
};

/// One iteration of a query.
struct Iteration {
  std::span<const AskedOf> asked;  ///< At most one for each component and use.
  Visited visited;
  std::uint64_t rows;    ///< That matched.
  std::uint64_t tables;  ///< With rows, of the matched archetypes.
};

/// Is told of uses of components while it observes a store; see Store::observe.
///
/// Threads: readers may tell at the same time.
class AccessObserver {
 public:
  virtual void looked_up(ComponentId id, bool found) noexcept = 0;

  /// Of an entity that is about to be given a component, or to lose it. `row` is its row before; `had` says
  /// whether it had the component.
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
