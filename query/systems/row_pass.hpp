// RowPass: visits the rows of several systems whose functions are called for each row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../core/executor.hpp"
#include "../../core/slots.hpp"
#include "../parallel/work_list.hpp"
#include "part_recorders.hpp"
#include "row_system_body.hpp"
#include "system_body.hpp"

namespace strata::detail {

/// Visits the rows of several systems, in the order in which the systems were added, on the workers of an executor.
///
/// Successive systems that use only values in the columns of the visited row are called in turns, if at least one of
/// them has many rows: the first system for some rows of one block, then the second system for the same rows, and so
/// on; then all these systems for the next rows. So the values are still in the cache of the processor when the next
/// system needs them. For each row, the systems are called in their order. So the result is the same as if each system
/// visited all of its rows before the next system begins.
class RowPass {
 public:
  /// The handles of entities that the systems create by commands are reserved in `slots`, the slots of the world.
  explicit RowPass(Slots& slots) : slots_(slots) {}

  /// Makes room for this number of systems, so that `add` allocates nothing.
  /// Errors: std::bad_alloc.
  void reserve(std::size_t systems) { members_.reserve(systems); }
  /// Removes all systems.
  void clear() { members_.clear(); }
  /// Adds a system, which belongs to a stage of the schedule. `seconds` is the time that its function receives (see
  /// SystemTimer::Due). This call already sets `*has_failed` to true. `run` sets it to false when the system has
  /// visited all of its rows. So `*has_failed` stays true if the visit throws or is left out.
  /// Contract: `body.row_system()` is not null, that is, several threads may call the system for different rows.
  /// `has_failed` points to an object that outlives the pass. `stage` is not less than the stage of the system that was
  /// added before.
  void add(SystemBody& body, double seconds, bool* has_failed, std::uint32_t stage) {
    members_.push_back({body.row_system(), seconds, has_failed, stage});
    *has_failed = true;
  }

  /// Visits all rows of all systems: on the workers of the executor, or on the calling thread if `executor` is null. A
  /// system with fewer than about 2 * `grain` rows also runs on the calling thread, unless it is called in turns with a
  /// system that has more. A worker takes about `grain` rows at a time.
  /// The commands that a system records are in the order of its rows. How the rows are divided depends only on the
  /// world and the grain, so the handles of new entities depend only on them, too.
  /// Errors: the exceptions that a visit by one thread would throw. If several calls of systems' functions throw, only
  /// the exception of the first of these calls, in the order of a visit by one thread, passes through. Systems that
  /// were called in turns with the system that throws count as failed, too (see `add`). After an exception, the
  /// remaining systems of the same stage are still called, but no systems of later stages. If systems of several stages
  /// were called in turns, no further systems are called.
  /// Contract: the executor fulfils the contract of Executor; grain > 0; the store is locked against structural
  /// changes.
  void run(Executor* executor, std::size_t grain);

 private:
  struct Member {
    RowSystemBody* body;
    double seconds;
    bool* has_failed;
    std::uint32_t stage;

    Matcher& rows() const { return body->matcher(); }
  };

  using Members = std::vector<Member>;

  Members::iterator refresh_columns_only(Members::iterator first, std::uint32_t last_stage);
  static bool has_many_rows(const Member& member, std::size_t grain);
  static std::vector<PartRecorders*> recorders_of(std::span<const Member> members);
  void run_alone(const Member& member, Executor& executor, std::size_t grain);
  void run_in_turns(std::span<const Member> members, Executor& executor, std::size_t grain);
  static void run_task(std::span<const Member> members, std::span<const WorkList> works, std::size_t index,
                       Scratch& scratch);

  Slots& slots_;
  Members members_;
};

}  // namespace strata::detail
