// RowVisitor: visits some of the rows of a system, on any thread.
#pragma once

#include "../matching/matcher.hpp"
#include "../parallel/work_list.hpp"
#include "system_body.hpp"

namespace strata::detail {

/// The function of a system, for visits by several threads: each thread calls it for other rows (System::par).
class RowVisitor {
 public:
  RowVisitor() = default;
  RowVisitor(const RowVisitor&) = delete;
  RowVisitor& operator=(const RowVisitor&) = delete;

  /// Returns: the matcher of the query whose rows the system visits.
  virtual Matcher& rows() = 0;

  /// Calls the function of the system for the rows of a task. `scratch` is memory for the call.
  /// Contract: if the system records commands, its PartRecorders have a recorder for the part of the call.
  /// Threads: any number at a time, each with another task, another part and other scratch memory.
  virtual void visit(const WorkList& work, const WorkTask& task, const SystemCall& call,
                     Scratch& scratch) = 0;

 protected:
  ~RowVisitor() = default;
};

}  // namespace strata::detail
