// WorldVariant: what the variants that live in a strata::World share.
#pragma once

#include <strata/strata.hpp>
#include <vector>

#include "../support/counting_memory.hpp"
#include "populate.hpp"
#include "variant.hpp"

namespace scene {

/// A forest in a world of its own. Derived classes say how to visit it, parents first.
/// `Local` and `WorldTransform` each hold an Affine named `value`; their type decides where they are stored.
template <class Local, class WorldTransform>
class WorldVariant : public Variant {
 public:
  void frame(unsigned number) final {
    for (const NodeIndex root : roots_)
      world_.template get<Local>(entities_[root]).value = moved(forest_.locals[root], number);
    update();
  }

  std::vector<Affine> world_transforms() const final {
    std::vector<Affine> transforms;
    transforms.reserve(entities_.size());
    for (const strata::Entity entity : entities_)
      transforms.push_back(world_.template get<WorldTransform>(entity).value);
    return transforms;
  }

  Footprint footprint() const final { return {memory_.bytes(), world_.stats().tables}; }

 protected:
  using UpdateQuery = strata::Query<const Local, WorldTransform, strata::Parent<const WorldTransform>>;

  WorldVariant(const Forest& forest, strata::Layout layout)
      : forest_(forest),
        roots_(roots_of(forest.parents)),
        world_(strata::WorldOptions{layout, &memory_}),
        entities_(populate<Local, WorldTransform>(world_, forest)),
        query_(world_.template query<const Local, WorldTransform, strata::Parent<const WorldTransform>>()) {
    world_.settle();
  }

  strata::World& world() { return world_; }
  UpdateQuery& query() { return query_; }

 private:
  virtual void update() = 0;

  const Forest& forest_;
  std::vector<NodeIndex> roots_;
  strata::bench::CountingMemory memory_;
  strata::World world_;
  std::vector<strata::Entity> entities_;
  UpdateQuery query_;
};

}  // namespace scene
