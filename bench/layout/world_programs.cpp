#include <string_view>
#include <type_traits>
#include <vector>

#include "../../include/strata/storage_advisor.hpp"
#include "../../include/strata/strata.hpp"
#include "../support/counting_memory.hpp"
#include "rules.hpp"

namespace layout {

using strata::Storage;

/// A component with these values, declared for that storage.
template <Storage, class Value>
struct In : Value {};

template <Storage S>
using Position = In<S, PositionValue>;
template <Storage S>
using Velocity = In<S, VelocityValue>;
template <Storage S>
using Health = In<S, HealthValue>;
template <Storage S>
using Damage = In<S, DamageValue>;
template <Storage S>
using Sprite = In<S, SpriteValue>;
template <Storage S>
using Data = In<S, DataValue>;
template <Storage S>
using Burning = In<S, BurningValue>;
template <Storage S>
using Stunned = In<S, StunnedValue>;

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
 public:
  explicit WorldProgram(const Setup& setup)
      : setup_(setup), ranges_(setup.entities), turns_(setup.entities), entities_(setup.entities) {
    for (std::size_t number = 0; number < setup.entities; ++number) bear(number, 0);
  }

  strata::World& world() { return world_; }

  void frame(unsigned number) override {
    movement_.each(
        [](Position<S>& position, const Velocity<S>& velocity) { layout::move(position, velocity); });
    data_.each([](Data<S>& data) { update(data); });
    change_effects(number);
    burning_.each([](Health<S>& health, Burning<S>& burning) { burn(health, burning); });
    fights_.each([](Health<S>& health, const Damage<S>& damage) { fight(health, damage); });
    health_.each([](Health<S>& health) { recover(health); });
    for_each_respawn(setup_, turns_, number, [&](std::size_t i) {
      world_.destroy(entities_[i]);
      bear(i, number);
    });
    for_each_target(setup_, turns_, number, [&](std::size_t i) {
      seen_ += static_cast<std::uint64_t>(world_.get<Health<S>>(entities_[i]).points);
    });
    sprites_.each(
        [&](const Position<S>& position, const Sprite<S>& sprite) { picture_.draw(position, sprite); });
  }

  std::uint64_t digest() const override {
    Digest digest;
    for (std::size_t i = 0; i < setup_.entities; ++i) {
      const strata::Entity entity = entities_[i];
      const auto& position = world_.get<Position<S>>(entity);
      for (const float value : {position.x, position.y, position.z}) digest.add(value);
      digest.add(world_.get<Health<S>>(entity).points);
      if (has_data(ranges_.kind_of(i))) digest.add(world_.get<Data<S>>(entity).thing);
      const auto* const burning = world_.find<Burning<S>>(entity);
      digest.add(burning != nullptr ? burning->frames : -1);
      digest.add(std::uint32_t{world_.has<Stunned<S>>(entity)});
    }
    return digest.value() ^ picture_.digest() ^ seen_;
  }

  std::size_t bytes() const override {
    return memory_.bytes() + entities_.capacity() * sizeof(strata::Entity);
  }

 private:
  void bear(std::size_t number, unsigned frame) {
    const Birth birth(number, frame);
    const Position<S> position{birth.position()};
    const Health<S> health{birth.health()};
    const Sprite<S> sprite{birth.sprite()};
    const Velocity<S> velocity{birth.velocity()};
    const Damage<S> damage{birth.damage()};
    switch (ranges_.kind_of(number)) {
      case Kind::fighter:
      case Kind::hunter:
        entities_[number] = world_.create(position, health, sprite, velocity, damage);
        return;
      case Kind::beast:
        entities_[number] = world_.create(position, health, sprite, velocity, Data<S>{birth.data()});
        return;
      case Kind::scenery:
        entities_[number] = world_.create(position, health, sprite, Data<S>{birth.data()});
        return;
    }
  }

  void change_effects(unsigned frame) {
    for_each_effect(
        setup_, turns_, frame,
        [&](std::size_t i) {
          world_.remove<Burning<S>>(entities_[i]);
          if (stuns(i)) world_.remove<Stunned<S>>(entities_[i]);
        },
        [&](std::size_t i) {
          world_.add(entities_[i], Burning<S>{burning_of(i)});
          if (stuns(i)) world_.add(entities_[i], Stunned<S>{});
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

  strata::Query<Position<S>, const Velocity<S>, strata::Without<Stunned<S>>> movement_ =
      world_.query<Position<S>, const Velocity<S>, strata::Without<Stunned<S>>>();
  strata::Query<Data<S>> data_ = world_.query<Data<S>>();
  strata::Query<Health<S>, Burning<S>> burning_ = world_.query<Health<S>, Burning<S>>();
  strata::Query<Health<S>, const Damage<S>> fights_ = world_.query<Health<S>, const Damage<S>>();
  strata::Query<Health<S>> health_ = world_.query<Health<S>>();
  strata::Query<const Position<S>, const Sprite<S>> sprites_ =
      world_.query<const Position<S>, const Sprite<S>>();
};

/// Moves the components with these values to where the advice says.
template <class... Values>
void apply(strata::World& world, const strata::StorageAdvice& advice) {
  for (const strata::StorageAdvice::Component& one : advice.components) {
    const auto move = [&]<class T>(std::type_identity<T>) {
      if (one.name == T::kName && one.moves()) world.set_storage<In<Storage::table, T>>(one.recommended);
    };
    (move(std::type_identity<Values>()), ...);
  }
}

}  // namespace

std::unique_ptr<Program> make_all_in_tables(const Setup& setup) {
  return std::make_unique<WorldProgram<Storage::table>>(setup);
}

std::unique_ptr<Program> make_all_in_side_store(const Setup& setup) {
  return std::make_unique<WorldProgram<Storage::sparse>>(setup);
}

std::unique_ptr<Program> make_as_advised(const Setup& setup, const strata::StorageAdvice& advice) {
  auto program = std::make_unique<WorldProgram<Storage::table>>(setup);
  apply<PositionValue, VelocityValue, HealthValue, DamageValue, SpriteValue, DataValue, BurningValue,
        StunnedValue>(program->world(), advice);
  return program;
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
