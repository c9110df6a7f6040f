// SystemBody: the function of a system, which a schedule calls. RunCondition: a condition for running a system.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace strata::detail {

class CommandBuffer;
class PartRecorders;
class RowSystemBody;

/// Data for a call of a system's function. If several threads visit the rows of a system, each visits parts of them
/// (see PartRecorders). The calls for all rows of one part, or for all rows if there are no parts, have the same data.
struct SystemCall {
  static constexpr std::size_t kAllRows = ~std::size_t{0};  ///< The rows are not divided into parts.

  double seconds;               ///< The time that the function receives; see SystemTimer::Due.
  std::size_t part = kAllRows;  ///< The number of the part that is visited, or kAllRows.
};

/// The function of a system, with its queries and its other arguments.
class SystemBody {
 public:
  SystemBody() = default;
  SystemBody(const SystemBody&) = delete;
  SystemBody& operator=(const SystemBody&) = delete;
  virtual ~SystemBody() = default;

  /// Calls the function: once or, if it is a function for single rows, for each row. `seconds` is the time that the
  /// function receives; see SystemTimer::Due.
  virtual void run(double seconds) = 0;

  /// Returns: about how many rows the queries of the system match, but at most `most`, as a measure of the system's
  /// work; `most` if the system has no queries from which its work can be estimated.
  virtual std::size_t estimate_rows(std::size_t most) const = 0;

  /// Returns: this system, if several threads can call it for rows at the same time. Null if that is not possible,
  /// because the system's function is not called for single rows, or takes arguments that only one thread may use.
  virtual RowSystemBody* row_system() { return nullptr; }

  /// Returns: the buffer in which the system records commands; null if it records none.
  CommandBuffer* commands() const { return commands_; }
  /// Returns: the object that records the system's commands when its rows are divided into parts for several threads;
  /// null if the system records no commands, or is not called for each row.
  PartRecorders* part_recorders() const { return part_recorders_; }
  /// Returns: whether the system has a query that reads parents or ancestors. Before such a system runs,
  /// Relation::begin_cascade is called, because the system may visit by depth.
  bool may_cascade() const { return may_cascade_; }
  /// Returns: the number of queries whose rows `estimate_rows` counts. If it is 0, the work of the system cannot be
  /// estimated.
  std::size_t queries() const { return queries_; }

 protected:
  CommandBuffer* commands_ = nullptr;
  PartRecorders* part_recorders_ = nullptr;
  std::size_t queries_ = 0;
  bool may_cascade_ = false;
};

/// A condition of a system or of a set of systems. A schedule calls `holds` when it runs: false means that the system,
/// or each system of the set, does not run this time.
class RunCondition {
 public:
  RunCondition() = default;
  RunCondition(const RunCondition&) = delete;
  RunCondition& operator=(const RunCondition&) = delete;
  virtual ~RunCondition() = default;

  virtual bool holds() = 0;
};
using RunConditions = std::vector<std::unique_ptr<RunCondition>>;

/// The default of `grain` in Schedule::set_executor. A stage of a schedule (systems that may run at the same time)
/// runs on the executor if its systems, without the one with the most rows, visit at least `grain` rows together: that
/// is the work that other workers can do while one worker does the rest. Waking another worker takes microseconds; the
/// simplest visit of so many rows takes longer.
inline constexpr std::size_t kStageGrain = 32'768;

}  // namespace strata::detail
