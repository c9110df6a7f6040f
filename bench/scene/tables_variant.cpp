// The forest in archetype tables: the same code for every layout.
#include "world_variant.hpp"

namespace scene {
namespace {

class TablesVariant final : public WorldVariant<Local, WorldTransform> {
 public:
  TablesVariant(const Forest& forest, strata::Layout layout) : WorldVariant(forest, layout) {}

 private:
  void update() override { query().cascade().each(propagate); }
};

}  // namespace

std::unique_ptr<Variant> make_tables_per_parent(const Forest& forest) {
  return std::make_unique<TablesVariant>(forest, strata::Layout::per_parent);
}

std::unique_ptr<Variant> make_tables_per_level(const Forest& forest) {
  return std::make_unique<TablesVariant>(forest, strata::Layout::per_level);
}

}  // namespace scene
