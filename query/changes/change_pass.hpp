// ChangePass: visits the entities that are marked as changed, and all entities below them, depth by depth.
// CascadeQuery::propagate uses it to recompute values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../core/compiler.hpp"
#include "../filtering/gathered_rows.hpp"
#include "pass_threads.hpp"

namespace strata::detail {

/// A reference to a function that visits all rows of a batch, and writes to `changed`, for each row, whether the visit
/// changed the entity's value. The ChangeVisitor hides the function's type behind a function pointer, so that
/// ChangePass is compiled only once.
/// Contract: the function outlives the ChangeVisitor.
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

/// The work of CascadeQuery::propagate: visits marked entities and entities below them. An entity is marked by a
/// component in a sparse set, such as Dirty. A ChangePass may run many times; its lists keep their capacity.
///
/// A ChangePass goes depth by depth. At each depth, it first visits children of entities of the depth above (`run` says
/// which), in the order of their parents, and then the other marked entities of this depth. For that, it sorts all
/// marked entities by depth at the start.
class ChangePass {
 public:
  /// Visits the members of the pool (sparse set) `marks` and entities below them, each once and after its ancestors. An
  /// entity that does not match the query is skipped. If an entity is not in `marks`, it is visited only as a child of
  /// an entity that was visited or skipped, in one of these cases:
  /// - `visitor` reported a change of that parent.
  /// - The parent does not match.
  /// - An `Up` term (one that reads the nearest ancestor that has the component) may read, for the child, the changed
  ///   value of an ancestor of the parent.
  /// If `marks` is null, does nothing. The caller has to remove the members of `marks` afterwards. If `threads` has an
  /// executor, `visitor` may be called by several threads at a time, with entities of one depth.
  /// Errors: what `visitor` throws, and std::bad_alloc; in both cases, `marks` keeps its members.
  /// Contract: nothing is being iterated; the query was made with a hierarchy.
  /// Complexity: O(marks + entities visited).
  STRATA_API void run(Matcher& matcher, SparsePool* marks, ChangeVisitor visitor,
                      const PassThreads& threads = {});

  /// Returns: the entities whose values changed in the last call of `run`, in the order of its visits.
  std::span<const Entity> changed() const { return {changed_.data(), changed_.size()}; }

 private:
  /// The greatest number of entities in one batch. The values of a whole batch are prefetched before its first entity
  /// is visited, so there must be few enough of them to stay in the cache.
  static constexpr std::size_t kRun = 64;
  static_assert(kRun <= GatheredRows::kRun);

  /// What the visit of a part of a level (the entities to visit at one depth) has found, in the order of the visit.
  struct Part {
    std::vector<Entity> changed;
    std::vector<VisitedRow> kept;      // Entities whose children are to be visited.
    std::vector<VisitedRow> children;  // VisitedRow::above is a position in `kept`.

    void clear() {
      changed.clear();
      kept.clear();
      children.clear();
    }
  };

  void order_marks(const Slots& slots, std::span<const Entity> marked, const PassThreads& threads);
  void add_marks(const SparsePool& marks, std::uint32_t depth, const PassThreads& threads);
  void visit_level(const Matcher& matcher, GatheredRows& rows, ChangeVisitor visitor);
  void visit_wide_level(const Matcher& matcher, ChangeVisitor visitor, const PassThreads& threads);
  void visit_part(const Matcher& matcher, GatheredRows& rows, ChangeVisitor visitor,
                  std::span<const VisitedRow> level, Part& found) const;
  static bool passes_on(const Matcher& matcher, const VisitedRow& node);
  std::size_t keep_changed(const Matcher& matcher, std::size_t begin, std::span<const bool> matched,
                           const bool* changed, std::size_t leading);

  // `marks_` has one number for each marked entity: its depth in the upper half, its position in the pool of marked
  // entities in the lower half. `marks_` is sorted, with `spare_` as working memory. The entities of the elements
  // before index `next_mark_` have been added to `level_`, or were in `level_` already.
  std::vector<std::uint64_t> marks_;
  std::vector<std::uint64_t> spare_;
  std::size_t next_mark_ = 0;
  // Data of each marked entity, by its position in the pool (sparse set) of marked entities. `marked_`: the entity and
  // its row. `is_reached_`: whether the entity is in `level_` as a child of an entity of the depth above.
  std::vector<VisitedRow> marked_;
  std::vector<std::uint8_t> is_reached_;
  // The entities to visit at the current depth; after the visit, only those whose children are to be visited.
  std::vector<VisitedRow> level_;
  std::vector<VisitedRow> above_;  // The entities of the depth above whose children are in `level_`.
  std::vector<Entity> changed_;
  std::vector<Part> parts_;  // The parts of a level that several threads visit.
};

/// Checks a contract of CascadeQuery::propagate: the component that marks entities as changed, such as Dirty, is stored
/// in a sparse set (`storage` is Storage::sparse). In a table, adding and removing the component would move rows.
/// `name` is the name of the component, for the error message.
STRATA_API void require_mark(Storage storage, std::string_view name);

/// Returns: the id of the component `Mark`, which marks entities as changed; none if the world has not registered it.
/// Contract: the component is stored in the side store (sparse sets). If it is not registered, `storage_of<Mark>` is
/// Storage::sparse.
template <Component Mark>
std::optional<ComponentId> find_mark(const Registry& registry) {
  const auto id = registry.template find<Mark>();
  require_mark(id ? registry[*id].storage : storage_of<Mark>, name_of<Mark>);
  return id;
}

/// Calls a function that was passed to CascadeQuery::propagate, and writes to an array, for each row in turn, whether
/// the call changed the value. If the function returns void, every call counts as a change.
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

/// Sorts the integers `keys` by their upper 32 bits; integers with equal upper bits keep their order. `spare` is
/// working memory; its contents are lost.
/// Errors: std::bad_alloc; if that is thrown, `keys` is unchanged.
/// Complexity: O(keys * bytes), where `bytes` is the number of bytes that the largest upper half needs; O(keys) if
/// `keys` is sorted already.
/// Source: radix sort by least significant digit first (D. Knuth, The Art of Computer Programming, 5.2.5).
void sort_by_upper_half(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare);

}  // namespace strata::detail
