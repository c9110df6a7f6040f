#include "suite.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "progress.hpp"
#include "report.hpp"

namespace strata::bench {
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

}  // namespace

Family::Family(void (*ask)(Suite&)) {
  families().push_back(ask);
}

Suite::Suite(Options options) : options_(std::move(options)) {
  negated_ = options_.filter.starts_with('-');
  filter_ = std::regex(options_.filter.substr(negated_ ? 1 : 0), std::regex::extended);
}

bool Suite::matches(const std::string& path, bool on_demand) const {
  if (options_.filter.empty()) return options_.all || !on_demand;
  return std::regex_search(path, filter_) != negated_;
}

void Suite::drop_unwanted() {
  for (const auto& question : questions_) {
    std::erase_if(question->answers(),
                  [&](const Answer& answer) { return !matches(answer.path, question->on_demand()); });
    for (const Answer& answer : question->answers()) path_width_ = std::max(path_width_, answer.path.size());
  }
  std::erase_if(questions_, [](const auto& question) { return question->answers().empty(); });
  std::erase_if(counts_, [&](const Count& count) { return !matches(count.path, count.on_demand); });
  for (const Count& count : counts_) path_width_ = std::max(path_width_, count.path.size());
}

void Suite::list() const {
  for (const auto& question : questions_) {
    for (const Answer& answer : question->answers()) std::printf("%s\n", answer.path.c_str());
    std::printf("%s\n", question->limit_path().c_str());
  }
  for (const Count& count : counts_) std::printf("%s\n", count.path.c_str());
}

void Suite::run_questions() {
  Report report("time", "ns per item", path_width_);
  Progress progress(questions_.size());
  for (const auto& question : questions_) {
    progress.next(question->answers().front().path);
    const std::vector<Figure> figures = question->run();
    progress.clear();
    for (const Figure& figure : figures) report.print(figure);
    times_.insert(times_.end(), figures.begin(), figures.end());
  }
}

void Suite::run_counts() {
  if (counts_.empty()) return;
  if (!questions_.empty()) std::printf("\n");
  Report report("memory", "bytes per item", path_width_);
  Progress progress(counts_.size());
  for (const Count& count : counts_) {
    progress.next(count.path);
    const Amounts amounts = count.take();
    progress.clear();
    Figure figure{count.path, count.items, amounts.value, amounts.limit};
    if (count.most > 0) figure.bar = {Bar::Kind::amount, count.most};
    report.print(figure);
    amounts_.push_back(figure);
  }
}

void Suite::warn_of_noise() const {
  constexpr double kTooNoisy = 0.10;
  const auto noisy = std::count_if(times_.begin(), times_.end(),
                                   [](const Figure& figure) { return figure.noise > kTooNoisy; });
  if (noisy == 0) return;
  std::fprintf(stderr, "note: %d of %zu ratios have a noise above 10 %%; is something else running?\n",
               static_cast<int>(noisy), times_.size());
}

int Suite::finish() const {
  warn_of_noise();
  if (!options_.json.empty()) {
    const Complaint complaint = write_json(options_.json, options_.command_line, times_, amounts_);
    if (!complaint.empty()) {
      std::fprintf(stderr, "error: %s\n", complaint.c_str());
      return 1;
    }
  }
  const auto wrong = [](const Figure& figure) { return !figure.failure.empty(); };
  return std::any_of(times_.begin(), times_.end(), wrong) ? 1 : 0;
}

int Suite::run() {
  drop_unwanted();
  if (questions_.empty() && counts_.empty()) {
    std::fprintf(stderr, "error: no bench matches %s\n", options_.filter.c_str());
    return 1;
  }
  if (options_.list) {
    list();
    return 0;
  }
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
  std::fprintf(stderr, "note: this is not an optimised build; its figures mean nothing\n");
#endif
  run_questions();
  run_counts();
  return finish();
}

}  // namespace strata::bench

int main(int argc, char** argv) {
  using namespace strata::bench;
  try {
    Options options = read_options(argc, argv);
    if (options.help) return 0;
    keep_freed_memory();
    Suite suite(std::move(options));
    for (const auto ask : families()) ask(suite);
    return suite.run();
  } catch (const std::exception& problem) {  // Such as a filter that is no regular expression.
    std::fprintf(stderr, "error: %s\n", problem.what());
    return 1;
  }
}
