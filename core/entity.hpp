// Entity: the 64-bit handle by which everything in a world is named.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace strata {

/// Names an entity: a slot index and the generation in which that slot was issued.
///
/// A handle is a value: it may be stored, compared, hashed and sent elsewhere. It goes stale when its entity
/// is destroyed, and a stale handle never becomes valid again. A default-constructed handle names nothing.
class Entity {
 public:
  constexpr Entity() = default;
  constexpr Entity(std::uint32_t index, std::uint32_t generation) : index_(index), generation_(generation) {}

  /// Returns: the handle that `bits()` was taken from; any other value gives a handle that is stale.
  static constexpr Entity from_bits(std::uint64_t bits) {
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
  }

  constexpr std::uint64_t bits() const { return std::uint64_t{generation_} << 32 | index_; }
  constexpr std::uint32_t index() const { return index_; }
  constexpr std::uint32_t generation() const { return generation_; }

  /// Returns: false for the handle that names nothing. A handle that names something may still be stale.
  explicit constexpr operator bool() const { return generation_ != 0; }

  friend constexpr bool operator==(Entity a, Entity b) { return a.bits() == b.bits(); }
  friend constexpr std::strong_ordering operator<=>(Entity a, Entity b) { return a.bits() <=> b.bits(); }

 private:
  std::uint32_t index_ = 0;
  std::uint32_t generation_ = 0;  // Issued generations start at 1.
};

/// Returns: "12v3" for slot 12 in its third generation, "none" for the handle that names nothing.
std::string to_string(Entity entity);
std::ostream& operator<<(std::ostream& out, Entity entity);

}  // namespace strata

template <>
struct std::hash<strata::Entity> {
  std::size_t operator()(strata::Entity entity) const noexcept {
    // Indices are dense and generations small: a multiplication spreads both over all bits.
    return static_cast<std::size_t>(entity.bits() * 0x9E3779B97F4A7C15u);
  }
};
