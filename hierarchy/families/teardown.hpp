// Teardown: destroys whole subtrees.
#pragma once

#include <cstdint>

#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// Destroys entities and all below them, children first, without memory. Three ways, by the size of the subtree:
/// a leaf goes as a row does; otherwise its nodes are found by their links, and go in runs of neighbours, or
/// with whole tables where these lose all of their rows; and a subtree that is a good part of the world is not
/// followed by links, which lead all over memory: passes over all nodes, in their order, find what is in it.
class Teardown {
 public:
  Teardown(Store& store, Links& links, FamilyRows& rows) : store_(store), links_(links), rows_(rows) {}

  /// Contract: `root` is live and has no parent.
  /// Complexity: O(subtree).
  void destroy(std::uint32_t root) noexcept;

 private:
  std::size_t most_by_links() const;
  bool may_empty_a_table(std::uint32_t root, std::size_t below) const noexcept;
  void announce_below(std::uint32_t root) noexcept;
  void keep_whole_tables(std::uint32_t root) noexcept;
  void destroy_unrolled(std::uint32_t node) noexcept;
  void destroy_run(std::uint32_t node, Place first, std::uint32_t count) noexcept;
  void destroy_node(std::uint32_t node) noexcept;
  void destroy_marked(std::uint32_t root) noexcept;

  Store& store_;
  Links& links_;
  FamilyRows& rows_;
};

}  // namespace strata::detail
