#include "target_tables.hpp"

#include "../../core/rollback.hpp"
#include "dependents.hpp"
#include "table_change.hpp"

namespace strata::detail {

void TargetTables::enter(Pairs& pairs, Entity source, Entity target, Entity before) {
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

void TargetTables::leave(Pairs& pairs, Entity source, std::span<const Entity> targets) {
  if (targets.empty()) return;
  const Place place = store_.slots().find(source);
  Archetype* to = &table_of(*place.block).archetype();
  for (const Entity target : targets) {
    to = &pairs.tags()->exchange(store_.archetypes(), *to, target, Entity());
  }
  store_.change_archetype(place, *to);
}

void TargetTables::leave_all(Pairs& pairs, End end, Entity entity) {
  if (end == End::source) {
    leave(pairs, entity, pairs.of(end, entity));
  } else {
    TableChange(store_).leave(pairs, entity);
  }
}

void TargetTables::add_leaving(TableChange& change, const Pairs& pairs, const Dependents& listed) {
  for (const Entity entity : listed.entities()) {
    change.add(pairs, entity, [&](Entity source) { return !listed.contains(source.index()); });
  }
}

std::string TargetTables::check(const Pairs& pairs) const {
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
