#include "world_parts.hpp"

#include <string>
#include <utility>

#include "../../../hierarchy/events/change_notifier.hpp"
#include "../../../hierarchy/names/entity_names.hpp"
#include "../../../hierarchy/relations/relation_set.hpp"
#include "../../../storage/given_values.hpp"

namespace strata::detail {

WorldParts::WorldParts(const WorldOptions& options)
    : resources(memory_of(options)),
      store(memory_of(options), options.max_entities, options.world_number),
      hierarchy(store, {options.layout, options.large_family, options.defragmentation}),
      layers(store),
      states(store, hierarchy.links(), hierarchy.notifier()),
      typed(store, hierarchy),
      commands(store, hierarchy, layers, states),
      events(store, hierarchy.links()),
      names(hierarchy.names()),
      relations(store, hierarchy),
      shrinker(store, hierarchy, events.router(), commands.buffer()) {
  STRATA_EXPECTS(options.max_entities <= Links::kMaxNodes,
                 "WorldOptions::max_entities is " + std::to_string(options.max_entities) + ", above " +
                     std::to_string(Links::kMaxNodes) + ", the greatest number of nodes of a hierarchy");
  resources.check_uses(store.guard().uses());
  hierarchy.names().set_unique(options.sibling_names == SiblingNames::unique);
  commands.buffer().limit_rounds(options.max_rounds);
  store.on_iteration_end([](void* recorded) { static_cast<Commands*>(recorded)->buffer().apply(); },
                         &commands);
}

WorldParts::~WorldParts() = default;

/// Checks the contract of `build_hierarchy`: the world may be changed now (no query iterates and no user code of an
/// operation runs), the parent `above`, if given, is alive, and `entities`, the span for the new handles, is not in the
/// memory of this world's tables or pools (sparse sets).
void WorldParts::begin_build(const std::optional<ParentArgument>& above, std::span<Entity> entities) const {
  const CallSite at = above ? above->at : CallSite();
  const Entity parent = above ? above->parent : Entity();
  store.require_unlocked("build_hierarchy", parent, at);
  if (above) store.require_alive("build_hierarchy below", parent, at);
  STRATA_EXPECTS_AT(
      at, !holds_value_at(store, entities.data()),
      "build_hierarchy: the span for the entities is stored in this world, where rows are going "
      "to move: pass one outside");
}

void WorldParts::end() noexcept {
  // The memory of the rows that a query or user code is using is about to be freed. If the contract handler throws,
  // the process ends with the message.
  const bool is_locked = store.guard().locked();
  STRATA_EXPECTS(!is_locked && pinned_by == nullptr,
                 "a world is destroyed or assigned to while " +
                     (is_locked ? store.guard().under_way() : pinned_by + std::string(" is under way")) +
                     ": do it when that has ended");
  if (store.listened()) {
    hierarchy.relations().notify_all_removed();
    hierarchy.notifier().notify_end();
  }
  // From here on, destructors of user code run. They may still record commands, which are dropped at the end. While the
  // Operation exists, structural changes in these destructors are refused, and they may not destroy the world again.
  const ChangeGuard::Operation operation(store.guard(), "the end of the world");
  events.router().end();
  hierarchy.relations().end();
  store.end();
  hierarchy.notifier().end();
  hierarchy.relations().end_observers();
  list_of(resources).clear();
  commands.buffer().drop_all();
}

OwnedParts::OwnedParts(const WorldOptions& options) : parts_(new WorldParts(options)) {}

OwnedParts::OwnedParts(OwnedParts&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}

OwnedParts& OwnedParts::operator=(OwnedParts&& other) noexcept {
  if (this == &other) return *this;
  // `other` may be in a resource or a value of this world, which is destroyed here, so it is read before.
  WorldParts* const taken = std::exchange(other.parts_, nullptr);
  end();
  parts_ = taken;
  return *this;
}

OwnedParts::~OwnedParts() {
  end();
}

void OwnedParts::set_world(World* world) noexcept {
  if (parts_ != nullptr) parts_->hierarchy.notifier().set_world(world);
}

void OwnedParts::end() noexcept {
  if (parts_ != nullptr) parts_->end();
  delete parts_;
}

}  // namespace strata::detail
