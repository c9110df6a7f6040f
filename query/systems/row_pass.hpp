// RowPass: visits rows for several systems that are called for each row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../core/executor.hpp"
#include "../parallel/work_list.hpp"
#include "row_visitor.hpp"
#include "system_body.hpp"

namespace strata::detail {

/// Visits the rows of several systems, in the order in which the systems were added, on the workers of an executor.
///
/// Neighbouring systems that use no other values than those in the columns of the visited row are called in turns: the
/// first system for the rows of one block, then the second system for the same rows, and so on; then all of them for the
/// rows of the next block. So the values of a block are still in the cache of the processor when the next system needs
/// them. For each row, the systems are called in their order, so the values are the same as with one visit after the
/// other.
class RowPass {
 public:
  /// Makes room for this number of systems, so that `add` allocates nothing.
  /// Errors: std::bad_alloc.
  void reserve(std::size_t systems) { members_.reserve(systems); }
  /// Forgets the systems.
  void clear() { members_.clear(); }
  /// Adds a system. `seconds` is the time since it last ran.
  /// Contract: `body.row_visitor()` is not null.
  void add(SystemBody& body, double seconds) { members_.push_back({&body, body.row_visitor(), seconds}); }

  /// Visits all rows of all systems. The rows of systems that have few rows are visited on the calling thread, as are all
  /// rows if `executor` is null. A worker takes about `grain` rows at a time.
  /// Errors: those that a single thread would meet; of several exceptions, the one that it would have met first.
  /// Contract: that of Executor; grain > 0; the store is locked against structural changes.
  void run(Executor* executor, std::size_t grain);

 private:
  struct Member {
    SystemBody* body;
    RowVisitor* visitor;
    double seconds;

    Matcher& rows() const { return visitor->rows(); }
  };

  static bool has_many_rows(const Member& member, std::size_t grain);
  static void run_alone(const Member& member, Executor& executor, std::size_t grain);
  static void run_in_turns(std::span<const Member> members, Executor& executor, std::size_t grain);

  std::vector<Member> members_;
};

}  // namespace strata::detail
