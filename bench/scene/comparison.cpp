#include "comparison.hpp"

#include <algorithm>
#include <cstring>
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

std::vector<Contender> make_contenders(const Forest& forest, unsigned threads) {
  std::vector<Contender> contenders;
  contenders.push_back({"tables default", make_tables(forest, strata::WorldOptions().layout)});
  contenders.push_back({"tables per_parent", make_tables(forest, strata::Layout::per_parent)});
  contenders.push_back({"tables per_level", make_tables(forest, strata::Layout::per_level)});
  contenders.push_back({"side store", make_side_store(forest)});
  for (unsigned count = 2; count <= threads; ++count) {
    const std::string by = ", " + std::to_string(count) + " threads";
    contenders.push_back({"tables default" + by, make_tables(forest, strata::WorldOptions().layout, count)});
    contenders.push_back({"arrays" + by, make_arrays(forest, count)});
  }
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

/// Checks that each variant by several threads has exactly the world transforms that the same variant has by one.
void require_same_bits(const std::vector<Contender>& contenders) {
  const std::vector<Affine> of_tables = contenders.front().variant->world_transforms();
  const std::vector<Affine> of_arrays = contenders.back().variant->world_transforms();
  for (const Contender& contender : contenders) {
    if (contender.name.find("threads") == std::string::npos) continue;
    const std::vector<Affine>& expected = contender.name.starts_with("tables") ? of_tables : of_arrays;
    const std::vector<Affine> found = contender.variant->world_transforms();
    if (std::memcmp(found.data(), expected.data(), found.size() * sizeof(Affine)) != 0)
      throw std::runtime_error(contender.name + ": the world transforms are not those of one thread");
  }
}

}  // namespace

std::vector<Figures> compare(const Forest& forest, const Plan& plan) {
  std::vector<Contender> contenders = make_contenders(forest, plan.threads);
  measure(contenders, plan);
  require_same_bits(contenders);

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
