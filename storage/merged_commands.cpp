// The part of CommandBuffer that applies several commands for one entity as one structural change: the entity's row is
// created or moved once, and the recorded values are written to the new row.
#include <array>
#include <cstring>

#include "commands.hpp"
#include "hidden_entity.hpp"
#include "toggles.hpp"

namespace strata::detail {

/// Applies an `add` or `remove` command that need not be merged, because no other command for the same entity is linked
/// to it. If the entity is stale, discards the command.
void CommandBuffer::apply_alone(std::uint32_t index) {
  // No reference to a command is kept here: moving rows may run user code that records commands, and this may
  // reallocate `commands_`.
  const Entity entity = commands_[index].entity;
  const ComponentId id = commands_[index].id;
  const Place place = store_.slots().find(entity);
  if (place.block == nullptr) return drop(index);
  const ComponentInfo& component = store_.registry()[id];
  if (component.storage == Storage::sparse) return apply_to_side_store(index);
  if (commands_[index].kind == Kind::remove) {
    store_.remove_from_row(place, id);
    commands_[index].kind = Kind::done;
  } else {
    const Store::AddedToRow added = store_.add_to_row(place, id);
    const Block& block = *added.place.block;
    if (!component.is_tag()) {
      void* const value = block.value(block.format->prefix_of(id), added.place.row, component.size);
      write_value(index, value, added.existed);
    } else {
      commands_[index].kind = Kind::done;
    }
  }
}

/// Applies the command `first` and those linked to it (by Command::next), which are all for one entity. Creates or
/// moves the entity's row once, for all changes to table components together. Then adds and removes components in the
/// side store (sparse sets) one by one. If the entity is stale or its creation was refused, discards the commands.
/// Contract: no two of these commands are for the same component; see drop_superseded.
void CommandBuffer::apply_merged(std::uint32_t first) {
  const bool exists = create_or_move_row(first);
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (commands_[i].kind > Kind::remove) continue;
    if (exists) {
      apply_to_side_store(i);
    } else {
      drop(i);
    }
  }
}

/// Switches a component on, if it is switched off for the entity. Called when a `remove` command is discarded because a
/// later `add` command of the same component replaces the value: a component that is removed and added again must end
/// up switched on.
void CommandBuffer::switch_on(Entity entity, ComponentId id) {
  if (store_.alive(entity) && is_off(store_, entity, id)) toggle_component(store_, entity, id, true);
}

/// Among the commands that are linked to `first` (by Command::next), discards each addition or removal of a component
/// that has a later command for the same component, because only the last one decides. One effect remains: if the last
/// command adds a component that an earlier one removes, the component is switched on, in case it was off. Keeps all
/// other commands, such as `create`.
void CommandBuffer::drop_superseded(std::uint32_t first) {
  last_of_component_.resize(store_.registry().size(), kNone);
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (commands_[i].is_of_component()) {
      last_of_component_[to_index(commands_[i].id)] = i;
    }
  }
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    const Command& command = commands_[i];
    if (!command.is_of_component()) continue;
    const std::uint32_t last = last_of_component_[to_index(command.id)];
    if (last == i) continue;
    if (command.kind == Kind::remove && commands_[last].kind == Kind::add && store_.guard().toggled())
      switch_on(command.entity, command.id);
    drop(i);
  }
}

Archetype& CommandBuffer::final_archetype(Archetype& from, std::uint32_t first) {
  Archetype* archetype = &from;
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    const Command& command = commands_[i];
    if (!command.is_of_component() || component_of(command).storage == Storage::sparse) continue;
    const bool present = archetype->format().contains(command.id);
    if (command.kind == Kind::add && !present) archetype = &store_.archetypes().with(*archetype, command.id);
    if (command.kind == Kind::remove && present) {
      archetype = &store_.archetypes().without(*archetype, command.id);
    }
  }
  return *archetype;
}

/// If the command at `first` is `create`, creates the row of its entity; otherwise moves that row. Afterwards, the row
/// has the table components that result from the commands linked to `first` (by Command::next), with the values that
/// were recorded in these commands.
/// Returns: false when the entity is stale or its creation was refused.
bool CommandBuffer::create_or_move_row(std::uint32_t first) {
  const BlockFormat* before = nullptr;
  Place place = store_.slots().find(commands_[first].entity);
  if (commands_[first].kind == Kind::create) {
    if (!create_row(first, &place)) return false;
  } else if (place.block == nullptr) {
    return false;
  } else {
    before = place.block->format;
    place = store_.change_archetype(place, final_archetype(table_of(*place.block).archetype(), first));
  }
  write_row(first, place, before);
  return true;
}

/// Takes the `add` and `remove` commands for table components among the commands linked to `first` (by Command::next).
/// Writes the values of the `add` commands to the row at `place`, and marks all taken commands as `done` or `replaced`
/// (see CommandKind). Leaves out all other commands. `before` is the format of the row before it moved to `place`; null
/// for a new row.
void CommandBuffer::write_row(std::uint32_t first, Place place, const BlockFormat* before) {
  const BlockFormat& format = *place.block->format;
  const std::uint32_t slot = commands_[first].entity.index();
  if (format.relocates()) store_.slots().hide(slot);  // Until all values are complete.
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    Command& command = commands_[i];
    if (command.kind > Kind::remove) continue;
    const ComponentInfo& component = component_of(command);
    if (component.storage == Storage::sparse) continue;
    if (command.kind == Kind::add) {
      const bool existed = before != nullptr && before->contains(command.id);
      if (existed) store_.mark_write(place, command.id);
      if (!component.is_tag()) {
        void* const value = place.block->value(format.prefix_of(command.id), place.row, component.size);
        write_value(i, value, existed);
        continue;
      }
    }
    command.kind = Kind::done;
  }
  if (format.relocates()) store_.slots().place(slot, place);
}

/// Creates the row for the `create` command at `first`, with the table components that result from the commands linked
/// to it (by Command::next). Writes the place of the row to `*place`.
/// Returns: false when the creation was refused. In this case, the reserved handle is released, and the reason is added
/// to `refusals_`. Discards the command and returns false, too, if the handle is not reserved, because there was no
/// memory for its slot (see ReservedHandles::issue_taken).
bool CommandBuffer::create_row(std::uint32_t first, Place* place) {
  const Entity entity = commands_[first].entity;
  if (!store_.slots().is_reserved(entity)) [[unlikely]] {
    drop(first);
    return false;
  }
  const Outcome created = target_.create(entity, final_archetype(store_.archetypes().empty(), first),
                                         commands_[first].placement(), place);
  if (!created) {
    refusals_.push_back(created.message());
    drop(first);
    return false;
  }
  --reserved_;
  store_.slots().remove_recorded(1);
  commands_[first].kind = Kind::done;
  return true;
}

void CommandBuffer::apply_to_side_store(std::uint32_t index) {
  const Command& command = commands_[index];
  const Entity entity = command.entity;
  const ComponentId id = command.id;
  if (command.kind == Kind::add) {
    const SparsePool::Inserted inserted = store_.side().get(id).insert(entity);
    if (inserted.value != nullptr) return write_value(index, inserted.value, inserted.existed);
  } else if (SparsePool* pool = store_.side().find(id); pool != nullptr) {
    pool->erase(entity);
  }
  commands_[index].kind = Kind::done;
}

/// Moves the value of the `add` command at `index` to the address `target`. If `existed`, there is an old value at
/// `target`, which the new one replaces. Marks the command as `done` or, if it holds the old value now (see
/// `write_object`), as `replaced`.
void CommandBuffer::write_value(std::uint32_t index, void* target, bool existed) noexcept {
  Command& command = commands_[index];
  const ComponentInfo& component = component_of(command);
  if (component.relocate != nullptr || (existed && (component.destroy != nullptr || keeps_replaced_)))
      [[unlikely]]
    return write_object(index, target, existed);
  copy_bytes(target, command.value(), component.size);
  command.kind = Kind::done;
}

/// The part of `write_value` for components whose move or destructor may run user code, and for old values that a
/// ChangeListener has to see (if `keeps_replaced_` is true). An old value that has a destructor, or that a listener has
/// to see, is exchanged with the recorded value. The command then owns the old value, and is marked as `replaced`.
/// `drop_replaced` destroys the old value when all commands for the entity have been applied.
void CommandBuffer::write_object(std::uint32_t index, void* target, bool existed) noexcept {
  const ComponentInfo& component = component_of(commands_[index]);
  const bool replaces = existed && (component.destroy != nullptr || keeps_replaced_);
  commands_[index].kind = replaces ? Kind::replaced : Kind::done;
  has_replaced_ = has_replaced_ || replaces;
  if (commands_[index].is_inside) {  // Values inside a command are plain bytes.
    std::array<std::byte, sizeof(Command::inside)> old;
    std::memcpy(old.data(), target, component.size);
    std::memcpy(target, commands_[index].inside, component.size);
    std::memcpy(commands_[index].inside, old.data(), component.size);
    return;
  }
  void* const outside = commands_[index].outside;
  const HiddenEntity hidden(store_, commands_[index].entity, commands_[index].id);
  const ChangeGuard::Moving moving(store_.guard());
  if (!replaces) return component.relocate_values(target, outside, 1);
  const SwapSpace::Loan aside(aside_);  // The moves may record commands that call `aside_.reserve`.
  component.relocate_values(aside.value(), target, 1);
  component.relocate_values(target, outside, 1);
  component.relocate_values(outside, aside.value(), 1);
}

/// Destroys the old values that the command `first`, and the commands linked to it by Command::next, have replaced.
void CommandBuffer::drop_replaced(std::uint32_t first) noexcept {
  has_replaced_ = false;
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (commands_[i].kind == Kind::replaced) drop(i);
  }
}

}  // namespace strata::detail
