#include "signature.hpp"

#include <algorithm>
#include <iterator>

namespace strata::detail {

Signature::Signature(std::span<const ComponentId> ids, std::pmr::memory_resource* memory)
    : ids_(ids.begin(), ids.end(), memory) {
  std::sort(ids_.begin(), ids_.end());
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
}

bool Signature::contains(ComponentId id) const {
  return std::binary_search(ids_.begin(), ids_.end(), id);
}

Signature Signature::with(ComponentId id, std::pmr::memory_resource* memory) const {
  Signature result(memory);
  result.ids_.reserve(ids_.size() + 1);
  const auto after = std::lower_bound(ids_.begin(), ids_.end(), id);
  result.ids_.assign(ids_.begin(), after);
  result.ids_.push_back(id);
  result.ids_.insert(result.ids_.end(), after != ids_.end() && *after == id ? after + 1 : after, ids_.end());
  return result;
}

Signature Signature::without(ComponentId id, std::pmr::memory_resource* memory) const {
  Signature result(memory);
  result.ids_.reserve(ids_.size());
  std::remove_copy(ids_.begin(), ids_.end(), std::back_inserter(result.ids_), id);
  return result;
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
