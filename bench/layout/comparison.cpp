#include "comparison.hpp"

#include <algorithm>
#include <stdexcept>

#include "../scene/text.hpp"
#include "../support/timing.hpp"

namespace layout {
namespace {

using Programs = std::array<std::unique_ptr<Program>, kVariants>;

constexpr unsigned kObservedFrames = 16;

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

Figures compare(const Setup& setup, const Plan& plan) {
  const auto frames = static_cast<unsigned>(std::clamp<std::size_t>(plan.updates / setup.entities, 2, 1'000));
  Figures figures{setup, frames, {}, {}, advise(setup, kObservedFrames)};
  const Programs programs{make_in_tables(setup), make_in_side_store(setup),
                          make_in_tables(setup, figures.advice), make_arrays(setup)};
  // Status effects are as many as they will be, and memory has been touched.
  unsigned frame = setup.effect_frames() + 1;
  for (const auto& program : programs) {
    for (unsigned number = 0; number < frame; ++number) program->frame(number);
  }
  verify(programs, setup);
  std::array<std::vector<double>, kVariants> times;
  for (unsigned repetition = 0; repetition < plan.repetitions; ++repetition, frame += figures.frames) {
    for (std::size_t variant = 0; variant < kVariants; ++variant) {
      times[variant].push_back(strata::bench::time_ns([&] {
        for (unsigned i = 0; i < figures.frames; ++i) programs[variant]->frame(frame + i);
      }));
    }
  }
  verify(programs, setup);
  const auto entities = static_cast<double>(setup.entities);
  for (std::size_t variant = 0; variant < kVariants; ++variant) {
    figures.ns[variant] = strata::bench::median(times[variant]) / entities / figures.frames;
    figures.bytes[variant] = static_cast<double>(programs[variant]->bytes()) / entities;
  }
  return figures;
}

}  // namespace layout
