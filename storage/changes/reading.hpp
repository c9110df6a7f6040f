// Reading: a scope guard for an operation that reads a whole store, such as saving it. While it exists, the store
// refuses structural changes.
#pragma once

#include <cstdint>

#include "change_guard.hpp"

namespace strata::detail {

/// When an operation may read all entities. `entities_complete`: not while an operation is under way that runs user
/// code. `rows_whole`: not while values are being moved; user code such as an observer may be running.
enum class ReadableWhile : std::uint8_t { entities_complete, rows_whole };

/// The scope of an operation that reads all entities of a store. It is an iteration: structural changes are refused
/// during its lifetime, because the operation may call functions of the program. Several threads may read at the same
/// time, and queries may iterate meanwhile. `operation` is the name of the operation, for messages.
///
/// Contract: no operation is under way that `when` forbids.
class Reading {
 public:
  Reading(const ChangeGuard& guard, const char* operation, ReadableWhile when)
      : iteration_(checked(guard, operation, when)) {}

 private:
  static const ChangeGuard& checked(const ChangeGuard& guard, const char* operation, ReadableWhile when) {
    when == ReadableWhile::rows_whole ? guard.require_whole(operation) : guard.require_readable(operation);
    return guard;
  }

  ChangeGuard::Iteration iteration_;
};

}  // namespace strata::detail
