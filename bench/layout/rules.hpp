// The rules of the program: what each system does to the values of one entity, however they are stored.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace layout {

/// What the program works on. Entities have numbers; when one is destroyed, a new one takes its number.
struct Setup {
  std::size_t entities = 0;
  double churn = 0;  ///< Share of the entities that are given a status effect, or lose one, in a frame.

  /// How many are given in a frame; as many end.
  std::size_t effects_per_frame() const {
    const double half = churn * static_cast<double>(entities) / 2;
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(half)));
  }
  /// How long one lasts: half of all entities have one at most.
  unsigned effect_frames() const {
    constexpr unsigned kMost = 8;
    const std::size_t frames = entities / 2 / effects_per_frame();
    return static_cast<unsigned>(std::clamp<std::size_t>(frames, 1, kMost));
  }
  /// How many are destroyed and created in a frame.
  std::size_t spawned_per_frame() const { return std::max<std::size_t>(1, entities / 2'000); }
};

struct PositionValue {
  static constexpr std::string_view kName = "Position";
  float x, y, z;
};
struct VelocityValue {
  static constexpr std::string_view kName = "Velocity";
  float x, y, z;
};
struct HealthValue {
  static constexpr std::string_view kName = "Health";
  std::int32_t points, most;
};
struct DamageValue {
  static constexpr std::string_view kName = "Damage";
  std::int32_t attack, defence;
};
struct SpriteValue {
  static constexpr std::string_view kName = "Sprite";
  std::uint32_t layer, glyph;
};
struct DataValue {
  static constexpr std::string_view kName = "Data";
  std::uint32_t thing, count, seed;
  float part, whole, rest;
};
struct BurningValue {
  static constexpr std::string_view kName = "Burning";
  std::int32_t points;  ///< Lost each frame.
  std::int32_t frames;  ///< Since it began.
};
struct StunnedValue {
  static constexpr std::string_view kName = "Stunned";
};

/// Entities of four kinds, in ranges of numbers, so that arrays need no list of which entity has what.
enum class Kind { fighter, hunter, beast, scenery };
inline constexpr std::size_t kKinds = 4;

class Ranges {
 public:
  explicit Ranges(std::size_t entities) : quarter_(entities / kKinds), entities_(entities) {}
  Kind kind_of(std::size_t number) const {
    return quarter_ == 0 ? Kind::scenery
                         : static_cast<Kind>(std::min<std::size_t>(number / quarter_, kKinds - 1));
  }
  std::size_t begin(Kind kind) const { return static_cast<std::size_t>(kind) * quarter_; }
  std::size_t end(Kind kind) const { return kind == Kind::scenery ? entities_ : begin(kind) + quarter_; }

 private:
  std::size_t quarter_;
  std::size_t entities_;
};

// Which components a kind has, beside a position, health and a sprite, which all have.
constexpr bool moves(Kind kind) {
  return kind <= Kind::beast;
}
constexpr bool fights(Kind kind) {
  return kind <= Kind::hunter;
}
constexpr bool has_data(Kind kind) {
  return kind >= Kind::beast;
}

/// Scrambles a number.
constexpr std::uint32_t scrambled(std::uint32_t value) {
  value ^= value >> 16;
  value *= 0x7feb352dU;
  value ^= value >> 15;
  value *= 0x846ca68bU;
  return value ^ (value >> 16);
}

/// Values of a new entity, by its number and how often the number was given.
struct Birth {
  std::uint32_t seed;

  Birth(std::size_t number, unsigned frame)
      : seed(scrambled(static_cast<std::uint32_t>(number) * 31 + frame)) {}

  float coordinate(unsigned which) const {
    return static_cast<float>(scrambled(seed + which) % 1024) * 0.25F;
  }
  PositionValue position() const { return {coordinate(1), coordinate(2), coordinate(3)}; }
  VelocityValue velocity() const {
    return {coordinate(4) / 64 - 2, coordinate(5) / 64 - 2, coordinate(6) / 64 - 2};
  }
  HealthValue health() const {
    const auto points = static_cast<std::int32_t>(50 + seed % 100);
    return {points, points};
  }
  DamageValue damage() const {
    return {static_cast<std::int32_t>(seed % 13), static_cast<std::int32_t>(seed % 7)};
  }
  SpriteValue sprite() const { return {seed % 4, 1 + seed % 26}; }
  DataValue data() const { return {seed, 0, seed | 1U, 0.5F, 1.0F, 0.0F}; }
};

/// The order in which numbers have their turn: every one once, in strides over all of memory.
class Turns {
 public:
  explicit Turns(std::size_t entities)
      : entities_(entities), stride_(static_cast<std::size_t>(static_cast<double>(entities) * 0.618) | 1U) {
    while (std::gcd(entities_, stride_) != 1) stride_ += 2;
  }
  std::size_t number(std::size_t turn) const { return turn % entities_ * stride_ % entities_; }

 private:
  std::size_t entities_;
  std::size_t stride_;
};

inline constexpr float kWorld = 256;

inline float wrapped(float value) {
  return value < 0 ? value + kWorld : value >= kWorld ? value - kWorld : value;
}

inline void move(PositionValue& position, const VelocityValue& velocity) {
  position.x = wrapped(position.x + velocity.x);
  position.y = wrapped(position.y + velocity.y);
  position.z = wrapped(position.z + velocity.z);
}

inline void update(DataValue& data) {
  data.seed = data.seed * 1664525U + 1013904223U;
  data.thing = (data.thing + data.seed) >> 1;
  ++data.count;
  data.rest = data.whole - data.part;
  data.part = 0.25F + data.rest * 0.5F;
}

inline void burn(HealthValue& health, BurningValue& burning) {
  health.points -= burning.points;
  ++burning.frames;
}

inline void fight(HealthValue& health, const DamageValue& damage) {
  health.points -= std::max(0, damage.attack - damage.defence);
}

/// An entity that has no points left starts again with all of them.
inline void recover(HealthValue& health) {
  health.points = health.points <= 0 ? health.most : std::min(health.points + 1, health.most);
}

/// The picture: sums, so that the order of drawing does not show.
class Picture {
 public:
  void draw(const PositionValue& position, const SpriteValue& sprite) {
    const auto column = static_cast<std::size_t>(position.x) % kWidth;
    const auto row = static_cast<std::size_t>(position.y) % kWidth;
    cells_[(sprite.layer * kWidth + row) * kWidth + column] += sprite.glyph;
  }
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t cell : cells_) sum = sum * 31 + cell;
    return sum;
  }

 private:
  static constexpr std::size_t kWidth = 32;
  static constexpr std::size_t kLayers = 4;
  std::array<std::uint32_t, kLayers * kWidth * kWidth> cells_{};
};

/// Digests values in the order in which they are added.
class Digest {
 public:
  void add(std::uint32_t value) { sum_ = (sum_ ^ value) * 0x100000001b3ULL; }
  void add(std::int32_t value) { add(static_cast<std::uint32_t>(value)); }
  void add(float value) { add(std::bit_cast<std::uint32_t>(value)); }
  /// Adds the values of an entity. Null: it has none of those.
  void add(const PositionValue& position, const HealthValue& health, const DataValue* data,
           const BurningValue* burning, bool is_stunned) {
    for (const float value : {position.x, position.y, position.z}) add(value);
    add(health.points);
    if (data != nullptr) add(data->thing);
    add(burning != nullptr ? burning->frames : -1);
    add(std::uint32_t{is_stunned});
  }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325ULL;
};

inline BurningValue burning_of(std::size_t number) {
  return {static_cast<std::int32_t>(1 + number % 3), 0};
}

/// Of the entities that are given a status effect, one in four is stunned, too.
inline bool stuns(std::size_t number) {
  return number % 4 == 1;
}

/// Calls `end(number)` and `begin(number)` for the status effects that end and begin in a frame.
template <class End, class Begin>
void for_each_effect(const Setup& setup, const Turns& turns, unsigned frame, End end, Begin begin) {
  const std::size_t each = setup.effects_per_frame();
  const unsigned lasts = setup.effect_frames();
  if (frame >= lasts) {
    for (std::size_t i = 0; i < each; ++i) end(turns.number((frame - lasts) * each + i));
  }
  for (std::size_t i = 0; i < each; ++i) begin(turns.number(frame * each + i));
}

/// Calls `respawn(number)` for the entities that perish in a frame.
template <class Respawn>
void for_each_respawn(const Setup& setup, const Turns& turns, unsigned frame, Respawn respawn) {
  const std::size_t each = setup.spawned_per_frame();
  for (std::size_t i = 0; i < each; ++i) respawn(turns.number((frame * each + i) * 7 + 3));
}

/// Calls `look(number)` for the entities that are looked at as targets: one in 20.
template <class Look>
void for_each_target(const Setup& setup, const Turns& turns, unsigned frame, Look look) {
  for (std::size_t i = 0; i < setup.entities / 20; ++i) look(turns.number(frame * 11 + i));
}

}  // namespace layout
