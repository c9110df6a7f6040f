// OrderedRows: the entities of a query sorted by a value; the order is kept between visits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../matching/matcher.hpp"

namespace strata::detail {

/// Compares two values of one component. It is one function pointer, so that sorting is compiled only once.
/// Contract: the function that it was made from outlives it.
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

/// Sorts the matching entities and keeps their order for the next visit. The kept order is usually almost
/// right, and repairing it costs much less than sorting.
class OrderedRows {
 public:
  /// Marks that a visit uses this order; the order must not change meanwhile.
  class Visit {
   public:
    /// Contract: no other visit of this order is in progress.
    explicit Visit(OrderedRows& rows) : rows_(rows) {
      STRATA_EXPECTS(!rows.visited_,
                     "order_by is nested in a visit by order_by of the same query: use two queries");
      rows_.visited_ = true;
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() { rows_.visited_ = false; }

   private:
    OrderedRows& rows_;
  };

  /// Sorts the matching entities by their values of component `id`. Equal ones keep their previous order; new
  /// ones come after them in the order of the query's visit. `changes` is the value of RowChanges::count.
  /// Errors: std::bad_alloc, and what `less` throws; the previous order is kept then.
  /// Contract: every matching entity has the component; nothing changes during the call.
  /// Complexity: for n entities, O(n) comparisons if the order is right; O(n + d) if rows shift by d
  /// positions in all and d is O(n); O(n log r) if the order consists of r ascending runs.
  std::span<const Entity> sort(const Matcher& matcher, ComponentId id, std::uint64_t changes,
                               ValueOrder less);

 private:
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

  std::vector<Entity> kept_;  // In the previous order.
  std::vector<Row> rows_;     // In the new order. The following members are working memory.
  std::vector<Row> spare_;
  std::vector<Entity> matching_;
  std::vector<std::uint8_t> marks_;    // By slot index; all 0 between calls.
  std::vector<std::size_t> run_ends_;  // Of ascending runs.
  std::uint64_t listed_at_ = 0;        // RowChanges::count at the last listing, plus 1.
  std::size_t listed_matches_ = 0;     // Number of matches at the last listing.
  bool visited_ = false;
};

}  // namespace strata::detail
