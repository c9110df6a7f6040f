// DeadValues: the list of pools (sparse sets) with values of removed members that still have to be destroyed.
#pragma once

#include "../changes/change_guard.hpp"

namespace strata::detail {

class SparsePool;

/// A linked list of the pools (sparse sets) that keep values of removed members. Destructors may run any code, so the
/// values are destroyed when the structural change that removed the members, such as the destruction of an entity, is
/// complete. A pool that adds itself to the list also calls ChangeGuard::mark_dead, which records that there are such
/// values.
struct DeadValues {
  const ChangeGuard& guard;
  SparsePool* first = nullptr;
};

}  // namespace strata::detail
