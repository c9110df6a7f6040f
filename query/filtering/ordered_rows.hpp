// OrderedRows: the matching entities of a query, sorted by the values of a component (Query::order_by).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../../core/compiler.hpp"
#include "../matching/matcher.hpp"

namespace strata::detail {

/// Compares two values of one component: returns whether the first comes before the second. A ValueOrder hides the type
/// of the comparison function behind a function pointer, so that the sorting code is compiled only once.
/// Contract: the function passed to `of` outlives the ValueOrder.
class ValueOrder {
 public:
  template <class T, class Less>
  static ValueOrder of(const Less& less) {
    return {&less, [](const void* function, const void* a, const void* b) -> bool {
              return (*static_cast<const Less*>(function))(*static_cast<const T*>(a),
                                                           *static_cast<const T*>(b));
            }};
  }

  bool operator()(const void* a, const void* b) const { return call_(function_, a, b); }

 private:
  using Call = bool (*)(const void*, const void*, const void*);

  ValueOrder(const void* function, Call call) : function_(function), call_(call) {}

  const void* function_;
  Call call_;
};

/// Sorts the entities that match a query, and keeps the sorted list for the next visit. At the next visit,
/// the kept order is usually almost right, and repairing it costs much less than sorting.
class OrderedRows {
 public:
  /// Exists while a visit goes through the sorted list, which must not be sorted again meanwhile.
  class Visit {
   public:
    /// Contract: no other Visit of this list exists.
    explicit Visit(OrderedRows& rows) : rows_(rows) {
      STRATA_EXPECTS(!rows.is_visited_.value,
                     "order_by is nested in a visit by order_by of the same query: use two queries");
      rows_.is_visited_.value = true;
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() { rows_.is_visited_.value = false; }

   private:
    OrderedRows& rows_;
  };

  /// Sorts the matching entities by their values of component `id`. Of entities with equal values, those that already
  /// matched in the last call come first, in the order of that call; the others follow in the order in which the query
  /// visits them. `changes` is the present value of RowChanges::count, which tells whether rows have changed since the
  /// last call.
  /// Returns: the sorted entities; valid until the next call.
  /// Errors: std::bad_alloc, and what `less` throws; in both cases, the order of the last call is kept.
  /// Contract: every matching entity has the component; nothing changes during the call.
  /// Complexity: for n entities, O(n) if the order of the last call is still right, or if entities have to move by a
  /// few positions on average. Otherwise O(n log r): in the order of the last call, the new values form r ascending
  /// sequences.
  STRATA_API std::span<const Entity> sort(const Matcher& matcher, ComponentId id, std::uint64_t changes,
                                          ValueOrder less);

 private:
  /// A flag that is not copied, because it says whether a visit goes through this very list. In a list made by copying,
  /// it is false; a list to which another one is assigned keeps its own flag.
  struct OwnFlag {
    OwnFlag() = default;
    OwnFlag(const OwnFlag&) noexcept {}
    OwnFlag& operator=(const OwnFlag&) noexcept { return *this; }

    bool value = false;
  };
  struct Row {
    const void* value;
    Entity entity;
  };

  bool is_listed(const Matcher& matcher, std::uint64_t changes) const;
  void list(const Matcher& matcher);
  void list_matching(const Matcher& matcher);
  void find_values(const Matcher& matcher, ComponentId id);
  bool repair(ValueOrder less);
  void merge_runs(ValueOrder less);

  std::vector<Entity> kept_;  // The entities in the order of the last call of `sort`.
  std::vector<Row> rows_;     // The entities in the new order. Working memory, as are the next four lists.
  std::vector<Row> spare_;
  std::vector<Entity> matching_;
  std::vector<std::uint8_t> marks_;    // By slot index: 1 for entities to list; 0 between calls.
  std::vector<std::size_t> run_ends_;  // The ends of ascending runs of rows_.
  std::uint64_t listed_at_ = 0;        // RowChanges::count at the last listing, plus 1; 0: none.
  std::size_t listed_matches_ = 0;     // Number of matching archetypes at the last listing.
  OwnFlag is_visited_;                 // Whether a Visit exists.
};

}  // namespace strata::detail
