// ChangePass: visits marked entities and what is below them, level by level.
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

/// What visits a batch of a change pass and says of each of its rows whether its value changed; behind one
/// function pointer, so that the pass is compiled once.
/// Contract: outlived by the function that it was made from.
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

/// The lists of a pass, kept between passes for their capacity.
///
/// Nodes wait in one list for the level that is next. A level is its nodes reached from above, in the order
/// of their parents, then those of its marks that were not; marks are brought to the order of depth first.
class ChangePass {
 public:
  /// Visits, each once and after its ancestors, the matching entities that are marked or below an entity that
  /// is; not those reached only through entities of which `visitor` says that they did not change, unless a
  /// term looks for the nearest value above, and the change above them may be to what is found. An entity
  /// that does not match is passed over. Takes all marks away at the end.
  /// Errors: what `visitor` throws, and std::bad_alloc; the marks stay then.
  /// Contract: nothing is being iterated; the query has a relation.
  /// Complexity: O(marks + entities reached).
  void run(Matcher& matcher, SparsePool* marks, ChangeVisitor visitor);

  /// Returns: the entities whose values changed in the last pass, in the order of its visit.
  std::span<const Entity> changed() const { return changed_; }

 private:
  /// So many entities at a time are found, their values asked for, and visited once these have come.
  static constexpr std::size_t kRun = 64;
  static_assert(kRun <= GatheredRows::kRun);

  void order_marks(const Slots& slots, std::span<const Entity> marked);
  void add_marks(const SparsePool& marks, std::uint32_t depth);
  void visit_level(const Matcher& matcher, GatheredRows& rows, ChangeVisitor visitor);
  std::size_t keep_changed(const Matcher& matcher, std::size_t begin, std::span<const bool> matched,
                           const bool* changed, std::size_t leading);

  std::vector<std::uint64_t> marks_;  // Depth in the upper half, position in the pool in the lower; sorted.
  std::vector<std::uint64_t> spare_;
  std::size_t next_mark_ = 0;
  std::vector<Reached> marked_;           // By position in the pool.
  std::vector<std::uint8_t> is_reached_;  // By position in the pool: it was reached from above.
  std::vector<Reached> level_;            // Visited; then those of it from which the way leads on.
  std::vector<Reached> above_;            // The same of the level before.
  std::vector<Entity> changed_;
};

/// Contract: the component is stored in the side store, where it can mark what has changed.
void require_mark(Storage storage, std::string_view name);

/// Returns: the id of a mark, if the world has seen it.
/// Contract: as `require_mark`.
template <Component Mark>
std::optional<ComponentId> find_mark(const Registry& registry) {
  const auto id = registry.template find<Mark>();
  require_mark(id ? registry[*id].storage : storage_of<Mark>, name_of<Mark>);
  return id;
}

/// Calls a visiting function and notes row by row whether the value changed: what it answers, true if
/// nothing.
template <class Function>
class ChangeRecorder {
 public:
  ChangeRecorder(Function& function, bool* changed) : function_(function), next_(changed) {}

  template <class... Arguments>
  void operator()(Arguments&&... arguments) {
    using Answer = std::invoke_result_t<Function&, Arguments...>;
    static_assert(std::is_void_v<Answer> || std::is_same_v<Answer, bool>,
                  "a function for changed() returns nothing, or a bool: whether the value changed");
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

/// Sorts keys by their upper halves, stably; `spare` is overwritten.
/// Errors: std::bad_alloc; the keys are unchanged then.
/// Complexity: O(keys), and O(1) bytes of the largest half.
/// Source: radix sort by least significant digit first (D. Knuth, The Art of Computer Programming, 5.2.5).
void sort_by_upper_half(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare);

}  // namespace strata::detail
