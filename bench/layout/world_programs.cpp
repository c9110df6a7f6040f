#include <string_view>
#include <vector>

#include "../../include/strata/storage_advisor.hpp"
#include "../../include/strata/strata.hpp"
#include "../support/counting_memory.hpp"
#include "comparison.hpp"

namespace layout {

using strata::Storage;

/// A component with these values, declared for that storage.
template <Storage, class Value>
struct In : Value {};

}  // namespace layout

template <strata::Storage S, class Value>
inline constexpr strata::Storage strata::storage_of<layout::In<S, Value>> = S;
template <strata::Storage S, class Value>
inline constexpr std::string_view strata::name_of<layout::In<S, Value>> = Value::kName;

namespace layout {
namespace {

/// The program in a world, with one storage for all of its components as they are declared.
template <Storage S>
class WorldProgram final : public Program {
  using Position = In<S, PositionValue>;
  using Velocity = In<S, VelocityValue>;
  using Health = In<S, HealthValue>;
  using Damage = In<S, DamageValue>;
  using Sprite = In<S, SpriteValue>;
  using Data = In<S, DataValue>;
  using Burning = In<S, BurningValue>;
  using Stunned = In<S, StunnedValue>;

 public:
  explicit WorldProgram(const Setup& setup)
      : setup_(setup), ranges_(setup.entities), turns_(setup.entities), entities_(setup.entities) {
    for (std::size_t number = 0; number < setup.entities; ++number) bear(number, 0);
  }

  strata::World& world() { return world_; }

  void frame(unsigned number) override {
    movement_.each([](Position& position, const Velocity& velocity) { layout::move(position, velocity); });
    data_.each([](Data& data) { update(data); });
    change_effects(number);
    burning_.each([](Health& health, Burning& burning) { burn(health, burning); });
    fights_.each([](Health& health, const Damage& damage) { fight(health, damage); });
    health_.each([](Health& health) { recover(health); });
    for_each_respawn(setup_, turns_, number, [&](std::size_t i) {
      world_.destroy(entities_[i]);
      bear(i, number);
    });
    for_each_target(setup_, turns_, number, [&](std::size_t i) {
      seen_ += static_cast<std::uint64_t>(world_.get<Health>(entities_[i]).points);
    });
    sprites_.each([&](const Position& position, const Sprite& sprite) { picture_.draw(position, sprite); });
  }

  std::uint64_t digest() const override {
    Digest digest;
    for (const strata::Entity entity : entities_) {
      digest.add(world_.get<Position>(entity), world_.get<Health>(entity), world_.find<Data>(entity),
                 world_.find<Burning>(entity), world_.has<Stunned>(entity));
    }
    return digest.value() ^ picture_.digest() ^ seen_;
  }

  std::size_t bytes() const override {
    return memory_.bytes() + entities_.capacity() * sizeof(strata::Entity);
  }

 private:
  void bear(std::size_t number, unsigned frame) {
    const Birth birth(number, frame);
    const Position position{birth.position()};
    const Health health{birth.health()};
    const Sprite sprite{birth.sprite()};
    const Velocity velocity{birth.velocity()};
    const Damage damage{birth.damage()};
    const Kind kind = ranges_.kind_of(number);
    strata::Entity& entity = entities_[number];
    if (fights(kind)) {
      entity = world_.create(position, health, sprite, velocity, damage);
    } else if (moves(kind)) {
      entity = world_.create(position, health, sprite, velocity, Data{birth.data()});
    } else {
      entity = world_.create(position, health, sprite, Data{birth.data()});
    }
  }

  void change_effects(unsigned frame) {
    for_each_effect(
        setup_, turns_, frame,
        [&](std::size_t i) {
          world_.remove<Burning>(entities_[i]);
          if (stuns(i)) world_.remove<Stunned>(entities_[i]);
        },
        [&](std::size_t i) {
          world_.add(entities_[i], Burning{burning_of(i)});
          if (stuns(i)) world_.add(entities_[i], Stunned{});
        });
  }

  strata::bench::CountingMemory memory_;
  strata::World world_{{.memory = &memory_}};
  Setup setup_;
  Ranges ranges_;
  Turns turns_;
  std::vector<strata::Entity> entities_;  // By number.
  Picture picture_;
  std::uint64_t seen_ = 0;

  strata::Query<Position, const Velocity, strata::Without<Stunned>> movement_ =
      world_.query<Position, const Velocity, strata::Without<Stunned>>();
  strata::Query<Data> data_ = world_.query<Data>();
  strata::Query<Health, Burning> burning_ = world_.query<Health, Burning>();
  strata::Query<Health, const Damage> fights_ = world_.query<Health, const Damage>();
  strata::Query<Health> health_ = world_.query<Health>();
  strata::Query<const Position, const Sprite> sprites_ = world_.query<const Position, const Sprite>();
};

}  // namespace

std::unique_ptr<Program> make_in_tables(const Setup& setup, const strata::StorageAdvice& advice) {
  auto program = std::make_unique<WorldProgram<Storage::table>>(setup);
  strata::World& world = program->world();
  for (const strata::StorageAdvice::Component& one : advice.components)
    if (one.moves()) world.set_storage(world.find_component(one.name).value(), one.recommended);
  return program;
}

std::unique_ptr<Program> make_in_side_store(const Setup& setup) {
  return std::make_unique<WorldProgram<Storage::sparse>>(setup);
}

strata::StorageAdvice advise(const Setup& setup, unsigned frames) {
  WorldProgram<Storage::table> program(setup);
  // Status effects are as many as they will be.
  unsigned number = 0;
  for (; number < setup.effect_frames(); ++number) program.frame(number);
  strata::StorageAdvisor probe(program.world());
  probe.start();
  for (const unsigned end = number + frames; number < end; ++number, probe.next_frame())
    program.frame(number);
  probe.stop();
  return probe.advise();
}

}  // namespace layout
