// CommandBuffer: structural changes recorded now and applied later, in order.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/outcome.hpp"
#include "store.hpp"

namespace strata {

/// Where an entity is to sit: opaque here, a parent in the room above. None: nowhere in particular.
using Placement = std::optional<std::uint64_t>;

/// Which rows an entity's row is to be with: opaque here, a layer in the room above.
enum class Group : std::uint32_t {};

/// Carries out what storage alone cannot: the room above gives placements their meaning.
class CommandTarget {
 public:
  virtual ~CommandTarget() = default;

  /// Gives a reserved handle its row; `*place` is where, its values uninitialised.
  virtual Outcome create(Entity reserved, Archetype& archetype, Placement placement, Place* place) = 0;
  virtual Outcome move(Entity entity, Placement placement) = 0;
  virtual void destroy(Entity entity) = 0;
  /// Puts the row of an entity that may be stale among those of a group.
  virtual void regroup(Entity entity, Group group) = 0;
};

/// Records structural changes, for example while a query iterates.
///
/// Applying keeps the order in which they were recorded, with one liberty: between two commands that move, regroup or
/// destroy entities, all changes to the components of one entity become one row move, at the place of the
/// first of them. A command for an entity that is stale by then does nothing.
///
/// Invariants:
///   C1. A handle that `create` has returned stays reserved until its command is applied.
///   C2. Every value recorded and not yet applied is owned, once, by the buffer.
class CommandBuffer {
 public:
  CommandBuffer(Store& store, CommandTarget& target);
  CommandBuffer(const CommandBuffer&) = delete;
  CommandBuffer& operator=(const CommandBuffer&) = delete;
  ~CommandBuffer();

  /// Returns: a handle that becomes alive when the command is applied; later commands may name it.
  Entity create(Placement placement);
  void destroy(Entity entity) { record({Kind::destroy, entity}); }
  void move(Entity entity, Placement placement);
  void regroup(Entity entity, Group group) { record({entity, group}); }

  /// Takes the value over: it is relocated, so its life has ended when this returns.
  /// Contract: the id is of this world, and `value` is as Store::expect_given says.
  /// Errors: std::bad_alloc; the value is untouched then.
  void add(Entity entity, ComponentId id, void* value);

  /// Moves from `value`, which the caller still destroys.
  template <Component T>
  void add_value(Entity entity, ComponentId id, T& value) {
    ::new (record_add(entity, id)) T(std::move(value));
  }
  void remove(Entity entity, ComponentId id);

  bool empty() const { return commands_.empty(); }

  /// Returns: the number of handles issued by `create` that are not alive yet.
  std::uint32_t reserved() const { return reserved_; }

  /// Applies everything.
  /// Contract: nothing is being iterated.
  /// Errors: an exception of a value's constructor or std::bad_alloc passes through; commands not yet applied
  /// are kept and can be applied again.
  void apply();

  /// Gives back room for commands, if none are recorded.
  void shrink() noexcept;

  /// Returns: what could not be done when commands were last applied, as sentences that name the entities.
  std::span<const std::string> refusals() const { return refusals_; }

 private:
  enum class Kind : std::uint8_t { create, add, remove, move, regroup, destroy, done };

  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  struct Command {
    Command(Kind what, Entity whom) : kind(what), entity(whom) {}
    Command(Kind what, Entity whom, ComponentId which) : kind(what), entity(whom), id(which) {}
    /// Adds a value whose place is inside, or the one given; for a tag, null.
    Command(Entity whom, ComponentId which, bool inside_it, void* place_outside)
        : kind(Kind::add), is_inside(inside_it), entity(whom), id(which), outside(place_outside) {}
    Command(Kind what, Entity whom, Placement where)
        : kind(what), is_placed(where.has_value()), entity(whom), place(where.value_or(0)) {}
    Command(Entity whom, Group which) : kind(Kind::regroup), entity(whom), group(which) {}

    /// Returns: where a created or moved entity is to sit.
    Placement placement() const { return is_placed ? Placement(place) : std::nullopt; }
    /// Returns: what is added; null for a tag.
    void* value() { return is_inside ? inside : outside; }

    /// Returns: whether a value has its place in the command itself, which is copied as bytes.
    static bool fits_inside(const ComponentDescription& component) {
      return component.relocate == nullptr && !component.is_tag() && component.size <= sizeof inside &&
             component.alignment <= alignof(void*);
    }

    // What there are many of goes through memory four times: small, and not written again without need.
    Kind kind;
    bool is_placed = false;
    bool is_inside = false;
    std::uint32_t next = kNone;  ///< The next command of the same run for the same entity.
    Entity entity;
    ComponentId id{};  ///< Of what is added or removed.
    union {
      void* outside = nullptr;  ///< A value that does not fit inside.
      std::byte inside[16];     ///< One that does: it needs no memory of its own, nor a way there.
      std::uint64_t place;      ///< If `is_placed`.
      Group group;              ///< To regroup.
    };
  };
  static_assert(sizeof(Command) == 40);

  static bool changes_components(Kind kind) { return kind <= Kind::remove; }
  static bool is_of_component(Kind kind) { return kind == Kind::add || kind == Kind::remove; }

  void* record_add(Entity entity, ComponentId id);
  void record(const Command& command) { commands_.push_back(command); }
  std::uint32_t link_run(std::uint32_t begin);
  void apply_linked(std::uint32_t first);
  void apply_alone(Command& command);
  void apply_merged(std::uint32_t first);
  void drop_superseded(std::uint32_t first);
  void tell_observer(std::uint32_t first) const;
  Archetype& final_archetype(Archetype& from, std::uint32_t first);
  bool settle_row(std::uint32_t first);
  bool create_row(std::uint32_t first, Place* place);
  void apply_to_side_store(Command& command);
  const ComponentDescription& component_of(const Command& command) const {
    return store_.registry()[command.id];
  }
  static void write_value(const ComponentDescription& component, Command& command, void* target,
                          bool existed) noexcept;
  void drop(Command& command) noexcept;
  void apply_barrier(Command& command);

  Store& store_;
  CommandTarget& target_;
  std::pmr::monotonic_buffer_resource values_;
  std::pmr::vector<Command> commands_;
  // Scratch, never cleared: by slot index, the latest command of a run, if that is of the run and for that entity.
  std::pmr::vector<std::uint32_t> last_of_slot_;
  std::pmr::vector<std::uint32_t> last_of_component_;  // Scratch: marks components seen, by component id.
  std::uint32_t applied_ = 0;                          // Commands before this one are done, marked so or not.
  std::uint32_t reserved_ = 0;
  std::vector<std::string> refusals_;
};

}  // namespace strata
