// The components of the program, once for each storage that all of them may have.
#pragma once

#include <string_view>

#include "../../include/strata/strata.hpp"
#include "rules.hpp"

namespace layout {

using strata::Storage;

template <Storage>
struct Position : PositionValue {};
template <Storage>
struct Velocity : VelocityValue {};
template <Storage>
struct Health : HealthValue {};
template <Storage>
struct Damage : DamageValue {};
template <Storage>
struct Sprite : SpriteValue {};
template <Storage>
struct Data : DataValue {};
template <Storage>
struct Burning : BurningValue {};
template <Storage>
struct Stunned {};

}  // namespace layout

template <strata::Storage S>
inline constexpr strata::Storage strata::storage_of<layout::Position<S>> = S;
template <strata::Storage S>
inline constexpr strata::Storage strata::storage_of<layout::Velocity<S>> = S;
template <strata::Storage S>
inline constexpr strata::Storage strata::storage_of<layout::Health<S>> = S;
template <strata::Storage S>
inline constexpr strata::Storage strata::storage_of<layout::Damage<S>> = S;
template <strata::Storage S>
inline constexpr strata::Storage strata::storage_of<layout::Sprite<S>> = S;
template <strata::Storage S>
inline constexpr strata::Storage strata::storage_of<layout::Data<S>> = S;
template <strata::Storage S>
inline constexpr strata::Storage strata::storage_of<layout::Burning<S>> = S;
template <strata::Storage S>
inline constexpr strata::Storage strata::storage_of<layout::Stunned<S>> = S;

template <strata::Storage S>
inline constexpr std::string_view strata::name_of<layout::Position<S>> = "Position";
template <strata::Storage S>
inline constexpr std::string_view strata::name_of<layout::Velocity<S>> = "Velocity";
template <strata::Storage S>
inline constexpr std::string_view strata::name_of<layout::Health<S>> = "Health";
template <strata::Storage S>
inline constexpr std::string_view strata::name_of<layout::Damage<S>> = "Damage";
template <strata::Storage S>
inline constexpr std::string_view strata::name_of<layout::Sprite<S>> = "Sprite";
template <strata::Storage S>
inline constexpr std::string_view strata::name_of<layout::Data<S>> = "Data";
template <strata::Storage S>
inline constexpr std::string_view strata::name_of<layout::Burning<S>> = "Burning";
template <strata::Storage S>
inline constexpr std::string_view strata::name_of<layout::Stunned<S>> = "Stunned";
