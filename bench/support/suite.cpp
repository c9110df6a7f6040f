#include "suite.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <regex>
#include <stdexcept>

#include "progress.hpp"
#include "report.hpp"

namespace strata::bench {

struct Options {
  bool help = false;         ///< Was printed; run nothing.
  bool all = false;          ///< Also what is only run on demand.
  bool list = false;         ///< Print the paths, run nothing.
  std::string filter;        ///< A regular expression; empty: no filter.
  std::string json;          ///< Where to write the figures as JSON; empty: nowhere.
  std::string command_line;  ///< As it was typed, to stand beside the figures.
};

namespace {

/// Lets freed memory stay with the process. Otherwise building something anew measures the kernel's page
/// faults, or does not, as the heap's history has it: several times the work itself, and never twice the
/// same.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

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

/// Hands Google Benchmark its part of the command line: 9 interleaved repetitions of 0.1 s unless it says otherwise.
/// Errors: std::invalid_argument.
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

/// The families of the program, in the order in which their files were linked.
std::vector<void (*)(Suite&)>& families() {
  static std::vector<void (*)(Suite&)> all;
  return all;
}

using Questions = std::vector<std::unique_ptr<AnyQuestion>>;

void list(const Questions& questions, const std::vector<Count>& counts) {
  for (const auto& question : questions) {
    for (const Answer& answer : question->answers()) std::printf("%s\n", answer.path.c_str());
    std::printf("%s\n", question->limit_path().c_str());
  }
  for (const Count& count : counts) std::printf("%s\n", count.path.c_str());
}

std::size_t path_width(const Questions& questions, const std::vector<Count>& counts) {
  std::size_t width = 0;
  for (const auto& question : questions) {
    for (const Answer& answer : question->answers()) width = std::max(width, answer.path.size());
  }
  for (const Count& count : counts) width = std::max(width, count.path.size());
  return width;
}

std::vector<Figure> run_questions(const Questions& questions, std::size_t width) {
  std::vector<Figure> times;
  if (questions.empty()) return times;
  const Report report("time", "ns per item", width);
  Progress progress(questions.size());
  for (const auto& question : questions) {
    progress.next(question->answers().front().path);
    const std::vector<Figure> figures = question->run();
    progress.clear();
    for (const Figure& figure : figures) report.print(figure);
    times.insert(times.end(), figures.begin(), figures.end());
  }
  return times;
}

std::vector<Figure> run_counts(const std::vector<Count>& counts, std::size_t width) {
  std::vector<Figure> amounts;
  if (counts.empty()) return amounts;
  const Report report("memory", "bytes per item", width);
  Progress progress(counts.size());
  for (const Count& count : counts) {
    progress.next(count.path);
    const Amounts taken = count.take();
    progress.clear();
    Figure figure{count.path, count.items, taken.value, taken.limit};
    if (count.most > 0) figure.bar = {Bar::Kind::amount, count.most};
    report.print(figure);
    amounts.push_back(figure);
  }
  return amounts;
}

void warn_of_noise(const std::vector<Figure>& times) {
  constexpr double kTooNoisy = 0.10;
  const auto noisy = std::count_if(times.begin(), times.end(),
                                   [](const Figure& figure) { return figure.noise > kTooNoisy; });
  if (noisy == 0) return;
  std::fprintf(stderr, "note: %d of %zu ratios have a noise above 10 %%; is something else running?\n",
               static_cast<int>(noisy), times.size());
}

}  // namespace

Family::Family(void (*ask)(Suite&)) {
  families().push_back(ask);
}

/// A filter is a POSIX extended regular expression, looked for anywhere in a path; after a leading '-', paths without it
/// are chosen.
void Suite::drop_unwanted(const Options& options) {
  const bool negated = options.filter.starts_with('-');
  const std::regex filter(options.filter.substr(negated ? 1 : 0), std::regex::extended);
  const auto unwanted = [&](const std::string& path, bool on_demand) {
    if (options.filter.empty()) return on_demand && !options.all;
    return std::regex_search(path, filter) == negated;
  };
  for (const auto& question : questions_) {
    std::erase_if(question->answers(),
                  [&](const Answer& answer) { return unwanted(answer.path, question->on_demand()); });
  }
  std::erase_if(questions_, [](const auto& question) { return question->answers().empty(); });
  std::erase_if(counts_, [&](const Count& count) { return unwanted(count.path, count.on_demand); });
}

int Suite::run(const Options& options) {
  drop_unwanted(options);
  if (questions_.empty() && counts_.empty()) {
    std::fprintf(stderr, "error: no bench matches %s\n", options.filter.c_str());
    return 1;
  }
  if (options.list) {
    list(questions_, counts_);
    return 0;
  }
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
  std::fprintf(stderr, "note: this is not an optimised build; its figures mean nothing\n");
#endif
  const std::size_t width = path_width(questions_, counts_);
  const std::vector<Figure> times = run_questions(questions_, width);
  if (!questions_.empty() && !counts_.empty()) std::printf("\n");
  const std::vector<Figure> amounts = run_counts(counts_, width);
  warn_of_noise(times);
  if (!options.json.empty()) {
    const Complaint complaint = write_json(options.json, options.command_line, times, amounts);
    if (!complaint.empty()) throw std::runtime_error(complaint);
  }
  const auto right = [](const Figure& figure) { return figure.failure.empty(); };
  return std::all_of(times.begin(), times.end(), right) ? 0 : 1;
}

}  // namespace strata::bench

int main(int argc, char** argv) {
  using namespace strata::bench;
  try {
    const Options options = read_options(argc, argv);
    if (options.help) return 0;
    keep_freed_memory();
    Suite suite;
    for (const auto ask : families()) ask(suite);
    return suite.run(options);
  } catch (const std::exception& problem) {  // Such as a filter that is no regular expression.
    std::fprintf(stderr, "error: %s\n", problem.what());
    return 1;
  }
}
