#include "comparison.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "../scene/text.hpp"

namespace layout {
namespace {

using Clock = std::chrono::steady_clock;
using Programs = std::array<std::unique_ptr<Program>, kVariants>;

constexpr unsigned kObservedFrames = 16;

double time_frames(Program& program, unsigned first, unsigned frames) {
  const Clock::time_point start = Clock::now();
  for (unsigned frame = 0; frame < frames; ++frame) program.frame(first + frame);
  const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
  return elapsed.count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void verify(const Programs& programs, const Setup& setup) {
  const std::uint64_t expected = programs[limit]->digest();
  for (std::size_t variant = 0; variant < kVariants; ++variant) {
    if (programs[variant]->digest() == expected) continue;
    throw std::runtime_error(std::string(kNames[variant]) + ": another result than the limit's, with " +
                             scene::grouped(setup.entities) + " entities and a churn of " +
                             scene::fixed(setup.churn * 100, 2) + " %");
  }
}

}  // namespace

unsigned Plan::frames_for(std::size_t entities) const {
  return static_cast<unsigned>(std::clamp<std::size_t>(updates / entities, 2, 1'000));
}

std::vector<std::string> Figures::moved() const {
  std::vector<std::string> names;
  for (const strata::ComponentAdvice& one : advice.components) {
    if (one.moves()) names.push_back(one.name);
  }
  return names;
}

Figures compare(const Setup& setup, const Plan& plan) {
  Figures figures{setup, plan.frames_for(setup.entities), {}, {}, advise(setup, kObservedFrames)};
  Programs programs{make_all_in_tables(setup), make_all_in_side_store(setup),
                    make_as_advised(setup, figures.advice), make_arrays(setup)};
  // Status effects are as many as they will be, and memory has been touched.
  unsigned frame = setup.effect_frames() + 1;
  for (const auto& program : programs) {
    for (unsigned number = 0; number < frame; ++number) program->frame(number);
  }
  verify(programs, setup);
  std::array<std::vector<double>, kVariants> times;
  for (unsigned repetition = 0; repetition < plan.repetitions; ++repetition, frame += figures.frames) {
    for (std::size_t variant = 0; variant < kVariants; ++variant) {
      times[variant].push_back(time_frames(*programs[variant], frame, figures.frames));
    }
  }
  verify(programs, setup);
  const auto entities = static_cast<double>(setup.entities);
  for (std::size_t variant = 0; variant < kVariants; ++variant) {
    figures.ns[variant] = median(times[variant]) / entities / figures.frames;
    figures.bytes[variant] = static_cast<double>(programs[variant]->bytes()) / entities;
  }
  return figures;
}

}  // namespace layout
