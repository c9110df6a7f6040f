// BlockFormat: which column of a block holds which component.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "block.hpp"
#include "component_table.hpp"
#include "registry.hpp"
#include "signature.hpp"

namespace strata::detail {

/// One column of every block that has this format.
struct Column {
  ComponentId id;
  std::uint32_t size;                ///< Of one value, in bytes.
  std::uint32_t prefix;              ///< Bytes per row of all columns before this one.
  std::uint32_t plain_size;          ///< `size` if values are moved by copying bytes, otherwise 0.
  ComponentInfo::Relocate relocate;  ///< A copy of the component's.
  const ComponentInfo* component;

  /// Moves `count` values to uninitialised memory that does not overlap them, and ends their lifetimes.
  void relocate_values(void* to, void* from, std::size_t count) const noexcept {
    if (relocate != nullptr) return relocate(to, from, count);
    copy_bytes(to, from, size * count);
  }
};

/// One column whose values are tracked.
struct TrackedColumn {
  ComponentId id;
  std::uint32_t stamp_prefix;  ///< The prefix of the row stamps; BlockFormat::kAbsent if there are none.
};

/// Column offsets of a signature, the same for blocks of every capacity.
///
/// Columns are ordered by falling alignment. Every size is a multiple of its own alignment, and so of all
/// later alignments; therefore each column starts at a multiple of its alignment. The address of a column is
/// `columns + prefix * capacity`. Columns of equal alignment are ordered by component id, so two formats have
/// their shared columns in the same order.
class BlockFormat {
 public:
  /// Results of `prefix_of` for a component without a column.
  static constexpr std::uint32_t kTag = 0xFFFF'FFFE;
  static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

  BlockFormat(const Signature& signature, const Registry& registry, std::pmr::memory_resource* memory);

  std::span<const Column> columns() const { return {columns_.data(), columns_.size() - 1}; }

  /// Returns: the tracked columns, in the order of Block::stamps.
  std::span<const TrackedColumn> tracked() const { return tracked_; }
  bool tracks() const { return !tracked_.empty(); }

  /// Returns: the position of a component among the tracked columns; kAbsent if it is not tracked.
  std::uint32_t find_tracked(ComponentId id) const {
    for (std::uint32_t i = 0; i < tracked_.size(); ++i) {
      if (tracked_[i].id == id) return i;
    }
    return kAbsent;
  }

  /// Returns: Column::prefix of the component's column; kTag if the component is a tag in the signature;
  /// kAbsent if it is not in the signature.
  [[gnu::always_inline]] std::uint32_t prefix_of(ComponentId id) const {
    if (to_index(id) < prefix_count_) return prefixes_[to_index(id)];
    return far_prefixes_.empty() ? kAbsent : far_prefix_of(id);
  }
  /// Returns: whether the component is in the signature. Does not branch on the result: the processor could
  /// not predict the branch where entities with and without a component alternate at random.
  [[gnu::always_inline]] bool contains(ComponentId id) const {
    const std::uint32_t index = to_index(id);
    if (index < kMaskedIds) [[likely]]
      return (mask_ >> index & 1) != 0;
    return prefix_of(id) != kAbsent;
  }

  /// Returns: whether destroying a row's values runs any code.
  bool destroys() const { return destroys_; }

  /// Returns: whether moving a row's values may run any code.
  bool relocates() const { return relocates_; }
  /// Returns: whether moving or destroying a row's values may run any code.
  bool has_objects() const { return relocates_ || destroys_; }

  std::uint32_t entity_prefix() const { return entity_prefix_; }
  std::uint32_t row_bytes() const { return row_bytes_; }
  std::uint32_t alignment() const { return alignment_; }  ///< Of the first column, in bytes; at least 64.

  /// Returns: the bytes before a block's first column: header, stamps and padding.
  std::size_t header_bytes() const {
    const std::size_t bytes = sizeof(Block) + tracked_.size() * sizeof(std::uint64_t);
    return (bytes + alignment_ - 1) / alignment_ * alignment_;
  }

  /// Returns: the number of rows in a full-size block, which never moves.
  std::uint32_t full_capacity() const { return full_capacity_; }

  Entity* entities(const Block& block) const { return column_of<Entity>(block, entity_prefix_); }

  /// Returns: the value of component `id` in a row; null when the format has no column for it.
  void* find(const Block& block, std::uint32_t row, ComponentId id) const;

  /// Returns: the broken invariant of the table of high component ids; empty when it holds.
  std::string check_prefixes() const { return far_prefixes_.check_invariants(); }

 private:
  /// Prefixes of low component ids are in an array, so a look-up is one load. Higher ids are in a hash table:
  /// an array would be as long as the highest id.
  static constexpr std::uint32_t kLowIds = 64;
  static constexpr std::uint32_t kLowIdsPerComponent = 4;

  void reserve_prefixes(const Signature& signature);
  void set_prefix(ComponentId id, std::uint32_t prefix);
  // `pure`, so that loops can keep values in registers across the call.
  [[gnu::noinline, gnu::pure]] std::uint32_t far_prefix_of(ComponentId id) const noexcept;
  void list_columns(const Signature& signature, const Registry& registry);
  std::uint64_t place_stamps(std::uint64_t offset);

  std::pmr::vector<Column> columns_;  // Ends with a sentinel column; see SharedColumns.
  static constexpr std::uint32_t kMaskedIds = 64;

  const std::uint32_t* prefixes_;  // By component id, of low ids.
  std::uint32_t prefix_count_;
  std::uint64_t mask_ = 0;  // One bit for each of the first ids: whether it is in the signature.
  bool destroys_ = false;
  bool relocates_ = false;
  std::uint32_t entity_prefix_ = 0;
  std::uint32_t row_bytes_ = 0;
  std::uint32_t alignment_ = 64;
  std::uint32_t full_capacity_ = 0;
  std::pmr::vector<TrackedColumn> tracked_;
  std::pmr::vector<std::uint32_t> prefix_list_;  // The memory of prefixes_, which saves a load in look-ups.
  ComponentTable<std::uint32_t> far_prefixes_;   // Of the other components.
};

/// Finds the columns of one format in another format, called for the columns from first to last. Both formats
/// have them in the same order, so the next column is usually the right one.
class SharedColumns {
 public:
  explicit SharedColumns(const BlockFormat& format) : format_(format), next_(format.columns().data()) {}

  /// Returns: the column of the same component, or null.
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
