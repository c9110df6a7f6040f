// OrderedRows: a query's entities in the order of a value, kept from one visit to the next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../matching/matcher.hpp"

namespace strata::detail {

/// A comparison of two values of one component, behind one function pointer, so that sorting is compiled
/// once.
/// Contract: outlived by the function that it was made from.
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

/// Keeps the entities in their last order: mostly it is nearly right, so that repairing it costs much less
/// than sorting.
class OrderedRows {
 public:
  /// A visit in this order, which has to stay meanwhile.
  class Visit {
   public:
    /// Contract: no other one goes on.
    explicit Visit(OrderedRows& rows) : rows_(rows) {
      STRATA_EXPECTS(!rows.visited_,
                     "order_by of a query inside a visit by order_by of the same query: keep two queries");
      rows_.visited_ = true;
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() { rows_.visited_ = false; }

   private:
    OrderedRows& rows_;
  };

  /// Brings the entities that match into the order of their values of component `id`; those that compare
  /// equal keep their order of last time, and new ones come after them in the order of the query's visit.
  /// `changes` is what Rows::changes says.
  /// Errors: std::bad_alloc, and what `less` throws; the order is that of last time then.
  /// Contract: every entity that matches has the component; nothing changes meanwhile.
  /// Complexity: O(n) comparisons if the order holds, O(n + d) if rows have to go d places in all and d is
  /// O(n), O(n log r) if the order consists of r rising runs; n entities.
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

  std::vector<Entity> kept_;  // In the order of last time.
  std::vector<Row> rows_;     // In the order to be; the next are for its making.
  std::vector<Row> spare_;
  std::vector<Entity> matching_;
  std::vector<std::uint8_t> marks_;    // By slot index; all 0 in between.
  std::vector<std::size_t> run_ends_;  // Of rising runs.
  std::uint64_t listed_at_ = 0;        // What Rows::changes said, and 1.
  std::size_t listed_matches_ = 0;     // Of how many archetypes.
  bool visited_ = false;
};

}  // namespace strata::detail
