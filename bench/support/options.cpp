#include "options.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <string_view>

namespace strata::bench {
namespace {

constexpr char kHelp[] =
    "usage: %s [options]\n"
    "\n"
    "Times strata beside the same work over plain arrays (the limit) and prints the ratios.\n"
    "\n"
    "  --all                          also the benches that take long or much memory\n"
    "  --list                         print the paths of the benches, run nothing\n"
    "  --json FILE                    write all figures to FILE\n"
    "  --benchmark_filter=REGEX       only the benches whose path matches, on-demand ones included\n"
    "  --benchmark_repetitions=N      9 unless given\n"
    "  --benchmark_min_time=SECONDS   of one repetition; 0.1 unless given\n"
    "  --help                         this text\n";

std::string joined(int argc, char** argv) {
  std::string line = argc > 0 ? argv[0] : "";
  for (int i = 1; i < argc; ++i) line.append(" ").append(argv[i]);
  return line;
}

bool complain(const char* sentence) {
  std::fprintf(stderr, "error: %s\n", sentence);
  return false;
}

/// Takes strata's own options out of the command line.
/// Returns: what is left, for Google Benchmark; nothing after a complaint.
bool take_own(int argc, char** argv, Options& options, std::vector<char*>& left) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--all") {
      options.all = true;
    } else if (word == "--list") {
      options.list = true;
    } else if (word == "--json") {
      if (++i == argc) return complain("--json needs the name of a file");
      options.json = argv[i];
    } else if (word.substr(0, 7) == "--json=") {
      options.json = word.substr(7);
    } else if (word.substr(0, 15) == "--benchmark_out") {
      return complain("--benchmark_out would only see the last question; use --json FILE");
    } else {
      left.push_back(argv[i]);
    }
  }
#ifndef STRATA_BENCH_JSON
  if (!options.json.empty()) return complain("--json needs a build with nlohmann-json");
#endif
  return true;
}

bool asks_for_help(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--help") return true;
  }
  return false;
}

}  // namespace

std::optional<Options> read_options(int argc, char** argv, int& status) {
  status = 0;
  if (asks_for_help(argc, argv)) {
    std::printf(kHelp, argc > 0 ? argv[0] : "bench");
    return std::nullopt;
  }

  Options options;
  options.command_line = joined(argc, argv);
  // Google Benchmark takes the last of two equal flags, so these are only defaults.
  static char interleave[] = "--benchmark_enable_random_interleaving=true";
  static char repetitions[] = "--benchmark_repetitions=9";
  static char min_time[] = "--benchmark_min_time=0.1";
  std::vector<char*> words = {argv[0], interleave, repetitions, min_time};
  status = 1;
  if (!take_own(argc, argv, options, words)) return std::nullopt;

  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  benchmark::Initialize(&count, words.data());
  if (benchmark::ReportUnrecognizedArguments(count, words.data())) return std::nullopt;
  options.filter = benchmark::GetBenchmarkFilter();
  status = 0;
  return options;
}

}  // namespace strata::bench
