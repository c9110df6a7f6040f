// BatchVisitor: a type-erased reference to a function that visits all rows of a batch (some rows that match a query).
#pragma once

#include "../matching/batch.hpp"

namespace strata::detail {

/// A reference to a function that visits all rows of a batch. The BatchVisitor hides the function's type behind a
/// function pointer, so that functions with a BatchVisitor parameter are compiled only once, not once for each type.
/// Contract: the function outlives the BatchVisitor.
class BatchVisitor {
 public:
  template <class Visit>
  explicit BatchVisitor(Visit& visit)
      : visit_(&visit),
        call_([](void* function, const Batch& batch) { (*static_cast<Visit*>(function))(batch); }) {}

  void operator()(const Batch& batch) const { call_(visit_, batch); }

 private:
  void* visit_;
  void (*call_)(void*, const Batch&);
};

}  // namespace strata::detail
