#include "image_digest.hpp"

#include <numeric>
#include <unordered_map>
#include <utility>

#include "digest.hpp"
#include "digest_sum.hpp"
#include "world_facts.hpp"

namespace strata::detail {

/// Computes sums of hashes for an image (a copy of a world), separately for each block, pool (sparse set), relation and
/// resource, and one sum for the hierarchy with the names. `last` is the image of the previous call of
/// ImageDigest::compute, or null, and `sums` are the sums for `last`. For objects that `image` shares with `last`, the
/// sums are copied from `sums`.
class ImageDigest::Update {
 public:
  Update(const Contents& contents, const SavedParts& parts, const WorldImage& image, const WorldImage* last,
         const Sums& sums)
      : contents_(contents), facts_(parts, image), image_(image), last_(last), before_(sums) {}

  Sums compute() {
    Sums sums;
    add_blocks(sums.blocks);
    add_parts(image_.store->pools, last_ != nullptr ? &last_->store->pools : nullptr, before_.pools,
              sums.pools,
              [&](const PoolImage& image, DigestSum& sum) { add_pool(contents_, image.pool, sum); });
    add_parts(image_.pairs, last_ != nullptr ? &last_->pairs : nullptr, before_.pairs, sums.pairs,
              [&](const PairsImage& image, DigestSum& sum) { add_pairs(contents_, image.pairs, sum); });
    add_parts(image_.resources, last_ != nullptr ? &last_->resources : nullptr, before_.resources,
              sums.resources, [&](const ResourceImage& image, DigestSum& sum) {
                if (contents_.counts(image.resource())) sum.add_resource(image.resource());
              });
    sums.nodes = sum_nodes();
    return sums;
  }

 private:
  /// Computes a sum of hashes for each element of `parts`, and appends it to `sums`. `parts` are all parts of one kind
  /// in the image, such as its pools (sparse sets); a null element has the sum 0. `last` are the parts of this kind in
  /// the image that was hashed before, and before[i] is the sum of element i of `last`; `last` is null if there is no
  /// such image. If both images share the object at a position, copies its sum instead of computing it.
  template <class Part, class Add>
  static void add_parts(const std::vector<std::shared_ptr<const Part>>& parts,
                        const std::vector<std::shared_ptr<const Part>>* last,
                        const std::vector<std::uint64_t>& before, std::vector<std::uint64_t>& sums, Add add) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      DigestSum sum;
      if (last != nullptr && i < last->size() && (*last)[i] == parts[i]) {
        sum.add_sum(before[i]);
      } else if (parts[i] != nullptr) {
        add(*parts[i], sum);
      }
      sums.push_back(sum.sum());
    }
  }

  std::uint64_t sum_nodes() const {
    if (last_ != nullptr && last_->tree == image_.tree && last_->names == image_.names) return before_.nodes;
    DigestSum sum;
    for (std::uint32_t index = 0; index < facts_.slots(); ++index) {
      if (const Entity entity = facts_.entity_at(index))
        sum.add_node(entity, facts_.parent(entity), facts_.previous(entity), facts_.name(entity));
    }
    return sum.sum();
  }

  void add_blocks(std::vector<BlockSum>& sums) {
    const StoreImage& store = *image_.store;
    const bool has_same_rows = last_ != nullptr && last_->store->rows == store.rows;
    std::unordered_map<const BlockImage*, std::size_t> known;
    for (std::size_t i = 0; last_ != nullptr && !has_same_rows && i < last_->store->blocks.size(); ++i)
      known.emplace(last_->store->blocks[i].get(), i);
    sums.resize(store.blocks.size());
    for (std::size_t block = 0; block < sums.size(); ++block) {
      const auto found = known.find(store.blocks[block].get());
      if (found != known.end()) {
        sums[block] = before_.blocks[found->second];
      } else {
        add_block(block, has_same_rows, sums[block]);
      }
    }
  }
  /// Sets `to` to the sums of hashes of the block at index `block` of the image. `has_same_rows` says that the block
  /// with this index in the image `last_` has the same entities in the same rows. If so, copies the sums of that block
  /// from `before_`, and hashes only pages (runs of values of one column) that the two images do not share.
  void add_block(std::size_t block, bool has_same_rows, BlockSum& to) {
    const BlockImage& image = *image_.store->blocks[block];
    const BlockImage* const last = has_same_rows ? last_->store->blocks[block].get() : nullptr;
    if (last != nullptr) to = before_.blocks[block];
    if (last == &image) return;
    to.pages.resize(image.size());
    std::size_t page = 0;
    const Archetype& archetype = facts_.archetype_of_block(block);
    const std::uint32_t rows = image_.store->rows->blocks[block];
    for (const Column& column : archetype.format().columns()) {
      const bool counts = contents_.counts(column.id);
      const std::uint64_t key = DigestSum::key_of(column.component->name);
      for (std::uint32_t row = 0; row < rows; row += rows_per_page(column.size), ++page) {
        if (counts && (last == nullptr || (*last)[page] != image[page]))
          to.pages[page] = sum_page(block, row, image[page], *column.component, key);
      }
    }
    if (last == nullptr) to.tags = sum_tags(block, rows, archetype);
  }
  std::uint64_t sum_page(std::size_t block, std::uint32_t first, const ValuePage& page,
                         const ComponentInfo& info, std::uint64_t key) {
    list_entities(block, first, page.count());
    DigestSum sum;
    sum.add_component(info, key, entities_.data(), page.values(), page.count());
    return sum.sum();
  }
  std::uint64_t sum_tags(std::size_t block, std::uint32_t rows, const Archetype& archetype) {
    list_entities(block, 0, rows);
    DigestSum sum;
    for (const ComponentId id : archetype.signature().ids()) {
      const ComponentInfo& info = contents_.store().registry()[id];
      if (info.is_tag() && contents_.counts(id))
        sum.add_component(info, DigestSum::key_of(info.name), entities_.data(), nullptr, rows);
    }
    return sum.sum();
  }
  void list_entities(std::size_t block, std::uint32_t first, std::uint32_t count) {
    entities_.clear();
    for (std::uint32_t i = 0; i < count; ++i) entities_.push_back(facts_.entity_in(block, first + i));
  }

  const Contents& contents_;
  ImageFacts facts_;
  const WorldImage& image_;
  const WorldImage* last_;
  const Sums& before_;
  std::vector<Entity> entities_;
};

std::uint64_t ImageDigest::compute(const Contents& contents, const SavedParts& parts,
                                   const std::shared_ptr<const WorldImage>& image) {
  if (last_ != image) {
    sums_ = Update(contents, parts, *image, last_.get(), sums_).compute();
    last_ = image;
  }
  std::uint64_t sum = sums_.nodes;
  for (const BlockSum& block : sums_.blocks)
    sum += std::accumulate(block.pages.begin(), block.pages.end(), block.tags);
  for (const auto* list : {&sums_.pools, &sums_.pairs, &sums_.resources})
    sum = std::accumulate(list->begin(), list->end(), sum);
  return sum;
}

}  // namespace strata::detail
