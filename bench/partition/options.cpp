#include "options.hpp"

#include "../scene/command_line.hpp"

namespace strata::bench {

std::optional<Options> parse_options(int argc, const char* const* argv) {
  CLI::App app("How cascades are divided into tasks, and how much faster more workers are expected to be.",
               "bench_partition");
  Options options;
  app.add_option("--nodes", options.nodes, "nodes of each tree")->check(CLI::Range(1'000, 100'000'000));
  app.add_option("--repetitions", options.repetitions, "take the best of so many")
      ->check(CLI::PositiveNumber);
  app.add_option("--grain", options.grain, "rows of a task; those of the library unless given")
      ->check(CLI::PositiveNumber);
  app.add_option("--task-ns", options.task_ns, "what taking a task costs; measured unless given");
  app.add_option("--barrier-ns", options.barrier_ns, "what a barrier costs; measured unless given");
  app.add_option("--memory", options.bytes_per_ns,
                 "GB/s of memory for all workers; measured on two unless given");
  app.add_option("--cache", options.cache_megabytes,
                 "MB of cache; memory does not bound trees that fit into it");
  if (!scene::parse_command_line(app, argc, argv)) return std::nullopt;
  return options;
}

}  // namespace strata::bench
