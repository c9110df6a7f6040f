// ChangePass: visits marked entities and all entities below them, level by level.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../filtering/gathered_rows.hpp"

namespace strata::detail {

/// Visits a batch of a change pass and reports for each row whether its value changed. It is one function
/// pointer, so that the pass is compiled only once.
/// Contract: the function that it was made from outlives it.
class ChangeVisitor {
 public:
  template <class Visit>
  explicit ChangeVisitor(Visit& visit)
      : visit_(&visit), call_([](void* function, const Batch& batch, bool* changed) {
          (*static_cast<Visit*>(function))(batch, changed);
        }) {}

  void operator()(const Batch& batch, bool* changed) const { call_(visit_, batch, changed); }

 private:
  void* visit_;
  void (*call_)(void*, const Batch&, bool*);
};

/// Runs a change pass. Its lists are kept between passes for their capacity.
///
/// The pass goes level by level. A level consists of the entities reached from the level above, in the order
/// of their parents, then of the marked entities of that depth that were not reached. Marks are sorted by
/// depth first.
class ChangePass {
 public:
  /// Visits the matching entities that are marked or below a marked entity, each once and after its
  /// ancestors. The children of an entity for which `visitor` reports no change are not visited, unless a
  /// `nearest` term may see a change above it. An entity that does not match is skipped, but its children are
  /// visited. Removes all marks at the end.
  /// Errors: what `visitor` throws, and std::bad_alloc; the marks stay then.
  /// Contract: nothing is being iterated; the query has a relation.
  /// Complexity: O(marks + entities visited).
  void run(Matcher& matcher, SparsePool* marks, ChangeVisitor visitor);

  /// Returns: the entities whose values changed in the last pass, in the order of its visit.
  std::span<const Entity> changed() const { return changed_; }

 private:
  /// Number of entities per batch. The values of a batch are prefetched before they are visited.
  static constexpr std::size_t kRun = 64;
  static_assert(kRun <= GatheredRows::kRun);

  void order_marks(const Slots& slots, std::span<const Entity> marked);
  void add_marks(const SparsePool& marks, std::uint32_t depth);
  void visit_level(const Matcher& matcher, GatheredRows& rows, ChangeVisitor visitor);
  std::size_t keep_changed(const Matcher& matcher, std::size_t begin, std::span<const bool> matched,
                           const bool* changed, std::size_t leading);

  // Depth in the upper half, position in the pool in the lower half; sorted.
  std::vector<std::uint64_t> marks_;
  std::vector<std::uint64_t> spare_;
  std::size_t next_mark_ = 0;
  std::vector<VisitedRow> marked_;        // By position in the pool.
  std::vector<std::uint8_t> is_reached_;  // By position in the pool: reached from the level above.
  // The current level; after its visit, the entities whose children are to be visited.
  std::vector<VisitedRow> level_;
  std::vector<VisitedRow> above_;  // The same for the previous level.
  std::vector<Entity> changed_;
};

/// Contract: the component is stored in the side store. Only components stored there can be marks.
void require_mark(Storage storage, std::string_view name);

/// Returns: the id of a mark; none if the world has not registered it.
/// Contract: as `require_mark`.
template <Component Mark>
std::optional<ComponentId> find_mark(const Registry& registry) {
  const auto id = registry.template find<Mark>();
  require_mark(id ? registry[*id].storage : storage_of<Mark>, name_of<Mark>);
  return id;
}

/// Calls a visiting function and records its result for each row: whether the value changed. A function
/// without a result counts as a change.
template <class Function>
class ChangeRecorder {
 public:
  ChangeRecorder(Function& function, bool* changed) : function_(function), next_(changed) {}

  template <class... Arguments>
  void operator()(Arguments&&... arguments) {
    using Answer = std::invoke_result_t<Function&, Arguments...>;
    static_assert(std::is_void_v<Answer> || std::is_same_v<Answer, bool>,
                  "a function for propagate() returns void, or a bool: whether the value changed");
    if constexpr (std::is_void_v<Answer>) {
      function_(std::forward<Arguments>(arguments)...);
      *next_++ = true;
    } else {
      *next_++ = function_(std::forward<Arguments>(arguments)...);
    }
  }

 private:
  Function& function_;
  bool* next_;
};

/// Sorts keys by their upper halves; equal keys keep their order. `spare` is overwritten.
/// Errors: std::bad_alloc; the keys are unchanged then.
/// Complexity: O(keys) for each byte that the largest upper half needs.
/// Source: radix sort by least significant digit first (D. Knuth, The Art of Computer Programming, 5.2.5).
void sort_by_upper_half(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare);

}  // namespace strata::detail
