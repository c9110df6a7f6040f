// PairReader: the interface through which queries read the pairs of relations.
#pragma once

#include <vector>

#include "../../core/component.hpp"
#include "../../core/entity.hpp"

namespace strata {

/// The relation from a child to its parent, which Relations and queries know beside those of a program. It is
/// exclusive, and its pairs form no cycle.
struct ChildOf {};

}  // namespace strata

namespace strata::detail {

/// The id of the relation ChildOf where its component may not be registered.
inline constexpr ComponentId kChildOf{0xFFFF'FFFE};

/// The target of a pair, and the value of the pair; null if the relation has none.
struct PairTarget {
  Entity target;
  const void* value;
};

/// The interface through which queries read the pairs of relations. A relation is known by its id, which is
/// that of a component, or kChildOf; one that is not known has no pairs.
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
  /// Appends the sources of a target to `sources`, in the order of Relations::sources.
  /// Errors: std::bad_alloc.
  /// Complexity: O(result).
  virtual void list_sources(ComponentId relation, Entity target, std::vector<Entity>& sources) const = 0;
  /// Replaces `targets` by the targets of a source, in the order of Relations::targets.
  /// Errors: std::bad_alloc.
  /// Complexity: O(result).
  virtual void list_targets(ComponentId relation, Entity source, std::vector<PairTarget>& targets) const = 0;
};

}  // namespace strata::detail
