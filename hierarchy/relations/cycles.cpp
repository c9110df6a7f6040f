#include "cycles.hpp"

#include "../../core/plain_list.hpp"
#include "../../query/matching/walk_memo.hpp"

namespace strata::detail {
namespace {

/// Returns: whether a chain of pairs leads from the entity `from` to the entity `to`. The source of each pair in the
/// chain is the target of the pair before it.
/// Contract: `from` and `to` are different entities; the present pairs form no cycle.
bool leads_to(const Pairs& pairs, Entity from, Entity to, std::pmr::memory_resource* memory) {
  if (pairs.of(End::target, to).empty()) return false;
  if (pairs.options().exclusive) {
    for (Entity at = from; at != to;) {
      const std::span<const Entity> targets = pairs.of(End::source, at);
      if (targets.empty()) return false;
      at = targets.front();
    }
    return true;
  }
  PlainList<Entity> reached(memory);
  WalkMemo seen(memory);  // Here, a set of entities.
  reached.push_back(from);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Entity target : pairs.of(End::source, reached[i])) {
      const void* unused = nullptr;
      if (target == to) return true;
      if (seen.find(target.index(), pairs.id(), unused)) continue;
      seen.insert(target.index(), pairs.id(), nullptr);
      reached.push_back(target);
    }
  }
  return false;
}

}  // namespace

std::string find_cycle(const Pairs& pairs, Entity source, Entity target, std::pmr::memory_resource* memory) {
  if (!leads_to(pairs, target, source, memory)) return "";
  return "\"" + pairs.component().name + "\" is acyclic, and entity " + to_string(target) +
         " leads to entity " + to_string(source) + " already, so that would be a cycle";
}

}  // namespace strata::detail
