// RuntimeQuery: visits the entities that have certain components, named by their ids.
#pragma once

#include <span>
#include <string>
#include <type_traits>

#include "terms/write_stamper.hpp"
#include "visiting/explain.hpp"
#include "visiting/row_loops.hpp"
#include "visiting/row_view.hpp"
#include "visiting/visits.hpp"

namespace strata::detail {

/// A run-time query with an order, or narrowed to the children of an entity. Made by `cascade` and
/// `children_of`.
/// Contract: the query outlives it.
template <class AnyQuery>
class RuntimeSelection {
 public:
  /// Contract: to select a family, the query was made with a hierarchy.
  RuntimeSelection(AnyQuery& query, Selection selection) : query_(query), selection_(selection) {
    if (selection.of_family) detail::require_families(query.matcher());
  }

  template <class Function>
  void each(Function&& function) {
    query_.each_in(selection_, function);
  }
  template <class Function>
  void each_block(Function&& function) {
    query_.each_block_in(selection_, function);
  }

  std::size_t count() { return detail::count_rows(query_.refreshed(), selection_); }
  Entity first() { return detail::find_first(query_.refreshed(), selection_); }
  bool contains(Entity entity) const { return detail::contains(query_.matcher(), selection_, entity); }
  std::string explain() { return detail::explain(query_.refreshed(), selection_); }
  std::string explain(Entity entity) const { return detail::explain(query_.matcher(), selection_, entity); }

 private:
  AnyQuery& query_;
  Selection selection_;
};

/// Contract: the rows of the selection are contiguous in blocks.
void require_blocks(Matcher& matcher, Selection selection);

/// Returns: a bit for each term that hands out values of a tracked component.
std::uint32_t tracked_values(const Matcher& matcher);

/// As Query, with terms that are values: for scripts, tools and other languages. The visiting function's
/// argument names terms by their position. Each alternative is a term of Role::any_of; alternatives of one
/// group have the same `group`. A query of a `const Store` only reads, as a Query of a const World.
///
/// Contract: the world outlives the query.
/// Threads: as Query.
template <class AnyStore>
class BasicRuntimeQuery {
 public:
  static constexpr bool kWrites = !std::is_const_v<AnyStore>;
  /// The arguments of visiting functions: one row, and a run of rows of one table.
  using Row = std::conditional_t<kWrites, RowView, ConstRowView>;
  using Block = std::conditional_t<kWrites, BlockView, ConstBlockView>;

  /// Contract: at most kMaxTerms terms, of components of this store. No term hands out the value of a tag. No
  /// term reads a parent unless there is a hierarchy (`relation` is not null). The message names the term.
  BasicRuntimeQuery(AnyStore& store, std::span<const Term> terms, const Relation* relation)
      : store_(&store), matcher_(store, terms, relation) {}

  RuntimeSelection<BasicRuntimeQuery> cascade(Direction direction = Direction::down) & {
    return {*this, order_of(direction)};
  }

  /// Contract: the query was made with a hierarchy.
  RuntimeSelection<BasicRuntimeQuery> children_of(Entity parent) & {
    return {*this, Selection::children_of(parent)};
  }

  /// Calls `function(const Row&)` for every matching entity.
  template <class Function>
  void each(Function&& function) {
    each_in(Order::any, function);
  }

  /// Calls `function(const Block&)` for every run of matching rows.
  /// Contract: no term uses the side store, where rows are not contiguous.
  template <class Function>
  void each_block(Function&& function) {
    each_block_in(Order::any, function);
  }

  std::size_t count() { return in(Order::any).count(); }
  Entity first() { return in(Order::any).first(); }

  /// Returns: whether the entity matches; false when it is stale.
  bool contains(Entity entity) const { return matcher_.accepts(entity); }

  /// Returns: as Query::explain.
  std::string explain() { return in(Order::any).explain(); }
  std::string explain(Entity entity) { return in(Order::any).explain(entity); }

  /// Returns: the untyped engine, for tests and tools.
  const Matcher& matcher() const { return matcher_; }

 private:
  friend class RuntimeSelection<BasicRuntimeQuery>;

  RuntimeSelection<BasicRuntimeQuery> in(Selection selection) { return {*this, selection}; }

  const Matcher& refreshed() {
    matcher_.refresh();
    return matcher_;
  }

  template <class Function>
  void each_in(Selection selection, Function& function) {
    start(selection);
    for_each_batch(selection, [&](const Batch& batch) {
      for_each_run(batch, [&](Run run) {
        for (std::uint32_t row = run.first; row < run.first + run.count; ++row) {
          function(Row(matcher_, batch, row, run.origin));
        }
      });
    });
    iteration_ended();
  }

  template <class Function>
  void each_block_in(Selection selection, Function& function) {
    require_blocks(matcher_, selection);
    start(selection, true);
    for_each_batch(selection, [&](const Batch& batch) {
      for_each_run(batch, [&](Run run) { function(Block(matcher_, batch, run)); });
    });
    iteration_ended();
  }

  void start(Selection selection, bool as_blocks = false) {
    detail::start(matcher_, selection, kWrites, as_blocks);
  }
  void iteration_ended() {
    if constexpr (kWrites) store_->iteration_ended();
  }

  /// Every value that is handed out for writing counts as written.
  template <class Visit>
  void for_each_batch(Selection selection, Visit visit) const {
    const std::uint32_t written = kWrites ? tracked_values(matcher_) : 0;
    const WriteStamper stamper(matcher_, store_->rows().changes().clock(), written);
    const auto stamped = [&](const Batch& batch) { stamper.visit(batch, visit); };
    if (selection.of_family) {
      const RelatedChain children = matcher_.relation()->chain_of(selection.parent);
      return detail::for_each_child_batch(matcher_, children, stamped);
    }
    detail::for_each_batch(matcher_, selection.order, stamped);
  }

  AnyStore* store_;
  Matcher matcher_;
};

}  // namespace strata::detail

namespace strata {

/// A query with terms that are values.
using RuntimeQuery = detail::BasicRuntimeQuery<detail::Store>;

/// A RuntimeQuery that only reads.
using ConstRuntimeQuery = detail::BasicRuntimeQuery<const detail::Store>;

}  // namespace strata
