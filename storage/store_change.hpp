// Store::Change: a scope guard for one structural change. It checks that changes are allowed and, at its end, applies
// the commands that were recorded during the change; Store::remove, which uses it, is also defined here.
#pragma once

#include "../core/compiler.hpp"
#include "store.hpp"

namespace strata::detail {

/// The scope of one structural change. The constructor checks that no query is iterating, and that no operation that
/// runs user code is under way. The destructor destroys removed values and applies the commands that user code has
/// recorded during the change. If memory runs out while commands are applied, or the change ends by an exception, the
/// commands stay recorded.
class Store::Change {
 public:
  STRATA_ALWAYS_INLINE Change(Store& store, const char* operation, Entity entity, CallSite at = {})
      : use_(store.guard_.uses(), Use::change, {operation}, at),
        store_(store),
        notified_(store.require_unlocked(operation, entity, at)) {}
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  STRATA_ALWAYS_INLINE ~Change() noexcept(false) { store_.change_ended(); }

  /// Returns: whether the ChangeListener of the store has to be notified of this change. This costs nothing extra: the
  /// constructor has found the answer in the test that it makes anyway.
  bool notified() const { return notified_ == Notified::all; }
  /// Returns: whether a change of the hierarchy has to be reported: to the listener, or to data outside the tables,
  /// such as an index of names; see ChangeGuard::mark_tree_listened.
  bool tree_notified() const { return notified_ >= Notified::tree; }
  /// Returns: false if removing a component needs no further steps. Otherwise, the listener may have to be notified, or
  /// the record of the entities for which the component is switched off may have to be updated; see toggles.hpp.
  bool removal_notified() const { return notified_ != Notified::nothing; }

 private:
  STRATA_NO_UNIQUE_ADDRESS UseScope use_;
  Store& store_;
  const Notified notified_;
};

inline bool Store::remove(Entity entity, ComponentId id, CallSite at) {
  const Change change(*this, "remove", entity, at);
  if (change.removal_notified()) [[unlikely]]
    return remove_observed(entity, id);
  return remove_unobserved(entity, id);
}

}  // namespace strata::detail
