// Signature: the sorted set of table-stored components of an archetype.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <span>

#include "component.hpp"
#include "plain_list.hpp"

namespace strata::detail {

/// The set of components that the entities of one archetype have in tables; components in sparse sets are not part of
/// it. It is a vector of ids in ascending order.
class Signature {
 public:
  explicit Signature(std::pmr::memory_resource* memory) : ids_(memory) {}
  Signature(std::span<const ComponentId> ids, std::pmr::memory_resource* memory);
  Signature(const Signature& other, std::pmr::memory_resource* memory) : Signature(other.ids(), memory) {}

  bool contains(ComponentId id) const;
  std::span<const ComponentId> ids() const { return {ids_.data(), ids_.size()}; }
  std::size_t size() const { return ids_.size(); }

  /// Returns: a copy of this set with `id` added (`with`) or removed (`without`). The copy allocates from
  /// `memory`.
  Signature with(ComponentId id, std::pmr::memory_resource* memory) const;
  Signature without(ComponentId id, std::pmr::memory_resource* memory) const;

  friend bool operator==(const Signature& a, const Signature& b);

 private:
  PlainList<ComponentId> ids_;
};

/// Hash and equality of signatures for hash tables. They take sorted ids, so that a look-up does not have to
/// create a Signature.
struct SignatureHash {
  std::size_t operator()(std::span<const ComponentId> ids) const noexcept;
};
struct SignatureEqual {
  bool operator()(std::span<const ComponentId> a, std::span<const ComponentId> b) const noexcept;
};

}  // namespace strata::detail
