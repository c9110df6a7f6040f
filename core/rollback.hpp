// Rollback: undoes a step when a later one throws.
#pragma once

#include <utility>

namespace strata::detail {

/// Calls `undo` at the end of its scope unless dismissed. It also compiles without exceptions.
template <class Undo>
class Rollback {
 public:
  explicit Rollback(Undo undo) : undo_(std::move(undo)) {}
  Rollback(const Rollback&) = delete;
  Rollback& operator=(const Rollback&) = delete;
  ~Rollback() {
    if (armed_) undo_();
  }

  void dismiss() noexcept { armed_ = false; }

 private:
  Undo undo_;
  bool armed_ = true;
};

}  // namespace strata::detail
