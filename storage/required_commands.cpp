// The part of CommandBuffer for components that require other components: if a command adds such a component, the
// required components are added, too.
#include <cstring>

#include "../core/rollback.hpp"
#include "commands.hpp"

namespace strata::detail {
namespace {

/// Computes the result of applying the commands of one entity in order: which components the entity has afterwards, and
/// which of these components it has only because other components require them. These required components get the
/// initial value that the requirement gives.
class AppliedCommands {
 public:
  AppliedCommands(Store& store, Entity entity)
      : store_(store),
        entity_(entity),
        place_(store.slots().find(entity)),
        states_(store.memory()),
        required_(store.memory()) {
    states_.assign(store.registry().size(), kAsBefore);
  }

  void add(ComponentId id) {
    if (!holds(id)) {
      for (const RequiredComponent& next : store_.registry().required_by(id)) {
        if (holds(next.id)) continue;
        states_[to_index(next.id)] = kRequired + static_cast<std::uint32_t>(required_.size());
        required_.push_back(next);
      }
    }
    states_[to_index(id)] = kGiven;
  }
  void remove(ComponentId id) { states_[to_index(id)] = kAbsent; }

  /// Called after `add` and `remove` were called for all commands.
  /// Returns: the required components that have to be added. Leaves out a required component if a command after the one
  /// that requires it adds or removes it.
  std::span<const RequiredComponent> finish() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < required_.size(); ++i) {
      if (states_[to_index(required_[i].id)] == kRequired + i) required_[kept++] = required_[i];
    }
    return {required_.data(), kept};
  }

 private:
  // The states of a component; `states_` has one for each component id. kAsBefore: no command adds or removes the
  // component. kAbsent: the last command for the component removes it. kGiven: the last command for the component adds
  // it, with a value. kRequired + i: the component is added with the initial value of required_[i], because another
  // component requires it.
  static constexpr std::uint32_t kAsBefore = 0;
  static constexpr std::uint32_t kAbsent = 1;
  static constexpr std::uint32_t kGiven = 2;
  static constexpr std::uint32_t kRequired = 3;

  bool holds(ComponentId id) const {
    const std::uint32_t state = states_[to_index(id)];
    if (state != kAsBefore) return state != kAbsent;
    return place_.block != nullptr && store_.holds(place_, entity_, id);
  }

  Store& store_;
  const Entity entity_;
  const Place place_;  // The entity's row; has no block if the entity does not exist yet.
  PlainList<std::uint32_t> states_;
  PlainList<RequiredComponent> required_;
};

}  // namespace

/// Reports each `add` and `remove` command linked to `first` (by Command::next) to the observer of the store (see
/// Store::observe), with whether the entity has the component before the command is applied. Reports nothing if the
/// entity does not exist yet or is stale.
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

/// Does the work of `apply_linked` in two cases: the store has an observer, to which accesses are reported (see
/// AccessObserver), or some component of the world requires other components. Before it applies the commands, links
/// commands for the required components to them, and reports to the observer.
void CommandBuffer::apply_with_required(std::uint32_t first) {
  const std::uint32_t last = last_linked(first);
  const auto [begin, end] = link_required(first, last);
  Rollback drop_required([&, begin = begin, end = end] {
    // An exception was thrown, perhaps before all commands were applied. The next call of `apply` links the commands
    // that are left again, and makes new commands for the required components. So the commands for required components
    // that this call has made are dropped.
    commands_[last].next = kNone;
    for (std::uint32_t i = begin; i != end; ++i) {
      restore_superseded(first, i);
      drop(i);
    }
  });
  if (store_.observer() != nullptr) {
    drop_superseded(first);  // May run user code, which may stop the observer.
    if (store_.observer() != nullptr) notify_observer(first);
  }
  // The memory for additions to pools (sparse sets) is allocated now, so that nothing can fail after the row has moved.
  // Otherwise, a failure after the move could drop the commands for required components, although the commands that
  // require them were applied. The next call of `apply` skips applied commands, so it would not make the dropped ones
  // again, and the entity would lack the required components.
  for (std::uint32_t i = first; i != kNone && begin != end; i = commands_[i].next) {
    const Command& command = commands_[i];
    if (command.kind == Kind::add && store_.registry()[command.id].storage == Storage::sparse)
      store_.side().get(command.id).make_room(command.entity);
  }
  apply_run(first);
  drop_required.dismiss();
}

/// Called before an `add` command that was made for a required component is dropped without being applied. `required`
/// is the index of this command. An earlier command among those linked to `first` may remove the same component.
/// `drop_superseded` may have marked this removal as done, because the addition comes after it. Without the addition,
/// the removal has to be applied after all: this function finds it, and makes it a `remove` command again.
void CommandBuffer::restore_superseded(std::uint32_t first, std::uint32_t required) noexcept {
  if (commands_[required].kind != Kind::add) return;
  std::uint32_t removal = kNone;
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (commands_[i].kind == Kind::done && commands_[i].id == commands_[required].id) removal = i;
  }
  // A command is marked as done when it is applied, or when a later command supersedes it. This function is called
  // after an exception, and exceptions are only thrown before the first linked command is applied. So a linked command
  // that is done was superseded. The last superseded command for this component is a removal: after an addition, no
  // command would have been made for the required component.
  if (removal != kNone) commands_[removal].kind = Kind::remove;
}

std::uint32_t CommandBuffer::last_linked(std::uint32_t first) const {
  while (commands_[first].next != kNone) first = commands_[first].next;
  return first;
}

/// For the commands of one entity, which are linked by Command::next, from `first` to `last`. If some of them add
/// components that require other components, appends `add` commands for the required components to `commands_`, and
/// links them behind `last`. Leaves out the components for which make_required_commands makes no command.
/// Returns: the index of the first new command in `commands_`, and the index after the last one; kNone for both if
/// there are no new commands.
/// Errors: std::bad_alloc, and what building a value throws; nothing is linked then.
std::pair<std::uint32_t, std::uint32_t> CommandBuffer::link_required(std::uint32_t first,
                                                                     std::uint32_t last) {
  PlainList<Command> made(store_.memory());
  Rollback destroy([&] {
    for (Command& command : made) {
      if (command.value() != nullptr) component_of(command).destroy_values(command.value(), 1);
    }
  });
  make_required_commands(first, made);
  if (made.empty()) return {kNone, kNone};
  reserve_more(commands_, made.size());
  destroy.dismiss();
  const auto begin = static_cast<std::uint32_t>(commands_.size());
  const auto end = begin + static_cast<std::uint32_t>(made.size());
  if (begin == round_end_) round_end_ = end;  // The new commands belong to the current round.
  for (const Command& command : made) {
    commands_[last].next = static_cast<std::uint32_t>(commands_.size());
    last = commands_[last].next;
    commands_.append(command);
  }
  return {begin, end};
}

/// The commands linked to `first` (by Command::next) add components that may require other components. Appends an `add`
/// command to `made` for each required component that the entity lacks and that no linked command adds. Leaves out a
/// component that a linked command removes after it was required.
/// Errors: std::bad_alloc, and what building a value throws; `made` contains the commands made before the error.
void CommandBuffer::make_required_commands(std::uint32_t first, PlainList<Command>& made) {
  const Entity entity = commands_[first].entity;
  if (commands_[first].kind != Kind::create && !store_.alive(entity)) return;
  bool requires_some = false;
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    requires_some = requires_some || (commands_[i].kind == Kind::add &&
                                      !store_.registry().required_by(commands_[i].id).empty());
  }
  if (!requires_some) return;
  AppliedCommands applied(store_, entity);
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (commands_[i].kind == Kind::add) applied.add(commands_[i].id);
    if (commands_[i].kind == Kind::remove) applied.remove(commands_[i].id);
  }
  const ChangeGuard::Operation operation(store_.guard(), "flush");
  for (const RequiredComponent& required : applied.finish()) {
    const ComponentInfo& component = store_.registry()[required.id];
    const bool is_inside = Command::fits_inside(component);
    reserve_one(made);
    Command command(entity, required.id, is_inside,
                    is_inside || component.is_tag() ? nullptr : allocate_outside(component));
    make_required(required, component, command.value());
    made.append(command);
  }
}

}  // namespace strata::detail
