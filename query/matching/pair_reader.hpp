// PairReader: the interface through which queries read the pairs of relations.
#pragma once

#include <vector>

#include "../../core/component.hpp"
#include "../../core/entity.hpp"

namespace strata::detail {

/// The interface through which queries read the pairs of relations. A relation is known by its id, which is
/// that of a component; one that is not known has no pairs.
///
/// Threads: any number of readers.
class PairReader {
 public:
  PairReader() = default;
  PairReader(const PairReader&) = delete;
  PairReader& operator=(const PairReader&) = delete;
  virtual ~PairReader() = default;

  /// Returns: whether this is the id of a relation.
  virtual bool knows(ComponentId relation) const = 0;
  /// Returns: whether there is a pair from `source` to `target`; false if one is stale.
  virtual bool has(ComponentId relation, Entity source, Entity target) const = 0;
  /// Appends the sources of a target to `sources`, in the order in which the pairs were added.
  /// Errors: std::bad_alloc.
  /// Complexity: O(result).
  virtual void list_sources(ComponentId relation, Entity target, std::vector<Entity>& sources) const = 0;
};

}  // namespace strata::detail
