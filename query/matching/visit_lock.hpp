// Matcher::VisitLock: a scope guard for a visit of a query, during which the store refuses structural changes.
// Matcher::Nested: a scope guard during which the query's list of matching archetypes does not change; each VisitLock
// contains one.
#pragma once

#include "../../storage/changes/change_guard.hpp"
#include "matcher.hpp"

namespace strata::detail {

/// While an object of this class exists, a visit of the query is in progress and `refresh` of its matcher does nothing.
/// So visits of one query may nest: the inner visit does not change the list of matches that the outer one uses. An
/// archetype that is created during a visit is not in the list. It gets no rows before the visit ends, because the
/// store refuses structural changes until then.
class Matcher::Nested {
 public:
  explicit Nested(const Matcher& matcher) : scope_(matcher.own_.visits) {}

 private:
  VisitCount::Scope scope_;
};

/// While an object of this class exists, a visit of the query is in progress: `refresh` of its matcher does nothing
/// (see Nested), and the store refuses structural changes.
class Matcher::VisitLock {
 public:
  explicit VisitLock(const Matcher& matcher)
      : lock_(matcher.store_->guard(), matcher.describe_use()), nested_(matcher) {}

 private:
  ChangeGuard::Iteration lock_;
  Nested nested_;
};

}  // namespace strata::detail
