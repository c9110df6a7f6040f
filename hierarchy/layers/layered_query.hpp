// LayeredQuery: visits matching entities layer by layer, and inside each layer by depth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../query/query.hpp"
#include "layer_marks.hpp"

namespace strata {

/// A query that visits layer by layer, in ascending order of keys, and by depth within a layer. A layer is
/// the set of entities with one key, which World::set_layer sets; the key of other entities is 0. User
/// interfaces and sprites are painted in this order. A child may be in another layer than its parent, and so
/// be visited before it. World::layered_query makes it, and it may be kept.
///
/// Contract: the world outlives it.
/// Threads: one at a time per object; several objects may read at the same time.
template <class... Terms>
class LayeredQuery {
 public:
  /// The argument of the function that `each_layer` calls: one layer with its matching entities. Valid until
  /// that function returns.
  class Layer {
   public:
    Layer(const detail::Layers& layers, detail::Layers::Index layer, detail::LayerMarks& marks,
          Query<Terms...>& query)
        : layers_(layers), layer_(layer), marks_(marks), query_(query) {}

    std::int32_t key() const { return layers_.key_of(layer_); }

    /// Returns: whether an entity of the layer is marked, even if it does not match the query. An entity that
    /// has left the layer or the world does not count; mark another one, such as its parent.
    /// Complexity: O(1); the first call in a pass takes O(layers + entities marked).
    template <class Mark = Dirty>
    bool changed() const {
      const auto mark = detail::find_mark<Mark>(marks_.store().registry());
      return mark && marks_.contains(layer_, *mark);
    }

    /// Visit the layer's matching entities by ascending depth; see CascadeQuery for the functions to pass.
    template <class... Functions>
    void each(Functions&&... functions) const {
      query_.cascade().each(functions...);
    }
    template <class Function>
    void each_block(Function&& function) const {
      query_.cascade().each_block(function);
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

  /// Makes a query that only reads, for a const World.
  LayeredQuery(const detail::Store& store, const detail::Relation* relation, const detail::Layers& layers)
      : LayeredQuery(store, nullptr, relation, layers,
                     [](const LayeredQuery& self, detail::Narrowing narrowing) {
                       return Query<Terms...>(*self.store_, self.relation_, narrowing);
                     }) {}

  /// Calls `function` with a Layer& for each layer that has matching entities.
  /// Contract: no structural change meanwhile; as for Query.
  /// Complexity: O(layers that were ever used), besides what `function` does.
  template <class Function>
  void each_layer(Function&& function) {
    refresh();
    {
      const detail::ChangeGuard::Iteration lock(store_->guard());
      detail::LayerMarks marks(*store_, *layers_);
      for (Part& part : parts_) {
        if (!part.query.first()) continue;
        Layer view(*layers_, part.layer, marks, part.query);
        function(view);
      }
    }
    if (writer_ != nullptr) writer_->iteration_ended();
  }

  /// Calls `function`, or several as Query::each does, for every matching entity.
  template <class... Functions>
  void each(Functions&&... functions) {
    each_layer([&](const Layer& layer) { layer.each(functions...); });
  }

 private:
  /// The query of one layer.
  struct Part {
    std::int32_t key;
    detail::Layers::Index layer;
    Query<Terms...> query;
  };

  /// Makes the query of a layer: one that writes, or one that only reads.
  using MakeQuery = Query<Terms...> (*)(const LayeredQuery&, detail::Narrowing);

  LayeredQuery(const detail::Store& store, detail::Store* writer, const detail::Relation* relation,
               const detail::Layers& layers, MakeQuery make_query)
      : store_(&store), writer_(writer), relation_(relation), layers_(&layers), make_query_(make_query) {
    refresh();
  }

  /// Makes the queries of layers that were first used after the last call.
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

  const detail::Store* store_;
  detail::Store* writer_;  // Null: the query only reads.
  const detail::Relation* relation_;
  const detail::Layers* layers_;
  MakeQuery make_query_;
  std::vector<Part> parts_;  // By ascending key.
};

}  // namespace strata
