#include "archetype.hpp"

namespace strata::detail {

MemoryUse Archetype::memory_use() const {
  return ranks_.memory_use() + with_.memory_use() + without_.memory_use();
}

std::string Archetype::check_invariants() const {
  if (std::string complaint = ranks_.check_invariants(); !complaint.empty()) return complaint;
  for (const auto& complaint :
       {with_.check_invariants(), without_.check_invariants(), format_.check_prefixes()}) {
    if (!complaint.empty()) return complaint;
  }
  std::pmr::memory_resource* const memory = std::pmr::get_default_resource();
  const auto leads = [&](const ComponentTable<Archetype*>& edges, bool adding) {
    bool right = true;
    edges.for_each([&](ComponentId id, const Archetype* to) {
      const Signature wanted = adding ? signature_.with(id, memory) : signature_.without(id, memory);
      right = right && to->signature() == wanted;
    });
    return right;
  };
  if (!leads(with_, true) || !leads(without_, false)) return "A2: an edge leads to the wrong archetype";
  return "";
}

}  // namespace strata::detail
