#include "comparison.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "../support/progress.hpp"
#include "../support/timing.hpp"
#include "text.hpp"
#include "variant.hpp"

namespace scene {
namespace {

using strata::bench::median;

struct Contender {
  std::string name;
  std::unique_ptr<Variant> variant;
  std::vector<double> ns_per_frame = {};  // one per repetition
};

std::vector<Contender> make_contenders(const Forest& forest) {
  std::vector<Contender> contenders;
  contenders.push_back({"tables default", make_tables(forest, strata::WorldOptions().layout)});
  contenders.push_back({"tables per_parent", make_tables(forest, strata::Layout::per_parent)});
  contenders.push_back({"tables per_level", make_tables(forest, strata::Layout::per_level)});
  contenders.push_back({"side store", make_side_store(forest)});
  contenders.push_back({"limit: arrays", make_arrays(forest)});
  return contenders;
}

/// Runs `frames` frames from number `first` on, after one more that warms the caches.
double time_frames(Variant& variant, unsigned first, unsigned frames) {
  variant.frame(first);
  const double elapsed = strata::bench::time_ns([&] {
    for (unsigned frame = 1; frame <= frames; ++frame) variant.frame(first + frame);
  });
  return elapsed / frames;
}

void measure(std::vector<Contender>& contenders, const Plan& plan) {
  strata::bench::Progress progress(plan.repetitions * contenders.size());
  for (unsigned repetition = 0; repetition < plan.repetitions; ++repetition)
    for (Contender& contender : contenders) {
      progress.next("measuring " + contender.name);
      const unsigned first = repetition * (plan.frames + 1);
      contender.ns_per_frame.push_back(time_frames(*contender.variant, first, plan.frames));
    }
}

double largest_difference(const std::vector<Affine>& expected, const std::vector<Affine>& actual) {
  double largest = 0;
  for (std::size_t node = 0; node < expected.size(); ++node)
    largest = std::max(largest, relative_difference(expected[node], actual[node]));
  return largest;
}

}  // namespace

std::vector<Figures> compare(const Forest& forest, const Plan& plan) {
  std::vector<Contender> contenders = make_contenders(forest);
  measure(contenders, plan);

  const auto nodes = static_cast<double>(forest.size());
  const Contender& limit = contenders.back();
  const double limit_time = median(limit.ns_per_frame);
  const std::vector<Affine> expected = limit.variant->world_transforms();
  std::vector<Figures> all;
  for (const Contender& contender : contenders) {
    const double time = median(contender.ns_per_frame);
    const auto [bytes, tables] = contender.variant->footprint();
    all.push_back({contender.name, time / nodes, time / limit_time, static_cast<double>(bytes) / nodes,
                   tables, largest_difference(expected, contender.variant->world_transforms())});
    if (!(all.back().difference <= kTolerance))
      throw std::runtime_error(contender.name + " differs from the limit by " +
                               scientific(all.back().difference) + ", relative to the world transforms");
  }
  return all;
}

}  // namespace scene
