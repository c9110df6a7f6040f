#include "signature.hpp"

#include <algorithm>

namespace strata::detail {

Signature::Signature(std::span<const ComponentId> ids, std::pmr::memory_resource* memory) : ids_(memory) {
  ids_.reserve(ids.size());
  for (const ComponentId id : ids) ids_.append(id);
  std::sort(ids_.begin(), ids_.end());
  const ComponentId* const end = std::unique(ids_.begin(), ids_.end());
  ids_.erase(static_cast<std::size_t>(end - ids_.begin()), ids_.size());
}

bool Signature::contains(ComponentId id) const {
  return std::binary_search(ids_.begin(), ids_.end(), id);
}

Signature Signature::with(ComponentId id, std::pmr::memory_resource* memory) const {
  Signature result(memory);
  result.ids_.reserve(ids_.size() + 1);
  for (const ComponentId one : ids_) result.ids_.append(one);
  const ComponentId* const after = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (after == ids_.end() || *after != id)
    result.ids_.insert(static_cast<std::size_t>(after - ids_.begin()), id);
  return result;
}

Signature Signature::without(ComponentId id, std::pmr::memory_resource* memory) const {
  Signature result(memory);
  result.ids_.reserve(ids_.size());
  for (const ComponentId one : ids_) {
    if (one != id) result.ids_.append(one);
  }
  return result;
}

bool operator==(const Signature& a, const Signature& b) {
  return SignatureEqual()(a.ids(), b.ids());
}

std::size_t SignatureHash::operator()(std::span<const ComponentId> ids) const noexcept {
  std::uint64_t hash = 0x9E3779B97F4A7C15u;
  for (const ComponentId id : ids) {
    hash = (hash ^ to_index(id)) * 0x2545F4914F6CDD1Du;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

bool SignatureEqual::operator()(std::span<const ComponentId> a,
                                std::span<const ComponentId> b) const noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace strata::detail
