#include "saving.hpp"

#include "../../hierarchy/saving/digest.hpp"
#include "world.hpp"

namespace strata {
namespace {

detail::Contents contents_of(const World& world, Undescribed undescribed) {
  const detail::WorldParts& parts = detail::parts_of(world);
  return {parts.store, parts.hierarchy.links(), parts.hierarchy.names(), parts.hierarchy.relations(),
          undescribed};
}

}  // namespace

std::uint64_t digest(const World& world, Undescribed undescribed) {
  return detail::digest_of(contents_of(world, undescribed));
}

std::vector<WorldDifference> find_differences(const World& first, const World& second, std::size_t most,
                                              Undescribed undescribed) {
  return detail::find_differences_of(contents_of(first, undescribed), contents_of(second, undescribed), most);
}

}  // namespace strata
