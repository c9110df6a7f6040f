// What a model test wants to be told of the code of a user that the library calls during its operations.
#pragma once

#include "../../core/entity.hpp"
#include "model_test.hpp"

namespace strata::test {

class UserCode {
 public:
  virtual ~UserCode() = default;

  /// Called by comparisons of siblings, before they answer.
  virtual void compare(Entity, Entity) {}

  /// Called before an operation that the model has carried out already: values that the operation ends have to see the
  /// world as the model is.
  virtual void model_is_ahead() {}

  /// Returns: whether commands have been recorded during the operation, which are applied when it ends.
  virtual bool has_recorded() const { return false; }

  /// Called after each operation.
  virtual Disagreement ended() { return {}; }
  /// Called after an operation that has ended by an exception: what was recorded during it waits.
  virtual Disagreement interrupted() { return ended(); }

  /// Returns: the code that does nothing.
  static UserCode& none() {
    static UserCode none;
    return none;
  }
};

}  // namespace strata::test
