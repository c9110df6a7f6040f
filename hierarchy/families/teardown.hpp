// Teardown: destroys an entity together with all entities below it.
#pragma once

#include <cstdint>

#include "../../storage/mass_destruction.hpp"
#include "../links/links.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// Destroys an entity and all entities below it, children before parents, without allocating memory. There
/// are three ways:
/// - If the entity has no children, it is destroyed at once; no link is followed.
/// - If more than 1,024 entities, and more than a sixteenth of all entities of the world, are below the entity, they
///   are found by loops over all entities in the order of memory, because following links would jump through memory.
///   This way is not used if the world has more lists of tables (one for each archetype and depth) than entities.
/// - Otherwise, the entities below are found by following links. Entities in adjacent rows are destroyed together.
class Teardown {
 public:
  Teardown(Store& store, Links& links, FamilyRows& rows)
      : store_(store), mass_(store), links_(links), rows_(rows) {}

  /// Destroys the entity with slot index `root` and all entities below it.
  /// Contract: `root` is alive and has no parent.
  /// Complexity: O(entities destroyed), or O(entities of the world) if they are found by loops over all entities (see
  /// above).
  void destroy(std::uint32_t root) noexcept;

  /// Destroys all entities, all links, and all tables that were made for the children of a single parent.
  /// Complexity: O(entities of the world); values without a destructor add nothing to it.
  void destroy_all() noexcept;

 private:
  std::size_t most_by_links() const;
  void destroy_unrolled(std::uint32_t node) noexcept;
  void destroy_run(std::uint32_t node, Place first, std::uint32_t count) noexcept;
  void destroy_node(std::uint32_t node) noexcept;
  void destroy_marked(std::uint32_t root) noexcept;

  Store& store_;
  MassDestruction mass_;
  Links& links_;
  FamilyRows& rows_;
};

}  // namespace strata::detail
