#include "commands.hpp"

#include <algorithm>
#include <utility>

#include "../core/reserve.hpp"

namespace strata {

CommandBuffer::CommandBuffer(Store& store, CommandTarget& target)
    : store_(store),
      target_(target),
      values_(store.memory()),
      commands_(store.memory()),
      last_of_slot_(store.memory()),
      last_of_component_(store.memory()) {}

CommandBuffer::~CommandBuffer() {
  for (std::size_t i = applied_; i < commands_.size(); ++i) drop(commands_[i]);
}

Entity CommandBuffer::create(Placement placement) {
  detail::reserve_one(commands_);
  const Command command(Kind::create, store_.slots().reserve(), placement);
  ++reserved_;
  record(command);
  return command.entity;
}

void CommandBuffer::move(Entity entity, Placement placement) {
  record({Kind::move, entity, placement});
}

void CommandBuffer::add(Entity entity, ComponentId id, void* value) {
  store_.expect_given("add by command", entity, id, value);
  void* const recorded = record_add(entity, id);
  if (recorded != nullptr) store_.registry()[id].relocate_values(recorded, value, 1);
}

/// Returns: where the caller builds the value at once; null for a tag.
void* CommandBuffer::record_add(Entity entity, ComponentId id) {
  const ComponentDescription& component = store_.registry()[id];
  const bool is_inside = Command::fits_inside(component);
  void* const outside =
      is_inside || component.is_tag() ? nullptr : values_.allocate(component.size, component.alignment);
  return commands_.emplace_back(entity, id, is_inside, outside).value();
}

void CommandBuffer::remove(Entity entity, ComponentId id) {
  static_cast<void>(store_.registry()[id]);  // Contract: the id is of this world.
  commands_.emplace_back(Kind::remove, entity, id);
}

void CommandBuffer::apply() {
  STRATA_EXPECTS(!store_.iterating(),
                 "commands cannot be applied while a query is iterating: they are when the iteration ends");
  refusals_.clear();
  while (applied_ < commands_.size()) {
    const std::uint32_t end = link_run(applied_);
    for (; applied_ < end; ++applied_) {
      if (changes_components(commands_[applied_].kind)) apply_linked(applied_);
    }
    if (applied_ < commands_.size()) {
      apply_barrier(commands_[applied_]);
      ++applied_;
    }
  }
  applied_ = 0;
  commands_.clear();
  values_.release();
}

/// Links the commands of each entity, from `begin` up to the next one that moves, regroups or destroys.
/// Returns: the index of that one, or of the end.
std::uint32_t CommandBuffer::link_run(std::uint32_t begin) {
  last_of_slot_.resize(store_.slots().size(), kNone);
  const auto count = static_cast<std::uint32_t>(commands_.size());
  std::uint32_t end = begin;
  for (; end < count; ++end) {
    Command& command = commands_[end];
    if (command.kind == Kind::done) continue;
    if (!changes_components(command.kind)) break;
    if (command.next != kNone) command.next = kNone;               // Linked before an exception.
    if (command.entity.index() >= last_of_slot_.size()) continue;  // Never issued.
    const std::uint32_t last = std::exchange(last_of_slot_[command.entity.index()], end);
    // What a run before has left there is of no command of this one, or of one for another entity. Handles of two
    // generations of one slot are two entities; what was recorded for a handle before it was issued is for none.
    const bool same = begin <= last && last < end && commands_[last].entity == command.entity;
    if (same && command.kind != Kind::create) commands_[last].next = end;
  }
  return end;
}

/// Applies the commands of one entity that are linked to `first`.
void CommandBuffer::apply_linked(std::uint32_t first) {
  Command& command = commands_[first];
  const bool is_alone = command.next == kNone && command.kind != Kind::create;
  if (!is_alone) drop_superseded(first);
  if (store_.observer() != nullptr) [[unlikely]]
    tell_observer(first);
  return is_alone ? apply_alone(command) : apply_merged(first);
}

/// Applies the only command of an entity, which is not to create it: there is nothing to merge.
void CommandBuffer::apply_alone(Command& command) {
  const Place place = store_.slots().find(command.entity);
  if (place.block == nullptr) return drop(command);
  const ComponentDescription& component = component_of(command);
  if (component.storage == Storage::sparse) return apply_to_side_store(command);
  // Not marked as done: nothing else fails before the next command is turned to.
  if (command.kind == Kind::remove) {
    store_.remove_from_row(place, command.id);
  } else {
    const Store::AddedToRow added = store_.add_to_row(place, command.id);
    const Block& block = *added.place.block;
    if (!component.is_tag()) {
      void* const value = block.value(block.layout->prefix_of(command.id), added.place.row, component.size);
      write_value(component, command, value, added.existed);
    }
  }
}

/// Applies the commands of one entity that are linked to `first`, of which no two are for one component.
void CommandBuffer::apply_merged(std::uint32_t first) {
  const bool exists = settle_row(first);
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (commands_[i].kind == Kind::done) continue;
    if (exists) {
      apply_to_side_store(commands_[i]);
    } else {
      drop(commands_[i]);
    }
  }
}

/// Tells what an entity that exists is going to be given and to lose.
void CommandBuffer::tell_observer(std::uint32_t first) const {
  const Entity entity = commands_[first].entity;
  const Place place = store_.slots().find(entity);
  if (place.block == nullptr) return;
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    const Command& command = commands_[i];
    if (command.kind == Kind::add) {
      store_.observer()->added(command.id, place, store_.holds(place, entity, command.id));
    } else if (command.kind == Kind::remove) {
      store_.observer()->removed(command.id, place, store_.holds(place, entity, command.id));
    }
  }
}

/// Of several commands for one component, only the last one counts.
void CommandBuffer::drop_superseded(std::uint32_t first) {
  last_of_component_.resize(store_.registry().size(), kNone);
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (is_of_component(commands_[i].kind)) {
      last_of_component_[to_index(commands_[i].id)] = i;
    }
  }
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    Command& command = commands_[i];
    if (is_of_component(command.kind) && last_of_component_[to_index(command.id)] != i) drop(command);
  }
}

Archetype& CommandBuffer::final_archetype(Archetype& from, std::uint32_t first) {
  Archetype* archetype = &from;
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    const Command& command = commands_[i];
    if (!is_of_component(command.kind) || component_of(command).storage == Storage::sparse) continue;
    const bool present = archetype->layout().contains(command.id);
    if (command.kind == Kind::add && !present) archetype = &store_.archetypes().with(*archetype, command.id);
    if (command.kind == Kind::remove && present) {
      archetype = &store_.archetypes().without(*archetype, command.id);
    }
  }
  return *archetype;
}

/// Gives the entity its final row, with the values that live in tables.
/// Returns: false when there is no such entity.
bool CommandBuffer::settle_row(std::uint32_t first) {
  const ColumnLayout* before = nullptr;
  Place place = store_.slots().find(commands_[first].entity);
  if (commands_[first].kind == Kind::create) {
    if (!create_row(first, &place)) return false;
  } else if (place.block == nullptr) {
    return false;
  } else {
    before = place.block->layout;
    place = store_.change_archetype(place, final_archetype(table_of(*place.block).archetype(), first));
  }
  const ColumnLayout& layout = *place.block->layout;
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    Command& command = commands_[i];
    if (command.kind == Kind::done) continue;
    const ComponentDescription& component = component_of(command);
    if (component.storage == Storage::sparse) continue;
    if (command.kind == Kind::add) {
      const bool existed = before != nullptr && before->contains(command.id);
      if (existed) store_.note_write(place, command.id);
      if (!component.is_tag()) {
        void* const value = place.block->value(layout.prefix_of(command.id), place.row, component.size);
        write_value(component, command, value, existed);
      }
    }
    command.kind = Kind::done;
  }
  return true;
}

/// Carries out the creation at `first`.
/// Returns: false when it was refused.
bool CommandBuffer::create_row(std::uint32_t first, Place* place) {
  const Entity entity = commands_[first].entity;
  const Outcome created = target_.create(entity, final_archetype(store_.archetypes().empty(), first),
                                         commands_[first].placement(), place);
  --reserved_;
  commands_[first].kind = Kind::done;
  if (created) return true;
  store_.slots().release(entity.index());
  refusals_.push_back(created.message());
  return false;
}

void CommandBuffer::apply_to_side_store(Command& command) {
  if (command.kind == Kind::add) {
    const SparsePool::Inserted inserted = store_.side().get(command.id).insert(command.entity);
    if (inserted.value != nullptr)
      write_value(component_of(command), command, inserted.value, inserted.existed);
  } else if (SparsePool* pool = store_.side().find(command.id); pool != nullptr) {
    pool->erase(command.entity);
  }
  command.kind = Kind::done;
}

void CommandBuffer::write_value(const ComponentDescription& component, Command& command, void* target,
                                bool existed) noexcept {
  if (existed) component.destroy_values(target, 1);
  component.relocate_values(target, command.value(), 1);
}

/// Ends a command that is not to be applied, and its value.
void CommandBuffer::drop(Command& command) noexcept {
  if (command.kind == Kind::add && !component_of(command).is_tag()) {
    component_of(command).destroy_values(command.value(), 1);
  }
  command.kind = Kind::done;
}

void CommandBuffer::apply_barrier(Command& command) {
  if (command.kind == Kind::destroy) {
    target_.destroy(command.entity);
  } else if (command.kind == Kind::move) {
    const Outcome moved = target_.move(command.entity, command.placement());
    if (!moved) refusals_.push_back(moved.message());
  } else if (command.kind == Kind::regroup) {
    target_.regroup(command.entity, command.group);
  }
  command.kind = Kind::done;
}

void CommandBuffer::shrink() noexcept {
  if (!empty()) return;
  commands_.shrink_to_fit();
  last_of_slot_.clear();
  last_of_slot_.shrink_to_fit();
}

}  // namespace strata
