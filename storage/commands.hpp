// CommandBuffer: records structural changes and applies them later, in order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/compiler.hpp"
#include "../core/outcome.hpp"
#include "../core/plain_list.hpp"
#include "../core/reserve.hpp"
#include "../core/rollback.hpp"
#include "command.hpp"
#include "command_target.hpp"
#include "reserved_handles.hpp"
#include "store.hpp"

namespace strata::detail {

/// A queue of structural changes that are recorded while changes are not allowed, such as during a query, and
/// applied later.
///
/// Commands are applied in the order in which they were recorded, with one exception: the creation of an entity and the
/// additions and removals of its components are merged. They are applied together when it is the turn of the first of
/// them, so the row of the entity is created or moved only once. Any other command, such as one that renames or
/// destroys an entity, stops merging, even if it is for another entity: commands before it are not merged with commands
/// after it. A command for a stale entity (one that is no longer alive) does nothing.
///
/// The buffer owns the recorded values until their commands are applied or discarded.
///
/// Invariants:
///   C1. A handle that `create` returned is reserved, and not alive, until its command is applied or discarded.
class CommandBuffer {
 public:
  STRATA_API CommandBuffer(Store& store, CommandTarget& target);
  CommandBuffer(const CommandBuffer&) = delete;
  CommandBuffer& operator=(const CommandBuffer&) = delete;
  STRATA_API ~CommandBuffer();

  /// Records the creation of an entity, as a child of `placement` (the handle of its parent, or none).
  /// Returns: a reserved handle, which becomes alive when the command is applied. Later commands may use the handle.
  STRATA_API Entity create(Placement placement);
  /// Records the destruction of an entity with its descendants.
  void destroy(Entity entity) { record({Kind::destroy, entity}); }
  /// Records that an entity gets another parent, or none.
  STRATA_API void move(Entity entity, Placement placement);
  /// Records that an entity gets into the layer with the number `group`. The rows of one layer are stored together.
  void regroup(Entity entity, Group group) { record({entity, group}); }
  /// Records that an entity gets a name. The text is copied.
  /// Errors: std::bad_alloc; nothing is recorded then.
  STRATA_API void rename(Entity entity, std::string_view name);
  /// Records a change of the states of an entity, such as disabled.
  void change_state(Entity entity, StateRequest request) { record({entity, request}); }
  /// Records that a component is switched on or off for an entity; see toggle_component. `request` is enable or
  /// disable.
  void toggle(Entity entity, ComponentId id, StateRequest request) { record({entity, id, request}); }

  /// Records that a component is added to an entity. `*value` is moved into the buffer; when `add` returns, the
  /// lifetime of `*value` has ended.
  /// Errors: std::bad_alloc; the value is untouched then.
  /// Contract: this world issued the id. `value` is null only for a tag, and does not point into the memory of the
  /// store (see `require_given`).
  STRATA_API void add(Entity entity, ComponentId id, void* value);

  /// Records that several components are added to an entity; ids[i] is the component of the i-th value. The
  /// values are moved from, and the caller still destroys them.
  /// Errors: std::bad_alloc; nothing is recorded then, but some values may have been moved from.
  template <Component... Ts>
  void add_values(Entity entity, std::span<const ComponentId, sizeof...(Ts)> ids, Ts&... values) {
    record_values<Kind::add>([entity] { return entity; }, ids, values...);
  }
  /// Records the creation of an entity with several components, which are passed in the same way as to `add_values`.
  /// Returns: the reserved handle.
  /// Errors: std::bad_alloc; nothing is recorded then, but some values may have been moved from.
  template <Component... Ts>
  Entity create_with(Placement placement, std::span<const ComponentId, sizeof...(Ts)> ids, Ts&... values) {
    return record_values<Kind::create>([&] { return create(placement); }, ids, values...);
  }
  /// Records that a component is removed from an entity.
  /// Contract: the id was issued by the world to which the commands will be applied.
  STRATA_API void remove(Entity entity, ComponentId id);

  /// Records that a pair (a link from `source` to `target`) is added or, if it exists already, that its value is
  /// replaced. The value is moved from, and the caller still destroys it.
  /// Errors: std::bad_alloc; nothing is recorded then, but the value may have been moved from.
  /// Contract: `id` is the component that stands for the relation and describes its values, which have the type T.
  template <Component T>
  void add_pair(Entity source, Entity target, ComponentId id, T& value) {
    const UseScope use = recording(Kind::add_pair);
    void* outside = nullptr;
    Rollback destroy([&] { destroy_outside<T>(outside); });
    if constexpr (!is_tag<T>) outside = move_out(id, value);
    record({Kind::add_pair, source, target, id, outside});
    destroy.dismiss();
  }
  /// Records that a pair of the relation `id` is removed.
  void remove_pair(Entity source, Entity target, ComponentId id) {
    record({Kind::remove_pair, source, target, id, nullptr});
  }

  /// Begins to record commands apart from the world: from now on, recording changes nothing in the world, and `create`
  /// takes handles from `*handles`. So other threads may read the world at the same time, and record into buffers of
  /// their own. If `handles` is null, ends this mode.
  /// Contract: while several threads record or read, structural changes are refused (see ChangeGuard). So the thread
  /// that starts the other threads first begins an iteration of a query, or an operation that runs user code. It ends
  /// this iteration or operation after all other threads have finished.
  void record_apart(ReservedHandles* handles) noexcept { apart_ = handles; }

  bool empty() const { return commands_.empty(); }
  /// Returns: the number of commands that were recorded since the last `apply` that was complete.
  std::size_t size() const { return commands_.size(); }

  /// Moves all commands of another buffer to the end of this one. The values of these commands stay in the memory of
  /// `other` until `other.free_values()` is called.
  /// Errors: std::bad_alloc; nothing is moved then.
  /// Contract: during the call, no command of either buffer is applied, and no command is recorded in them. `other`
  /// outlives the moved commands.
  void take_all(CommandBuffer& other);
  /// Frees the memory of recorded values.
  /// Contract: all commands that were recorded in this buffer are applied or discarded, also those that another buffer
  /// has taken.
  void free_values() noexcept { values_.release(); }

  /// Sets how many rounds one call of `apply` may take; see the contract of `apply`. The first round is the commands
  /// recorded before the call. Commands that are recorded while one round is applied form the next round.
  void limit_rounds(std::uint32_t most) noexcept { most_rounds_ = most; }
  std::uint32_t most_rounds() const noexcept { return most_rounds_; }

  /// Applies all commands, including commands that user code (such as destructors, moves of values and observers)
  /// records during the call. A nested call does nothing: the outer call applies all commands.
  /// Errors: std::bad_alloc; commands not yet applied are kept, and another call applies them. If a command breaks a
  /// contract when it is applied, `refusals` gets the message. This command is discarded, and so are those changes to
  /// the components of the same entity that would have been applied together with it. All other commands are applied,
  /// and then the first ContractViolation is thrown.
  /// Contract: no query is iterating, and no operation that runs user code is under way; see ChangeGuard. User code
  /// that `apply` runs does not record commands in more rounds than `limit_rounds` allows.
  STRATA_API void apply();

  /// The scope of an operation that makes several changes one after the other. During the scope, no commands are
  /// applied, and exceptions of user code that is notified of the changes are kept. `finish` ends the scope: it applies
  /// the commands of the buffer if any were recorded meanwhile, and throws the first of the kept exceptions. If the
  /// scope is inside another Deferral or a call of `apply`, that one does both at its end.
  class Deferral {
   public:
    STRATA_API explicit Deferral(CommandBuffer& buffer);
    Deferral(const Deferral&) = delete;
    Deferral& operator=(const Deferral&) = delete;
    /// Ends the scope without applying commands if an exception has prevented the call of `finish`. The commands stay
    /// recorded.
    STRATA_API ~Deferral();

    /// Ends the scope. If commands were recorded in it, applies all commands of the buffer.
    /// Errors: those of `apply`, and exceptions of user code that was notified of the changes.
    STRATA_API void finish();

   private:
    void end() noexcept;

    CommandBuffer* buffer_;  // Null after the scope has ended.
    std::optional<ChangeListener::Hold> hold_;
    const std::size_t recorded_before_;
    const bool was_applying_;  // Nested calls of `apply` did nothing even before this scope.
  };

  /// Destroys the values of all commands that are not applied yet, and releases the handles that `create` has reserved
  /// for them. Does the same for commands that destructors of these values record meanwhile. The commands will not be
  /// applied, but stay in the list of commands, so `empty` may return false.
  /// Contract: destructors do not record in more rounds than `limit_rounds` allows. If the contract handler throws, the
  /// process ends with the message.
  void drop_all() noexcept;
  /// Destroys the values of the commands from index `first` on, and releases the handles that were reserved for them,
  /// as `drop_all` does. These commands will not be applied.
  void drop_from(std::size_t first) noexcept;
  /// Does what `drop_all` does, and also removes all commands from the list of commands, so that `empty` returns true.
  void drop_and_clear() noexcept;

  /// Returns: the first broken invariant, as a sentence; empty when all hold. Also empty while commands are being
  /// applied: the invariants are not checked then.
  std::string check_invariants() const;

  /// Frees the memory for commands if none are recorded; otherwise does nothing.
  void shrink() noexcept;

  /// Returns: one sentence for each command that was refused or broke a contract in the last call of `apply`. The
  /// sentence names the entities of the command. If `apply` ran out of memory, the next call continues with the
  /// remaining commands, and keeps the sentences of the earlier call.
  std::span<const std::string> refusals() const { return {refusals_.data(), refusals_.size()}; }

 private:
  using Kind = CommandKind;
  static constexpr std::uint32_t kNone = Command::kNone;

  STRATA_API void* allocate_outside(const ComponentInfo& component);

  Entity reserve_handle();
  void release_handle(Entity entity) noexcept;

  /// Returns: a UseScope, to be kept while a command of this kind is recorded. In checked builds, the scope checks the
  /// contract.
  /// Contract: no other thread uses the store, except workers of the same call of Executor::parallel_for. Only one of
  /// these workers records into this buffer.
  UseScope recording(Kind kind) {
    return {store_.guard().uses(),
            owner_,
            {"recording a command", kCommandNames[static_cast<std::size_t>(kind)]}};
  }

  STRATA_API void record(const Command& command);

  /// Records an `add` command for each value, for the entity that `get_entity` returns; ids[i] is the component of the
  /// i-th value. `get_entity` may record one command: `create_with` records the `create` command in this way. `kind` is
  /// the kind of the first command that is recorded. Values that do not fit inside a command are moved into the buffer
  /// before `get_entity` is called, because a move may run code that records commands.
  /// Returns: the entity.
  /// Errors: std::bad_alloc; nothing is recorded then.
  template <CommandKind kind, class GetEntity, Component... Ts>
  Entity record_values(GetEntity get_entity, [[maybe_unused]] std::span<const ComponentId> ids,
                       Ts&... values) {
    const UseScope use = recording(kind);
    std::array<void*, sizeof...(Ts)> outside{};
    Rollback destroy([&] {
      [[maybe_unused]] std::size_t i = 0;
      (destroy_outside<Ts>(outside[i++]), ...);
    });
    [[maybe_unused]] std::size_t moved = 0;
    ((outside[moved] = move_outside(ids[moved], values), ++moved), ...);
    reserve_more(commands_, sizeof...(Ts) + 1);
    const Entity entity = get_entity();
    destroy.dismiss();
    [[maybe_unused]] std::size_t i = 0;
    ((record_moved(entity, ids[i], outside[i], values), ++i), ...);
    return entity;
  }

  /// Moves a value that does not fit inside a command to memory of the buffer.
  /// Returns: the new address; null if the value fits inside or is a tag.
  template <Component T>
  void* move_outside(ComponentId id, T& value) {
    if constexpr (is_tag<T>) {
      return nullptr;
    } else {
      return Command::fits_inside(store_.registry()[id]) ? nullptr : move_out(id, value);
    }
  }
  /// Moves a value to memory of the buffer.
  /// Returns: the new address.
  template <Component T>
  void* move_out(ComponentId id, T& value) {
    void* const place = allocate_outside(store_.registry()[id]);
    if constexpr (std::is_trivially_copyable_v<T>) {
      return ::new (place) T(std::move(value));
    } else {
      const RecordedMove moving(*this);
      return ::new (place) T(std::move(value));
    }
  }
  /// Destroys the value at an address that `move_outside` or `move_out` has returned; does nothing for null.
  template <Component T>
  static void destroy_outside([[maybe_unused]] void* value) noexcept {
    if (value != nullptr) static_cast<T*>(value)->~T();
  }
  /// Appends an `add` command for a value. If `outside` is not null, the value was moved there. Otherwise the
  /// value is copied into the command; a tag has no value.
  /// Contract: there is room for the command.
  template <Component T>
  void record_moved(Entity entity, ComponentId id, void* outside, [[maybe_unused]] T& value) {
    if constexpr (std::is_trivially_copyable_v<T> && !is_tag<T> && sizeof(T) <= sizeof(Command::inside)) {
      const bool is_inside = outside == nullptr;
      Command& command = commands_.append({entity, id, is_inside, outside});
      if (is_inside) std::memcpy(command.inside, &value, sizeof(T));
    } else {
      commands_.append({entity, id, false, outside});
    }
    mark_recorded();
  }
  /// Calls ChangeGuard::mark_recorded. Does nothing while commands are recorded apart (see `record_apart`), because
  /// other threads use the guard meanwhile.
  void mark_recorded() const {
    if (apart_ == nullptr) store_.guard().mark_recorded();
  }

  /// The scope of a move of a value into the buffer. Structural changes are refused during the move, because the move
  /// may run user code. If nothing else is under way (see ChangeGuard), commands that the user code records are not
  /// applied when the move ends: they wait for World::flush or until later commands are applied. While commands are
  /// recorded apart (see `record_apart`), the scope does nothing: structural changes are already refused, and other
  /// threads must be able to begin queries during the move.
  class RecordedMove {
   public:
    explicit RecordedMove(const CommandBuffer& buffer) : guard_(buffer.store_.guard()) {
      if (buffer.apart_ != nullptr) return;
      operation_.emplace(guard_, guard_.locked() && !guard_.iterating() ? guard_.operation() : "recording");
      moving_.emplace(guard_);
    }
    RecordedMove(const RecordedMove&) = delete;
    RecordedMove& operator=(const RecordedMove&) = delete;
    ~RecordedMove() {
      if (!moving_) return;
      moving_.reset();
      operation_.reset();
      if (!guard_.locked()) guard_.take_recorded();
    }

   private:
    const ChangeGuard& guard_;
    std::optional<ChangeGuard::Operation> operation_;
    std::optional<ChangeGuard::Moving> moving_;
  };

  // Functions that apply commands. `first` is the index of the first command for one entity; Command::next leads to its
  // other commands.
  std::uint32_t link_run(std::uint32_t begin);
  void apply_linked(std::uint32_t first);
  void apply_run(std::uint32_t first);
  void apply_watched(std::uint32_t first, bool is_alone);
  std::exception_ptr apply_rounds();
  template <class Apply>
  void attempt(std::uint32_t first, std::exception_ptr& broken, Apply apply_one);
  void begin_round();
  void drop(std::uint32_t index) noexcept;
  void apply_barrier(std::uint32_t index);
  void apply_pair(std::uint32_t index);
  const ComponentInfo& component_of(const Command& command) const { return store_.registry()[command.id]; }
  // Defined in merged_commands.cpp.
  void apply_alone(std::uint32_t index);
  void apply_merged(std::uint32_t first);
  void switch_on(Entity entity, ComponentId id);
  void drop_superseded(std::uint32_t first);
  Archetype& final_archetype(Archetype& from, std::uint32_t first);
  bool create_or_move_row(std::uint32_t first);
  void write_row(std::uint32_t first, Place place, const BlockFormat* before);
  bool create_row(std::uint32_t first, Place* place);
  void apply_to_side_store(std::uint32_t index);
  void write_value(std::uint32_t index, void* target, bool existed) noexcept;
  void write_object(std::uint32_t index, void* target, bool existed) noexcept;
  void drop_replaced(std::uint32_t first) noexcept;
  // Defined in required_commands.cpp.
  void notify_observer(std::uint32_t first) const;
  STRATA_NOINLINE void apply_with_required(std::uint32_t first);
  std::uint32_t last_linked(std::uint32_t first) const;
  void restore_superseded(std::uint32_t first, std::uint32_t required) noexcept;
  std::pair<std::uint32_t, std::uint32_t> link_required(std::uint32_t first, std::uint32_t last);
  void make_required_commands(std::uint32_t first, PlainList<Command>& made);
  // Defined in observed_commands.cpp.
  void apply_observed(std::uint32_t first, bool is_alone);
  void list_changes(std::uint32_t first, Place place);
  void make_room(std::uint32_t first, Place place);
  void notify_done(std::uint32_t first) noexcept;
  void notify_replaced(std::uint32_t index) noexcept;

  Store& store_;
  CommandTarget& target_;
  STRATA_NO_UNIQUE_ADDRESS CheckedOwner owner_;  // The worker that records, for the check of `recording`.
  ReservedHandles* apart_ = nullptr;  // Set by `record_apart`; null if commands are not recorded apart.
  std::pmr::monotonic_buffer_resource values_;
  PlainList<Command> commands_;
  // Temporary memory of `link_run`: by slot index of an entity, the index of the last command found for the entity. The
  // entries are not reset between calls, so they may be outdated.
  PlainList<std::uint32_t> last_of_slot_;
  PlainList<std::uint32_t> last_of_component_;  // Temporary memory of drop_superseded, by component id.
  std::uint32_t applied_ = 0;                   // The index of a command; all commands before it are done.
  std::uint32_t reserved_ = 0;
  bool is_applying_ = false;
  bool has_failed_ = false;         // Whether the last `apply` threw; the next `apply` keeps the refusals.
  bool has_replaced_ = false;       // Whether a command that is being applied holds a replaced value.
  bool keeps_replaced_ = false;     // Whether the listener has to see replaced values; see write_object.
  PlainList<ComponentId> added_;    // Temporary memory of apply_observed: the components that are added.
  PlainList<ComponentId> removed_;  // Temporary memory of apply_observed: the components that are removed.
  std::uint32_t most_rounds_ = 10'000;
  std::uint32_t rounds_ = 0;
  std::uint32_t round_end_ = 0;  // The index of the first command after the current round.
  SwapSpace aside_;              // Temporary memory for a value that is replaced.
  std::vector<std::string> refusals_;
};

}  // namespace strata::detail
