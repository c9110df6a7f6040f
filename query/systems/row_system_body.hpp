// RowSystemBody: runs a system whose function is called for each row of a query. A derived class template calls the
// function; this class has the code that does not depend on the types of the function and of its arguments.
#pragma once

#include <cstddef>
#include <utility>

#include "../parallel/matched_rows.hpp"
#include "../parallel/work_list.hpp"
#include "../visiting/visits.hpp"
#include "system_body.hpp"

namespace strata::detail {

/// The body of a system whose function is called for each row of a query. This class has what does not depend on the
/// types of the function and of its arguments; a derived class calls the function.
class RowSystemBody : public SystemBody {
 public:
  void run(double seconds) final {
    if (matcher_.has_nothing_to_visit()) return;
    start(matcher_, Order::any, true);
    const Matcher::VisitLock lock(matcher_);
    visit(all_rows_, all_rows_.tasks().front(), {seconds}, matcher_.scratch());
  }
  std::size_t estimate_rows(std::size_t most) const final { return detail::estimate_rows(matcher_, most); }
  RowSystemBody* row_system() final { return is_shareable_ ? this : nullptr; }

  /// Returns: the matcher of the query whose rows the system visits.
  Matcher& matcher() { return matcher_; }

  /// Calls the function of the system for the rows of a task. Buffers for the visit are taken from `scratch`.
  /// Contract: the caller has locked the store against structural changes. If the system records commands, and `call`
  /// is for a part of the rows (see SystemCall::part), the system's PartRecorders have a recorder for this part.
  /// Threads: if the object was made with `is_shareable`, any number at a time, each with another task, another part
  /// and other scratch memory; otherwise one.
  virtual void visit(const WorkList& work, const WorkTask& task, const SystemCall& call,
                     Scratch& scratch) = 0;

 protected:
  /// `is_shareable` is whether several threads may call the function for different rows at the same time.
  RowSystemBody(Matcher matcher, bool is_shareable)
      : matcher_(std::move(matcher)), is_shareable_(is_shareable) {
    queries_ = 1;
  }

  Matcher matcher_;

 private:
  const WorkList all_rows_{Order::any};
  bool is_shareable_;
};

}  // namespace strata::detail
