// find_differences_of: lists the differences of two worlds, in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "contents.hpp"

namespace strata {

/// One thing in which two worlds differ.
struct WorldDifference {
  Entity entity;  ///< An entity of one world or of both; null for a resource.
  std::string
      component;  ///< Name of the component, relation or resource; empty for the entity itself, its parent and name.
  std::string path;      ///< The path of the member; see ValueDifference.
  std::string sentence;  ///< A sentence with all of this.
};

}  // namespace strata

namespace strata::detail {

/// Returns: the first `most` differences between the contents of two worlds: resources, then entities by index. They
/// have the same digest if there is none.
/// Errors: std::bad_alloc, and what functions of members_of throw.
/// Contract: as Contents::counts, for both.
/// Complexity: O(contents of both * log(components of an entity)).
std::vector<WorldDifference> find_differences_of(const Contents& first, const Contents& second,
                                                 std::size_t most);

}  // namespace strata::detail
