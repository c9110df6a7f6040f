#include <utility>
#include <vector>

#include "comparison.hpp"

namespace layout {
namespace {

/// The numbers of burning entities, packed, with their values; swap and pop.
class BurningList {
 public:
  explicit BurningList(std::size_t entities) : places_(entities, kNone) {}

  void add(std::uint32_t number, BurningValue value) {
    if (places_[number] != kNone) {
      values_[places_[number]] = value;
      return;
    }
    places_[number] = static_cast<std::uint32_t>(numbers_.size());
    numbers_.push_back(number);
    values_.push_back(value);
  }
  void remove(std::uint32_t number) {
    const std::uint32_t place = std::exchange(places_[number], kNone);
    if (place == kNone) return;
    if (place + 1 != numbers_.size()) {
      numbers_[place] = numbers_.back();
      values_[place] = values_.back();
      places_[numbers_[place]] = place;
    }
    numbers_.pop_back();
    values_.pop_back();
  }
  const BurningValue* find(std::size_t number) const {
    return places_[number] != kNone ? &values_[places_[number]] : nullptr;
  }
  template <class Visit>
  void each(Visit visit) {
    for (std::size_t i = 0; i < numbers_.size(); ++i) visit(numbers_[i], values_[i]);
  }
  std::size_t bytes() const {
    return places_.capacity() * sizeof(std::uint32_t) + numbers_.capacity() * sizeof(std::uint32_t) +
           values_.capacity() * sizeof(BurningValue);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> numbers_;
  std::vector<BurningValue> values_;
};

class ArraysProgram final : public Program {
 public:
  explicit ArraysProgram(const Setup& setup)
      : setup_(setup),
        ranges_(setup.entities),
        turns_(setup.entities),
        position_(setup.entities),
        health_(setup.entities),
        sprite_(setup.entities),
        velocity_(ranges_.end(Kind::beast)),
        damage_(ranges_.end(Kind::hunter)),
        data_(setup.entities - ranges_.begin(Kind::beast)),
        stunned_(setup.entities),
        burning_(setup.entities) {
    for (std::size_t number = 0; number < setup.entities; ++number) bear(number, 0);
  }

  void frame(unsigned number) override {
    for (std::size_t i = 0; i < velocity_.size(); ++i) {
      if (stunned_[i] == 0) move(position_[i], velocity_[i]);
    }
    for (DataValue& data : data_) update(data);
    for_each_effect(
        setup_, turns_, number,
        [&](std::size_t i) {
          burning_.remove(static_cast<std::uint32_t>(i));
          stunned_[i] = 0;
        },
        [&](std::size_t i) {
          burning_.add(static_cast<std::uint32_t>(i), burning_of(i));
          if (stuns(i)) stunned_[i] = 1;
        });
    burning_.each([&](std::size_t i, BurningValue& burning) { burn(health_[i], burning); });
    for (std::size_t i = 0; i < damage_.size(); ++i) fight(health_[i], damage_[i]);
    for (HealthValue& health : health_) recover(health);
    for_each_respawn(setup_, turns_, number, [&](std::size_t i) { bear(i, number); });
    for_each_target(setup_, turns_, number,
                    [&](std::size_t i) { seen_ += static_cast<std::uint64_t>(health_[i].points); });
    for (std::size_t i = 0; i < position_.size(); ++i) picture_.draw(position_[i], sprite_[i]);
  }

  std::uint64_t digest() const override {
    Digest digest;
    for (std::size_t i = 0; i < setup_.entities; ++i) {
      const DataValue* const data =
          has_data(ranges_.kind_of(i)) ? &data_[i - ranges_.begin(Kind::beast)] : nullptr;
      digest.add(position_[i], health_[i], data, burning_.find(i), stunned_[i] != 0);
    }
    return digest.value() ^ picture_.digest() ^ seen_;
  }

  std::size_t bytes() const override {
    return setup_.entities * (sizeof(PositionValue) + sizeof(HealthValue) + sizeof(SpriteValue) + 1) +
           velocity_.size() * sizeof(VelocityValue) + damage_.size() * sizeof(DamageValue) +
           data_.size() * sizeof(DataValue) + burning_.bytes();
  }

 private:
  void bear(std::size_t number, unsigned frame) {
    const Birth birth(number, frame);
    const Kind kind = ranges_.kind_of(number);
    position_[number] = birth.position();
    health_[number] = birth.health();
    sprite_[number] = birth.sprite();
    if (moves(kind)) velocity_[number] = birth.velocity();
    if (fights(kind)) damage_[number] = birth.damage();
    if (has_data(kind)) data_[number - ranges_.begin(Kind::beast)] = birth.data();
    burning_.remove(static_cast<std::uint32_t>(number));
    stunned_[number] = 0;
  }

  Setup setup_;
  Ranges ranges_;
  Turns turns_;
  std::vector<PositionValue> position_;
  std::vector<HealthValue> health_;
  std::vector<SpriteValue> sprite_;
  std::vector<VelocityValue> velocity_;
  std::vector<DamageValue> damage_;
  std::vector<DataValue> data_;
  std::vector<std::uint8_t> stunned_;
  BurningList burning_;
  Picture picture_;
  std::uint64_t seen_ = 0;
};

}  // namespace

std::unique_ptr<Program> make_arrays(const Setup& setup) {
  return std::make_unique<ArraysProgram>(setup);
}

}  // namespace layout
