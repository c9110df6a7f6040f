// find_differences_of: lists the differences of two worlds, in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "contents.hpp"

namespace strata {

/// One thing in which two worlds differ.
struct WorldDifference {
  Entity entity;  ///< The entity that differs, or that only one world has; null for a resource.
  std::string
      component;  ///< Name of the component, relation or resource; empty for a parent, a name or a whole entity.
  std::string path;      ///< The path of the member that differs; see ValueDifference.
  std::string sentence;  ///< A sentence that says what differs.
};

}  // namespace strata

namespace strata::detail {

/// Returns: the first `most` differences between the contents of two worlds: those of resources, then those of entities
/// in the order of their slot indices. If there is none, both worlds have the same digest.
/// Errors: std::bad_alloc, and what the program's functions for writing values (see members_of) throw.
/// Contract: in both worlds, the types of all resources and components are described for saving (see members_of), or
/// `first` and `second` have Undescribed::leave_out.
/// Complexity: O(n * log m), where n is the size of both contents, m the greatest number of components of an entity.
std::vector<WorldDifference> find_differences_of(const Contents& first, const Contents& second,
                                                 std::size_t most);

}  // namespace strata::detail
