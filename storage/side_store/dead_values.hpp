// DeadValues: the list of pools that keep values of removed members.
#pragma once

#include "../changes/change_guard.hpp"

namespace strata::detail {

class SparsePool;

/// The list of pools that keep values of removed members, until these are destroyed at the end of the structural
/// change. A pool that adds itself to the list notifies `guard` (see ChangeGuard::mark_dead).
struct DeadValues {
  const ChangeGuard& guard;
  SparsePool* first = nullptr;
};

}  // namespace strata::detail
