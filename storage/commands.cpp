#include "commands.hpp"

#include <algorithm>
#include <utility>

#include "given_values.hpp"
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
  std::uint32_t rounds = 0;
  for (std::size_t round_end = commands_.size(); applied_ < commands_.size(); ++applied_) {
    if (applied_ == round_end) {
      round_end = commands_.size();
      STRATA_EXPECTS(++rounds <= most_rounds_,
                     "dropping commands: destructors of their values have recorded further ones " +
                         std::to_string(most_rounds_) +
                         " times in a row: let them stop, or raise WorldOptions::max_rounds");
    }
    drop(applied_);
  }
}

void CommandBuffer::drop_from(std::size_t first) noexcept {
  const std::size_t end = commands_.size();  // What destructors record meanwhile is applied.
  for (std::size_t i = first; i < end; ++i) drop(static_cast<std::uint32_t>(i));
}

void CommandBuffer::drop_and_clear() noexcept {
  drop_all();
  commands_.clear();
  applied_ = 0;
}

void CommandBuffer::take_all(CommandBuffer& other) {
  if (other.empty()) return;
  aside_.reserve_as(other.aside_);
  reserve_more(commands_, other.commands_.size());
  commands_.append(other.commands_.data(), other.commands_.size());
  reserved_ += std::exchange(other.reserved_, 0);
  other.commands_.clear();
}

void CommandBuffer::record(const Command& command) {
  const UseScope use = recording(command.kind);
  commands_.push_back(command);
  mark_recorded();
}

Entity CommandBuffer::create(Placement placement) {
  const UseScope use = recording(Kind::create);
  reserve_one(commands_);
  const Command command(Kind::create, apart_ != nullptr ? apart_->take() : reserve_handle(), placement);
  ++reserved_;
  record(command);
  return command.entity;
}

/// Reserves a handle for an entity whose creation is about to be recorded.
Entity CommandBuffer::reserve_handle() {
  const Entity reserved = store_.slots().reserve();
  store_.slots().add_recorded(1);
  return reserved;
}

/// Releases the reserved handle of an entity whose creation was recorded but will not be done. Does nothing if the
/// handle is not reserved: ReservedHandles::take may have returned the handle, and later there was no memory for its
/// slot (see ReservedHandles::issue_taken).
void CommandBuffer::release_handle(Entity entity) noexcept {
  if (!store_.slots().is_reserved(entity)) return;
  store_.slots().release(entity.index());
  store_.slots().remove_recorded(1);
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
  const UseScope use = recording(Kind::rename);
  reserve_one(commands_);
  auto* const text = static_cast<char*>(values_.allocate(name.size() + 1, 1));
  std::copy(name.begin(), name.end(), text);
  record({entity, std::string_view(text, name.size())});
}

void CommandBuffer::add(Entity entity, ComponentId id, void* value) {
  const UseScope use = recording(Kind::add);
  require_given(store_, "add by command", entity, id, value);
  store_.registry().require_no_state(id);
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

/// Allocates memory for a value that does not fit inside its command. If the component has a destructor, also allocates
/// temporary memory, which is used to exchange this value with the entity's old value when the command is applied.
/// Returns: the memory for the value.
/// Errors: std::bad_alloc.
void* CommandBuffer::allocate_outside(const ComponentInfo& component) {
  if (component.destroy != nullptr) aside_.reserve(component.size, component.alignment);
  return values_.allocate(component.size, component.alignment);
}

void CommandBuffer::remove(Entity entity, ComponentId id) {
  static_cast<void>(store_.registry()[id]);  // Checks the contract: this world issued the id.
  store_.registry().require_no_state(id);
  record({Kind::remove, entity, id});
}

void CommandBuffer::apply() {
  STRATA_EXPECTS(!store_.guard().locked(), "commands cannot be applied while " + store_.guard().under_way() +
                                               ": they are applied when that ends");
  if (is_applying_) return;
  const UseScope use = store_.changing("flush");
  is_applying_ = true;
  const Rollback stop([&] { is_applying_ = false; });
  if (!std::exchange(has_failed_, true)) refusals_.clear();
  const std::exception_ptr broken = apply_rounds();
  has_failed_ = false;
  applied_ = 0;
  commands_.clear();
  values_.release();
  store_.notification_ended();
  if (broken) std::rethrow_exception(broken);
}

/// Calls `apply_one()`, which applies the command at `first` and the commands linked to it (by Command::next). If
/// `apply_one` breaks a contract, adds the message of the ContractViolation to `refusals_`, and discards the linked
/// commands that are not applied yet. Then returns normally, so that the remaining commands of the buffer are applied.
/// If `broken` is null, stores the ContractViolation in it. In a build without exceptions, a broken contract ends the
/// program.
template <class Apply>
void CommandBuffer::attempt(std::uint32_t first, std::exception_ptr& broken, Apply apply_one) {
#if defined(__cpp_exceptions)
  try {
    apply_one();
  } catch (const ContractViolation& violation) {
    refusals_.emplace_back(violation.what());
    if (!broken) broken = std::current_exception();
    for (std::uint32_t i = first; i != kNone; i = commands_[i].next) drop(i);
  }
#else
  static_cast<void>(first);
  static_cast<void>(broken);
  apply_one();
#endif
}

/// Applies all commands, round by round. A round is the commands that were recorded before it began; commands recorded
/// during a round form the next one. If user code that is notified of the changes throws, its exception is thrown after
/// the last round.
/// Returns: the first ContractViolation that applying a command has thrown; null if there is none.
std::exception_ptr CommandBuffer::apply_rounds() {
  const ChangeListener::Hold hold(store_.listener());
  std::exception_ptr broken;
  rounds_ = 0;
  round_end_ = 0;
  while (applied_ < commands_.size()) {
    if (applied_ >= round_end_) begin_round();
    store_.require_unlocked("flush", Entity());  // Begins a change; cannot fail here.
    const std::uint32_t end = link_run(applied_);
    for (; applied_ < end; ++applied_) {
      if (!commands_[applied_].changes_components()) continue;
      attempt(applied_, broken, [this] { apply_linked(applied_); });
    }
    // `applied_` is now the index of the first command that does not change components, or the size that the list had
    // before the loop. User code may have appended commands during the loop, so there may be a command at this index in
    // either case. If it does not change components, it is applied here, alone. Otherwise the next iteration of the
    // outer loop applies it.
    if (applied_ < commands_.size() && !commands_[applied_].changes_components()) {
      attempt(applied_, broken, [this] { apply_barrier(applied_); });
      ++applied_;
    }
  }
  return broken;
}

/// Links the commands of each entity to each other by Command::next, so that they can be applied together. Begins with
/// the command at `begin`, and stops before the first command that does not change components (see
/// Command::changes_components).
/// Returns: the index of the command before which it has stopped; the number of commands when there is none.
std::uint32_t CommandBuffer::link_run(std::uint32_t begin) {
  last_of_slot_.resize(store_.slots().size(), kNone);
  const auto count = static_cast<std::uint32_t>(commands_.size());
  std::uint32_t end = begin;
  for (; end < count; ++end) {
    Command& command = commands_[end];
    if (command.kind == Kind::done) continue;
    if (!command.changes_components()) break;
    if (command.next != kNone) command.next = kNone;               // Left by an `apply` that threw.
    if (command.entity.index() >= last_of_slot_.size()) continue;  // The handle was never issued.
    const std::uint32_t last = std::exchange(last_of_slot_[command.entity.index()], end);
    // `last`, the entry of `last_of_slot_`, may be left from an earlier call of this function. It may also be the
    // command of another entity, whose handle has the same index and another generation. A `create` command is not
    // linked to earlier commands for the same handle: they were recorded before the handle was issued, so they apply to
    // no entity.
    const bool same = begin <= last && last < end && commands_[last].entity == command.entity;
    if (same && command.kind != Kind::create) commands_[last].next = end;
  }
  return end;
}

/// Applies the commands of one entity that `link_run` has linked to each other, as one structural change. `first` is
/// the index of the first of these commands.
void CommandBuffer::apply_linked(std::uint32_t first) {
  if (!store_.registry().adds_plainly()) [[unlikely]]
    return apply_with_required(first);
  apply_run(first);
}

/// Applies the commands linked to `first` (by Command::next), as the last step of `apply_linked`. If an added component
/// requires other components (see Requirements), `apply_with_required` has already linked commands that add these.
void CommandBuffer::apply_run(std::uint32_t first) {
  const bool is_alone = commands_[first].next == kNone && commands_[first].kind != Kind::create;
  if (!is_alone) drop_superseded(first);
  const Rollback end([&] {
    if (has_replaced_) [[unlikely]]
      drop_replaced(first);
    store_.change_ended();
  });
  if (store_.guard().removal_notified()) [[unlikely]]
    return apply_watched(first, is_alone);
  is_alone ? apply_alone(first) : apply_merged(first);
}

/// The part of `apply_run` that applies the commands if changes are reported to a listener, or if a component is
/// switched off for some entity. `is_alone` is whether the command at `first` is not a `create` command and no other
/// command is linked to it.
void CommandBuffer::apply_watched(std::uint32_t first, bool is_alone) {
  const Rollback end([&] { end_toggles(store_, commands_[first].entity); });
  if (store_.listened()) return apply_observed(first, is_alone);
  is_alone ? apply_alone(first) : apply_merged(first);
}

/// Marks a command as done, and destroys the value that it holds. A command of the kind `replaced` was applied already
/// and holds the entity's old value. All other commands are not applied: an `add` or `add_pair` holds the value to add,
/// and the handle of a `create` is released.
void CommandBuffer::drop(std::uint32_t index) noexcept {
  Command command = commands_[index];  // A copy: the destructor of the value may record commands.
  commands_[index].kind = Kind::done;
  if (command.kind == Kind::create) {
    release_handle(command.entity);
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

/// Applies an `add_pair` command. If the source of the pair is stale, discards the command. If the pair is refused,
/// discards the command and adds the reason to `refusals_`.
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

/// Applies a command for which Command::changes_components is false, such as the destruction of an entity or the
/// addition of a pair. Such a command is not merged with other commands of its entity.
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
