// Query: visits the entities that have certain components, typed.
#pragma once

#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "cascade_query.hpp"
#include "changes/change_pass.hpp"
#include "changes/changes.hpp"
#include "family_query.hpp"
#include "order_by.hpp"
#include "terms/operators.hpp"
#include "terms/term_list.hpp"
#include "visiting/explain.hpp"
#include "visiting/row_loops.hpp"
#include "visiting/row_range.hpp"
#include "visiting/visits.hpp"

namespace strata {

/// Visits the entities that satisfy all terms. A value: keep it, and what it has matched stays matched;
/// archetypes that appear later are taken in when an iteration starts.
///
/// The arguments of the visiting functions are, in the order of the terms:
///   `T` a T&, `const T` a const T&, `Entity` the entity, `Maybe<T>` a T* (null: it has none),
///   `Parent<const T>` a const T* (null: it has no parent, or that has none), `Parent<T>` a T* in a
///   `cascade(up)`, `Up<const T>` a const T* to that of the nearest ancestor that has one (null: none has);
///   `With`, `Without` and `AnyOf<A, B, ...>` nothing. A pointer is good for the call only: that to a parent's
///   or ancestor's value which is only read may be to a copy.
///
/// Structural changes are refused while a function visits (a contract): record them with `world.commands()`;
/// they are applied when the outermost iteration ends. An exception from a visiting function passes through;
/// what was recorded until then stays recorded. So does std::bad_alloc where an `Up` term takes memory: for
/// walks past more than 32 ancestors.
///
/// A query that a `const World&` made only reads: it hands out no value to write, never applies recorded commands and
/// writes nothing to the world, so that readers in several threads need no cast. Components that the world does not know
/// yet are on no entity; they are found once it does.
///
/// `each`, `count`, `first`, `contains` and `cascade` of a const Query leave it as it is. All but `contains` work on a copy of what
/// it has matched: where that matters, keep one that is not const.
///
/// Contract: the world outlives the query.
/// Threads: one at a time per query object; several query objects may read at the same time, and any number of threads
/// may read by one that is const. A cascade of a query that a World made which is not const is a change of the world,
/// unless WorldOptions::settling is manual.
template <class... Terms>
class Query {
 public:
  Query(detail::Store& store, const detail::Relation* relation,
        std::optional<detail::Narrowing> narrowing = {})
      : writer_(&store), matcher_(make_matcher(store, relation, narrowing)) {}

  /// One that only reads.
  Query(const detail::Store& store, const detail::Relation* relation,
        std::optional<detail::Narrowing> narrowing = {})
      : matcher_(make_matcher(store, relation, narrowing)) {
    static_assert(
        (detail::reads_only<Terms> && ...),
        "a query of a const World only reads: write const T instead of T, also in Maybe<const T> and "
        "Parent<const T>");
  }

  /// Visits level by level: downwards every entity after all of its ancestors, upwards before all of them.
  /// Invalidates: pointers to values of entities that have a parent, when an iteration starts outside of others: see
  /// WorldOptions::settling.
  /// Contract: a query that is not a temporary outlives what is returned.
  CascadeQuery<Query&> cascade(Direction direction = Direction::down) & {
    return {*this, detail::order_of(direction)};
  }
  CascadeQuery<Query> cascade(Direction direction = Direction::down) && {
    return {std::move(*this), detail::order_of(direction)};
  }
  CascadeQuery<Query> cascade(Direction direction = Direction::down) const& {
    return {fresh(), detail::order_of(direction)};
  }

  /// Narrows the query to the children of an entity, in their order; see FamilyQuery.
  /// Contract: as `cascade`; the query was made with a hierarchy.
  FamilyQuery<Query&> children_of(Entity parent) & { return {*this, parent}; }
  FamilyQuery<Query> children_of(Entity parent) && { return {std::move(*this), parent}; }

  /// Calls `function` for every matching entity. Of several functions, each visits a run of rows in turn, so
  /// that one finds what those before it wrote; `on` says which terms a function takes, if not all.
  /// Complexity: O(rows of matched tables), or O(members of the smallest required pool).
  template <class... Functions>
  void each(Functions&&... functions) {
    require_no_parent_written();
    each_in(detail::Order::any, functions...);
  }
  template <class... Functions>
  void each(Functions&&... functions) const {
    fresh().each(functions...);
  }

  /// Calls `function` for every run of matching rows, with a std::span for every argument that `each` has by
  /// reference or pointer (empty for an absent `Maybe`), and a RelatedSpan for `Parent`.
  /// Contract: no term asks the side store, where rows are not contiguous.
  template <class Function>
  void each_block(Function&& function) {
    require_no_parent_written();
    each_block_in(detail::Order::any, function);
  }

  /// Narrows the query to what has been written since its last run of this kind, in any of those components:
  /// see ChangedView. All such runs of a query share one memory of when the last was: keep a query for each
  /// purpose.
  /// Contract: the query is no temporary, and outlives what is returned.
  template <Component... Ts>
  ChangedView<Query, Ts...> changed() & {
    static_assert(sizeof...(Ts) != 0, "changed<T> names the components whose changes are asked for");
    static_assert(((tracking_of<Ts> != Tracking::none) && ...),
                  "changed<T> needs T to be tracked; after the definition of T, write: "
                  "template <> inline constexpr strata::Tracking strata::tracking_of<T> = "
                  "strata::Tracking::blocks; (or Tracking::rows)");
    static_assert(
        (!detail::asks_only_above<Ts, Terms...> && ...),
        "changed<T> looks for entities whose own T was written, and the query asks for T on the parent or an "
        "ancestor alone (Parent<T>, Up<T>): ask for T or With<T> as well, or mark what changes and use "
        "cascade().propagate(), which spreads from parents to children");
    return ChangedView<Query, Ts...>(*this);
  }
  template <Component... Ts>
  void changed() && = delete;  // It would remember nothing: keep the query in a variable.

  /// Puts matching entities into an order by their values of T: a function of one value is a key, a function
  /// of two says whether the first comes before the second. Equal ones stay in the order of the last visit;
  /// new ones come after them. The order is kept in the query and repaired at the next visit.
  /// Contract: the query is no temporary, and outlives what is returned.
  template <Component T, class Function>
  OrderByView<Query, T, std::decay_t<Function>> order_by(Function&& less_or_key) & {
    static_assert((detail::requires_value<T, Terms> || ...),
                  "order_by<T> needs T among the query's terms: as T, const T or With<T>");
    return {*this, std::forward<Function>(less_or_key)};
  }
  template <Component T, class Function>
  void order_by(Function&& less_or_key) && =
      delete;  // The order is kept in the query: keep it in a variable.

  /// Returns: the number of matching entities.
  /// Complexity: O(tables), or as `each` where a term asks the side store.
  std::size_t count() { return count_in(detail::Order::any); }
  std::size_t count() const { return fresh().count(); }

  /// Returns: the entity that `each` would visit first; one that names nothing when there is none.
  Entity first() { return first_in(detail::Order::any); }
  Entity first() const { return fresh().first(); }

  /// For `for (auto [entity, position] : query)`: a row is a tuple of what `each` hands to a function, by
  /// reference or pointer, and the entity by value. Structural changes are refused from `begin` until the
  /// loop ends or is left, however that happens; then recorded commands are applied, if no other iteration is
  /// under way. A query that is a temporary of the loop lives as long as it.
  auto begin() & {
    require_no_parent_written();
    return begin_in(detail::Order::any);
  }
  std::default_sentinel_t end() { return {}; }

  /// Returns: what the query asks and finds, in lines; and of one entity, whether it matches and why not, in
  /// a sentence. See explain.hpp.
  std::string explain() { return explain_in(detail::Order::any); }
  std::string explain(Entity entity) { return explain_in(detail::Order::any, entity); }

  /// Returns: whether the entity matches; false when it is stale.
  bool contains(Entity entity) const { return matcher_.accepts(entity); }

  /// Returns: the untyped engine below, for tests and tools.
  const detail::Matcher& matcher() const { return matcher_; }

 private:
  template <class, class...>
  friend class ChangedView;
  template <class, class, class>
  friend class OrderByView;
  template <class Held>
  friend class CascadeQuery;
  template <class Held>
  friend class FamilyQuery;

  Query(detail::Store* writer, const detail::Matcher& matcher) : writer_(writer), matcher_(matcher) {}

  /// Returns: the same query without what its passes remember.
  Query fresh() const { return Query(writer_, matcher_); }

  template <class AnyStore>
  static detail::Matcher make_matcher(AnyStore& store, const detail::Relation* relation,
                                      std::optional<detail::Narrowing> narrowing) {
    const detail::TermList<Terms...> list(store.registry(), narrowing);
    return {store, list.terms(), relation, list.finders()};
  }

  /// Contract: the query was made by a World that is not const.
  detail::Store& writer(const char* operation) const {
    STRATA_EXPECTS(
        writer_ != nullptr,
        std::string(operation) + " writes to the world: make the query by a World that is not const");
    return *writer_;
  }
  void start(detail::Selection selection, bool as_blocks = false) {
    detail::start(matcher_, selection, writer_ != nullptr, as_blocks);
  }
  void iteration_ended() {
    if (writer_ != nullptr) writer_->iteration_ended();
  }

  static constexpr bool kRelates = (detail::is_related({detail::TermTraits<Terms>::role, {}}) || ...);
  static constexpr bool kWritesParent = (detail::writes_parent<Terms> || ...);
  static constexpr std::uint32_t kTrackedWrites = detail::tracked_writes<Terms...>();
  using Traits = std::tuple<detail::TermTraits<Terms>...>;

  /// Calls one function for every row of a batch, or of what is known to be in columns.
  template <class Rows, class Function>
  static void visit(const Rows& batch, Function& function) {
    using Visitor = detail::Visitor<std::remove_const_t<Function>, Terms...>;
    using FunctionTraits = typename Visitor::Traits;
    auto& called = Visitor::function_of(function);
    constexpr typename Visitor::Arguments terms;
    using Called = std::remove_reference_t<decltype(called)>;
    using Check = decltype(detail::check_rows<Called, FunctionTraits>(terms));
    if constexpr (Check::fits) {
      detail::dispatch<FunctionTraits, kRelates>(batch, called, terms);
    } else {
      Check::explain();
    }
  }

  /// Calls a function of `each_block` for the rows of a batch.
  template <class Function>
  static void visit_block(const detail::Batch& batch, Function& function) {
    detail::with_yielding_terms<Terms...>([&]<std::size_t... term>(std::index_sequence<term...> terms) {
      using Check = decltype(detail::check_blocks<Function, Traits>(terms));
      if constexpr (Check::fits) {
        detail::for_each_run(batch, [&](detail::Run run) {
          function(std::tuple_element_t<term, Traits>::span(batch, term, run)...);
        });
      } else {
        Check::explain();
      }
    });
  }

  /// Returns: the visit of a batch, and what stamps its writes around it; the visit alone if none are
  /// tracked.
  template <class Visit>
  auto stamping(Visit visit) const {
    if constexpr (kTrackedWrites == 0) {
      return visit;
    } else {
      return [stamper = detail::WriteStamper(matcher_, matcher_.store().rows().clock(), kTrackedWrites),
              visit](const detail::Batch& batch) { stamper.visit(batch, visit); };
    }
  }

  template <class... Functions>
  void each_in(detail::Order order, Functions&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    require_order(order);
    start(order);
    detail::for_each_batch(matcher_, order,
                           stamping([&](const auto& batch) { (visit(batch, functions), ...); }));
    iteration_ended();
  }

  template <class... Functions>
  void each_child_of(Entity parent, Functions&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    const detail::RelatedChain children = matcher_.relation()->chain_of(parent);
    if (children.first == detail::RelatedChain::kEnd && matcher_.store().observer() == nullptr)
      return;  // Most nodes are leaves.
    if constexpr (kTrackedWrites == 0) {
      const auto visit_run = [&](const detail::BlockRun& rows) { (visit(rows, functions), ...); };
      if (detail::try_visit_children(matcher_, children, visit_run)) [[likely]] {
        if (matcher_.store().guard().has_pending()) [[unlikely]]
          iteration_ended();
        return;
      }
    }
    each_child_of_slowly(parent, children, functions...);
  }
  /// As above, whatever it takes to begin and to end. Apart, so that the usual way has the registers for itself.
  template <class... Functions>
  [[gnu::noinline]] void each_child_of_slowly(Entity parent, detail::RelatedChain children,
                                              Functions&... functions) {
    start(detail::Selection::children_of(parent));
    detail::for_each_child_batch(
        matcher_, children, stamping([&](const detail::Batch& batch) { (visit(batch, functions), ...); }));
    iteration_ended();
  }

  template <class Function>
  void each_block_in(detail::Order order, Function& function) {
    detail::require_tables(matcher_);
    require_order(order);
    start(order, true);
    detail::for_each_batch(matcher_, order,
                           stamping([&](const detail::Batch& batch) { visit_block(batch, function); }));
    iteration_ended();
  }

  auto begin_in(detail::Selection selection) {
    require_order(selection.order);
    start(selection);
    return detail::RowIterator<Terms...>(writer_, matcher_, selection);
  }
  std::size_t count_in(detail::Selection selection) {
    matcher_.refresh();
    return detail::count_rows(matcher_, selection);
  }
  Entity first_in(detail::Selection selection) {
    matcher_.refresh();
    return detail::find_first(matcher_, selection);
  }
  bool contains_in(detail::Selection selection, Entity entity) const {
    return detail::contains(matcher_, selection, entity);
  }
  std::string explain_in(detail::Selection selection) {
    matcher_.refresh();
    return detail::explain(matcher_, selection);
  }
  std::string explain_in(detail::Selection selection, Entity entity) const {
    return detail::explain(matcher_, selection, entity);
  }

  template <class Mark, class Function>
  std::span<const Entity> propagate_below(Function& function) {
    require_no_parent_written();
    detail::Store& store = writer("propagate");
    const auto id = detail::find_mark<Mark>(store.registry());
    using Visitor = detail::Visitor<std::remove_const_t<Function>, Terms...>;
    auto& called = Visitor::function_of(function);
    auto visit_batch = [&](const detail::Batch& batch, bool* changed) {
      detail::ChangeRecorder recorder(called, changed);
      constexpr typename Visitor::Arguments terms;
      using Called = std::remove_reference_t<decltype(called)>;
      using Check = decltype(detail::check_rows<Called, typename Visitor::Traits>(terms));
      if constexpr (Check::fits) {
        stamping([&](const detail::Batch& stamped) {
          detail::visit_batch<detail::Access::gathered, typename Visitor::Traits>(stamped, recorder, terms);
        })(batch);
      } else {
        Check::explain();
      }
    };
    changes_.run(matcher_, id ? store.side().find(*id) : nullptr, detail::ChangeVisitor(visit_batch));
    iteration_ended();
    return changes_.changed();
  }

  /// Refuses to write to parents in a visit whose order is not chosen when the program runs.
  static void require_no_parent_written() {
    static_assert(
        !kWritesParent,
        "Parent<T> writes to the parent, which only a pass from the leaves to the roots may do: use "
        "cascade(up), or Parent<const T> to read");
  }

  static void require_order([[maybe_unused]] detail::Order order) {
    if constexpr (kWritesParent) {
      STRATA_EXPECTS(
          order == detail::Order::up,
          "Parent<T> writes to the parent, which only a pass from the leaves to the roots may do: use "
          "cascade(up), or Parent<const T> to read");
    }
  }

  detail::Store* writer_ = nullptr;  // Null: the query only reads.
  detail::Matcher matcher_;
  detail::ChangePass changes_;
  std::uint64_t seen_ = 0;  // The moment of the last run that looked for changes.
  detail::OrderedRows order_;
};

}  // namespace strata
