// DeadValues: the list of pools (sparse sets) that keep values of removed members.
#pragma once

#include "../changes/change_guard.hpp"

namespace strata::detail {

class SparsePool;

/// A linked list of the pools (sparse sets) that keep values of removed members. These values are destroyed at the end
/// of the structural change. A pool that adds itself to the list also notifies `guard` that there are such values, so
/// that they are destroyed then (see ChangeGuard::mark_dead).
struct DeadValues {
  const ChangeGuard& guard;
  SparsePool* first = nullptr;
};

}  // namespace strata::detail
