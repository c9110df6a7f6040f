#include "relation_reader.hpp"

namespace strata::detail {

bool RelationReader::has(ComponentId relation, Entity source, Entity target) const {
  const Pairs* const pairs = relations_.find(relation);
  return pairs != nullptr && pairs->find(source, target) != Pairs::kNone;
}

void RelationReader::list_sources(ComponentId relation, Entity target, std::vector<Entity>& sources) const {
  for (const Entity source : RelatedEntities(relations_.find(relation), End::target, target)) {
    sources.push_back(source);
  }
}

}  // namespace strata::detail
