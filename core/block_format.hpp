// BlockFormat: the memory layout of the blocks of an archetype: which column holds which component, and where each
// column starts.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "block.hpp"
#include "compiler.hpp"
#include "component_table.hpp"
#include "plain_list.hpp"
#include "registry.hpp"
#include "signature.hpp"

namespace strata::detail {

/// Describes one column of a BlockFormat: which component it holds, and where it starts in a block.
struct Column {
  ComponentId id;
  std::uint32_t size;                ///< The size of one value, in bytes.
  std::uint32_t prefix;              ///< Bytes per row of all columns before this one.
  std::uint32_t plain_size;          ///< `size` if values are moved by copying bytes, otherwise 0.
  ComponentInfo::Relocate relocate;  ///< A copy of `component->relocate`.
  const ComponentInfo* component;

  /// Moves `count` values to uninitialised memory that does not overlap them, and ends the lifetimes of the
  /// originals.
  void relocate_values(void* to, void* from, std::size_t count) const noexcept {
    if (relocate != nullptr) return relocate(to, from, count);
    copy_bytes(to, from, size * count);
  }
};

/// Describes a column of a tracked component, that is, one whose writes are recorded (see Tracking).
struct TrackedColumn {
  ComponentId id;
  /// With Tracking::rows, an additional column stores when each row was last written, and `stamp_prefix` is the prefix
  /// of that additional column: the bytes per row of all columns before it. With Tracking::blocks, which stores one
  /// time per block, this is BlockFormat::kAbsent.
  std::uint32_t stamp_prefix;
};

/// The layout of all blocks of one archetype: which column holds which component, and where each column starts. Each
/// column has a prefix, the number of bytes per row of all columns before it. In a block with room for `capacity` rows,
/// the column starts at `columns + prefix * capacity`. So one format serves blocks of every capacity.
///
/// Columns are ordered by descending alignment. The size of a component's values is a multiple of their alignment, and
/// so of the alignments of all later columns; therefore each column starts at a multiple of its alignment. Columns of
/// equal alignment are ordered by component id, so two formats have their shared columns in the same order.
class BlockFormat {
 public:
  /// What `prefix_of` returns for a component without a column: kTag for a tag (a component without a value)
  /// that is in the signature, kAbsent for a component that is not in the signature.
  static constexpr std::uint32_t kTag = 0xFFFF'FFFE;
  static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

  BlockFormat(const Signature& signature, const Registry& registry, std::pmr::memory_resource* memory);

  std::span<const Column> columns() const { return {columns_.data(), columns_.size() - 1}; }

  /// Returns: the columns of components whose writes are recorded, in the order in which Block::stamps stores
  /// the times of these writes.
  std::span<const TrackedColumn> tracked() const { return {tracked_.data(), tracked_.size()}; }
  bool tracks() const { return !tracked_.empty(); }

  /// Returns: the index of a component in `tracked()`; kAbsent if the archetype does not have the component, or if
  /// writes to it are not recorded.
  std::uint32_t find_tracked(ComponentId id) const {
    for (std::uint32_t i = 0; i < tracked_.size(); ++i) {
      if (tracked_[i].id == id) return i;
    }
    return kAbsent;
  }

  /// Returns: the prefix of the component's column, which is the number of bytes per row of all columns before
  /// it; kTag if the component is a tag in the signature; kAbsent if it is not in the signature.
  STRATA_ALWAYS_INLINE std::uint32_t prefix_of(ComponentId id) const {
    if (to_index(id) < prefix_count_) return prefixes_[to_index(id)];
    return far_prefixes_.empty() ? kAbsent : far_prefix_of(id);
  }
  /// Returns: whether the component is in the signature. For an id below kMaskedIds, the result is computed from a mask
  /// without a branch: a branch could not be predicted where formats with and without the component alternate at
  /// random.
  STRATA_ALWAYS_INLINE bool contains(ComponentId id) const {
    const std::uint32_t index = to_index(id);
    if (index < kMaskedIds) [[likely]]
      return (mask_ >> index & 1) != 0;
    return prefix_of(id) != kAbsent;
  }

  /// Returns: whether any of the components has a destructor to run when a row is destroyed.
  bool destroys() const { return destroys_; }

  /// Returns: whether any of the components has a move function to run when a row moves. If none has, a row is moved by
  /// copying bytes.
  bool relocates() const { return relocates_; }
  /// Returns: whether any of the components has a move function or a destructor to run.
  bool has_objects() const { return relocates_ || destroys_; }

  /// Returns: the prefix of the column that stores the entities: the bytes per row of all columns before it.
  std::uint32_t entity_prefix() const { return entity_prefix_; }
  /// Returns: the bytes that one row takes in all columns together.
  std::uint32_t row_bytes() const { return row_bytes_; }
  /// Returns: the alignment of the first column, in bytes; at least 64, the size of a cache line.
  std::uint32_t alignment() const { return alignment_; }

  /// Returns: the bytes before a block's first column: the Block header, the write times of tracked columns
  /// (see Block::stamps), and padding.
  std::size_t header_bytes() const {
    const std::size_t bytes = sizeof(Block) + tracked_.size() * sizeof(std::uint64_t);
    return (bytes + alignment_ - 1) / alignment_ * alignment_;
  }

  /// Returns: the capacity, in rows, of the largest blocks. When a table grows, its only block is replaced by a larger
  /// one until the block has this capacity. Blocks of this capacity are not replaced: the table gets further blocks.
  std::uint32_t full_capacity() const { return full_capacity_; }

  Entity* entities(const Block& block) const { return column_of<Entity>(block, entity_prefix_); }

  /// Returns: the address of the value of component `id` in row `row` of `block`; null if the format does not have the
  /// component, or if the component is a tag.
  void* find(const Block& block, std::uint32_t row, ComponentId id) const;

  /// Checks the invariants of the hash table that has the prefixes of components with high ids (see kLowIds).
  /// Returns: a sentence about the first invariant that does not hold; empty if all hold.
  std::string check_prefixes() const { return far_prefixes_.check_invariants(); }

 private:
  /// `prefix_of` reads the prefixes of components with low ids from an array, so that a look-up is one load. An id is
  /// low if it is below kLowIds + kLowIdsPerComponent * number of components in the signature. The prefixes of
  /// components with higher ids are in a hash table, because an array would have to be as long as the highest id.
  static constexpr std::uint32_t kLowIds = 64;
  static constexpr std::uint32_t kLowIdsPerComponent = 4;

  void reserve_prefixes(const Signature& signature);
  void set_prefix(ComponentId id, std::uint32_t prefix);
  // STRATA_PURE tells the compiler that the function changes nothing. So a loop that calls the function can keep values
  // in registers across the call.
  STRATA_NOINLINE STRATA_PURE STRATA_API std::uint32_t far_prefix_of(ComponentId id) const noexcept;
  void list_columns(const Signature& signature, const Registry& registry);
  std::uint64_t place_stamps(std::uint64_t offset);

  PlainList<Column> columns_;  // Ends with a sentinel, as SharedColumns may read behind the last column.
  static constexpr std::uint32_t kMaskedIds = 64;

  const std::uint32_t* prefixes_;  // The prefixes of low component ids, by id; points into `prefix_list_`.
  std::uint32_t prefix_count_;
  std::uint64_t mask_ = 0;  // One bit for each id below kMaskedIds: whether it is in the signature.
  bool destroys_ = false;
  bool relocates_ = false;
  std::uint32_t entity_prefix_ = 0;
  std::uint32_t row_bytes_ = 0;
  std::uint32_t alignment_ = 64;
  std::uint32_t full_capacity_ = 0;
  PlainList<TrackedColumn> tracked_;
  PlainList<std::uint32_t> prefix_list_;        // The memory to which `prefixes_` points.
  ComponentTable<std::uint32_t> far_prefixes_;  // The prefixes of high component ids.
};

/// Finds for each column of one format the column of the same component in another format, for example to move rows
/// between archetypes. Both formats have the components that they share in the same order, so `find` first tries the
/// column after the one that the previous call returned.
/// Contract: all calls of `find` pass columns of the same format, in the order of that format.
class SharedColumns {
 public:
  /// `format` is the format to search.
  explicit SharedColumns(const BlockFormat& format) : format_(format), next_(format.columns().data()) {}

  /// Returns: the column of the searched format with the component of `column`; null if it has none.
  /// Contract: `column` comes after the column of the previous call in the order of BlockFormat, because the search
  /// only goes forward.
  const Column* find(const Column& column) noexcept {
    if (next_->id != column.id) [[unlikely]] {
      if (!format_.contains(column.id)) return nullptr;
      while (next_->id != column.id) ++next_;
    }
    return next_++;
  }

 private:
  const BlockFormat& format_;
  const Column* next_;
};

}  // namespace strata::detail
