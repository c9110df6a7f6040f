// TransferredFacts: gives transferred entities their names, pairs, states and the like in the other world.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "../../core/entity_map.hpp"
#include "entity_transfer.hpp"

namespace strata::detail {

/// Gives the new entities of a transfer the names, states, layers, layouts, switched-off components and pairs of those
/// from which they were made.
///
/// Contract: the transfer outlives it; the entities have their values in the new world, and those of the first world
/// are not changed meanwhile.
class TransferredFacts {
 public:
  /// Returns: the entity in the other world to which pairs with an entity outside lead; null if there is none.
  using Outside = std::function<Entity(Entity outside)>;

  /// `outside` gives the targets of pairs that are not among the entities. References in values of pairs are
  /// replaced by `references`, if it is given.
  TransferredFacts(EntityTransfer& transfer, Outside outside, const EntityMap* references)
      : transfer_(transfer), outside_(std::move(outside)), references_(references) {}

  /// Returns: success; or a refusal, because a name is already used, or a relation has other options in the other
  /// world.
  /// Errors: std::bad_alloc, and what copying a value of a pair throws.
  /// If this fails, the new entities have a part of it.
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

/// Returns: the positions of handles, by ascending bits; see EntityMap::make_sorted.
std::vector<std::uint32_t> order_by_bits(std::span<const Entity> entities);

}  // namespace strata::detail
