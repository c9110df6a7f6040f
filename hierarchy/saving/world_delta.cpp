#include "world_delta.hpp"

#include <algorithm>

#include "../../core/values/hash.hpp"
#include "../../core/values/value_bytes.hpp"

namespace strata::detail {
namespace {

/// Adds up hashes of facts about a world in one state. A component, pair, name or resource that does not exist in the
/// state adds nothing.
class FactSum {
 public:
  enum class Fact : std::uint64_t { alive = 1, moved, component, off, pair, marks, name, resource };

  template <class... Words>
  void add(Fact fact, Words... words) {
    const std::uint64_t all[] = {static_cast<std::uint64_t>(fact), static_cast<std::uint64_t>(words)...};
    sum_ += hash_bytes(std::as_bytes(std::span(all)));
  }
  /// Returns: a hash of a value; 0 if `value` is null (for a tag), or if `type` is null (the program does not describe
  /// the members of the type).
  std::uint64_t hash(const ValueType* type, const void* value) {
    if (type == nullptr || value == nullptr) return 0;
    if (can_copy_bytes(*type)) return hash_bytes({static_cast<const std::byte*>(value), type->size});
    writer_.clear();
    write_values(*type, value, 1, writer_);
    return hash_bytes(writer_.written());
  }
  static std::uint64_t hash(std::string_view text) { return hash_bytes(std::as_bytes(std::span(text))); }
  std::uint64_t sum() const { return sum_; }

 private:
  ByteWriter writer_;
  std::uint64_t sum_ = 0;
};
using Fact = FactSum::Fact;

void add_component(const WorldDelta::OfComponent& of, const WorldFacts& facts, const ComponentInfo& info,
                   FactSum& sum) {
  const std::uint64_t key = FactSum::hash(info.name);
  const auto add = [&](Entity entity) {
    if (facts.has(entity, of.id))
      sum.add(Fact::component, key, entity.bits(), sum.hash(info.value, facts.value(entity, of.id)));
  };
  std::ranges::for_each(of.removed, add);
  std::ranges::for_each(of.set, add);
  const auto add_off = [&](Entity entity) {
    if (facts.is_off(entity, of.id)) sum.add(Fact::off, key, entity.bits());
  };
  std::ranges::for_each(of.on, add_off);
  std::ranges::for_each(of.off, add_off);
  const Pairs* const pairs = facts.pairs(of.id);
  const auto add_pair = [&](const WorldDelta::PairEnds& ends) {
    if (pairs == nullptr || !pairs->find(ends.source, ends.target)) return;
    sum.add(Fact::pair, key, ends.source.bits(), ends.target.bits(),
            sum.hash(info.value, pairs->find_value(ends.source, ends.target)));
  };
  std::ranges::for_each(of.removed_pairs, add_pair);
  std::ranges::for_each(of.set_pairs, add_pair);
}

}  // namespace

WorldDelta::Marked marks_of(const WorldFacts& facts, Entity entity) {
  const StateFlags flags = facts.archetype(entity)->state_flags();
  WorldDelta::Marked marks{entity, 0, 0, facts.layer(entity)};
  for (const State state : kStates) {
    const auto bit = static_cast<std::uint8_t>(1u << to_index(state));
    if (flags.itself.contains(state)) marks.itself |= bit;
    if (flags.subtree.contains(state)) marks.subtree |= bit;
  }
  return marks;
}

std::uint64_t sum_of(const WorldDelta& delta, const WorldFacts& facts, const SavedParts& parts) {
  FactSum sum;
  for (const auto* list : {&delta.destroyed, &delta.created}) {
    for (const Entity entity : *list) {
      if (facts.alive(entity)) sum.add(Fact::alive, entity.bits());
    }
  }
  for (const WorldDelta::Move& move : delta.moves) {
    if (facts.alive(move.child))
      sum.add(Fact::moved, move.child.bits(), facts.parent(move.child).bits(),
              facts.previous(move.child).bits());
  }
  for (const WorldDelta::OfComponent& of : delta.components)
    add_component(of, facts, parts.store.registry()[of.id], sum);
  for (const WorldDelta::Marked& marked : delta.marked) {
    if (!facts.alive(marked.entity)) continue;
    const WorldDelta::Marked is = marks_of(facts, marked.entity);
    sum.add(Fact::marks, is.entity.bits(), is.itself, is.subtree, is.layer);
  }
  for (const WorldDelta::Named& named : delta.named) {
    const std::string_view name = facts.name(named.entity);
    if (!name.empty()) sum.add(Fact::name, named.entity.bits(), FactSum::hash(name));
  }
  for (const WorldDelta::OfResource& of : delta.resources) {
    const ResourceNode* const resource = facts.resource(of.type->name);
    if (resource != nullptr)
      sum.add(Fact::resource, FactSum::hash(of.type->name),
              sum.hash(of.type->value_type(), of.type->value_of(*resource)));
  }
  return sum.sum();
}

}  // namespace strata::detail
