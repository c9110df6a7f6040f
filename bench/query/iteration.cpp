// Iteration over entities of one archetype and of many.
//
// iterate_2: skypjack/entt IterateTwoComponents1M, ecs_bench_suite simple_iter, the movement of abeimler/ecs_benchmark
// SystemsUpdate. iterate_7comps_of_2: the same, over entities that have five components more, as those of simple_iter have
// two: what a query does not ask for should cost it nothing. frag_1024: the same, the entities spread over the 1,024
// archetypes that five tags and five components make, as SanderMertens/ecs_benchmark iterates over subsets of components by a
// flipped coin (cached_10_components_1_term). frag_26x20: ecs_bench_suite frag_iter, 26 archetypes of 20 entities, each with a
// component of its own beside the common one, which is iterated and doubled; the limit is the 520 values in one array.
#include <utility>

#include "motion.hpp"
#include "support/suite.hpp"

namespace strata::bench::iteration {
namespace {

/// As many entities as the arrays have, each of which `equip(world, entity, i)` gives more components.
auto iterate(
    void (Swarm<>::*step)(),
    void (*equip)(World&, Entity, std::size_t) = [](World&, Entity, std::size_t) {}) {
  return [step, equip](Arrays& arrays) {
    const auto swarm = std::make_shared<Swarm<>>(arrays.size());
    for (std::size_t i = 0; i < arrays.size(); ++i) equip(swarm->world, swarm->entities[i], i);
    return step_beside(swarm, arrays, step);
  };
}

template <int k>
struct Ballast {
  float values[k];
};

void add_ballast(World& world, Entity entity, std::size_t) {
  world.add<Health>(entity);
  world.add<Ballast<1>>(entity);
  world.add<Ballast<2>>(entity);
  world.add<Ballast<4>>(entity);
  world.add<Ballast<8>>(entity);
}

template <std::size_t k>
struct Tag {};

template <std::size_t k>
struct Extra {
  float value;
};

/// The i-th of the subsets: a tag for each of the lower bits and a component for each of the upper bits.
void add_subset(World& world, Entity entity, std::size_t i) {
  constexpr std::size_t kOfEach = 5;
  const auto has = [i](std::size_t bit) { return (i >> bit & 1) != 0; };
  for_numbers<kOfEach>([&]<std::size_t k>() {
    if (has(k)) world.add<Tag<k>>(entity);
  });
  for_numbers<kOfEach>([&]<std::size_t k>() {
    if (has(kOfEach + k)) world.add<Extra<k>>(entity);
  });
}

void ask_iterate(Suite& suite, std::size_t n) {
  auto& two = ask_of_size<Arrays>(suite, "query/iterate_2", n);
  two.limit(work_of_data<Arrays>);
  two.answer("each", iterate(&Swarm<>::step)).at_most(1.05);
  two.answer("each_block", iterate(&Swarm<>::step_each_block)).at_most(1.05);
  auto& two_of_seven = ask_of_size<Arrays>(suite, "query/iterate_7comps_of_2", n);
  two_of_seven.limit(work_of_data<Arrays>);
  two_of_seven.answer("each", iterate(&Swarm<>::step, add_ballast)).at_most(1.05);
  auto& fragments = ask_of_size<Arrays>(suite, "query/frag_1024", n);
  fragments.limit(work_of_data<Arrays>);
  fragments.answer("each", iterate(&Swarm<>::step, add_subset)).at_most(bar_of(n, 3, 1.05));
}

struct LetterValue {
  float value;
};

constexpr std::size_t kLetters = 26;
constexpr std::size_t kOfEachLetter = 20;
constexpr std::size_t kPasses = 10;  // In a step: one alone is next to nothing for a clock.

/// Doubles values and halves them again, so that they stay numbers.
class Factor {
 public:
  float next() {
    factor_ = factor_ == 2.0f ? 0.5f : 2.0f;
    return factor_;
  }
  float product() const { return factor_ == 2.0f ? 2.0f : 1.0f; }

 private:
  float factor_ = 0.5f;
};

float value_of(std::size_t i) {
  return static_cast<float>(static_cast<std::uint32_t>(i) & 1023u);
}

struct Values {
  Values() : values(kLetters * kOfEachLetter) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(i);
  }

  std::vector<float> values;
  Factor factor;
};

/// Eight at a time: how long a shorter loop takes depends on the address that its code happens to have.
Work multiply_by_hand(Values& data) {
  constexpr std::size_t kAtOnce = 8;
  static_assert(kLetters * kOfEachLetter % kAtOnce == 0);
  return {.step = [&data] {
    for (std::size_t pass = 0; pass < kPasses; ++pass) {
      const float factor = data.factor.next();
      float* const values = data.values.data();
      for (std::size_t i = 0; i < kLetters * kOfEachLetter; i += kAtOnce) {
        for (std::size_t k = 0; k < kAtOnce; ++k) values[i + k] *= factor;
      }
    }
  }};
}

class Alphabet {
 public:
  explicit Alphabet(const Values&) : query_(world_.query<LetterValue>()) {
    for (std::size_t i = 0; i < kOfEachLetter; ++i) {
      for_numbers<kLetters>([this]<std::size_t k>() {
        entities_.push_back(world_.create(Extra<k>{0}, LetterValue{value_of(entities_.size())}));
      });
    }
  }

  void step() {
    for (std::size_t pass = 0; pass < kPasses; ++pass) {
      query_.each([factor = factor_.next()](LetterValue& letter) { letter.value *= factor; });
    }
  }

  Complaint check() const {
    if (entities_.size() != kLetters * kOfEachLetter) return "entities are missing";
    for (std::size_t i = 0; i < entities_.size(); ++i) {
      if (world_.get<LetterValue>(entities_[i]).value == value_of(i) * factor_.product()) continue;
      return "the value of " + to_string(entities_[i]) + " is wrong";
    }
    return "";
  }

 private:
  World world_;
  Query<LetterValue> query_;
  std::vector<Entity> entities_;
  Factor factor_;
};

void ask_frag_26x20(Suite& suite) {
  auto& question = suite.ask<Values>("query/frag_26x20", kLetters * kOfEachLetter * kPasses,
                                     [] { return std::make_shared<Values>(); });
  question.limit(multiply_by_hand);
  question.answer<Alphabet>("each").at_most(6);
}

const Family kFamily([](Suite& suite) {
  ask_for_sizes(suite, {ask_iterate});
  ask_frag_26x20(suite);
});

}  // namespace
}  // namespace strata::bench::iteration
