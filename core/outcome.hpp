// Outcome: the result of a call that may be refused.
#pragma once

#include <string>
#include <utility>

namespace strata {

/// The result of a call that the world may refuse: success, or a refusal with a sentence that gives the
/// reason.
class [[nodiscard]] Outcome {
 public:
  static Outcome done() { return Outcome(); }
  static Outcome refused(std::string why) {
    Outcome outcome;
    outcome.message_ = std::move(why);
    return outcome;
  }

  /// Returns: whether the call succeeded.
  explicit operator bool() const { return message_.empty(); }

  /// Returns: the reason of a refusal, with the names of the entities or components; empty on success.
  const std::string& message() const { return message_; }

 private:
  Outcome() = default;
  std::string message_;
};

}  // namespace strata
