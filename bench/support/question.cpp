#include "question.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>

namespace strata::bench {
namespace {

/// A reporter that prints nothing and keeps, per bench, the statistics that Google Benchmark made.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  struct Timing {
    double median_ns = 0;  ///< Processor time of one step.
    double variation = 0;  ///< Coefficient of variation over the repetitions.
    Complaint failure = "it was not run";
  };

  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      Timing& timing = timings_.try_emplace(run.run_name.function_name, Timing{0, 0, ""}).first->second;
      if (run.error_occurred) {
        timing.failure = run.error_message;
      } else if (run.aggregate_name == "median" ||
                 (run.run_type == Run::RT_Iteration && run.repetitions < 2)) {
        timing.median_ns = run.GetAdjustedCPUTime();
      } else if (run.aggregate_name == "cv") {
        timing.variation = run.cpu_accumulated_time;
      }
    }
  }

  /// What was measured under `path`; a failure when nothing was.
  const Timing& timing(const std::string& path) { return timings_[path]; }

 private:
  std::map<std::string, Timing> timings_;
};

void do_step(const Work& work) {
  if (work.prepare) work.prepare();
  work.step();
}

void time(benchmark::State& state, const Work& work, const Complaint& known) {
  if (!known.empty()) {
    state.SkipWithError(known.c_str());
    return;
  }
  for (auto turn : state) {
    static_cast<void>(turn);
    if (work.prepare) {
      state.PauseTiming();
      work.prepare();
      state.ResumeTiming();
    }
    work.step();
    benchmark::ClobberMemory();
  }
  if (!work.check) return;
  const Complaint complaint = work.check();
  if (!complaint.empty()) state.SkipWithError(complaint.c_str());
}

/// Registers `work` once it has been seen to give the right result: correct before fast.
void register_checked(const std::string& path, Work work) {
  do_step(work);
  Complaint complaint = work.check ? work.check() : Complaint();
  const auto run = [work = std::move(work), complaint = std::move(complaint)](benchmark::State& state) {
    time(state, work, complaint);
  };
  benchmark::RegisterBenchmark(path.c_str(), run)->Unit(benchmark::kNanosecond);
}

Figure figure_of(const Answer& answer, std::size_t items, const Collector::Timing& own,
                 const Collector::Timing& limit) {
  return {.path = answer.path,
          .items = items,
          .value = own.median_ns / static_cast<double>(items),
          .limit = limit.median_ns / static_cast<double>(items),
          .noise = std::max(own.variation, limit.variation),
          .bar = answer.bar,
          .failure = own.failure.empty() ? limit.failure : own.failure};
}

/// Tells each figure the best of those without a bar.
void compare(std::vector<Figure>& figures) {
  double best = 0;
  for (const Figure& figure : figures) {
    if (figure.bar.kind != Bar::Kind::none || !figure.failure.empty()) continue;
    best = best == 0 ? figure.value : std::min(best, figure.value);
  }
  for (Figure& figure : figures) figure.others = best;
}

}  // namespace

std::vector<Figure> AnyQuestion::run() const {
  const std::shared_ptr<void> data = make_data_();
  const std::size_t items = count_items_ ? count_items_(data.get()) : items_;
  register_checked(limit_path(), make_limit_(data.get()));
  for (const Answer& answer : answers_) register_checked(answer.path, answer.make(data.get()));

  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, ".");
  benchmark::ClearRegisteredBenchmarks();  // Drops the works, which point into the data.

  std::vector<Figure> figures;
  for (const Answer& answer : answers_) {
    figures.push_back(
        figure_of(answer, items, collector.timing(answer.path), collector.timing(limit_path())));
  }
  compare(figures);
  return figures;
}

}  // namespace strata::bench
