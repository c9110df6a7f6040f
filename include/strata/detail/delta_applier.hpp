// DeltaApplier: makes a world what it is after a delta.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "../../../hierarchy/saving/world_delta.hpp"
#include "world_parts.hpp"

namespace strata::detail {

/// Does in a world what a delta lists, one kind of change after the other, in an order in which each is possible: what
/// goes is removed before entities are destroyed, and these before handles are issued again.
///
/// Contract: observers are told nothing meanwhile.
class DeltaApplier {
 public:
  DeltaApplier(WorldParts& parts, const WorldDelta& delta) : parts_(parts), delta_(delta) {}

  /// Returns: success; or a refusal, if something is not as in the state that the delta was made from.
  /// Errors: std::bad_alloc, and what functions of members_of throw. Only a part has been done then, as if it refuses.
  Outcome apply();

 private:
  bool remove_facts();
  bool change_entities();
  bool move(const WorldDelta::Move& move);
  bool place_after(Entity child, Entity parent, Entity previous);
  bool change_component(const WorldDelta::OfComponent& of);
  bool set_pairs(const WorldDelta::OfComponent& of);
  bool set_value(Entity entity, ComponentId id, void* value);
  bool set_pair(Pairs& pairs, const WorldDelta::PairEnds& ends, void* value);
  bool mark(const WorldDelta::Marked& marked);
  bool set_names();
  bool change_resource(const WorldDelta::OfResource& of);
  template <class Take>
  bool take_value(const ComponentInfo& info, ByteReader& from, Take take);
  bool refuse(Entity entity, const std::string& what);

  WorldParts& parts_;
  const WorldDelta& delta_;
  std::vector<WorldDelta::Named> moved_names_;  // Of entities that move, while they have no name.
  std::string fault_;
};

}  // namespace strata::detail
