#include "transferred_facts.hpp"

#include <algorithm>
#include <numeric>

#include "../../core/value_buffer.hpp"
#include "../../storage/store_change.hpp"
#include "../../storage/toggles.hpp"
#include "../families/family_rows.hpp"

namespace strata::detail {
namespace {

constexpr const char* kOperation = "insert";

}  // namespace

std::vector<std::uint32_t> order_by_bits(std::span<const Entity> entities) {
  std::vector<std::uint32_t> order(entities.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return entities[a].bits() < entities[b].bits();
  };
  if (!std::is_sorted(order.begin(), order.end(), before)) std::sort(order.begin(), order.end(), before);
  return order;
}

Outcome TransferredFacts::add() {
  const SavedParts& from = transfer_.from();
  const bool has_names = from.names.size() != 0;
  const bool has_states = from.store.archetypes().states().any();
  const bool has_layers = from.layers.count() != 1;
  const bool has_any = has_names || has_states || has_layers;
  for (std::size_t position = 0; has_any && position < transfer_.entities().size(); ++position) {
    if (has_names) {
      if (Outcome named = add_name(position); !named) return named;
    }
    if (has_layers) add_layer(position);
    if (has_states) add_states(position);
  }
  for (const std::uint32_t position : transfer_.chosen_layouts()) add_layout(position);
  add_off();
  if (!from.relations.any()) return Outcome::done();
  const std::vector<std::uint32_t> order = order_by_bits(transfer_.entities());
  const EntityMap inside = EntityMap::make_sorted(transfer_.entities(), transfer_.created(), order);
  for (const Pairs* const pairs : from.relations.all()) {
    if (Outcome added = add_pairs(*pairs, inside); !added) return added;
  }
  return Outcome::done();
}

Outcome TransferredFacts::add_name(std::size_t position) {
  const std::string_view name = transfer_.from().names.name(transfer_.entities()[position]);
  return name.empty() ? Outcome::done() : transfer_.to().names.set(transfer_.created()[position], name);
}

void TransferredFacts::add_layer(std::size_t position) {
  const Place place = transfer_.from().store.slots().place_of(transfer_.entities()[position].index());
  const Layers& layers = transfer_.from().layers;
  const Layers::Index layer = layers.find(table_of(*place.block).archetype());
  if (layer != Layers::Index{})
    transfer_.to().layers.set(transfer_.created()[position], layers.key_of(layer));
}

void TransferredFacts::add_states(std::size_t position) {
  const StateFlags flags = flags_of(transfer_.from().store, transfer_.entities()[position].index());
  const Entity entity = transfer_.created()[position];
  States& states = transfer_.to().states;
  for (const State state : kStates) {
    if (flags.itself.contains(state)) states.set(state, entity, true, kOperation);
    if (flags.subtree.contains(state)) states.set_subtree(state, entity, true, kOperation);
  }
}

void TransferredFacts::add_layout(std::size_t position) {
  const Links::Family* const family =
      transfer_.from().links.find_family(transfer_.entities()[position].index());
  transfer_.to().rows.set_layout(transfer_.created()[position].index(), static_cast<Layout>(family->layout));
}

void TransferredFacts::add_off() {
  const Store& store = transfer_.from().store;
  for (const auto& [id, tag] : store.registry().toggled()) {
    const SparsePool* const off = store.side().find(tag);
    const ComponentId there = transfer_.components().find(id);
    if (off == nullptr || off->size() == 0 || there == Registry::kUnknown) continue;
    for (std::size_t position = 0; position < transfer_.entities().size(); ++position) {
      if (off->contains(transfer_.entities()[position]))
        toggle_component(transfer_.to().store, transfer_.created()[position], there, false);
    }
  }
}

Outcome TransferredFacts::add_pairs(const Pairs& pairs, const EntityMap& inside) {
  for (std::size_t position = 0; position < transfer_.entities().size() && pairs.size() != 0; ++position) {
    const Entity source = transfer_.entities()[position];
    const std::span<const Entity> targets = pairs.of(End::source, source);
    if (targets.empty()) continue;
    if (Outcome known = transfer_.components().add_relation(pairs); !known) return known;
    const ComponentId id = transfer_.components().find(pairs.id());
    if (id == Registry::kUnknown) return Outcome::done();
    const RelationOptions& options = pairs.options();
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      Entity target = inside(targets[i]);
      if (!inside.contains(targets[i])) {
        // The target was not transferred, so `outside_` chooses an entity instead; a null handle leaves the pair out.
        // In a relation that is exclusive and symmetric, an entity has at most one pair, as source or as target. In
        // such a relation, always leave the pair out: adding it could remove another pair of the chosen entity.
        target = options.exclusive && options.symmetric ? Entity() : outside_(targets[i]);
        if (!target) continue;
      }
      add_pair(pairs, *transfer_.to().relations.find(id), position, i, target);
    }
  }
  return Outcome::done();
}

/// Adds to `to` a pair from the new entity at index `position` to `target`, unless there is such a pair. Its value is a
/// copy of the value of the original pair, in which `references_` replaces handles. `number` is the index of the
/// original pair among the pairs in which the original entity is the source. A check for cycles is not needed: the
/// original pairs form no cycle, and no entity outside of the transfer has a pair that leads to a new entity.
void TransferredFacts::add_pair(const Pairs& pairs, Pairs& to, std::size_t position, std::uint32_t number,
                                Entity target) {
  const Entity source = transfer_.created()[position];
  if (to.find(source, target)) return;  // The relation is symmetric, and the reverse pair was added.
  const Store::Change change(transfer_.to().store, kOperation, source);
  const auto add = [&](const GivenValue& given) {
    transfer_.to().relations.connect(to, source, target, given);
    transfer_.to().relations.destroy_dead();
  };
  const ComponentInfo& info = pairs.component();
  if (info.is_tag()) return add({to.id(), nullptr, nullptr});
  ValueBuffer buffer(info, transfer_.to().store.memory());
  const ChangeGuard& guard = transfer_.to().store.guard();
  {
    const ChangeGuard::Moving moving(guard);
    info.copy_values(buffer.get(), pairs.value(transfer_.entities()[position], number), 1);
  }
  Rollback destroy([&] { info.destroy_values(buffer.get(), 1); });
  if (info.remap != nullptr && references_ != nullptr) {
    const ChangeGuard::Moving moving(guard);
    info.remap(buffer.get(), 1, *references_);
  }
  add({to.id(), buffer.get(), [](const ComponentInfo& of, void* place, void* value) noexcept {
         of.relocate_values(place, value, 1);
       }});
  destroy.dismiss();
}

}  // namespace strata::detail
