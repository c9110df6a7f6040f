// The systems of a small game: movement, data, directions, health, damage and sprites, for entities in arrays and in a world.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace strata::bench::game {

struct Place {
  float x, y;
};
struct Speed {
  float x, y;
};
struct Data {
  std::int32_t count;
  double time;
  std::uint32_t random;
};
enum class Status : std::uint8_t { spawned, alive, dead };
struct Health {
  std::int32_t points;
  std::int32_t most;
  Status status;
};
struct Damage {
  std::int32_t attack;
  std::int32_t defence;
};
struct Sprite {
  char character;
};

/// An entity with all components.
struct Unit {
  Place place;
  Speed speed;
  Data data;
  Health health;
  Damage damage;
  Sprite sprite;
};

inline Unit unit_of(std::size_t i) {
  const auto n = static_cast<std::int32_t>(i % 1024);
  const auto f = static_cast<float>(n);
  return {{f, 512 - f},
          {0.5f, 1},
          {n, 0, static_cast<std::uint32_t>(n) * 2654435761u},
          {50 + n % 100, 50 + n % 100, Status::spawned},
          {10 + n % 30, 5 + n % 30},
          {'_'}};
}

inline void move(Place& place, const Speed& speed) {
  constexpr float kSeconds = 1.0f / 64;
  place.x += speed.x * kSeconds;
  place.y += speed.y * kSeconds;
}
inline void update_data(Data& data) {
  data.count = (data.count + 1) % 1'000'000;
  data.time += 1.0 / 64;
  data.random = data.random * 1664525 + 1013904223;
}
inline void turn(const Place& place, Speed& speed, const Data& data) {
  if (data.count % 10 != 0) return;
  if (place.x > place.y) {
    speed = {static_cast<float>(data.random >> 16 & 15) - 8, static_cast<float>(data.random >> 24 & 15) - 8};
  } else {
    std::swap(speed.x, speed.y);
  }
}
inline void update_health(Health& health) {
  if (health.points <= 0 && health.status != Status::dead) {
    health.points = 0;
    health.status = Status::dead;
  } else if (health.status == Status::dead) {
    health.points = health.most;
    health.status = Status::spawned;
  } else {
    health.status = Status::alive;
  }
}
inline void take_damage(Health& health, const Damage& damage) {
  const std::int32_t total = damage.attack - damage.defence;
  if (health.status == Status::alive && total > 0) health.points = std::max(health.points - total, 0);
}
inline void choose_sprite(Sprite& sprite, const Health& health) {
  constexpr char kCharacters[] = {'_', '@', '|'};
  sprite.character = kCharacters[static_cast<std::size_t>(health.status)];
}

/// All systems for one entity.
inline void step(Unit& unit) {
  move(unit.place, unit.speed);
  update_data(unit.data);
  turn(unit.place, unit.speed, unit.data);
  update_health(unit.health);
  take_damage(unit.health, unit.damage);
  choose_sprite(unit.sprite, unit.health);
}

/// The limit: an array for each component.
struct Columns {
  explicit Columns(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const Unit unit = unit_of(i);
      places.push_back(unit.place);
      speeds.push_back(unit.speed);
      data.push_back(unit.data);
      healths.push_back(unit.health);
      damages.push_back(unit.damage);
      sprites.push_back(unit.sprite);
    }
  }

  std::size_t size() const { return places.size(); }

  /// Runs system after system. `for_ranges(body)` calls `body(begin, end)` for ranges that make up all entities.
  template <class ForRanges>
  void step(ForRanges for_ranges) {
    const auto each = [&](auto update) {
      for_ranges([update](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) update(i);
      });
    };
    each([of = places.data(), by = speeds.data()](std::size_t i) { move(of[i], by[i]); });
    each([of = data.data()](std::size_t i) { update_data(of[i]); });
    each([of = speeds.data(), at = places.data(), by = data.data()](std::size_t i) {
      turn(at[i], of[i], by[i]);
    });
    each([of = healths.data()](std::size_t i) { update_health(of[i]); });
    each([of = healths.data(), by = damages.data()](std::size_t i) { take_damage(of[i], by[i]); });
    each([of = sprites.data(), by = healths.data()](std::size_t i) { choose_sprite(of[i], by[i]); });
  }

  std::vector<Place> places;
  std::vector<Speed> speeds;
  std::vector<Data> data;
  std::vector<Health> healths;
  std::vector<Damage> damages;
  std::vector<Sprite> sprites;
};

}  // namespace strata::bench::game
