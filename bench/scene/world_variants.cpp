// The variants in a strata::World: archetype tables in every layout, and sparse sets beside the tables, whose pools are sorted
// once, parents first, and then need no cascade.
#include <strata/strata.hpp>
#include <vector>

#include "../support/counting_memory.hpp"
#include "populate.hpp"
#include "variant.hpp"

namespace scene {

struct SparseLocal {
  Affine value;
};
struct SparseWorldTransform {
  Affine value;
};

}  // namespace scene

template <>
inline constexpr strata::Storage strata::storage_of<scene::SparseLocal> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<scene::SparseWorldTransform> = strata::Storage::sparse;

namespace scene {
namespace {

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
    world_.defragment();
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

class TablesVariant final : public WorldVariant<Local, WorldTransform> {
 public:
  TablesVariant(const Forest& forest, strata::Layout layout) : WorldVariant(forest, layout) {}

 private:
  void update() override { query().cascade().each(propagate); }
};

class SideStoreVariant final : public WorldVariant<SparseLocal, SparseWorldTransform> {
 public:
  /// The entities have no component in tables; per_level keeps their empty rows in as few as possible.
  explicit SideStoreVariant(const Forest& forest) : WorldVariant(forest, strata::Layout::per_level) {
    const auto parents_first = [this](strata::Entity left, strata::Entity right) {
      return world().depth(left) < world().depth(right);
    };
    world().pool<SparseLocal>().sort(parents_first);
    world().pool<SparseWorldTransform>().sort(parents_first);
  }

 private:
  void update() override { query().each(propagate); }
};

}  // namespace

std::unique_ptr<Variant> make_tables(const Forest& forest, strata::Layout layout) {
  return std::make_unique<TablesVariant>(forest, layout);
}

std::unique_ptr<Variant> make_side_store(const Forest& forest) {
  return std::make_unique<SideStoreVariant>(forest);
}

}  // namespace scene
