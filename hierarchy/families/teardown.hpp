// Teardown: destroys whole subtrees.
#pragma once

#include <cstdint>

#include "../../storage/mass_destruction.hpp"
#include "../links/links.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// Destroys entities and their subtrees, children first, without allocating memory. There are three ways:
/// - A leaf is destroyed like a single row.
/// - The nodes of a subtree are found by their links. They are destroyed in runs of neighbours, or with whole
///   tables if these lose all of their rows.
/// - A subtree that is a large part of the world is found by passes over all nodes in their order, because
///   following links would jump through memory.
class Teardown {
 public:
  Teardown(Store& store, Links& links, FamilyRows& rows)
      : store_(store), mass_(store), links_(links), rows_(rows) {}

  /// Destroys `root` and all entities below it.
  /// Contract: `root` is alive and has no parent.
  /// Complexity: O(subtree).
  void destroy(std::uint32_t root) noexcept;

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
