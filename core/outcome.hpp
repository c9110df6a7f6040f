// Outcome: what a call answers that may be refused.
#pragma once

#include <string>
#include <utility>

namespace strata {

/// Done, or not done with a sentence that says why.
class [[nodiscard]] Outcome {
 public:
  static Outcome done() { return Outcome(); }
  static Outcome refused(std::string why) {
    Outcome outcome;
    outcome.message_ = std::move(why);
    return outcome;
  }

  /// Returns: whether the call did what it was asked to.
  explicit operator bool() const { return message_.empty(); }

  /// Returns: the reason of a refusal, naming the entities or components; empty when done.
  const std::string& message() const { return message_; }

 private:
  Outcome() = default;
  std::string message_;
};

}  // namespace strata
