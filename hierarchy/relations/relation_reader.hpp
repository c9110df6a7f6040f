// RelationReader: reads the pairs of a world's relations, for queries.
#pragma once

#include "../../query/matching/pair_reader.hpp"
#include "relation_set.hpp"

namespace strata::detail {

/// Reads the pairs of a world's relations for queries. Reads the parents of entities, too, as targets of the relation
/// ChildOf.
class RelationReader : public PairReader {
 public:
  RelationReader(const RelationSet& relations, const Store& store, const Links& links)
      : relations_(relations), store_(store), links_(links) {}

  bool knows(ComponentId relation) const override {
    return relations_.find(relation) != nullptr || is_parent(relation);
  }
  bool is_exclusive(ComponentId relation) const override {
    const Pairs* const pairs = relations_.find(relation);
    return pairs == nullptr || pairs->options().exclusive;
  }
  bool has(ComponentId relation, Entity source, Entity target) const override;
  std::span<const Entity> list_sources(ComponentId relation, Entity target,
                                       std::vector<Entity>& buffer) const override;
  void list_targets(ComponentId relation, Entity source, std::vector<PairTarget>& targets) const override;
  void find_nearest(ComponentId relation, std::span<const Entity> rows, ComponentId id, ComponentId key,
                    WalkMemo& memo, const void** values) const override;

 private:
  class Follower;

  /// Returns: whether this is an id of the relation ChildOf: the constant kChildOf or, if the type ChildOf is
  /// registered as a component, the id of that component.
  bool is_parent(ComponentId relation) const {
    return relation == kChildOf || (relation != Registry::kUnknown &&
                                    relation == store_.registry().find_or_unknown<strata::ChildOf>());
  }

  const RelationSet& relations_;
  const Store& store_;
  const Links& links_;
};

}  // namespace strata::detail
