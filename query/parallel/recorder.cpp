#include "recorder.hpp"

namespace strata::detail {

RecordedCalls::~RecordedCalls() {
  while (first_ != nullptr) {
    Call* const next = first_->next;
    first_->destroy(*first_);
    first_ = next;
  }
}

void RecordedCalls::make_all(void* target) {
  for (Call* call = first_; call != nullptr; call = call->next) call->make(*call, target);
}

}  // namespace strata::detail
