#include "relation_reader.hpp"

#include "../links/walks.hpp"

namespace strata::detail {

bool RelationReader::has(ComponentId relation, Entity source, Entity target) const {
  if (const Pairs* const pairs = relations_.find(relation)) {
    return static_cast<bool>(pairs->find(source, target));
  }
  return is_parent(relation) && store_.alive(source) && store_.alive(target) &&
         links_.parent(source.index()) == target.index();
}

void RelationReader::list_sources(ComponentId relation, Entity target, std::vector<Entity>& sources) const {
  const auto append = [&](const auto& range) { sources.insert(sources.end(), range.begin(), range.end()); };
  if (const Pairs* const pairs = relations_.find(relation)) {
    append(pairs->of(End::target, target));
  } else if (is_parent(relation) && store_.alive(target)) {
    append(ChildRange(links_, store_.slots(), target.index()));
  }
}

void RelationReader::list_targets(ComponentId relation, Entity source,
                                  std::vector<PairTarget>& targets) const {
  targets.clear();
  if (const Pairs* const pairs = relations_.find(relation)) {
    const std::span<const Entity> listed = pairs->of(End::source, source);
    for (std::uint32_t i = 0; i < listed.size(); ++i) targets.push_back({listed[i], pairs->value(source, i)});
  } else if (is_parent(relation) && store_.alive(source) && links_.parent(source.index()) != Links::kNone) {
    targets.push_back({store_.slots().handle_of(links_.parent(source.index())), nullptr});
  }
}

}  // namespace strata::detail
