#include "row_images.hpp"

#include <algorithm>

#include "side_store/pool_copies.hpp"

namespace strata::detail {
namespace {

constexpr std::size_t kPageBytes = 4096 - 64;  // Bytes of values in a page; 64 bytes are left for its header.
constexpr std::size_t kLeastRows = 16;

std::string uncopyable_sentence(const ComponentInfo& component) {
  return "the values of component \"" + component.name +
         "\" cannot be copied: remove it first, or give it a copy operation";
}

}  // namespace

const ComponentInfo& component_of_entities() {
  static const ComponentInfo component{
      .name = "entity", .size = sizeof(Entity), .alignment = alignof(Entity)};
  return component;
}

std::uint32_t rows_per_page(std::size_t size) {
  return static_cast<std::uint32_t>(std::max(kPageBytes / size, kLeastRows));
}

Entity entity_in(const BlockImage& block, std::uint32_t rows, std::uint32_t row) {
  const std::uint32_t step = rows_per_page(sizeof(Entity));
  const std::size_t pages = (rows + step - 1) / step;  // The number of pages of entities, which come last.
  const ValuePage& page = block[block.size() - pages + row / step];
  return static_cast<const Entity*>(page.values())[row % step];
}

ImagePlaces::ImagePlaces(const StoreImage& image)
    : by_index(image.rows->slots.size(), kNone),
      bytes(image.rows->bytes.memory(), sizeof(ImagePlaces) + by_index.size() * sizeof(by_index[0])) {
  const RowImages& rows = *image.rows;
  archetypes.reserve(rows.blocks.size());
  for (const RowImages::TableImage& table : rows.tables)
    archetypes.insert(archetypes.end(), table.blocks, table.archetype);
  for (std::size_t block = 0; block < rows.blocks.size(); ++block) {
    for (std::uint32_t row = 0; row < rows.blocks[block]; ++row)
      by_index[entity_in(*image.blocks[block], rows.blocks[block], row).index()] =
          std::uint64_t{block} << 32 | row;
  }
}

const ImagePlaces& places_of(const StoreImage& image) {
  if (image.rows->places == nullptr) image.rows->places = std::make_unique<const ImagePlaces>(image);
  return *image.rows->places;
}

PoolImage::PoolImage(const SparsePool& from, ImageMemory& memory)
    : pool(from.id(), from.component(), nullptr, 0, memory.resource),
      bytes(memory, sizeof(PoolImage) + from.memory_use().used) {
  pool.assign(from);
}

std::string RowRecorder::find_uncopyable() const {
  for (const Archetype* archetype : store_.archetypes().all()) {
    if (archetype->ranks().tables() == 0) continue;
    for (const Column& column : archetype->format().columns()) {
      if (!column.component->can_copy()) return uncopyable_sentence(*column.component);
    }
  }
  std::string sentence;
  store_.side().for_each([&](const SparsePool& pool) {
    if (pool.size() != 0 && !pool.component().can_copy() && sentence.empty())
      sentence = uncopyable_sentence(pool.component());
  });
  return sentence;
}

bool RowRecorder::has_same_rows() const {
  return last_ != nullptr && changes_ == store_.rows().changes().count() &&
         free_ == store_.slots().free_state();
}

std::shared_ptr<RowImages> RowRecorder::list_rows(std::vector<Block*>& blocks) const {
  auto rows = std::make_shared<RowImages>(store_, memory_);
  Tables& tables = store_.tables();
  for (std::uint32_t number = 0; number < tables.branch_count(); ++number) {
    const Branch& branch = tables.branch(number);
    rows->branches.push_back({branch.rank, branch.label, branch.lasts != 0});
  }
  for (Archetype* const archetype : store_.archetypes().all()) {
    archetype->ranks().for_each([&](std::span<Block* const> first_blocks) {
      for (Block* const first : first_blocks) {
        const Branch& branch = table_of(*first).branch();
        const std::uint32_t number = &branch == &tables.root() ? RowImages::kRoot : branch.number;
        const std::size_t before = blocks.size();
        for (Block* block = first; block != nullptr && block->count != 0; block = block->next) {
          blocks.push_back(block);
          rows->blocks.push_back(block->count);
        }
        rows->tables.push_back({archetype, number, static_cast<std::uint32_t>(blocks.size() - before)});
      }
    });
  }
  return rows;
}

/// Returns: true if certainly no value of a page (run of values in one column of a block) was written since the last
/// image; otherwise false. It is also false, because the answer is not known, if writes of the component are not
/// tracked, or if they are tracked only for each block and any value of the block's column was written. Only called if
/// the block had the same rows in the last image.
bool RowRecorder::is_unwritten(const PagePlace& place) const {
  if (&place.component == &component_of_entities()) return true;
  if (place.tracked == BlockFormat::kAbsent) return false;
  const Block& block = *place.first.block;
  if (block.stamps()[place.tracked] <= moment_) return true;
  const std::uint64_t* const stamps = row_stamps(place.first, block.format->tracked()[place.tracked]);
  return stamps != nullptr &&
         std::all_of(stamps, stamps + place.count, [this](std::uint64_t stamp) { return stamp <= moment_; });
}

/// Returns: true if certainly no value of a block was written since the last image; false if one was written, or if
/// writes of some component are not tracked. Only called if the block had the same rows in the last image.
bool RowRecorder::is_unwritten(const Block& block) const {
  const std::size_t tracked = block.format->tracked().size();
  return tracked == block.format->columns().size() &&
         std::all_of(block.stamps(), block.stamps() + tracked,
                     [this](std::uint64_t stamp) { return stamp <= moment_; });
}

/// Returns: an image of a block. It shares the parts that are the same in the last image. `rows` is the number of rows
/// of the block. `before` is the position of the block in the last image; kUnseen if the last image does not have the
/// block.
std::shared_ptr<const BlockImage> RowRecorder::take_block(Block& block, std::uint32_t rows,
                                                          std::uint32_t before) const {
  const bool has_same_rows = before != kUnseen && seen_[before].version == version_of(block);
  const bool has_as_many = before != kUnseen && last_->rows->blocks[before] == rows;
  if (has_same_rows && is_unwritten(block)) return last_->blocks[before];
  auto image = std::make_shared<BlockImage>();
  const ValuePage* page = has_as_many ? last_->blocks[before]->data() : nullptr;
  for_each_page(block, rows, [&](const PagePlace& place) {
    const bool is_same =
        page != nullptr && ((has_same_rows && is_unwritten(place)) ||
                            (copies_as_bytes(place.component) && page->equals(place.values)));
    image->push_back(is_same ? *page : ValuePage(place.component, place.values, place.count, memory_));
    if (page != nullptr) ++page;
  });
  return page != nullptr && *image == *last_->blocks[before] ? last_->blocks[before] : image;
}

void RowRecorder::take_pools(StoreImage& image, ComponentId except) const {
  image.pools.resize(store_.side().size());
  store_.side().for_each([&](const SparsePool& pool) {
    if (pool.size() == 0 || pool.id() == except) return;
    const std::size_t id = to_index(pool.id());
    std::shared_ptr<const PoolImage>& taken = image.pools[id];
    if (last_ != nullptr && id < last_->pools.size()) taken = last_->pools[id];
    const bool is_same = taken != nullptr && copies_as_bytes(pool.component()) &&
                         have_equal_members(taken->pool, pool) && have_equal_values(taken->pool, pool);
    if (!is_same) taken = std::make_shared<PoolImage>(pool, memory_);
  });
}

RowRecorder::SeenIndex RowRecorder::index_seen() const {
  SeenIndex index;
  for (std::uint32_t i = 0; i < seen_.size(); ++i) index.emplace(seen_[i].block, i);
  return index;
}

/// Returns: the position of a block in the last image; kUnseen if the last image does not have the block, or if a block
/// of another archetype was at this address then.
std::uint32_t RowRecorder::find_seen(const SeenIndex& index, const Block& block) const {
  const auto found = index.find(&block);
  return found != index.end() && seen_[found->second].format == block.format ? found->second : kUnseen;
}

std::shared_ptr<const StoreImage> RowRecorder::take(ComponentId except) {
  auto image = std::make_shared<StoreImage>();
  std::vector<SeenBlock> seen;
  if (has_same_rows()) {
    image->rows = last_->rows;
    for (std::uint32_t i = 0; i < seen_.size(); ++i)
      image->blocks.push_back(take_block(*seen_[i].block, image->rows->blocks[i], i));
    seen = seen_;
  } else {
    std::vector<Block*> blocks;
    image->rows = list_rows(blocks);
    const SeenIndex index = index_seen();
    for (Block* const block : blocks) {
      image->blocks.push_back(take_block(*block, block->count, find_seen(index, *block)));
      seen.emplace_back(*block);
    }
  }
  take_pools(*image, except);
  for (std::uint32_t id = 0; id < store_.registry().size(); ++id)
    image->storages.push_back(store_.registry()[ComponentId{id}].storage);
  set_seen(image, seen);
  return image;
}

/// Records that the store now has the contents of `image`, and that `blocks` are the blocks of the store that have the
/// rows of the image. So the next image can share what has not changed since.
void RowRecorder::set_seen(std::shared_ptr<const StoreImage> image, std::vector<SeenBlock>& blocks) noexcept {
  last_ = std::move(image);
  seen_.swap(blocks);
  changes_ = store_.rows().changes().count();
  free_ = store_.slots().free_state();
  moment_ = store_.rows().changes().clock().begin_run();
}

}  // namespace strata::detail
