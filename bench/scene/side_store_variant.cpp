// The forest in sparse sets beside the tables: a pool that is sorted once, parents first, needs no cascade.
#include "world_variant.hpp"

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

class SideStoreVariant final : public WorldVariant<SparseLocal, SparseWorldTransform> {
 public:
  /// The entities have no component in tables; per_level keeps their empty rows in as few as possible.
  explicit SideStoreVariant(const Forest& forest) : WorldVariant(forest, strata::Layout::per_level) {
    const auto parents_first = [this](strata::Entity left, strata::Entity right) {
      return world().depth(left) < world().depth(right);
    };
    world().sort<SparseLocal>(parents_first);
    world().sort<SparseWorldTransform>(parents_first);
  }

 private:
  void update() override { query().each(propagate); }
};

}  // namespace

std::unique_ptr<Variant> make_side_store(const Forest& forest) {
  return std::make_unique<SideStoreVariant>(forest);
}

}  // namespace scene
