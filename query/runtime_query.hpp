// RuntimeQuery: visits the entities that have certain components, which are named by their ids.
#pragma once

#include <span>
#include <string>

#include "row_loops.hpp"
#include "row_view.hpp"
#include "visits.hpp"
#include "write_stamper.hpp"

namespace strata {

class RuntimeQuery;

/// A RuntimeQuery in an order, or narrowed to the children of an entity: made by `cascade` and `children_of`.
/// Contract: the query outlives it.
class RuntimeSelection {
 public:
  /// Contract: of a family, the query was made with a hierarchy.
  RuntimeSelection(RuntimeQuery& query, Selection selection);

  template <class Function>
  void each(Function&& function);
  template <class Function>
  void each_block(Function&& function);

  std::size_t count();
  Entity first();
  bool contains(Entity entity) const;
  std::string explain();
  std::string explain(Entity entity) const;

 private:
  RuntimeQuery& query_;
  Selection selection_;
};

/// As Query, of terms that are values: for scripts, tools and other languages. What a function is handed
/// names the terms by their position. Alternatives are terms of Role::any_of, one for each, that have the
/// same group.
///
/// Contract: the world outlives the query.
/// Threads: as Query.
class RuntimeQuery {
 public:
  /// Contract: at most kMaxTerms terms, of components of this store, and none that asks for the value of a
  /// tag, or of a parent where there is no hierarchy (`relation` is null). The message names the term.
  RuntimeQuery(Store& store, std::span<const Term> terms, const Relation* relation)
      : store_(&store), matcher_(store, terms, relation) {}

  RuntimeSelection cascade(Direction direction = Direction::down) & { return {*this, order_of(direction)}; }

  /// Contract: the query was made with a hierarchy.
  RuntimeSelection children_of(Entity parent) & { return {*this, Selection::children_of(parent)}; }

  /// Calls `function(const RowView&)` for every matching entity.
  template <class Function>
  void each(Function&& function) {
    each_in(Order::any, function);
  }

  /// Calls `function(const BlockView&)` for every run of matching rows.
  /// Contract: no term asks the side store, where rows are not contiguous.
  template <class Function>
  void each_block(Function&& function) {
    each_block_in(Order::any, function);
  }

  std::size_t count() { return RuntimeSelection(*this, Order::any).count(); }
  Entity first() { return RuntimeSelection(*this, Order::any).first(); }

  /// Returns: whether the entity matches; false when it is stale.
  bool contains(Entity entity) const { return matcher_.accepts(entity); }

  /// Returns: as Query::explain.
  std::string explain() { return RuntimeSelection(*this, Order::any).explain(); }
  std::string explain(Entity entity) { return RuntimeSelection(*this, Order::any).explain(entity); }

  /// Returns: the engine below, for tests and tools.
  const Matcher& matcher() const { return matcher_; }

 private:
  friend class RuntimeSelection;

  template <class Function>
  void each_in(Selection selection, Function& function) {
    start(selection);
    for_each_batch(selection, [&](const Batch& batch) {
      detail::for_each_run(batch, [&](detail::Run run) {
        for (std::uint32_t row = run.first; row < run.first + run.count; ++row) {
          function(RowView(matcher_, batch, row, run.origin));
        }
      });
    });
    store_->iteration_ended();
  }

  template <class Function>
  void each_block_in(Selection selection, Function& function) {
    expect_blocks(selection);
    start(selection, true);
    for_each_batch(selection, [&](const Batch& batch) {
      detail::for_each_run(batch, [&](detail::Run run) { function(BlockView(matcher_, batch, run)); });
    });
    store_->iteration_ended();
  }

  void expect_blocks(Selection selection);
  void start(Selection selection, bool as_blocks = false) {
    if (selection.order != Order::any) matcher_.begin_cascade();
    detail::start(matcher_, selection, as_blocks);
  }

  /// All values that are handed out may be written.
  template <class Visit>
  void for_each_batch(Selection selection, Visit visit) const {
    const WriteStamper stamper(matcher_, store_->rows().clock(), tracked_writes());
    const auto stamped = [&](const Batch& batch) { stamper.visit(batch, visit); };
    if (selection.of_family) {
      const RelatedChain children = matcher_.relation()->chain_of(selection.parent);
      return detail::for_each_child_batch(matcher_, children, stamped);
    }
    detail::for_each_batch(matcher_, selection.order, stamped);
  }
  std::uint32_t tracked_writes() const;

  Store* store_;
  Matcher matcher_;
};

template <class Function>
void RuntimeSelection::each(Function&& function) {
  query_.each_in(selection_, function);
}
template <class Function>
void RuntimeSelection::each_block(Function&& function) {
  query_.each_block_in(selection_, function);
}

}  // namespace strata
