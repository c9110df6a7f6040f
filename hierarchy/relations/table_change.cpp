#include "table_change.hpp"

#include <algorithm>

namespace strata::detail {

void TableChange::apply() {
  if (rows_.size() != 0) MassChanges(store_).change_tags(rows_, find_target, this);
}

std::vector<std::uint32_t> TableChange::list() {
  std::vector<std::uint32_t> nodes;
  nodes.reserve(rows_.size());
  rows_.arrange();
  for (const RowSelection::Part& part : rows_.parts()) {
    rows_.for_each_run(part, [&](Place first, std::uint32_t count) {
      for (const Entity source : entities_of({first.block, first.row, count}))
        nodes.push_back(source.index());
    });
  }
  std::ranges::sort(nodes);
  return nodes;
}

Archetype& TableChange::find_target(void* context, Archetype& from) {
  const auto& self = *static_cast<const TableChange*>(context);
  Archetype* to = &from;
  for (const ComponentId tag : self.tags_) {
    if (to->format().contains(tag)) to = &self.store_.archetypes().without(*to, tag);
  }
  return *to;
}

}  // namespace strata::detail
