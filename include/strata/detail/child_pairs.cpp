#include "child_pairs.hpp"

#include "../../../hierarchy/links/refusals.hpp"
#include "../../../hierarchy/names/entity_names.hpp"

namespace strata::detail {

void ChildPairs::add_parent(Entity child, Entity parent, CallSite at) {
  const Outcome set = hierarchy_.set_parent(child, parent);
  STRATA_EXPECTS_AT(at, set, set.message());
}

Outcome ChildPairs::may_add_parent(Entity child, Entity parent) const {
  for (const Entity entity : {child, parent}) {
    if (!store_.alive(entity)) return refuse_child(child, parent, stale_sentence(entity));
  }
  if (child == parent) return refuse_child(child, parent, own_parent_sentence());
  if (hierarchy_.is_ancestor(child, parent))
    return refuse_child(child, parent, cycle_sentence(child, parent));
  return hierarchy_.names().check_move(child, parent);
}

std::size_t ChildPairs::clear_children(Entity parent, CallSite at) {
  store_.require_unlocked("remove of pairs", parent, at);
  const std::size_t children = hierarchy_.child_count(parent);
  if (children != 0) static_cast<void>(hierarchy_.set_children(parent, {}));
  return children;
}

void ChildPairs::list_parents_first(std::vector<Entity>& order) const {
  order.clear();
  for (const Entity root : hierarchy_.roots()) {
    if (hierarchy_.child_count(root) == 0) continue;
    for (const Entity entity : hierarchy_.depth_first(root)) order.push_back(entity);
  }
}

std::size_t ChildPairs::count_children() const {
  std::size_t children = 0;
  for (const Archetype* const archetype : store_.archetypes().all()) {
    for (auto lists = archetype->ranks().first(); !lists.at_end(); lists.next()) {
      if (lists.rank() == 0) continue;
      for (const Block* const block : lists.tables()) children += table_of(*block).row_count();
    }
  }
  return children;
}

}  // namespace strata::detail
