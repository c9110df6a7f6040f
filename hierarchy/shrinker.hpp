// Shrinker: frees memory that a world does not need, in small steps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../core/compiler.hpp"
#include "../storage/commands.hpp"
#include "events/event_router.hpp"
#include "hierarchy.hpp"

namespace strata::detail {

/// A function of the caller that Shrinker calls between two steps; the function returns whether there is time for
/// another step. KeepGoing hides the type of that function behind a function pointer, so that Shrinker is compiled only
/// once.
/// Contract: the function that was passed to the constructor outlives the KeepGoing.
class KeepGoing {
 public:
  template <class Function>
  explicit KeepGoing(Function& function)
      : function_(&function), call_([](void* asked) -> bool { return (*static_cast<Function*>(asked))(); }) {}

  bool operator()() const { return call_(function_); }

 private:
  void* function_;
  bool (*call_)(void*);
};

/// Frees memory that a world does not need, in small steps, so that a caller can spread them over several frames.
/// Shrinker goes through the parts of the world (sparse sets, tables, links and so on) in a fixed order. Shrinking one
/// part may leave unused memory in another part, so the other part comes later. The position at which the next call
/// continues is kept as a number, not as a pointer, so the world may change between two calls.
///
/// Threads: each call counts as a change of the world, so no other thread may use the world meanwhile.
class Shrinker {
 public:
  Shrinker(Store& store, Hierarchy& hierarchy, EventRouter& events, CommandBuffer& commands)
      : store_(store), hierarchy_(hierarchy), events_(events), commands_(commands) {}

  /// Does one step, and further steps as long as `keep_going` returns true.
  /// Returns: whether all parts of the world are done; the next call then starts again with the first part.
  /// Errors: std::bad_alloc, if there is no memory for a smaller copy; the world is unchanged, and the next
  /// call repeats the step that failed.
  /// Contract: nothing is being iterated.
  /// Complexity: a step either goes through at most 64 (kPerStep) tables or archetypes, and stops earlier when 4096
  /// (kRowsPerStep) rows have moved; or the step is a single call of SparsePool::shrink, Tables::shrink,
  /// BlockPool::shrink, Hierarchy::shrink, EventRouter::shrink or Slots::shrink.
  STRATA_API bool run(KeepGoing keep_going);

 private:
  static constexpr std::size_t kPerStep = 64;
  static constexpr std::size_t kRowsPerStep = 4096;

  enum class Part : std::uint8_t {
    side_store,
    rows,
    branches,
    tables,
    archetypes,
    pool,
    links,
    events,
    slots,
    done
  };

  void step();
  bool step_side_store();
  bool step_rows();
  bool step_branches();
  bool step_archetypes();

  Store& store_;
  Hierarchy& hierarchy_;
  EventRouter& events_;
  CommandBuffer& commands_;
  Part part_ = Part::side_store;
  std::size_t next_ = 0;  // The next pool, table, branch or archetype of the current part.
};

}  // namespace strata::detail
