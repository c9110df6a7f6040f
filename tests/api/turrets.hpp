// Turret: a component that requires others, in tables and in the side store, of which one may fail to be made.
#pragma once

#include <stdexcept>
#include <strata/strata.hpp>
#include <string>

#include "../support/components.hpp"

namespace strata::test::turrets {

struct Local {
  int x = 1;
};
struct Global {
  int x = 2;
};
struct Cooldown {
  int ticks;
};
struct Aimed {};
/// Counts its instances and its moves; the one with the number `throw_at` throws when it is made.
struct Barrel : Counted {
  using Counted::Counted;
  Barrel(const Barrel& other) = default;
  Barrel(Barrel&& other) noexcept : Counted(static_cast<Counted&&>(other)) { ++moves; }
  Barrel& operator=(const Barrel&) = default;
  static inline int moves = 0;
  static inline int made = 0;
  static inline int throw_at = 0;
};
struct Turret {
  int number = 0;
};
struct SparseTurret {
  int number = 0;
};

inline constexpr Cooldown kCold{30};

inline Barrel make_barrel() {
  if (++Barrel::made == Barrel::throw_at) throw std::runtime_error("no barrel");
  return Barrel(7);
}

}  // namespace strata::test::turrets

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::turrets::Cooldown> =
    strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::turrets::SparseTurret> =
    strata::Storage::sparse;
template <>
inline constexpr auto strata::requires_of<strata::test::turrets::Local> =
    strata::Requires<strata::test::turrets::Global>{};
template <>
inline constexpr auto strata::requires_of<strata::test::turrets::Turret> =
    strata::Requires<strata::test::turrets::Local, strata::Given<strata::test::turrets::kCold>,
                     strata::test::turrets::Aimed, strata::Given<strata::test::turrets::make_barrel>>{};
template <>
inline constexpr auto strata::requires_of<strata::test::turrets::SparseTurret> =
    strata::Requires<strata::test::turrets::Turret>{};

namespace strata::test::turrets {

/// Returns: what the entity has, in words.
inline std::string seen(const World& world, Entity entity) {
  std::string text;
  const auto show = [&](const char* name, const int* value) {
    if (value != nullptr) text += name + std::to_string(*value) + ' ';
  };
  show("sparse", world.has<SparseTurret>(entity) ? &world.get<SparseTurret>(entity).number : nullptr);
  show("turret", world.has<Turret>(entity) ? &world.get<Turret>(entity).number : nullptr);
  show("local", world.has<Local>(entity) ? &world.get<Local>(entity).x : nullptr);
  show("global", world.has<Global>(entity) ? &world.get<Global>(entity).x : nullptr);
  show("cooldown", world.has<Cooldown>(entity) ? &world.get<Cooldown>(entity).ticks : nullptr);
  const Barrel* const barrel = world.find<Barrel>(entity);
  const int value = barrel != nullptr ? barrel->value() : 0;
  show("barrel", barrel != nullptr ? &value : nullptr);
  return text + (world.has<Aimed>(entity) ? "aimed" : "");
}

inline constexpr const char* kWhole = "turret5 local1 global2 cooldown30 barrel7 aimed";
inline constexpr const char* kWholeOfSparse = "sparse5 turret0 local1 global2 cooldown30 barrel7 aimed";

}  // namespace strata::test::turrets
