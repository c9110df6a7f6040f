// The part of CommandBuffer that notifies the store's listener of the changes that commands make.
#include <algorithm>
#include <utility>

#include "commands.hpp"

namespace strata::detail {

CommandBuffer::Deferral::Deferral(CommandBuffer& buffer)
    : buffer_(&buffer),
      hold_(std::in_place, buffer.store_.listener()),
      recorded_before_(buffer.commands_.size()),
      was_applying_(std::exchange(buffer.is_applying_, true)) {}

CommandBuffer::Deferral::~Deferral() {
  end();
}

void CommandBuffer::Deferral::end() noexcept {
  if (buffer_ == nullptr) return;
  buffer_->is_applying_ = was_applying_;
  buffer_ = nullptr;
  hold_.reset();
}

void CommandBuffer::Deferral::finish() {
  CommandBuffer& buffer = *buffer_;
  end();
  if (was_applying_) return;
  if (buffer.commands_.size() > recorded_before_) return buffer.apply();
  buffer.store_.notification_ended();
}

/// Begins a round of `apply`. A round applies the commands that are waiting when it begins. Commands that user code
/// records during the round belong to the next one.
/// Contract: the number of rounds that this call of `apply` has begun is less than `limit_rounds` allows.
void CommandBuffer::begin_round() {
  round_end_ = static_cast<std::uint32_t>(commands_.size());
  STRATA_EXPECTS(++rounds_ <= most_rounds_,
                 "flush: user code has recorded commands in reaction to commands " +
                     std::to_string(most_rounds_) + " times in a row, now for entity " +
                     to_string(commands_[applied_].entity) +
                     ": observers or destructors call for each other without end; otherwise raise "
                     "WorldOptions::max_rounds");
}

/// Applies the command at index `first` and the commands that are linked to it (by Command::next), all for one entity,
/// and notifies the listener. `is_alone` is true if no command is linked to the one at `first`, and that command is not
/// a `create` command.
void CommandBuffer::apply_observed(std::uint32_t first, bool is_alone) {
  const Entity entity = commands_[first].entity;
  const bool is_new = commands_[first].kind == Kind::create;
  const Place place = store_.slots().find(entity);
  added_.clear();
  removed_.clear();
  if (!is_new && place.block != nullptr) {
    list_changes(first, place);
    make_room(first, place);
    if (!removed_.empty()) {
      store_.listener()->before({entity, {added_.data(), added_.size()}, {removed_.data(), removed_.size()}});
    }
  }
  keeps_replaced_ = true;
  // Also notifies the listener after an exception, because some of the commands may have been applied.
  const Rollback done([&] {
    keeps_replaced_ = false;
    if (!store_.alive(entity)) return;
    is_new ? store_.listener()->created({&entity, 1}) : notify_done(first);
  });
  is_alone ? apply_alone(first) : apply_merged(first);
}

/// Looks at the commands linked to `first` (by Command::next), for the entity whose row is at `place`. Writes to
/// `added_` the components that the entity lacks and that these commands add, and to `removed_` the components that the
/// entity has and that they remove.
/// Contract: no two of these commands are for the same component; see drop_superseded.
void CommandBuffer::list_changes(std::uint32_t first, Place place) {
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    const Command& command = commands_[i];
    if (!command.is_of_component()) continue;
    const bool adds = command.kind == Kind::add;
    if (store_.holds(place, command.entity, command.id) != adds) {
      (adds ? added_ : removed_).push_back(command.id);
    }
  }
  std::sort(added_.begin(), added_.end());
  std::sort(removed_.begin(), removed_.end());
}

/// Allocates the memory that the commands linked to `first` (by Command::next) need to move the entity's row, which is
/// at `place`, and to keep replaced values. So removing and replacing values cannot run out of memory after the
/// listener was notified of the removals.
void CommandBuffer::make_room(std::uint32_t first, Place place) {
  store_.make_room_to_move(place, final_archetype(table_of(*place.block).archetype(), first));
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (commands_[i].kind != Kind::add) continue;
    const ComponentInfo& component = component_of(commands_[i]);
    if (!component.is_tag()) aside_.reserve(component.size, component.alignment);
  }
}

/// Notifies the listener of the changes that the commands linked to `first` (by Command::next) have made. If an
/// exception has prevented some of the changes, leaves those out.
void CommandBuffer::notify_done(std::uint32_t first) noexcept {
  const Entity entity = commands_[first].entity;
  const Place place = store_.slots().find(entity);
  const auto keep_if_held = [&](PlainList<ComponentId>& ids, bool held) {
    const auto end = std::remove_if(ids.begin(), ids.end(),
                                    [&](ComponentId id) { return store_.holds(place, entity, id) != held; });
    ids.erase(static_cast<std::size_t>(end - ids.begin()), ids.size());
  };
  keep_if_held(added_, true);
  keep_if_held(removed_, false);
  if (!added_.empty() || !removed_.empty()) {
    store_.listener()->after({entity, {added_.data(), added_.size()}, {removed_.data(), removed_.size()}});
  }
  for (std::uint32_t i = first; i != kNone; i = commands_[i].next) {
    if (commands_[i].kind == Kind::replaced) notify_replaced(i);
  }
}

/// Notifies the listener that a value was replaced. The command at `index` now holds the old value.
void CommandBuffer::notify_replaced(std::uint32_t index) noexcept {
  const Command command = commands_[index];  // A copy: user code may record commands.
  const void* const old = command.is_inside ? command.inside : command.outside;
  void* const now = store_.value_of(store_.slots().find(command.entity), command.entity, command.id);
  store_.listener()->replaced(command.entity, command.id, now, old);
}

}  // namespace strata::detail
