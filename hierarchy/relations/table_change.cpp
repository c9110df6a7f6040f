#include "table_change.hpp"

#include <algorithm>

#include "../../core/rollback.hpp"
#include "dependents.hpp"
#include "relation_set.hpp"

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

/// Moves the row of a source to the archetype with the tag of a target instead of the tag of `before`, which may be
/// null.
/// Errors: std::bad_alloc; nothing has changed then.
void RelationSet::enter_table(Pairs& pairs, Entity source, Entity target, Entity before) {
  TargetTags& tags = *pairs.tags();
  Rollback release([&] {
    if (pairs.of(End::target, target).empty()) tags.release(target);
  });
  tags.get(target);
  const Place place = store_.slots().find(source);
  Archetype& from = table_of(*place.block).archetype();
  store_.change_archetype(place, tags.exchange(store_.archetypes(), from, before, target));
  release.dismiss();
}

/// Moves the row of a source to the archetype without the tags of targets.
/// Errors: std::bad_alloc; nothing has changed then.
void RelationSet::leave_table(Pairs& pairs, Entity source, std::span<const Entity> targets) {
  if (targets.empty()) return;
  const Place place = store_.slots().find(source);
  Archetype* to = &table_of(*place.block).archetype();
  for (const Entity target : targets) {
    to = &pairs.tags()->exchange(store_.archetypes(), *to, target, Entity());
  }
  store_.change_archetype(place, *to);
}

void RelationSet::leave_tables(const Dependents& listed) {
  TableChange change(store_);
  add_leaving(change, listed);
  change.apply();
}

void RelationSet::add_leaving(TableChange& change, const Dependents& listed) const {
  for (const Pairs* const pairs : all_) {
    if (pairs->tags() == nullptr || pairs->size() == 0) continue;
    for (const Entity entity : listed.entities()) {
      change.add(*pairs, entity, [&](Entity source) { return !listed.contains(source.index()); });
    }
  }
}

std::string RelationSet::check_tables(const Pairs& pairs) const {
  if (pairs.tags() == nullptr) return "";
  std::string broken;
  pairs.for_each_source([&](Entity source, std::span<const Entity> targets) {
    const BlockFormat& format = table_of(*store_.slots().find(source).block).archetype().format();
    for (const Entity target : targets) {
      const ComponentId tag = pairs.tags()->find(target);
      if (tag != Registry::kUnknown && format.contains(tag)) continue;
      broken = "I14: entity " + to_string(source) + " is not in the tables of entity " + to_string(target);
    }
  });
  if (!broken.empty()) return broken;
  return pairs.tags()->count_rows(store_.archetypes()) == pairs.size()
             ? ""
             : "I14: an entity has a tag of \"" + pairs.component().name + "\" and no pair";
}

}  // namespace strata::detail
