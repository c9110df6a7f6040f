#include "comparison.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "../support/progress.hpp"
#include "../support/timing.hpp"
#include "text.hpp"

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

void measure(std::vector<Contender>& contenders, const Plan& plan) {
  strata::bench::Progress progress(plan.repetitions * contenders.size());
  for (unsigned repetition = 0; repetition < plan.repetitions; ++repetition)
    for (Contender& contender : contenders) {
      progress.next("measuring " + contender.name);
      const unsigned first = repetition * (plan.frames + 1);
      Variant& variant = *contender.variant;
      variant.frame(first);  // Not timed: it warms the caches.
      const double elapsed = strata::bench::time_ns([&] {
        for (unsigned frame = 1; frame <= plan.frames; ++frame) variant.frame(first + frame);
      });
      contender.ns_per_frame.push_back(elapsed / plan.frames);
    }
}

}  // namespace

std::vector<Figures> compare(const Forest& forest, const Plan& plan) {
  std::vector<Contender> contenders = make_contenders(forest, plan.threads);
  measure(contenders, plan);

  const auto nodes = static_cast<double>(forest.size());
  const double limit_time = median(contenders.back().ns_per_frame);
  const std::vector<Affine> of_tables = contenders.front().variant->world_transforms();
  const std::vector<Affine> of_arrays = contenders.back().variant->world_transforms();
  std::vector<Figures> all;
  for (const auto& [name, variant, ns_per_frame] : contenders) {
    const std::vector<Affine> found = variant->world_transforms();
    if (found.size() != of_arrays.size())
      throw std::runtime_error(name + " has another number of nodes than the limit");
    const std::vector<Affine>& of_one_thread = name.starts_with("tables") ? of_tables : of_arrays;
    if (name.ends_with("threads") &&
        std::memcmp(found.data(), of_one_thread.data(), found.size() * sizeof(Affine)) != 0)
      throw std::runtime_error(name + ": the world transforms are not those of one thread");
    double difference = 0;
    for (std::size_t node = 0; node < found.size(); ++node)
      difference = std::max(difference, relative_difference(of_arrays[node], found[node]));
    if (!(difference <= kTolerance))
      throw std::runtime_error(name + " differs from the limit by " + scientific(difference) +
                               ", relative to the world transforms");
    const double time = median(ns_per_frame);
    const auto [bytes, tables] = variant->footprint();
    all.push_back(
        {name, time / nodes, time / limit_time, static_cast<double>(bytes) / nodes, tables, difference});
  }
  return all;
}

}  // namespace scene
