// Query: visits the entities that have certain components, typed.
#pragma once

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "filtered_batches.hpp"
#include "table_batches.hpp"
#include "terms.hpp"

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

/// The positions of the terms that hand something out.
template <class... Terms>
constexpr auto yielding_terms() {
  constexpr std::array<bool, sizeof...(Terms)> yields{TermTraits<Terms>::yields...};
  constexpr std::size_t count = (std::size_t{TermTraits<Terms>::yields} + ... + 0);
  std::array<std::size_t, count> positions{};
  for (std::size_t i = 0, next = 0; i < yields.size(); ++i) {
    if (yields[i]) positions[next++] = i;
  }
  return positions;
}

}  // namespace detail

/// Visits the entities that satisfy all terms. A value: keep it, and what it has matched stays matched;
/// archetypes that appear later are taken in when an iteration starts.
///
/// The arguments of the visiting functions are, in the order of the terms:
///   `T` a T&, `const T` a const T&, `Entity` the entity, `Maybe<T>` a T* (null: it has none),
///   `Parent<const T>` a const T* (null: it has no parent, or that has none); `With` and `Without` nothing.
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
  Query(Store& store, const Relation* relation)
      : store_(&store),
        matcher_(store, std::array<Term, sizeof...(Terms)>{detail::make_term<Terms>(store.registry())...},
                 relation) {}

  /// A query in an order; made by `cascade`. Holds a reference to a query that is kept elsewhere (Query&), or
  /// the query itself if it was a temporary (Query).
  template <class Held>
  class Ordered {
   public:
    Ordered(Held&& query, Order order) : query_(std::forward<Held>(query)), order_(order) {}

    template <class Function>
    void each(Function&& function) {
      query_.each_in(order_, function);
    }
    template <class Function>
    void each_block(Function&& function) {
      query_.each_block_in(order_, function);
    }
    Entity first() {
      query_.matcher_.refresh();
      return detail::find_first(query_.matcher_, order_);
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

  /// Calls `function` for every matching entity.
  /// Complexity: O(rows of matched tables), or O(members of the smallest required pool).
  template <class Function>
  void each(Function&& function) {
    each_in(Order::any, function);
  }

  /// Calls `function` for every run of matching rows, with a std::span for every argument that `each` has by
  /// reference or pointer (empty for an absent `Maybe`), and a RelatedSpan for `Parent`.
  /// Contract: no term asks the side store, where rows are not contiguous.
  template <class Function>
  void each_block(Function&& function) {
    each_block_in(Order::any, function);
  }

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
  static constexpr Order order_of(Direction direction) {
    return direction == Direction::down ? Order::down : Order::up;
  }

  static constexpr auto kYielding = detail::yielding_terms<Terms...>();
  static constexpr bool kRelates = ((detail::TermTraits<Terms>::role == Role::related) || ...);
  using Traits = std::tuple<detail::TermTraits<Terms>...>;

  template <class Use>
  static decltype(auto) with_yielding(Use&& use) {
    return [&]<std::size_t... i>(std::index_sequence<i...>)->decltype(auto) {
      return use(std::index_sequence<kYielding[i]...>());
    }
    (std::make_index_sequence<kYielding.size()>());
  }

  template <class Function>
  void each_in(Order order, Function& function) {
    matcher_.refresh();
    matcher_.prepare();
    with_yielding([&](auto terms) {
      detail::for_each_batch(matcher_, order, [&](const Batch& batch) {
        detail::dispatch<Traits, kRelates>(batch, function, terms);
      });
    });
    store_->iteration_ended();
  }

  template <class Function>
  void each_block_in(Order order, Function& function) {
    STRATA_EXPECTS(!matcher_.uses_side_store(),
                   "each_block needs all of its terms in tables: use each, or store the component in tables");
    matcher_.refresh();
    matcher_.prepare();
    detail::for_each_batch(matcher_, order, [&](const Batch& batch) {
      detail::for_each_run(batch, [&](detail::Run run) {
        with_yielding([&]<std::size_t... term>(std::index_sequence<term...>) {
          function(std::tuple_element_t<term, Traits>::span(batch, term, run)...);
        });
      });
    });
    store_->iteration_ended();
  }

  Store* store_;
  Matcher matcher_;
};

}  // namespace strata
