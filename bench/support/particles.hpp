// Particles: the components that the benches of entities and of queries share, and their first values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <strata/strata.hpp>
#include <string>

namespace strata::bench {

struct Position {
  float x, y, z;
  friend bool operator==(const Position&, const Position&) = default;
};

struct Velocity {
  float x, y, z;
  friend bool operator==(const Velocity&, const Velocity&) = default;
};

struct Health {
  std::uint32_t points;
  friend bool operator==(const Health&, const Health&) = default;
};

/// Comes and goes, in tables.
struct Shield {
  float strength;
};

/// Comes and goes at a high rate, with a payload.
struct Burning {
  float seconds;
};

/// Comes and goes at a high rate, as a mark.
struct Noticed {};

/// A position and a velocity of the side store.
struct PooledPosition : Position {};
struct PooledVelocity : Velocity {};

/// Can be switched off.
struct Sprite {
  float x = 0;
};

/// The first values of the i-th particle. Cheap, so that creating particles does not time this.
inline Position position_of(std::size_t i) {
  const auto n = static_cast<float>(static_cast<std::uint32_t>(i) & 1023u);
  return {n, n + 0.5f, -n};
}
inline Velocity velocity_of(std::size_t i) {
  const auto n = static_cast<float>(static_cast<std::uint32_t>(i) & 7u);
  return {0.25f * n, 0.5f, -0.125f * n};
}
inline Health health_of(std::size_t i) {
  return {static_cast<std::uint32_t>(i) & 127u};
}

/// Returns: the i-th of the tags that are described at run time.
inline ComponentId make_tag(World& world, std::size_t i) {
  return world.component(ComponentInfo{.name = "tag " + std::to_string(i)});
}

}  // namespace strata::bench

template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::Burning> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::Noticed> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::PooledPosition> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::PooledVelocity> = strata::Storage::sparse;
template <>
inline constexpr bool strata::can_toggle<strata::bench::Sprite> = true;
