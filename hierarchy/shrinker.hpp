// Shrinker: gives back the memory that a world does not need, step by step.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../storage/commands.hpp"
#include "hierarchy.hpp"

namespace strata::detail {

/// Asked between two steps whether there is time for another one; behind one function pointer, so that the steps
/// are compiled once.
/// Contract: outlived by the function that it was made from.
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

/// Goes through the parts of a world, those first whose memory the later ones can give back. Where it goes on is a
/// count, so that the world may change between two calls.
///
/// Threads: a writer of the world.
class Shrinker {
 public:
  Shrinker(Store& store, Hierarchy& hierarchy, CommandBuffer& commands)
      : store_(store), hierarchy_(hierarchy), commands_(commands) {}

  /// Does one step, and more as long as it is told to go on.
  /// Returns: whether all parts have had their turn; the next call begins anew then.
  /// Errors: std::bad_alloc, where a smaller copy finds no room; the world means the same, and the next call goes
  /// on with the step that failed.
  /// Contract: nothing is being iterated.
  /// Complexity: of one step, O(kPerStep tables or archetypes and kRowsPerStep rows); or that of one call of
  /// SparsePool::shrink, Tables::shrink, BlockPool::shrink, Hierarchy::shrink or Slots::shrink.
  bool run(KeepGoing keep_going);

 private:
  static constexpr std::size_t kPerStep = 64;
  static constexpr std::size_t kRowsPerStep = 4096;

  enum class Part : std::uint8_t { side_store, rows, branches, tables, archetypes, pool, links, slots, done };

  void step();
  bool step_side_store();
  bool step_rows();
  bool step_branches();
  bool step_archetypes();

  Store& store_;
  Hierarchy& hierarchy_;
  CommandBuffer& commands_;
  Part part_ = Part::side_store;
  std::size_t next_ = 0;  // Of the part: the pool, table, branch or archetype that comes next.
};

}  // namespace strata::detail
