// ImageDigest: computes a hash of the contents of each of several successive images (copies) of a world. Parts that an
// image shares with the one before are not hashed again.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "contents.hpp"
#include "saved_parts.hpp"
#include "world_images.hpp"

namespace strata::detail {

/// Computes digests of images (copies) of one world. Keeps the sums of hashes of the parts of the last image: of each
/// page of values, of each pool (sparse set), relation and resource, and of the hierarchy with its names. A part that
/// the next image shares with the last one is not hashed again.
///
/// Contract: the images were taken by one WorldRecorder, which outlives this object.
class ImageDigest {
 public:
  /// Returns: the digest that `digest_of` would have returned for the world when the image was taken.
  /// Errors: std::bad_alloc, and what the program's functions for writing values (see members_of) throw; nothing has
  /// changed then.
  /// Contract: if `contents` has Undescribed::refuse, the types of all components and resources of the image are
  /// described for saving (see members_of).
  /// Complexity: O(blocks + what differs from the image of the last call).
  std::uint64_t compute(const Contents& contents, const SavedParts& parts,
                        const std::shared_ptr<const WorldImage>& image);

 private:
  /// The sums of hashes of a block's values: one sum for each page (run of values of one column), and one for all tags.
  struct BlockSum {
    // By the page's position in the BlockImage; 0 for pages of entity handles, and of components that Contents leaves
    // out.
    std::vector<std::uint64_t> pages;
    std::uint64_t tags = 0;
  };
  /// For each part of an image, the sum of the hashes of its values: one for each block, pool, relation (`pairs`) and
  /// resource, in the order of the image. `nodes` is the sum for the hierarchy with its names.
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
