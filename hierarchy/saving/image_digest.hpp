// ImageDigest: digests of successive images of a world, of which only the differences are hashed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "contents.hpp"
#include "saved_parts.hpp"
#include "world_images.hpp"

namespace strata::detail {

/// Computes digests of images of one world, and keeps the sums of the parts of the last one: of each page of values, of
/// each pool and relation, and of the tree with its names. A part that the next image shares is not hashed again.
///
/// Contract: the images were taken by one recorder, which outlives this object.
class ImageDigest {
 public:
  /// Returns: what `digest_of` returned for the world when the image was taken.
  /// Errors: std::bad_alloc, and what functions of members_of throw; nothing has changed then.
  /// Contract: the values of components and resources of the image are described, or left out.
  /// Complexity: O(blocks + what differs from the image of the last call), as for taking the image itself.
  std::uint64_t compute(const Contents& contents, const SavedParts& parts,
                        const std::shared_ptr<const WorldImage>& image);

 private:
  /// The sums of a block.
  struct BlockSum {
    std::vector<std::uint64_t> pages;  // In the order of BlockImage; 0 for pages of entities.
    std::uint64_t tags = 0;
  };
  /// The sums of all parts of an image.
  struct Sums {
    std::vector<BlockSum> blocks;
    std::vector<std::uint64_t> pools;
    std::vector<std::uint64_t> pairs;
    std::vector<std::uint64_t> resources;
    std::uint64_t nodes = 0;
  };
  class Update;

  std::shared_ptr<const WorldImage> last_;
  Sums sums_;  // The sums of `last_`.
};

}  // namespace strata::detail
