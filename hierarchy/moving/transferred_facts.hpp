// TransferredFacts: gives transferred entities their names, states, layers, layouts and pairs in the other world.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "../../core/entity_map.hpp"
#include "entity_transfer.hpp"

namespace strata::detail {

/// Gives the new entities of a transfer the names, states, layers, layouts, switched-off components and pairs of the
/// entities from which they were made.
///
/// Contract: the transfer outlives it; the new entities have their values, and the first world is not changed
/// meanwhile.
class TransferredFacts {
 public:
  /// Finds the target of a new pair if the target of the original pair, `outside`, was not transferred.
  /// Returns: an entity of the world with the new entities; null: the new entity does not get that pair.
  using Outside = std::function<Entity(Entity outside)>;

  /// `outside` is called for each target that was not transferred. If `references` is
  /// given, it replaces the entity handles in values of pairs.
  TransferredFacts(EntityTransfer& transfer, Outside outside, const EntityMap* references)
      : transfer_(transfer), outside_(std::move(outside)), references_(references) {}

  /// Gives the new entities their names, states, layers, layouts, switched-off components and pairs.
  /// Returns: success; or a refusal, because a name is already used, or a relation has other options in the other
  /// world.
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

/// Returns: the positions in `entities`, in ascending order of the bits of the handles there; see
/// EntityMap::make_sorted.
std::vector<std::uint32_t> order_by_bits(std::span<const Entity> entities);

}  // namespace strata::detail
