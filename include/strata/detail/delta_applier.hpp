// DeltaApplier: applies a WorldDelta (the differences between two states of a world) to a world.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "../../../hierarchy/saving/world_delta.hpp"
#include "world_parts.hpp"

namespace strata::detail {

/// Makes the changes of a WorldDelta in a world, one kind of change after the other. The order makes each change
/// possible: names and pairs (links between entities) are removed first, because they can forbid that entities are
/// destroyed or moved; and entities are destroyed before others are created, because a created entity may have the slot
/// of a destroyed one.
///
/// Contract: the caller has switched off the calls of observers (ChangeNotifier::Pause), and no recorded commands are
/// applied meanwhile (CommandBuffer::Deferral).
class DeltaApplier {
 public:
  DeltaApplier(WorldParts& parts, const WorldDelta& delta) : parts_(parts), delta_(delta) {}

  /// Returns: success; or a refusal, if something in the world differs from the state from which the delta was made.
  /// After a refusal, only a part of the changes has been made.
  /// Errors: std::bad_alloc, and exceptions of the functions that the program has given for reading and writing values
  /// of its types (see members_of); only a part of the changes has been made then.
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
  template <class Function>
  auto call_program(Function function);
  bool refuse(Entity entity, const std::string& what);

  WorldParts& parts_;
  const WorldDelta& delta_;
  std::vector<WorldDelta::Named> moved_names_;  // The names of entities that move; set again at the end.
  std::string fault_;
};

}  // namespace strata::detail
