// find_differences_of: in what two worlds differ, in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "contents.hpp"

namespace strata {

/// One thing in which two worlds differ.
struct WorldDifference {
  Entity entity;  ///< Of the one or the other world, or of both; null for a resource.
  std::string
      component;  ///< The name of the component, relation or resource; empty for the entity itself, its parent and name.
  std::string path;      ///< The path of the member; see ValueDifference.
  std::string sentence;  ///< All of this in words.
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
