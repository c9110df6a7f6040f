#include "relation_reader.hpp"

namespace strata::detail {

bool RelationReader::has(ComponentId relation, Entity source, Entity target) const {
  const Pairs* const pairs = relations_.find(relation);
  return pairs != nullptr && pairs->find(source, target);
}

void RelationReader::list_sources(ComponentId relation, Entity target, std::vector<Entity>& sources) const {
  const Pairs* const pairs = relations_.find(relation);
  if (pairs == nullptr) return;
  const std::span<const Entity> listed = pairs->of(End::target, target);
  sources.insert(sources.end(), listed.begin(), listed.end());
}

}  // namespace strata::detail
