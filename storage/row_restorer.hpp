// RowRestorer: gives a store the contents that it had when an image (copy of the store) was taken: its rows, its sparse
// sets, and which entity handles are alive.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "restored_branches.hpp"
#include "row_images.hpp"

namespace strata::detail {

/// Restores a store from an image (copy of the store), in three steps: `prepare` and `finish_pools` do all that can
/// fail, `apply` changes the store, and the destructor destroys the replaced values, which may run user code. If
/// `apply` was not called, the destructor undoes `prepare`. Only what differs from the image is replaced. A block is
/// replaced as a whole if its rows differ, or if values differ that cannot be copied as bytes; in other blocks, only
/// values are replaced. Change detection treats values that are replaced as written now. The pool (sparse set) of the
/// component `except` is not restored, because the caller restores it together with an index of its values.
///
/// Contract: `recorder` records `store`, and has taken `image`. No query is iterating, and no recorded command has
/// reserved the handle of an entity that it will create.
class RowRestorer {
 public:
  RowRestorer(Store& store, RowRecorder& recorder, std::shared_ptr<const StoreImage> image,
              ComponentId except)
      : store_(store),
        recorder_(recorder),
        image_(std::move(image)),
        except_(except),
        branches_(store.tables(), *image_->rows),
        slots_(store.memory(), 0) {}
  RowRestorer(const RowRestorer&) = delete;
  RowRestorer& operator=(const RowRestorer&) = delete;
  ~RowRestorer();

  /// Makes the new blocks and pools (sparse sets) that `apply` will put into the store, with copies of the image's
  /// values.
  /// Errors: std::bad_alloc, and what copying a value throws; the contents of the store have not changed then.
  void prepare();

  /// Gives the store the contents of the image. If `changes_rows` is true, the caller has to restore the hierarchy
  /// afterwards.
  /// Contract: `prepare` was called, and then `finish_pools`.
  void apply() noexcept;

  /// Returns: after `prepare`, whether the store and the image have different rows, slots or branches. If they do not,
  /// `apply` only restores values.
  bool changes_rows() const { return !same_rows_; }
  /// Completes the preparation of the pools (sparse sets) that `apply` puts into the store. If the store has more than
  /// SideStore::kFewPools pools, each of them records its members in Memberships (an index of the pools that an entity
  /// is in). This function makes the prepared pools do so, too; see SideStore::record. Called after all user code that
  /// copies values has run, because such code may add a pool, and so the store may exceed kFewPools only then.
  /// Errors: std::bad_alloc.
  void finish_pools() {
    for (const std::unique_ptr<SparsePool>& pool : pools_) {
      if (pool != nullptr) store_.side().record(*pool);
    }
  }
  /// Returns: the branch (group of tables) of the store that will correspond to the branch with this number in the
  /// image when `apply` has been called.
  const Branch& branch(std::uint32_t number) const { return branches_[number]; }

 private:
  /// The block that has the rows of one block of the image when `apply` has been called: a block that the store has
  /// already and that stays in its table, or a new one.
  struct Target {
    Block* block;
    std::uint32_t
        seen;  ///< For a block that stays, its position in `recorder_.seen_` (the last image); for a new one, kUnseen.
  };

  void find_tables();
  void find_blocks();
  Target target_of(const RowRecorder::SeenIndex& index, Table& table, Block* now, std::size_t number,
                   bool is_only);
  bool can_stay(Block& block, std::uint32_t seen, std::size_t number) const;
  Block& make_block(Table& table, std::size_t number, bool is_only);
  void promise_ranks();
  void prepare_pools();
  void undo() noexcept;

  void restore_storages() noexcept;
  void replace_rows() noexcept;
  void detach_all() noexcept;
  void attach_all() noexcept;
  void write_values() noexcept;
  void write_page(const PagePlace& place, const ValuePage& page) noexcept;
  void apply_pools() noexcept;

  const RowImages& rows() const { return *image_->rows; }
  Archetype& archetype_of(std::size_t table) const { return *rows().tables[table].archetype; }
  TableBlocks& blocks() { return store_.rows().blocks_; }
  void free(Block& block) noexcept;

  Store& store_;
  RowRecorder& recorder_;
  std::shared_ptr<const StoreImage> image_;
  ComponentId except_;
  bool same_rows_ = true;    // Whether the tables, rows and slots are those of the image.
  bool same_blocks_ = true;  // Whether, in addition, all blocks stay in their tables.
  bool applied_ = false;
  RestoredBranches branches_;
  std::vector<Table*> tables_;
  std::vector<Target> targets_;
  std::size_t promised_ = 0;    // How many of `tables_` have a reserved position; see RankLists.
  std::vector<Block*> before_;  // The blocks of all tables; after `apply`, those that were replaced.
  Slots slots_;
  std::vector<std::unique_ptr<SparsePool>> pools_;  // By component: the pool to swap in, or null.
  std::vector<RowRecorder::SeenBlock> seen_;
};

}  // namespace strata::detail
