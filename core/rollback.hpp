// Rollback: a scope guard that undoes a step of an operation if a later step throws.
#pragma once

#include <utility>

namespace strata::detail {

/// A scope guard that undoes a step when a later step throws: its destructor calls `undo`, unless `dismiss`
/// was called before. It has no try block, so it also compiles if exceptions are disabled.
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
