// StoreImage: a copy of a store: its rows, their values, and its sparse sets. RowRecorder: takes such copies; each copy
// shares with the one before what has not changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "store.hpp"
#include "value_page.hpp"

namespace strata::detail {

/// Counts the memory of an image, or of a part of one: as long as this object exists, the `bytes` that its constructor
/// received are included in ImageMemory::bytes, the total size of all images.
class ImageBytes {
 public:
  ImageBytes(ImageMemory& memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {
    memory_.bytes += bytes;
  }
  ImageBytes(const ImageBytes&) = delete;
  ImageBytes& operator=(const ImageBytes&) = delete;
  ~ImageBytes() { memory_.bytes -= bytes_; }

  ImageMemory& memory() const { return memory_; }

 private:
  ImageMemory& memory_;
  std::size_t bytes_;
};

struct StoreImage;

/// An index that tells where the row of each entity is in an image (a copy of a store).
struct ImagePlaces {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  explicit ImagePlaces(const StoreImage& image);

  std::vector<std::uint64_t> by_index;       // By slot index: block number (upper half) and row, or kNone.
  std::vector<const Archetype*> archetypes;  // By block number: the archetype of the block.
  ImageBytes bytes;
};

/// A record of which rows a store has, without their values. The record has the tables with rows, in the order in which
/// RankLists (the lists of an archetype's tables by depth) has them; the number of rows of each of their blocks; all
/// branches (groups of tables, such as those of the children of one parent); and the slots (for each entity index, a
/// record of which handle is alive).
struct RowImages {
  static constexpr std::uint32_t kRoot = 0xFFFF'FFFF;

  struct TableImage {
    Archetype* archetype;
    std::uint32_t branch;  ///< The number of the branch, or kRoot.
    std::uint32_t blocks;
  };
  struct BranchImage {
    std::uint32_t rank;  ///< The rank; Branch::kFree if the branch is not in use.
    std::uint32_t label;
    bool lasts;
  };

  RowImages(const Store& store, ImageMemory& memory)
      : slots(memory.resource, Slots::kDefaultLimit),
        bytes(memory, sizeof(RowImages) + store.slots().size() * 16) {
    slots.assign(store.slots());
  }

  std::vector<TableImage> tables;
  std::vector<std::uint32_t> blocks;  // The number of rows of each block.
  std::vector<BranchImage> branches;  // By the number of the branch.
  Slots slots;                        // A copy of the slots. The places of rows in it are not used.
  ImageBytes bytes;
  mutable std::unique_ptr<const ImagePlaces> places;  // Null until `places_of` makes them.
};

/// A copy of a pool (sparse set): its members and their values are in `pool`. `bytes` counts the memory of the copy.
struct PoolImage {
  PoolImage(const SparsePool& from, ImageMemory& memory);

  SparsePool pool;
  ImageBytes bytes;
};

/// Copies of the values and entities of a block, in the order of `for_each_page`. Each ValuePage has the copies of a
/// run of values in one column.
using BlockImage = std::vector<ValuePage>;

/// A copy of the contents of a store, without one pool (sparse set): that of the component `except`, an argument of
/// RowRecorder::take.
struct StoreImage {
  std::shared_ptr<const RowImages> rows;
  std::vector<std::shared_ptr<const BlockImage>> blocks;
  std::vector<std::shared_ptr<const PoolImage>> pools;  // By component; null if its pool has no members.
  std::vector<Storage> storages;                        // By component: where its values are stored.
};

/// Returns: the ImagePlaces of an image, which tell where the row of each entity is. Images that share the record of
/// their rows (RowImages) share the result.
/// Errors: std::bad_alloc.
/// Complexity: O(slots) for the first image with these rows; O(1) for others.
const ImagePlaces& places_of(const StoreImage& image);

/// Returns: the entity in row `row` of a block's image. `rows` is the number of rows in this image (see
/// RowImages::blocks).
Entity entity_in(const BlockImage& block, std::uint32_t rows, std::uint32_t row);

/// A run of successive values in one column of a block: `count` values from the row `first` on. `values` is the address
/// of the first value. One ValuePage has the copies of such a run.
struct PagePlace {
  const ComponentInfo& component;
  Place first;
  std::uint32_t count;
  std::byte* values;
  std::uint32_t tracked;  ///< The column's position among the tracked columns, or BlockFormat::kAbsent.
};

/// Returns: a component description for entity handles. With it, a block's column of entities is copied in the same way
/// as a column of values.
const ComponentInfo& component_of_entities();

/// Returns: the greatest number of values in a ValuePage, for values of `size` bytes.
std::uint32_t rows_per_page(std::size_t size);

/// Splits each column of the first `rows` rows of a block into pages (runs of values that one ValuePage can copy), and
/// calls `visit(const PagePlace&)` for each page. The pages of the columns of values come first, then those of the
/// column of entities.
template <class Visit>
void for_each_page(Block& block, std::uint32_t rows, Visit visit) {
  const BlockFormat& format = *block.format;
  const auto split = [&](const ComponentInfo& component, std::byte* values, std::uint32_t tracked) {
    const std::uint32_t step = rows_per_page(component.size);
    for (std::uint32_t row = 0; row < rows; row += step) {
      visit(PagePlace{
          component, {&block, row}, std::min(step, rows - row), values + row * component.size, tracked});
    }
  };
  for (const Column& column : format.columns())
    split(*column.component, block.column(column.prefix), format.find_tracked(column.id));
  split(component_of_entities(), block.column(format.entity_prefix()), BlockFormat::kAbsent);
}

/// Takes images (copies) of a store. Remembers the image that was taken or restored last. The next image shares with
/// that image the parts that have not changed.
///
/// Contract: between two images, values of tracked components are only written through the library (see Tracking).
/// Threads: only the one writer of the store may use a RowRecorder.
class RowRecorder {
 public:
  RowRecorder(Store& store, ImageMemory& memory) : store_(store), memory_(memory) {}

  /// Returns: a sentence that names a component whose values cannot be copied, if any entity has such a component;
  /// otherwise an empty string.
  std::string find_uncopyable() const;

  /// Returns: an image of the store, without the pool of the component `except`, which the caller copies in another
  /// way.
  /// Errors: std::bad_alloc, and what copying a value throws; nothing has changed then.
  /// Contract: `find_uncopyable` returns an empty string; no query is iterating, and no handle is reserved for an
  /// entity that is to be created.
  /// Complexity: O(blocks + values of components that are not tracked + what has changed since the last image that was
  /// taken or restored).
  std::shared_ptr<const StoreImage> take(ComponentId except);

 private:
  friend class RowRestorer;

  /// Identifies a block and its version at the time of the last image. As long as the block has this version, each row
  /// has the same entity as in the image; the values may differ.
  struct SeenBlock {
    explicit SeenBlock(Block& seen) : block(&seen), format(seen.format), version(version_of(seen)) {}

    Block* block;  ///< The address of the block; another block may have this address now.
    const BlockFormat* format;
    std::uint32_t version;
  };
  using SeenIndex = std::unordered_map<const Block*, std::uint32_t>;

  static std::uint32_t version_of(const Block& block) { return block.version & ~Block::kWatched; }
  bool has_same_rows() const;
  std::shared_ptr<RowImages> list_rows(std::vector<Block*>& blocks) const;
  std::shared_ptr<const BlockImage> take_block(Block& block, std::uint32_t rows, std::uint32_t before) const;
  void take_pools(StoreImage& image, ComponentId except) const;
  bool is_unwritten(const Block& block) const;
  bool is_unwritten(const PagePlace& place) const;
  SeenIndex index_seen() const;
  std::uint32_t find_seen(const SeenIndex& index, const Block& block) const;
  void set_seen(std::shared_ptr<const StoreImage> image, std::vector<SeenBlock>& blocks) noexcept;

  static constexpr std::uint32_t kUnseen = 0xFFFF'FFFF;

  Store& store_;
  ImageMemory& memory_;
  std::shared_ptr<const StoreImage> last_;
  std::vector<SeenBlock> seen_;  // The blocks that `last_` has copies of, in the order of the image.
  std::uint64_t changes_ = 0;    // RowChanges::count when `last_` was taken.
  Slots::FreeState free_ = {};   // The free slots when `last_` was taken.
  std::uint64_t moment_ = 0;     // The greatest stamp of a write before `last_` was taken.
};

}  // namespace strata::detail
