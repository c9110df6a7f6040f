#include "change_guard.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace strata::detail {
namespace {

/// Returns: whether CommandBuffer can record the operation that has this name. If so, the message about a refused
/// change advises the user to record it.
bool can_be_recorded(std::string_view operation) {
  constexpr std::string_view kRecorded[] = {
      "create",        "create below",    "destroy",        "add",         "remove",
      "set_parent",    "clear_parent",    "set_layer",      "set_name",    "disable",
      "enable",        "disable_subtree", "enable_subtree", "make_prefab", "unmake_prefab",
      "add of a pair", "remove of a pair"};
  return std::find(std::begin(kRecorded), std::end(kRecorded), operation) != std::end(kRecorded);
}

}  // namespace

/// The rare part of `begin_iteration`. The caller has already counted the iteration. `before` is the guard's state
/// before the iteration was counted. `is_own` is whether the current thread made the guard. If values are being moved,
/// ends the iteration and refuses it. Otherwise, if nothing else is under way, makes sure that the end of this
/// iteration does not apply old commands. Old commands are those recorded during an earlier iteration or operation that
/// an exception has ended.
void ChangeGuard::begin_iteration_slowly(std::uint32_t before, bool is_own) const {
  if ((before & kMoving) != 0) {
    end_iteration(is_own);
    refuse_reading(nullptr);
  }
  // Commands recorded during an iteration or operation that ended by an exception wait for World::flush or until later
  // commands are applied. An iteration that is not part of another iteration or operation must not apply these old
  // commands when it ends. So kRecorded, the mark that makes an iteration apply commands at its end, is cleared.
  const std::uint32_t own_before = own_iterations_.load(std::memory_order_relaxed) - (is_own ? 1 : 0);
  if ((before & kLocks) == 0 && own_before == 0) state_.fetch_and(~kRecorded, std::memory_order_relaxed);
}

/// The rare part of `require_unlocked`. If a query is iterating, or an operation that runs user code is under way,
/// refuses the structural change. Otherwise clears kRecorded, the mark that makes the end of a change apply recorded
/// commands. The mark is still set because an exception has ended the iteration or operation in which commands were
/// recorded. This change must not apply them: they wait for World::flush or until later commands are applied.
/// Returns: what has to be notified of the change.
Notified ChangeGuard::begin_change_slowly(const char* operation, Entity entity, CallSite at) const {
  if (locked()) refuse_change(operation, entity, at);
  take_recorded();
  return notified_in(now());
}

std::string ChangeGuard::under_way() const {
  const bool in_operation = (state_.load(std::memory_order_relaxed) & (kOperation | kMoving)) != 0;
  return in_operation ? operation_ + std::string(" is under way") : "a query is iterating";
}

void ChangeGuard::refuse_change(const char* operation, Entity entity, CallSite at) const {
  STRATA_EXPECTS_AT(at, !locked(),
                    std::string(operation) + (entity ? " of entity " + to_string(entity) : "") + " while " +
                        under_way() +
                        (can_be_recorded(operation) ? ": record it with world.commands()"
                                                    : ": call it when that has ended"));
  std::abort();
}

void ChangeGuard::refuse_reading(const char* operation) const {
  if (operation == nullptr) {
    STRATA_EXPECTS(
        !moving(),
        "a query while " + std::string(operation_) +
            " makes or moves values: rows are incomplete; look entities up by their handles instead");
    std::abort();
  }
  STRATA_EXPECTS(!in_operation() && !moving(),
                 std::string(operation) + " while " + under_way() + ": wait until that has ended");
  std::abort();
}

}  // namespace strata::detail
