// Entity: the 64-bit handle of an entity.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "compiler.hpp"

namespace strata {

/// An entity handle: the index of a slot in the world's table of entities, and a generation. Slots are
/// reused, with a higher generation each time, so the handle of a destroyed entity differs from the handles
/// of later entities in its slot.
///
/// A handle is a value that may be stored, compared, hashed and sent elsewhere. It goes stale when its entity
/// is destroyed. A stale handle becomes valid again only if World::restore or History brings its entity back. A
/// default-constructed handle is null: it refers to no entity.
class Entity {
 public:
  constexpr Entity() = default;
  constexpr Entity(std::uint32_t index, std::uint32_t generation)
      : bits_(std::uint64_t{generation} << 32 | index) {}

  /// Returns: the handle whose `bits()` are `bits`. The handle is null if the upper 32 bits (the generation) are 0. In
  /// a world that has not issued this handle, the handle is not alive.
  static constexpr Entity from_bits(std::uint64_t bits) {
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
  }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr std::uint32_t index() const { return static_cast<std::uint32_t>(bits_); }
  constexpr std::uint32_t generation() const { return static_cast<std::uint32_t>(bits_ >> 32); }

  /// Returns: whether the handle is not null. It may still be stale.
  explicit constexpr operator bool() const { return bits_ >> 32 != 0; }

  friend constexpr bool operator==(Entity a, Entity b) { return a.bits() == b.bits(); }
  friend constexpr std::strong_ordering operator<=>(Entity a, Entity b) { return a.bits() <=> b.bits(); }

 private:
  // One word, so that a handle is passed, compared and copied in one register.
  std::uint64_t bits_ = 0;  // The generation above the index; issued generations start at 1.
};

/// Returns: the handle as text: "12v3" for index 12 and generation 3, "none" for the null handle.
STRATA_API std::string to_string(Entity entity);
STRATA_API std::ostream& operator<<(std::ostream& out, Entity entity);

}  // namespace strata

template <>
struct std::hash<strata::Entity> {
  std::size_t operator()(strata::Entity entity) const noexcept {
    // Indices are dense and generations small: a multiplication spreads both over all bits.
    return static_cast<std::size_t>(entity.bits() * 0x9E3779B97F4A7C15u);
  }
};
