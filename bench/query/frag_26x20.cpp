// The workload known as ecs_bench_suite frag_iter: 26 archetypes of 20 entities, each with a component of
// its own beside the common one, which is iterated and doubled. The limit: the 520 values in one array.
#include <memory>
#include <strata/strata.hpp>
#include <utility>
#include <vector>

#include "questions.hpp"

namespace strata::bench {
namespace {

template <std::size_t k>
struct Letter {
  float value;
};

struct Data {
  float value;
};

constexpr std::size_t kLetters = 26;
constexpr std::size_t kOfEach = 20;
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
  Values() : values(kLetters * kOfEach) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(i);
  }

  std::vector<float> values;
  Factor factor;
};

/// Eight at a time: how long a shorter loop takes depends on the address that its code happens to have.
Work iterate_by_hand(Values& data) {
  constexpr std::size_t kAtOnce = 8;
  static_assert(kLetters * kOfEach % kAtOnce == 0);
  return {.step = [&data] {
    for (std::size_t pass = 0; pass < kPasses; ++pass) {
      const float factor = data.factor.next();
      float* const values = data.values.data();
      for (std::size_t i = 0; i < kLetters * kOfEach; i += kAtOnce) {
        for (std::size_t k = 0; k < kAtOnce; ++k) values[i + k] *= factor;
      }
    }
  }};
}

class Alphabet {
 public:
  Alphabet() : query_(world_.query<Data>()) { create(std::make_index_sequence<kLetters>()); }

  void step() {
    for (std::size_t pass = 0; pass < kPasses; ++pass) {
      query_.each([factor = factor_.next()](Data& data) { data.value *= factor; });
    }
  }

  Complaint wrong_value() const {
    if (entities_.size() != kLetters * kOfEach) return "entities are missing";
    for (std::size_t i = 0; i < entities_.size(); ++i) {
      if (world_.get<Data>(entities_[i]).value == value_of(i) * factor_.product()) continue;
      return "the value of " + to_string(entities_[i]) + " is wrong";
    }
    return "";
  }

 private:
  template <std::size_t... k>
  void create(std::index_sequence<k...>) {
    for (std::size_t i = 0; i < kOfEach; ++i) {
      (entities_.push_back(world_.create(Letter<k>{0}, Data{value_of(entities_.size())})), ...);
    }
  }

  World world_;
  Query<Data> query_;
  std::vector<Entity> entities_;
  Factor factor_;
};

Work iterate(Values&) {
  const auto alphabet = std::make_shared<Alphabet>();
  return {.step = [alphabet] { alphabet->step(); }, .check = [alphabet] { return alphabet->wrong_value(); }};
}

}  // namespace

void ask_frag_26x20(Suite& suite) {
  auto& question = suite.ask<Values>("query/frag_26x20", kLetters * kOfEach * kPasses,
                                     [] { return std::make_shared<Values>(); });
  question.limit(iterate_by_hand);
  question.answer("each", iterate).at_most(6);
}

}  // namespace strata::bench
