#include "collector.hpp"

namespace strata::bench {

bool Collector::ReportContext(const Context& context) {
  static_cast<void>(context);
  return true;
}

void Collector::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    Timing& timing = timings_.try_emplace(run.run_name.function_name, Timing{0, 0, ""}).first->second;
    if (run.error_occurred) {
      timing.failure = run.error_message;
    } else if (run.aggregate_name == "median" || (run.run_type == Run::RT_Iteration && run.repetitions < 2)) {
      timing.median_ns = run.GetAdjustedCPUTime();
    } else if (run.aggregate_name == "cv") {
      timing.variation = run.cpu_accumulated_time;
    }
  }
}

Collector::Timing Collector::timing(const std::string& path) const {
  const auto found = timings_.find(path);
  return found == timings_.end() ? Timing{} : found->second;
}

}  // namespace strata::bench
