// LayeredQuery: visits the matching entities layer by layer, in the order in which user interfaces are
// painted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../query/matching/visit_state.hpp"
#include "../../query/query.hpp"
#include "layer_marks.hpp"

namespace strata {

/// A query that visits the matching entities layer by layer, in ascending order of the layers' keys, and by depth
/// within a layer. A layer is the set of entities for which World::set_layer has set one key; entities without a key
/// are in the layer of key 0. User interfaces and sprites are painted in this order. A child may be in another layer
/// than its parent, so the child may be visited before the parent. World::layered_query makes a LayeredQuery, which may
/// be kept for repeated use.
///
/// Contract: the world outlives this object.
/// Threads: one thread at a time for each object; several objects may read at the same time.
template <class... Terms>
class LayeredQuery {
 public:
  /// The argument of the function that `each_layer` calls: one layer, whose matching entities the function can visit.
  /// Valid until that function returns.
  class Layer {
   public:
    Layer(const detail::Layers& layers, detail::Layers::Index layer, detail::LayerMarks& marks,
          Query<Terms...>& query)
        : layers_(layers), layer_(layer), marks_(marks), query_(query) {}

    std::int32_t key() const { return layers_.key_of(layer_); }

    /// Returns: whether an entity of the layer has the component `Mark`, even if the entity does not match the query.
    /// Marked entities that have left the layer or were destroyed do not count. To report that an entity has left or
    /// was destroyed, mark another entity that stays in the layer, such as the parent.
    /// Complexity: O(1); O(layers + entities with the mark) in the first call for a mark within one `each_layer`.
    template <class Mark = Dirty>
    bool changed() const {
      const auto mark = detail::find_mark<Mark>(marks_.store().registry());
      return mark && marks_.contains(layer_, *mark);
    }

    /// Visit the layer's matching entities, parents before children; see Query::each and Query::each_block.
    template <class... Functions>
    void each(Functions&&... functions) const {
      query_.cascade().each(functions...);
    }
    template <class Function>
    void each_block(Function&& function) const {
      query_.cascade().each_block(function);
    }

    /// Returns: an object that visits the layer's matching entities depth by depth; the workers of an executor share
    /// the rows of each depth. See CascadeQuery::par.
    auto par(Executor& executor, std::size_t grain = detail::kParallelGrain) const {
      return query_.cascade().par(executor, grain);
    }

    std::size_t count() const { return query_.count(); }

   private:
    const detail::Layers& layers_;
    detail::Layers::Index layer_;
    detail::LayerMarks& marks_;
    Query<Terms...>& query_;
  };

  LayeredQuery(detail::Store& store, const detail::Relation* relation, const detail::Layers& layers)
      : LayeredQuery(store, &store, relation, layers,
                     [](const LayeredQuery& self, detail::Narrowing narrowing) {
                       return Query<Terms...>(*self.writer_, self.relation_, narrowing);
                     }) {}

  /// Makes a query that only reads. A const World makes its layered queries with this constructor.
  LayeredQuery(const detail::Store& store, const detail::Relation* relation, const detail::Layers& layers)
      : LayeredQuery(store, nullptr, relation, layers,
                     [](const LayeredQuery& self, detail::Narrowing narrowing) {
                       return Query<Terms...>(*self.store_, self.relation_, narrowing);
                     }) {}

  /// Calls `function(Layer&)` for each layer that has matching entities, in ascending order of the layers' keys.
  /// Contract: `function` makes no structural change; see Query.
  /// Complexity: O(keys that were ever given to World::set_layer), plus the time of the calls of `function`.
  template <class Function>
  void each_layer(Function&& function) {
    refresh();
    {
      const detail::ChangeGuard::Iteration lock(store_->guard());
      const detail::VisitCount::Scope visit(visits_);
      detail::LayerMarks marks(*store_, *layers_);
      for (Part& part : parts_) {
        if (!part.query.first()) continue;
        Layer view(*layers_, part.layer, marks, part.query);
        function(view);
      }
    }
    if (writer_ != nullptr) writer_->iteration_ended();
  }

  /// Calls each of the functions for every matching entity, layer by layer. Several functions visit the rows in short
  /// runs: the first function visits all rows of a run, then the next function visits the same rows, and so on; see
  /// Query::each.
  template <class... Functions>
  void each(Functions&&... functions) {
    each_layer([&](const Layer& layer) { layer.each(functions...); });
  }

 private:
  /// The query for the entities of one layer. `key` is the layer's key (see World::set_layer); `parts_` is sorted by
  /// key. `layer` is the layer's number in Layers, where layers are numbered in the order in which their keys were
  /// first used.
  struct Part {
    std::int32_t key;
    detail::Layers::Index layer;
    Query<Terms...> query;
  };

  /// The type of a function that makes the query of one layer. The Narrowing is an additional term that only entities
  /// of this layer match. There are two such functions: one for queries that may write, and one for queries that only
  /// read.
  using MakeQuery = Query<Terms...> (*)(const LayeredQuery&, detail::Narrowing);

  LayeredQuery(const detail::Store& store, detail::Store* writer, const detail::Relation* relation,
               const detail::Layers& layers, MakeQuery make_query)
      : store_(&store), writer_(writer), relation_(relation), layers_(&layers), make_query_(make_query) {
    refresh();
  }

  /// Makes a query for each layer that is new since the last call, and inserts these queries into `parts_`, in the
  /// order of the layers' keys.
  void refresh() {
    while (parts_.size() < layers_->count()) {
      const detail::Layers::Index layer{static_cast<std::uint32_t>(parts_.size())};
      const detail::Narrowing narrowing(layers_->term_of(layer), detail::Layers::find_common);
      Part part{layers_->key_of(layer), layer, make_query_(*this, narrowing)};
      const auto place =
          std::upper_bound(parts_.begin(), parts_.end(), part.key,
                           [](std::int32_t key, const Part& other) { return key < other.key; });
      parts_.insert(place, std::move(part));
    }
  }

  detail::VisitCount visits_;  // First, so that an assignment checks it before it changes the others.
  const detail::Store* store_;
  detail::Store* writer_;  // Null if the query only reads.
  const detail::Relation* relation_;
  const detail::Layers* layers_;
  MakeQuery make_query_;
  std::vector<Part> parts_;  // One for each layer, by ascending key.
};

}  // namespace strata
