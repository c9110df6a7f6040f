// Collector: takes the medians out of Google Benchmark's reports.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

#include "work.hpp"

namespace strata::bench {

/// A reporter that prints nothing and keeps, per bench, the statistics that Google Benchmark made.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  struct Timing {
    double median_ns = 0;  ///< Processor time of one step.
    double variation = 0;  ///< Coefficient of variation over the repetitions.
    Complaint failure = "it was not run";
  };

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

  /// Returns: what was measured under `path`; a failure when nothing was.
  Timing timing(const std::string& path) const;

 private:
  std::map<std::string, Timing> timings_;
};

}  // namespace strata::bench
