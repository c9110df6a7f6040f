// Prints how the cascades of trees are divided into tasks, and how much faster more workers are expected to be, beside the
// times that one and two threads take.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "../hierarchy/scene.hpp"
#include "../hierarchy/shapes.hpp"
#include "../scene/command_lines.hpp"
#include "model.hpp"
#include "support/thread_pool.hpp"
#include "support/timing.hpp"

namespace strata::bench {
namespace {

using ::scene::PartitionOptions;

/// Returns: the shortest of several times.
template <class Run>
double best_ns(std::size_t repetitions, Run run) {
  double best = time_ns(run);
  for (std::size_t i = 1; i < repetitions; ++i) best = std::min(best, time_ns(run));
  return best;
}

/// Measures what a barrier and a task cost two threads, by passes over nothing.
void measure_hand_over(const PartitionOptions& options, ThreadPool& pool, Costs& costs) {
  constexpr std::size_t kPasses = 200;
  const auto pass_ns = [&](std::size_t tasks) {
    const auto nothing = [](std::size_t) {};
    return best_ns(options.repetitions,
                   [&] {
                     for (std::size_t i = 0; i < kPasses; ++i)
                       detail::run_tasks(pool, tasks, 1, std::pmr::new_delete_resource(), nothing);
                   }) /
           kPasses;
  };
  const double few = pass_ns(2);
  const double many = pass_ns(402);
  costs.task_ns = options.task_ns >= 0 ? options.task_ns : std::max(0.0, (many - few) / 400);
  costs.barrier_ns = options.barrier_ns >= 0 ? options.barrier_ns : few;
}

/// Measures how many bytes in a nanosecond two threads read and write, in arrays that no cache holds: a third is read, a
/// third is written, and what is written is read before, as in a cascade.
double measure_memory(const PartitionOptions& options, ThreadPool& pool) {
  const std::vector<float> from(std::size_t{1} << 25, 1.0f);
  std::vector<float> to(from.size());
  const auto body = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) to[i] = from[i] + 1;
  };
  const double ns =
      best_ns(options.repetitions, [&] { pool.parallel_for(to.size(), to.size() / 256, body); });
  return 3.0 * sizeof(float) * static_cast<double>(to.size()) / ns;
}

/// Returns: how a cascade of the query is divided.
Partition partition_of(const detail::Matcher& matcher, std::size_t grain) {
  const detail::WorkList work(matcher, detail::Order::down, detail::Division{grain});
  const auto share_of = [&](const auto& tasks) {
    Share share;
    for (const std::size_t task : tasks) {
      ++share.tasks;
      for (detail::PieceCursor blocks(matcher, work.pieces_of(work.tasks()[task])); blocks.next();)
        share.rows += blocks.end_row() - blocks.first_row();
    }
    return share;
  };
  Partition partition;
  for (const detail::WorkList::Stage& stage : work.stages()) {
    Shares& shares = partition.stages.emplace_back();
    if (stage.first_part == stage.end_part) {
      for (std::size_t task = stage.begin; task < stage.end; ++task)
        shares.push_back(share_of(std::array{task}));
    }
    for (std::size_t part = stage.first_part; part < stage.end_part; ++part)
      shares.push_back(share_of(work.tasks_of(part)));
  }
  return partition;
}

void report(Shape shape, const PartitionOptions& options, std::size_t grain, Costs costs, ThreadPool& pool) {
  const Script<Affine> script(make_tree(shape, options.nodes));
  Scene<Affine> scene(Layout::adaptive);
  scene.expect(options.nodes);
  scene.build(script);
  scene.world().defragment();
  scene.update();
  const Partition partition = partition_of(scene.nodes().matcher(), grain);
  double one = 1e300;
  double two = 1e300;
  for (std::size_t i = 0; i < options.repetitions; ++i) {
    one = std::min(one, time_ns([&] { scene.update(); }));
    two = std::min(two, time_ns([&] { scene.update(pool, grain); }));
  }
  costs.row_ns = one / static_cast<double>(partition.rows());
  const double bytes =
      3.0 * sizeof(Affine);  // The local value is read, that in the world is read and written.
  const bool is_in_cache = bytes * static_cast<double>(partition.rows()) < options.cache_megabytes * 1e6;
  costs.row_bytes = is_in_cache ? 0 : bytes;
  costs.bytes_per_ns = std::max(costs.bytes_per_ns, bytes / costs.row_ns);
  std::printf("%-10s %6zu %6zu %6zu %8.2f %8.2f |", to_string(shape).c_str(), partition.stages.size(),
              partition.barriers(), partition.tasks(), one / 1e6, one / two);
  for (const std::size_t workers : {2, 4, 8, 16, 32, 64})
    std::printf(" %6.2f", one / predict_ns(partition, costs, workers));
  std::printf("\n");
}

void run(const PartitionOptions& options) {
  const std::size_t grain = options.grain > 0 ? options.grain : detail::kParallelGrain;
  ThreadPool pool(2);
  Costs costs;
  measure_hand_over(options, pool, costs);
  costs.bytes_per_ns = options.bytes_per_ns > 0 ? options.bytes_per_ns : measure_memory(options, pool);
  std::printf("update_affine, %u nodes, grain %zu; task %.0f ns, barrier %.0f ns, memory %.1f GB/s\n",
              options.nodes, grain, costs.task_ns, costs.barrier_ns, costs.bytes_per_ns);
  std::printf("                                one, ms  two      | expected speed-up of workers\n");
  std::printf(
      "shape      stages barrs.  tasks measured measured |      2      4      8     16     32     64\n");
  for (const Shape shape : kShapes) report(shape, options, grain, costs, pool);
}

}  // namespace
}  // namespace strata::bench

int main(int argc, char** argv) {
  return scene::exit_status_of("bench_partition", argc, argv, strata::bench::run);
}
