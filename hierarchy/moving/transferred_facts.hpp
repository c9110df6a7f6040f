// TransferredFacts: copies names, states, layers, layouts (in which tables the rows of children are), pairs and
// switched-off components from entities of one world to the new entities that were made for them in another world.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "../../core/entity_map.hpp"
#include "entity_transfer.hpp"

namespace strata::detail {

/// An EntityTransfer makes a new entity for each of its original entities. TransferredFacts gives each new entity
/// further facts of its original: name, states (such as disabled), layer (a group of entities with one integer key),
/// layout (of its children's rows), pairs and switched-off components.
///
/// Contract: the transfer outlives this object; the new entities have their values; and the world of the original
/// entities is not changed meanwhile.
class TransferredFacts {
 public:
  /// A function that chooses the target of a new pair if the target of the original pair, `outside`, was not
  /// transferred.
  /// Returns: an entity of the destination world; or null, so that the new entity does not get the pair.
  using Outside = std::function<Entity(Entity outside)>;

  /// `outside` chooses a target for each pair (relation, target) whose target was not transferred. If `references` is
  /// not null, the handles in the values of pairs are replaced as this map says.
  TransferredFacts(EntityTransfer& transfer, Outside outside, const EntityMap* references)
      : transfer_(transfer), outside_(std::move(outside)), references_(references) {}

  /// Gives the new entities their names, states, layers, layouts, switched-off components and pairs.
  /// Returns: success; or a refusal, because a name is already used, or because a relation has other options in the
  /// destination world.
  /// Errors: std::bad_alloc, and what copying a value of a pair throws. After an exception or a refusal, the new
  /// entities may have only a part of these facts.
  Outcome add();

 private:
  Outcome add_name(std::size_t position);
  void add_states(std::size_t position);
  void add_layer(std::size_t position);
  void add_layout(std::size_t position);
  void add_off();
  Outcome add_pairs(const Pairs& pairs, const EntityMap& inside);
  void add_pair(const Pairs& pairs, Pairs& to, std::size_t position, std::uint32_t number, Entity target);

  EntityTransfer& transfer_;
  Outside outside_;
  const EntityMap* references_;
};

/// Returns: the positions of the handles in the span `entities`, in ascending order of the bits of these handles
/// (Entity::bits). EntityMap::make_sorted takes such a list.
std::vector<std::uint32_t> order_by_bits(std::span<const Entity> entities);

}  // namespace strata::detail
