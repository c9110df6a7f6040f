// QueryVisits: the functions that visit rows, shared by Query and the classes that restrict or order it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "../core/compiler.hpp"
#include "../storage/observed_changes.hpp"
#include "changes/change_pass.hpp"
#include "changes/changed_subtrees.hpp"
#include "filtering/ordered_rows.hpp"
#include "parallel/parallel_query.hpp"
#include "terms/term_list.hpp"
#include "typed_visits.hpp"
#include "visiting/explain.hpp"
#include "visiting/row_range.hpp"
#include "visiting/visits.hpp"

namespace strata::detail {

/// Holds the terms of a Query and the archetypes that match them, and has one function for each kind of visit. Such a
/// function takes a Selection, which says which rows to visit in which order. Query inherits from this class privately,
/// and makes these functions public under simpler names. FamilyQuery, CascadeQuery and similar classes call the
/// functions as friends of Query.
template <class... Terms>
class QueryVisits {
 public:
  QueryVisits(Store& store, const Relation* relation, const std::optional<Narrowing>& narrowing)
      : writer_(&store), matcher_(make_matcher(store, typed_terms<Terms...>, relation, narrowing)) {}
  QueryVisits(const Store& store, const Relation* relation, const std::optional<Narrowing>& narrowing)
      : matcher_(make_matcher(store, typed_terms<Terms...>, relation, narrowing)) {}
  QueryVisits(Store* writer, const Matcher& matcher) : writer_(writer), matcher_(matcher) {}

  /// Returns: the store, for an operation that changes the store. `operation` is the operation's name, for the message
  /// if the contract is broken.
  /// Contract: the query was made by a World that is not const.
  Store& writer(const char* operation) const {
    STRATA_EXPECTS(
        writer_ != nullptr,
        std::string(operation) + " changes the world: make the query from a World that is not const");
    return *writer_;
  }
  void start(Selection selection, bool as_blocks = false) {
    detail::start(matcher_, selection, writer_ != nullptr, as_blocks);
  }
  void iteration_ended() {
    if (writer_ != nullptr) writer_->iteration_ended();
  }

  static constexpr bool kWritesParent = (writes_parent<Terms> || ...);
  static constexpr std::uint32_t kTrackedWrites = tracked_writes<Terms...>();
  using Visits = TypedVisits<Terms...>;

  /// Returns: a function that calls `visit` for a batch and records the batch's writes to tracked components
  /// (see WriteStamper); `visit` itself if the query writes to no tracked component.
  template <class Visit>
  auto stamping(Visit visit) const {
    if constexpr (kTrackedWrites == 0) {
      return visit;
    } else {
      return [stamper = WriteStamper(matcher_, matcher_.store().rows().changes().clock(), kTrackedWrites),
              visit](const Batch& batch) { stamper.visit(batch, visit); };
    }
  }

  template <class... Functions>
  void each_in(const Selection& selection, Functions&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    require_order(selection.order);
    start(selection);
    for_each_batch(matcher_, selection,
                   stamping([&](const auto& batch) { (Visits::visit(batch, functions), ...); }));
    iteration_ended();
  }

  /// Returns: StampSharing::shared if, in a visit that uses `threads`, several threads may record writes to rows of the
  /// same block; otherwise StampSharing::alone.
  static StampSharing sharing(const PassThreads& threads) {
    return threads.any() ? StampSharing::shared : StampSharing::alone;
  }

  /// Calls `visit(task, batch)` for the batches of each task in `work`, on several threads. Also records the writes to
  /// tracked components (see WriteStamper).
  template <class Visit>
  void run_parallel(const ParallelVisit& parallel, const WorkList& work, Visit visit) const {
    if constexpr (kTrackedWrites == 0) {
      parallel.run(matcher_, work, visit);
    } else {
      const WriteStamper stamper(matcher_, matcher_.store().rows().changes().clock(), kTrackedWrites, 0,
                                 StampSharing::shared);
      auto stamped = [&](std::size_t task, const Batch& batch) {
        stamper.visit(batch, [&](const Batch& rows) { visit(task, rows); });
      };
      parallel.run(matcher_, work, stamped);
    }
  }

  template <class... Functions>
  void each_paired(const Selection& selection, Functions&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    require_order(selection.order);
    matcher_.refresh();
    for_each_related_batch(matcher_, selection,
                           stamping([&](const Batch& batch) { (Visits::visit(batch, functions), ...); }));
    iteration_ended();
  }

  template <class... Functions>
  void each_child_of(Entity parent, Functions&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    const RelatedChain children = matcher_.relation()->chain_of(parent);
    if (children.first == RelatedChain::kEnd && matcher_.store().observer() == nullptr)
      return;  // Most entities have no children.
    if constexpr (kTrackedWrites == 0) {
      const auto visit_run = [&](const BlockRun& rows) { (Visits::visit(rows, functions), ...); };
      if (try_visit_children(matcher_, children, visit_run)) [[likely]] {
        if (matcher_.store().guard().has_pending()) [[unlikely]]
          iteration_ended();
        return;
      }
    }
    each_child_of_slowly(parent, functions...);
  }
  /// The slower way of `each_child_of`, which works for every query: it also prepares the query, records writes and
  /// reports the iteration to an observer. Not inlined, so that it takes no registers from the loops of
  /// `each_child_of`.
  template <class... Functions>
  STRATA_NOINLINE void each_child_of_slowly(Entity parent, Functions&... functions) {
    const Selection children = Selection::children_of(parent);
    start(children);
    for_each_related_batch(matcher_, children,
                           stamping([&](const Batch& batch) { (Visits::visit(batch, functions), ...); }));
    iteration_ended();
  }

  template <class Function>
  void each_block_in(const Selection& selection, Function& function) {
    require_tables(matcher_);
    require_order(selection.order);
    start(selection, true);
    for_each_batch(matcher_, selection,
                   stamping([&](const Batch& batch) { Visits::visit_block(matcher_, batch, function); }));
    iteration_ended();
  }

  auto begin_in(Selection selection) {
    require_order(selection.order);
    start(selection);
    return RowIterator<Terms...>(writer_, matcher_, selection);
  }
  std::size_t count_in(Selection selection) {
    matcher_.refresh();
    return count_rows(matcher_, selection);
  }
  Entity first_in(Selection selection) {
    matcher_.refresh();
    return find_first(matcher_, selection);
  }
  bool contains_in(Selection selection, Entity entity) const { return contains(matcher_, selection, entity); }
  std::string explain_in(Selection selection) {
    matcher_.refresh();
    return explain(matcher_, selection);
  }
  std::string explain_in(Selection selection, Entity entity) const {
    return explain(matcher_, selection, entity);
  }

  template <class Mark, class Function>
  std::span<const Entity> propagate_below(Function& function, const PassThreads& threads) {
    require_no_parent_written();
    Store& store = writer("propagate");
    const auto id = find_mark<Mark>(store.registry());
    const WriteStamper stamper(matcher_, store.rows().changes().clock(), kTrackedWrites, 0, sharing(threads));
    auto visit_batch = [&](const Batch& batch, bool* changed) {
      stamper.visit(batch, [&](const Batch& rows) { Visits::visit_changes(rows, function, changed); });
    };
    SparsePool* const marks = id ? store.side().find(*id) : nullptr;
    changes_.run(matcher_, marks, ChangeVisitor(visit_batch), threads);
    // `clear_pool` notifies observers of the marks, and `iteration_ended` applies commands, which may notify observers,
    // too. All these observers may destroy or assign to this query, so its members are read before.
    const std::span<const Entity> changed = changes_.changed();
    if (marks != nullptr) clear_pool(store, *marks);
    store.iteration_ended();
    return changed;
  }

  /// Fails to compile if a term is `Parent<T>` with T not const. Such a term writes to the parent, so all
  /// children must be visited before their parent, as only `cascade(up)` does.
  static void require_no_parent_written() {
    static_assert(
        !kWritesParent,
        "Parent<T> writes to the parent, which is only allowed in a pass from the leaves to the roots: use "
        "cascade(up), or Parent<const T> to read");
  }

  static void require_order([[maybe_unused]] Order order) {
    if constexpr (kWritesParent) {
      STRATA_EXPECTS(
          order == Order::up,
          "Parent<T> writes to the parent, which is only allowed in a pass from the leaves to the roots: use "
          "cascade(up), or Parent<const T> to read");
    }
  }

 protected:
  Store* writer_ = nullptr;  // Null: the query only reads.
  Matcher matcher_;
  ChangePass changes_;
  std::uint64_t seen_ = 0;  // The time at which the last visit by `changed` or `changed_subtrees` began.
  OrderedRows order_;
  OwnSubtreePass subtrees_;
};

}  // namespace strata::detail
