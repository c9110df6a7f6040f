// Direction: whether a cascade (a visit by depth in the hierarchy) visits parents or children first.
#pragma once

#include <cstdint>

namespace strata {

/// The direction of a cascade, that is, of a visit by depth in the hierarchy: `down` visits parents before
/// children, `up` visits children before parents.
enum class Direction : std::uint8_t { down, up };
inline constexpr Direction down = Direction::down;
inline constexpr Direction up = Direction::up;

}  // namespace strata
