// RelationReader: through which queries read the pairs of a world's relations.
#pragma once

#include "../../query/matching/pair_reader.hpp"
#include "relation_set.hpp"

namespace strata::detail {

/// Reads the pairs of the relations of a world for queries.
class RelationReader : public PairReader {
 public:
  explicit RelationReader(const RelationSet& relations) : relations_(relations) {}

  bool knows(ComponentId relation) const override { return relations_.find(relation) != nullptr; }
  bool has(ComponentId relation, Entity source, Entity target) const override;
  void list_sources(ComponentId relation, Entity target, std::vector<Entity>& sources) const override;

 private:
  const RelationSet& relations_;
};

}  // namespace strata::detail
