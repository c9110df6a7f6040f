// Query: visits the entities that have certain components, typed.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "change_pass.hpp"
#include "changes.hpp"
#include "dirty.hpp"
#include "filtered_batches.hpp"
#include "operators.hpp"
#include "order_by.hpp"
#include "table_batches.hpp"

namespace strata {

/// The direction of a cascade: `down` visits parents before children, `up` children before parents.
enum class Direction : std::uint8_t { down, up };
inline constexpr Direction down = Direction::down;
inline constexpr Direction up = Direction::up;

namespace detail {

/// Calls `visit(const Batch&)` for every batch of matching rows, with structural changes refused meanwhile.
template <class Visit>
void for_each_batch(const Matcher& matcher, Order order, Visit&& visit) {
  const Store::IterationLock lock(matcher.store());
  Batch batch;
  if (matcher.uses_side_store()) {
    for (FilteredBatches batches(matcher, order); batches.next(batch);) visit(std::as_const(batch));
  } else {
    for (TableBatches batches(matcher, order); batches.next(batch);) visit(std::as_const(batch));
  }
}

std::size_t count_rows(const Matcher& matcher);
Entity find_first(const Matcher& matcher, Order order);

/// Visits rows through their cells. A function of its own, so that cells are locals and the loop vectorises.
template <class Function, class... Cells>
void visit_rows(std::uint32_t begin, std::uint32_t end, Function& function, const Cells... cells) {
  for (std::uint32_t row = begin; row < end; ++row) function(cells[row]...);
}

/// Visits the rows of one batch.
template <Access access, class Traits, std::size_t... terms, class Function>
void visit_batch(const Batch& batch, Function& function, std::index_sequence<terms...>) {
  if constexpr (access == Access::columns_grouped) {
    const OriginGroup* group = batch.groups;
    for (std::uint32_t row = 0; row < batch.count; ++group) {
      const std::uint32_t end = row + group->count;
      visit_rows(row, end, function,
                 in_group(std::tuple_element_t<terms, Traits>::template cell<access>(batch, terms),
                          group->origin)...);
      row = end;
    }
  } else {
    visit_rows(0, batch.count, function,
               std::tuple_element_t<terms, Traits>::template cell<access>(batch, terms)...);
  }
}

/// Calls the loop for where the values of a batch are; those for related values exist only where a term asks.
template <class Traits, bool relates, class Function, class Terms>
void dispatch(const Batch& batch, Function& function, Terms terms) {
  switch (batch.access) {
    case Access::columns:
      return visit_batch<Access::columns, Traits>(batch, function, terms);
    case Access::gathered:
      return visit_batch<Access::gathered, Traits>(batch, function, terms);
    default:
      break;
  }
  if constexpr (relates) {
    if (batch.access == Access::columns_grouped) {
      visit_batch<Access::columns_grouped, Traits>(batch, function, terms);
    } else if (batch.access == Access::columns_indexed) {
      visit_batch<Access::columns_indexed, Traits>(batch, function, terms);
    } else {
      visit_batch<Access::columns_gathered, Traits>(batch, function, terms);
    }
  }
}

/// Calls `visit(Run)` for the rows of a batch that can be handed out together: groups, or all of them.
template <class Visit>
void for_each_run(const Batch& batch, Visit&& visit) {
  if (batch.access != Access::columns_grouped) return visit(Run{0, batch.count, 0});
  const OriginGroup* group = batch.groups;
  for (std::uint32_t row = 0; row < batch.count; row += (group++)->count) {
    visit(Run{row, group->count, group->origin});
  }
}

}  // namespace detail

/// Visits the entities that satisfy all terms. A value: keep it, and what it has matched stays matched;
/// archetypes that appear later are taken in when an iteration starts.
///
/// The arguments of the visiting functions are, in the order of the terms:
///   `T` a T&, `const T` a const T&, `Entity` the entity, `Maybe<T>` a T* (null: it has none),
///   `Parent<const T>` a const T* (null: it has no parent, or that has none), `Parent<T>` a T* in a
///   `cascade(up)`; `With` and `Without` nothing. A pointer is good for the call only: that to a parent's value
///   which is only read may be to a copy.
///
/// Structural changes are refused while a function visits (a contract): record them with `world.commands()`;
/// they are applied when the outermost iteration ends. An exception from a visiting function passes through;
/// what was recorded until then stays recorded.
///
/// Contract: the world outlives the query.
/// Threads: one at a time per query object; several query objects may read at the same time.
template <class... Terms>
class Query {
 public:
  /// `narrowing` is one more term, which hands out nothing.
  Query(Store& store, const Relation* relation, std::optional<Term> narrowing = {})
      : store_(&store), matcher_(make_matcher(store, relation, narrowing)) {}

  /// A query in an order; made by `cascade`. Holds a reference to a query that is kept elsewhere (Query&), or
  /// the query itself if it was a temporary (Query).
  template <class Held>
  class Ordered {
   public:
    Ordered(Held&& query, Order order) : query_(std::forward<Held>(query)), order_(order) {}

    template <class... Functions>
    void each(Functions&&... functions) {
      query_.each_in(order_, functions...);
    }
    template <class Function>
    void each_block(Function&& function) {
      query_.each_block_in(order_, function);
    }
    Entity first() {
      query_.matcher_.refresh();
      return detail::find_first(query_.matcher_, order_);
    }

    /// Brings a part of the hierarchy up to date: calls `function`, with the arguments of `each`, for the
    /// matching entities that are marked and those below them, each once and after its ancestors; then takes
    /// all marks away. A function that answers false says that the value did not change: what is below is
    /// not visited on its account. An entity that does not match is passed over, as by `each`, and leads on
    /// to its children. `Mark` is a component of the side store.
    /// Returns: exactly the entities whose values changed, in the order of the visit.
    /// Errors: what `function` throws, and std::bad_alloc; the marks stay then.
    /// Contract: the order is downwards, the query is no temporary, no query is iterating.
    /// Invalidates: the span, by the query's next pass, assignment or destruction.
    /// Complexity: O(marks + entities reached), whatever else the world holds.
    /// Threads: a writer of the world, as it takes marks away.
    template <class Mark = Dirty, class Function>
    std::span<const Entity> changed(Function&& function) {
      static_assert(std::is_lvalue_reference_v<Held>,
                    "changed answers with a list that lives in the query: keep the query in a variable");
      static_assert(storage_of<Mark> == Storage::sparse,
                    "a mark lives in the side store: specialise storage_of for it");
      STRATA_EXPECTS(order_ == Order::down,
                     "changes spread from parents to children: changed needs cascade(), not cascade(up)");
      return query_.template changed_below<Mark>(function);
    }

   private:
    Held query_;
    Order order_;
  };

  /// Visits level by level: downwards every entity after all of its ancestors, upwards before all of them.
  /// Contract: a query that is not a temporary outlives what is returned.
  Ordered<Query&> cascade(Direction direction = Direction::down) & { return {*this, order_of(direction)}; }
  Ordered<Query> cascade(Direction direction = Direction::down) && {
    return {std::move(*this), order_of(direction)};
  }

  /// Calls `function` for every matching entity. Of several functions, each visits a run of rows in turn, so
  /// that one finds what those before it wrote; `on` says which terms a function takes, if not all.
  /// Complexity: O(rows of matched tables), or O(members of the smallest required pool).
  template <class... Functions>
  void each(Functions&&... functions) {
    each_in(Order::any, functions...);
  }

  /// Calls `function` for every run of matching rows, with a std::span for every argument that `each` has by
  /// reference or pointer (empty for an absent `Maybe`), and a RelatedSpan for `Parent`.
  /// Contract: no term asks the side store, where rows are not contiguous.
  template <class Function>
  void each_block(Function&& function) {
    each_block_in(Order::any, function);
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
  std::size_t count() {
    matcher_.refresh();
    return detail::count_rows(matcher_);
  }

  /// Returns: the entity that `each` would visit first; one that names nothing when there is none.
  Entity first() {
    matcher_.refresh();
    return detail::find_first(matcher_, Order::any);
  }

  /// Returns: whether the entity matches; false when it is stale.
  bool contains(Entity entity) const { return matcher_.accepts(entity); }

  /// Returns: the untyped engine below, for tests and tools.
  const Matcher& matcher() const { return matcher_; }

 private:
  template <class, class...>
  friend class ChangedView;
  template <class, class, class>
  friend class OrderByView;

  static constexpr Order order_of(Direction direction) {
    return direction == Direction::down ? Order::down : Order::up;
  }

  static Matcher make_matcher(Store& store, const Relation* relation, std::optional<Term> narrowing) {
    constexpr std::size_t count = sizeof...(Terms);
    const std::array<Term, count + 1> terms{detail::make_term<Terms>(store.registry())...,
                                            narrowing.value_or(Term{})};
    return {store, std::span(terms).first(count + (narrowing ? 1 : 0)), relation};
  }

  static constexpr bool kRelates = ((detail::TermTraits<Terms>::role == Role::related) || ...);
  static constexpr bool kWritesParent = (detail::writes_parent<Terms> || ...);
  static constexpr std::uint32_t kTrackedWrites = detail::tracked_writes<Terms...>();
  using Traits = std::tuple<detail::TermTraits<Terms>...>;

  /// Calls one function for every row of a batch.
  template <class Function>
  static void visit(const Batch& batch, Function& function) {
    using Visitor = detail::Visitor<std::remove_const_t<Function>, Terms...>;
    using FunctionTraits = typename Visitor::Traits;
    auto& called = Visitor::function_of(function);
    constexpr typename Visitor::Arguments terms;
    detail::dispatch<FunctionTraits, kRelates>(batch, called, terms);
  }

  /// Calls a function of `each_block` for the rows of a batch.
  template <class Function>
  static void visit_block(const Batch& batch, Function& function) {
    detail::for_each_run(batch, [&](detail::Run run) {
      detail::with_yielding_terms<Terms...>([&]<std::size_t... term>(std::index_sequence<term...>) {
        function(std::tuple_element_t<term, Traits>::span(batch, term, run)...);
      });
    });
  }

  /// Returns: the visit of a batch, and what stamps its writes around it; the visit alone if none are
  /// tracked.
  template <class Visit>
  auto stamping(Visit visit) const {
    if constexpr (kTrackedWrites == 0) {
      return visit;
    } else {
      return [stamper = WriteStamper(matcher_, store_->rows().clock(), kTrackedWrites),
              visit](const Batch& batch) { stamper.visit(batch, visit); };
    }
  }

  template <class... Functions>
  void each_in(Order order, Functions&... functions) {
    static_assert(sizeof...(Functions) != 0, "each needs a function");
    expect_order(order);
    matcher_.refresh();
    matcher_.prepare();
    detail::for_each_batch(matcher_, order,
                           stamping([&](const Batch& batch) { (visit(batch, functions), ...); }));
    store_->iteration_ended();
  }

  template <class Function>
  void each_block_in(Order order, Function& function) {
    expect_blocks();
    expect_order(order);
    matcher_.refresh();
    matcher_.prepare();
    detail::for_each_batch(matcher_, order,
                           stamping([&](const Batch& batch) { visit_block(batch, function); }));
    store_->iteration_ended();
  }

  template <class Mark, class Function>
  std::span<const Entity> changed_below(Function& function) {
    expect_order(Order::down);
    const auto id = store_->registry().template find<Mark>();
    using Visitor = detail::Visitor<std::remove_const_t<Function>, Terms...>;
    auto& called = Visitor::function_of(function);
    auto visit_batch = [&](const Batch& batch, bool* changed) {
      detail::ChangeRecorder recorder(called, changed);
      constexpr typename Visitor::Arguments terms;
      stamping([&](const Batch& stamped) {
        detail::visit_batch<Access::gathered, typename Visitor::Traits>(stamped, recorder, terms);
      })(batch);
    };
    changes_.run(matcher_, id ? store_->side().find(*id) : nullptr, ChangeVisitor(visit_batch));
    store_->iteration_ended();
    return changes_.changed();
  }

  void expect_blocks() const {
    STRATA_EXPECTS(!matcher_.uses_side_store(),
                   "each_block needs all of its terms in tables: use each, or store the component in tables");
  }

  static void expect_order([[maybe_unused]] Order order) {
    if constexpr (kWritesParent) {
      STRATA_EXPECTS(
          order == Order::up,
          "Parent<T> writes to the parent, which only a pass from the leaves to the roots may do: use "
          "cascade(up), or Parent<const T> to read");
    }
  }

  Store* store_;
  Matcher matcher_;
  ChangePass changes_;
  std::uint64_t seen_ = 0;  // The moment of the last run that looked for changes.
  OrderedRows order_;
};

}  // namespace strata
