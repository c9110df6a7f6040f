#include "commands.hpp"

#include <algorithm>
#include <utility>

#include "hidden_entity.hpp"
#include "toggles.hpp"

namespace strata::detail {

CommandBuffer::CommandBuffer(Store& store, CommandTarget& target)
    : store_(store),
      target_(target),
      values_(store.memory()),
      commands_(store.memory()),
      last_of_slot_(store.memory()),
      last_of_component_(store.memory()),
      added_(store.memory()),
      removed_(store.memory()),
      aside_(store.memory()) {}

CommandBuffer::~CommandBuffer() {
  drop_all();
}

void CommandBuffer::drop_all() noexcept {
  for (; applied_ < commands_.size(); ++applied_) drop(applied_);
}

void CommandBuffer::record(const Command& command) {
  commands_.push_back(command);
  mark_recorded();
}

Entity CommandBuffer::create(Placement placement) {
  reserve_one(commands_);
  const Entity reserved = apart_ != nullptr ? apart_->take() : store_.slots().reserve();
  const Command command(Kind::create, reserved, placement);
  ++reserved_;
  record(command);
  return command.entity;
}

std::string CommandBuffer::check_invariants() const {
  if (is_applying_) return "";
  std::uint32_t reserved = 0;
  for (std::size_t i = applied_; i < commands_.size(); ++i) {
    if (commands_[i].kind != Kind::create) continue;
    ++reserved;
    if (!store_.slots().is_reserved(commands_[i].entity)) {
      return "C1: entity " + to_string(commands_[i].entity) + " is to be created and is not reserved";
    }
  }
  return reserved == reserved_ ? "" : "C1: the number of entities to be created is wrong";
}

void CommandBuffer::move(Entity entity, Placement placement) {
  record({Kind::move, entity, placement});
}

void CommandBuffer::rename(Entity entity, std::string_view name) {
  reserve_one(commands_);
  auto* const text = static_cast<char*>(values_.allocate(name.size() + 1, 1));
  std::copy(name.begin(), name.end(), text);
  record({entity, std::string_view(text, name.size())});
}

void CommandBuffer::add(Entity entity, ComponentId id, void* value) {
  store_.require_given("add by command", entity, id, value);
  const ComponentInfo& component = store_.registry()[id];
  reserve_one(commands_);
  if (component.is_tag()) return record({entity, id, false, nullptr});
  if (Command::fits_inside(component)) {
    Command command(entity, id, true, nullptr);
    std::memcpy(command.inside, value, component.size);
    return record(command);
  }
  void* const outside = allocate_outside(component);
  if (component.relocate == nullptr) {
    std::memcpy(outside, value, component.size);
  } else {
    const RecordedMove moving(*this);
    component.relocate(outside, value, 1);
  }
  record({entity, id, false, outside});
}

/// Allocates memory for a value that does not fit inside its command. If the component has a destructor, also
/// allocates the temporary memory that is needed to exchange this value with an older one of the entity.
/// Returns: the memory for the value.
/// Errors: std::bad_alloc.
void* CommandBuffer::allocate_outside(const ComponentInfo& component) {
  if (component.destroy != nullptr) aside_.reserve(component.size, component.alignment);
  return values_.allocate(component.size, component.alignment);
}

void CommandBuffer::remove(Entity entity, ComponentId id) {
  static_cast<void>(store_.registry()[id]);  // Contract: this world issued the id.
  record({Kind::remove, entity, id});
}

void CommandBuffer::apply() {
  STRATA_EXPECTS(!store_.guard().locked(), "commands cannot be applied while " + store_.guard().under_way() +
                                               ": they are applied when that ends");
  if (is_applying_) return;
  is_applying_ = true;
  const Rollback stop([&] { is_applying_ = false; });
  if (!std::exchange(has_failed_, true)) refusals_.clear();
  apply_rounds();
  has_failed_ = false;
  applied_ = 0;
  commands_.clear();
  values_.release();
  store_.told_ended();
}

/// Applies all commands, round by round. The exceptions of functions that are told wait until the end.
void CommandBuffer::apply_rounds() {
  const ChangeListener::Hold hold(store_.listener());
  rounds_ = 0;
  round_end_ = 0;
  while (applied_ < commands_.size()) {
    if (applied_ >= round_end_) begin_round();
    store_.require_unlocked("flush", Entity());  // Cannot fail here: begins a change.
    const std::uint32_t end = link_run(applied_);
    for (; applied_ < end; ++applied_) {
      if (changes_components(commands_[applied_].kind)) apply_linked(applied_);
    }
    // There may be another command. If it gives an entity another parent, layer or name or destroys one, it is
    // applied here. Otherwise user code recorded it during the loop above: the next round of the outer loop
    // applies it.
    if (applied_ < commands_.size() && !changes_components(commands_[applied_].kind)) {
      apply_barrier(applied_);
      ++applied_;
    }
  }
}

/// Links the commands that are for the same entity to each other, from the command at `begin` up to the next
/// one that gives an entity another parent or layer or destroys one.
/// Returns: the index of that next command; the number of commands when there is none.
std::uint32_t CommandBuffer::link_run(std::uint32_t begin) {
  last_of_slot_.resize(store_.slots().size(), kNone);
  const auto count = static_cast<std::uint32_t>(commands_.size());
  std::uint32_t end = begin;
  for (; end < count; ++end) {
    Command& command = commands_[end];
    if (command.kind == Kind::done) continue;
    if (!changes_components(command.kind)) break;
    if (command.next != kNone) command.next = kNone;               // Set before an exception.
    if (command.entity.index() >= last_of_slot_.size()) continue;  // The handle was never issued.
    const std::uint32_t last = std::exchange(last_of_slot_[command.entity.index()], end);
    // `last` may be left from an earlier call, or belong to another entity with the same slot: handles of two
    // generations of one slot are two entities. A `create` command is not linked to commands that were
    // recorded for its handle before the handle was issued: those apply to no entity.
    const bool same = begin <= last && last < end && commands_[last].entity == command.entity;
    if (same && command.kind != Kind::create) commands_[last].next = end;
  }
  return end;
}

/// Applies the commands of one entity that `link_run` has linked to each other, as one structural change;
/// `first` is the first of them.
void CommandBuffer::apply_linked(std::uint32_t first) {
  if (!store_.registry().adds_plainly()) [[unlikely]]
    return apply_with_required(first);
  apply_run(first);
}

/// Applies linked commands as `apply_linked` does, and nothing that components require.
void CommandBuffer::apply_run(std::uint32_t first) {
  const bool is_alone = commands_[first].next == kNone && commands_[first].kind != Kind::create;
  if (!is_alone) drop_superseded(first);
  const Rollback end([&] {
    if (has_replaced_) [[unlikely]]
      drop_replaced(first);
    store_.change_ended();
  });
  if (store_.guard().removal_told()) [[unlikely]]
    return apply_watched(first, is_alone);
  is_alone ? apply_alone(first) : apply_merged(first);
}

/// Applies linked commands as `apply_run` does while changes are told to a listener or components are off.
void CommandBuffer::apply_watched(std::uint32_t first, bool is_alone) {
  const Rollback end([&] { end_toggles(store_, commands_[first].entity); });
  if (store_.listened()) return apply_told(first, is_alone);
  is_alone ? apply_alone(first) : apply_merged(first);
}

/// Applies an `add` or `remove` command that is linked to no other one, so that there is nothing to merge. If
/// the entity is stale, discards the command.
void CommandBuffer::apply_alone(std::uint32_t index) {
  // Moving rows may run user code, which may record commands. So no reference to a command is kept.
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

/// Applies the commands of one entity that are linked to `first` (see link_run). All changes to its table
/// components are one move of its row; components in the side store follow one by one. If the entity is stale
/// or its creation was refused, discards the commands.
/// Contract: no two of them are for the same component; see drop_superseded.
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

/// Reports to the observer of the store (see Store::observe) which components the commands linked to `first`
/// (see link_run) add to their entity and remove from it. Reports nothing if the entity does not exist yet.
void CommandBuffer::notify_observer(std::uint32_t first) const {
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

/// Of the commands of one entity that are linked to `first` (see link_run), discards those that add or remove
/// a component if a later one adds or removes the same component. A `create` command stays.
void CommandBuffer::drop_superseded(std::uint32_t first) {
  last_of_component_.resize(store_.registry().size(), kNone);
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (is_of_component(commands_[i].kind)) {
      last_of_component_[to_index(commands_[i].id)] = i;
    }
  }
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    const Command& command = commands_[i];
    if (is_of_component(command.kind) && last_of_component_[to_index(command.id)] != i) drop(i);
  }
}

Archetype& CommandBuffer::final_archetype(Archetype& from, std::uint32_t first) {
  Archetype* archetype = &from;
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    const Command& command = commands_[i];
    if (!is_of_component(command.kind) || component_of(command).storage == Storage::sparse) continue;
    const bool present = archetype->format().contains(command.id);
    if (command.kind == Kind::add && !present) archetype = &store_.archetypes().with(*archetype, command.id);
    if (command.kind == Kind::remove && present) {
      archetype = &store_.archetypes().without(*archetype, command.id);
    }
  }
  return *archetype;
}

/// If the command at `first` is `create`, creates the row of its entity; otherwise moves that row. The row
/// then has the table components that result from the commands linked to `first` (see link_run), and the
/// values that these commands give them.
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

/// Writes the values of the commands linked to `first` (see link_run) to the row at `place`, and marks these
/// commands as `done` or `replaced` (see Kind). Leaves out commands for components in the side store.
/// `before` is the format of the row before it moved to `place`; null for a new row.
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

/// Creates the row for the `create` command at `first`, with the components that result from the commands
/// linked to it (see link_run). Writes the place of the row to `*place`.
/// Returns: false when the creation was refused. The reserved handle is released then, and the reason is
/// added to `refusals_`.
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

/// Moves the value of the `add` command at `index` to the address `target`. If `existed`, it replaces an old
/// value there. Marks the command as done or, if the old value still has to be destroyed, as `replaced`.
void CommandBuffer::write_value(std::uint32_t index, void* target, bool existed) noexcept {
  Command& command = commands_[index];
  const ComponentInfo& component = component_of(command);
  if (component.relocate != nullptr || (existed && (component.destroy != nullptr || keeps_replaced_)))
      [[unlikely]]
    return write_object(index, target, existed);
  copy_bytes(target, command.value(), component.size);
  command.kind = Kind::done;
}

/// Moves a value as `write_value` does, for components whose move or destructor may run user code. If there
/// is an old value that has a destructor, it takes the place of the recorded one in the command, which is
/// marked as `replaced`: `drop_replaced` destroys it when all commands for the entity have been applied.
void CommandBuffer::write_object(std::uint32_t index, void* target, bool existed) noexcept {
  const ComponentInfo& component = component_of(commands_[index]);
  const bool replaces = existed && (component.destroy != nullptr || keeps_replaced_);
  commands_[index].kind = replaces ? Kind::replaced : Kind::done;
  has_replaced_ = has_replaced_ || replaces;
  if (commands_[index].is_inside) {  // Values inside are plain bytes.
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
  const SwapSpace::Loan aside(aside_);  // The moves may record commands that reserve more.
  component.relocate_values(aside.value(), target, 1);
  component.relocate_values(target, outside, 1);
  component.relocate_values(outside, aside.value(), 1);
}

/// Destroys the old values that the commands linked to `first` (see link_run) have replaced.
void CommandBuffer::drop_replaced(std::uint32_t first) noexcept {
  has_replaced_ = false;
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (commands_[i].kind == Kind::replaced) drop(i);
  }
}

/// Marks a command as done. Does not apply it, but destroys the value that it holds: the one to add, or the
/// one that it has replaced. Releases the handle of a `create` command.
void CommandBuffer::drop(std::uint32_t index) noexcept {
  Command command = commands_[index];  // A copy: the destructor of the value may record commands.
  commands_[index].kind = Kind::done;
  if (command.kind == Kind::create) {
    // A handle that was recorded apart is not reserved if there was no memory for its slot.
    if (store_.slots().is_reserved(command.entity)) store_.slots().release(command.entity.index());
    --reserved_;
  }
  const bool has_value =
      command.kind == Kind::add || command.kind == Kind::replaced || command.kind == Kind::add_pair;
  if (!has_value) return;
  const ComponentInfo& component = component_of(command);
  if (component.is_tag() || component.destroy == nullptr) return;
  const ChangeGuard::Operation operation(store_.guard(), "flush");
  component.destroy(command.kind == Kind::add_pair ? command.pair.value : command.value(), 1);
}

/// Applies an `add_pair` command; for a stale source, discards it.
void CommandBuffer::apply_pair(std::uint32_t index) {
  const Command command = commands_[index];  // A copy: user code may record commands.
  if (!store_.alive(command.entity)) return drop(index);
  const auto& [target, value] = command.pair;
  const Outcome added = target_.add_pair(command.entity, target, command.id, value);
  if (!added) {
    refusals_.push_back(added.message());
    return drop(index);
  }
  commands_[index].kind = Kind::done;
}

/// Applies a command that is not merged with others.
void CommandBuffer::apply_barrier(std::uint32_t index) {
  const Command command = commands_[index];  // A copy: user code may record commands.
  if (command.kind == Kind::destroy) {
    const Outcome destroyed = target_.destroy(command.entity);
    if (!destroyed) refusals_.push_back(destroyed.message());
  } else if (command.kind == Kind::add_pair) {
    apply_pair(index);
  } else if (command.kind == Kind::remove_pair) {
    target_.remove_pair(command.entity, command.pair.target, command.id);
  } else if (command.kind == Kind::move) {
    const Outcome moved = target_.move(command.entity, command.placement());
    if (!moved) refusals_.push_back(moved.message());
  } else if (command.kind == Kind::regroup) {
    target_.regroup(command.entity, command.group);
  } else if (command.kind == Kind::rename) {
    const Outcome renamed = target_.rename(command.entity, command.name);
    if (!renamed) refusals_.push_back(renamed.message());
  } else if (command.kind == Kind::state) {
    target_.change_state(command.entity, command.request);
  } else if (command.kind == Kind::toggle) {
    toggle_component(store_, command.entity, command.id, command.request == StateRequest::enable);
  }
}

void CommandBuffer::shrink() noexcept {
  if (!empty()) return;
  commands_.shrink_to_fit();
  last_of_slot_.clear();
  last_of_slot_.shrink_to_fit();
}

}  // namespace strata::detail
