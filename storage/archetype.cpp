#include "archetype.hpp"

namespace strata {

MemoryUse Archetype::memory_use() const {
  return ranks_.memory_use() + detail::memory_use_of(with_) + detail::memory_use_of(without_);
}

std::string Archetype::check_invariants() const {
  if (std::string complaint = ranks_.check_invariants(*this); !complaint.empty()) return complaint;
  std::pmr::memory_resource* const memory = with_.get_allocator().resource();
  const auto leads = [&](const std::pmr::vector<Archetype*>& edges, bool adding) {
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      const ComponentId id{i};
      if (edges[i] == nullptr) continue;
      const Signature wanted = adding ? signature_.with(id, memory) : signature_.without(id, memory);
      if (edges[i]->signature() != wanted) return false;
    }
    return true;
  };
  if (!leads(with_, true) || !leads(without_, false)) return "A2: an edge leads to the wrong archetype";
  return "";
}

}  // namespace strata
