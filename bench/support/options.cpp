#include "options.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

namespace strata::bench {
namespace {

constexpr char kHelp[] =
    "usage: bench_ROOM [options]\n"
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

/// Takes strata's own options out of the command line.
/// Returns: what is left, for Google Benchmark.
std::vector<char*> take_own(int argc, char** argv, Options& options) {
  std::vector<char*> left;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    options.command_line += ' ' + word;
    if (word == "--help") {
      options.help = true;
    } else if (word == "--all") {
      options.all = true;
    } else if (word == "--list") {
      options.list = true;
    } else if (word == "--json" && i + 1 < argc) {
      options.json = argv[++i];
      options.command_line += ' ' + options.json;
    } else if (word.starts_with("--json=")) {
      options.json = word.substr(7);
    } else if (word.starts_with("--benchmark_out")) {
      throw std::invalid_argument("--benchmark_out would only see the last question; use --json FILE");
    } else {
      left.push_back(argv[i]);
    }
  }
  return left;
}

}  // namespace

Options read_options(int argc, char** argv) {
  Options options;
  options.command_line = argv[0];
  const std::vector<char*> left = take_own(argc, argv, options);
  if (options.help) {
    std::fputs(kHelp, stdout);
    return options;
  }
  // Google Benchmark takes the last of two equal flags, so these are only defaults.
  static char interleave[] = "--benchmark_enable_random_interleaving=true";
  static char repetitions[] = "--benchmark_repetitions=9";
  static char min_time[] = "--benchmark_min_time=0.1";
  std::vector<char*> words = {argv[0], interleave, repetitions, min_time};
  words.insert(words.end(), left.begin(), left.end());
  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  benchmark::Initialize(&count, words.data());
  if (count > 1) throw std::invalid_argument(std::string("unknown option ") + words[1] + " (see --help)");
  options.filter = benchmark::GetBenchmarkFilter();
  return options;
}

}  // namespace strata::bench
