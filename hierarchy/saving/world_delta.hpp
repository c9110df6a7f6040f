// WorldDelta: the differences between a state of a world and an earlier one, entity by entity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "saved_parts.hpp"
#include "world_facts.hpp"

namespace strata::detail {

/// The differences between two states of a world: lists of the changes that turn the earlier state into the later one.
struct WorldDelta {
  /// The two entities of a pair, a directed link of a relation.
  struct PairEnds {
    Entity source;
    Entity target;
  };
  /// The changes of one component, or of the pairs of one relation. A component uses the members without `pair` in
  /// their names, a relation those with `pair`.
  struct OfComponent {
    ComponentId id;
    std::vector<Entity> removed;
    std::vector<Entity> set;  // Entities that get the component or a new value of it.
    std::vector<Entity> on;   // Entities for which the component is switched on.
    std::vector<Entity> off;  // Entities for which the component is switched off.
    std::vector<PairEnds> removed_pairs;
    std::vector<PairEnds> set_pairs;
    std::vector<std::byte> values;       // The values of `set`.
    std::vector<std::byte> pair_values;  // The values of `set_pairs`.
  };
  /// An entity that gets another parent, or another place among its siblings.
  struct Move {
    Entity child;
    Entity parent;    // Null: the child becomes a root.
    Entity previous;  // The sibling before the child; null if it becomes the first one.
  };
  struct Named {
    Entity entity;
    std::string name;  // Empty: the entity loses its name.
  };
  /// The states (such as disabled) and the layer (a group of entities with one integer key) that an entity gets. A set
  /// of states is stored as bits: each state has the bit of its number.
  struct Marked {
    Entity entity;
    std::uint8_t itself;   // The states that were set for the entity alone.
    std::uint8_t subtree;  // The states that were set for the entity with its subtree.
    std::int32_t layer;
  };
  struct OfResource {
    const ResourceType* type;
    bool is_removed;
    std::vector<std::byte> value;
  };

  std::vector<Entity> destroyed;
  std::vector<Entity> created;
  std::vector<Move> moves;  // Moves of parents before those of their children, siblings in their order.
  std::vector<OfComponent> components;
  std::vector<Marked> marked;
  std::vector<Named> named;
  std::vector<OfResource> resources;
  // The hash (see `sum_of`) of the earlier state (`before`) and of the later one (`after`). Used to check that a delta
  // fits the world to which it is applied.
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

/// Returns: the states (such as disabled) of an entity, and its layer (a group of entities with one integer key).
/// Contract: the entity is alive.
WorldDelta::Marked marks_of(const WorldFacts& facts, Entity entity);

/// Returns: a hash of one state of the world, which `facts` describes. Only what `delta` changes is hashed, such as the
/// values of components that it sets and the parents of entities that it moves.
/// Errors: std::bad_alloc, and what the program's functions for writing values (see members_of) throw.
std::uint64_t sum_of(const WorldDelta& delta, const WorldFacts& facts, const SavedParts& parts);

}  // namespace strata::detail
