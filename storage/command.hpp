// Command: one structural change as CommandBuffer records it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "../core/component.hpp"
#include "../core/entity.hpp"
#include "command_target.hpp"

namespace strata::detail {

/// What a command does. `move` gives an entity another parent. `regroup` moves an entity to another layer (a group of
/// entities whose rows are stored together). `rename` gives an entity a name. `state` changes the states of an entity
/// (such as disabled). `toggle` switches one component of an entity on or off. Two kinds mark commands that need not be
/// applied any more. `done`: the command was applied or discarded. `replaced`: the command was applied, and now holds
/// the value that the entity had before, which still has to be destroyed.
enum class CommandKind : std::uint8_t {
  create,
  add,
  remove,
  move,
  regroup,
  rename,
  add_pair,
  remove_pair,
  state,
  toggle,
  destroy,
  replaced,
  done
};

/// For each kind of command that can be recorded, in the order of CommandKind: the text that follows "recording a
/// command" in messages. The text names the function that records commands of the kind.
// An array instead of a `switch`, so that finding a name takes no conditional jump.
inline constexpr std::array kCommandNames{" (create)",
                                          " (add)",
                                          " (remove)",
                                          " (set_parent)",
                                          " (set_layer)",
                                          " (set_name)",
                                          " (add of a pair)",
                                          " (remove of a pair)",
                                          " (disable or the like)",
                                          " (enable or disable)",
                                          " (destroy)"};
static_assert(kCommandNames.size() == static_cast<std::size_t>(CommandKind::destroy) + 1);

/// The pair that a command adds or removes. A pair is a link from one entity, the source, to another, the target; its
/// kind is called the relation. This struct has the target; the source is `Command::entity`, and the relation is
/// `Command::id`.
struct RecordedPair {
  Entity target;
  void* value;  ///< The value of the pair; null for `remove_pair` or if there are no values.
};

/// One recorded change of one entity. Changes of several components are several commands.
struct Command {
  using Kind = CommandKind;
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;  ///< The value of `next` in the last command of a list.

  Command(Kind what, Entity target) : kind(what), entity(target) {}
  Command(Kind what, Entity target, ComponentId which) : kind(what), entity(target), id(which) {}
  /// An `add` command. If `inside_it` is true, the caller stores the value inside the command afterwards. Otherwise the
  /// value is at `place_outside`, which is null for a tag.
  Command(Entity target, ComponentId which, bool inside_it, void* place_outside)
      : kind(Kind::add), is_inside(inside_it), entity(target), id(which), outside(place_outside) {}
  Command(Kind what, Entity target, Placement where)
      : kind(what), is_placed(where.has_value()), entity(target), place(where.value_or(0)) {}
  Command(Kind what, Entity source, Entity target, ComponentId which, void* value)
      : kind(what), entity(source), id(which), pair{target, value} {}
  Command(Entity target, Group which) : kind(Kind::regroup), entity(target), group(which) {}
  Command(Entity target, std::string_view which) : kind(Kind::rename), entity(target), name(which) {}
  Command(Entity target, StateRequest which) : kind(Kind::state), entity(target), request(which) {}
  Command(Entity target, ComponentId which, StateRequest how)
      : kind(Kind::toggle), entity(target), id(which), request(how) {}

  /// Returns: the parent that a `create` or `move` command gives the entity; nullopt if the command leaves the entity
  /// without a parent.
  Placement placement() const { return is_placed ? Placement(place) : std::nullopt; }
  /// Returns: the address of the value to add or, in a `replaced` command, of the old value; null for a tag.
  void* value() { return is_inside ? inside : outside; }

  bool changes_components() const { return kind <= Kind::remove; }
  bool is_of_component() const { return kind == Kind::add || kind == Kind::remove; }

  /// Returns: whether values of a component are stored in `inside`: they have a size and an alignment that fit, and can
  /// be moved by copying their bytes. False for a tag.
  static bool fits_inside(const ComponentInfo& component) {
    return component.relocate == nullptr && !component.is_tag() && component.size <= sizeof inside &&
           component.alignment <= alignof(void*);
  }

  // Commands are small, because `CommandBuffer::apply` reads all of them several times. So the data that only some
  // kinds of command have share memory, in the union below.
  Kind kind;
  bool is_placed = false;
  bool is_inside = false;
  std::uint32_t next = kNone;  ///< The index of the next command for this entity.
  Entity entity;
  ComponentId id{};  ///< The component to add, remove or toggle, or the relation of a pair.
  union {
    void* outside = nullptr;  ///< The address of a value that does not fit inside the command.
    std::byte inside[16];     ///< A value that fits inside the command; no allocation.
    std::uint64_t place;      ///< The parent, for `create` and `move`, if `is_placed` is true.
    Group group;              ///< The layer, for `regroup`.
    std::string_view name;    ///< The name, for `rename`, in memory of the CommandBuffer.
    RecordedPair pair;        ///< The pair, for `add_pair` and `remove_pair`.
    StateRequest request;     ///< The change of states, for `state` and `toggle`.
  };
};
static_assert(sizeof(Command) == 40);

}  // namespace strata::detail
