// ColumnLayout: which column of a block holds which component.
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

/// One column of every block that has this layout.
struct Column {
  ComponentId id;
  std::uint32_t size;          ///< Of one value, in bytes.
  std::uint32_t prefix;        ///< Bytes per row of all columns before this one.
  std::uint32_t plain_size;    ///< `size` where a value is moved by copying its bytes, otherwise 0.
  RelocateOperation relocate;  ///< The component's, at hand.
  const ComponentInfo* component;

  /// Moves `count` values to uninitialised memory that does not overlap them, and ends their lives.
  void relocate_values(void* to, void* from, std::size_t count) const noexcept {
    if (relocate != nullptr) return relocate(to, from, count);
    copy_bytes(to, from, size * count);
  }
};

/// One column whose values are tracked.
struct TrackedColumn {
  ComponentId id;
  std::uint32_t stamp_prefix;  ///< Of the column of its rows' stamps; ColumnLayout::kAbsent: there is none.
};

/// Column offsets of a signature, the same for blocks of every capacity.
///
/// Columns are ordered by falling alignment: each starts at a multiple of its alignment because every size is
/// a multiple of its own alignment, and so of all later ones. A column's address is therefore `columns +
/// prefix * capacity`. Of equal alignment, they are ordered by component: the columns that two layouts share have the
/// same order in both.
class ColumnLayout {
 public:
  /// Answers of `prefix_of` for a component that takes no column.
  static constexpr std::uint32_t kTag = 0xFFFF'FFFE;
  static constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;

  ColumnLayout(const Signature& signature, const Registry& registry, std::pmr::memory_resource* memory);

  std::span<const Column> columns() const { return {columns_.data(), columns_.size() - 1}; }

  /// Returns: the columns whose blocks have a stamp, in the order of Block::stamps.
  std::span<const TrackedColumn> tracked() const { return tracked_; }
  bool tracks() const { return !tracked_.empty(); }

  /// Returns: the position of a component among the tracked columns; kAbsent when it is none of them.
  std::uint32_t find_tracked(ComponentId id) const {
    for (std::uint32_t i = 0; i < tracked_.size(); ++i) {
      if (tracked_[i].id == id) return i;
    }
    return kAbsent;
  }

  /// Returns: the prefix of the component's column; kTag when it is a tag of this signature, kAbsent when it
  /// is not in the signature.
  [[gnu::always_inline]] std::uint32_t prefix_of(ComponentId id) const {
    if (to_index(id) < prefix_count_) return prefixes_[to_index(id)];
    return far_prefixes_.empty() ? kAbsent : far_prefix_of(id);
  }
  /// Without a branch on the answer: entities with and without a component often alternate at random.
  [[gnu::always_inline]] bool contains(ComponentId id) const {
    const std::uint32_t index = to_index(id);
    if (index < kMaskedIds) [[likely]]
      return (mask_ >> index & 1) != 0;
    return prefix_of(id) != kAbsent;
  }

  /// Returns: whether something has to be done to destroy a row's values.
  bool destroys() const { return destroys_; }

  /// Returns: whether moving a row's values may run any code.
  bool relocates() const { return relocates_; }
  /// Returns: whether moving or destroying them may.
  bool has_objects() const { return relocates_ || destroys_; }

  std::uint32_t entity_prefix() const { return entity_prefix_; }
  std::uint32_t row_bytes() const { return row_bytes_; }
  std::uint32_t alignment() const { return alignment_; }  ///< Of the first column, in bytes; at least 64.

  /// Returns: what is before a block's first column, in bytes: header, stamps, and what aligns the column.
  std::size_t header_bytes() const {
    const std::size_t bytes = sizeof(Block) + tracked_.size() * sizeof(std::uint64_t);
    return (bytes + alignment_ - 1) / alignment_ * alignment_;
  }

  /// Returns: the number of rows in a block that never moves.
  std::uint32_t full_capacity() const { return full_capacity_; }

  Entity* entities(const Block& block) const { return column_of<Entity>(block, entity_prefix_); }

  /// Returns: the value of component `id` in a row; null when the layout has no column for it.
  void* find(const Block& block, std::uint32_t row, ComponentId id) const;

  /// Returns: what is wrong with the table of the prefixes of components with high ids; empty when nothing is.
  std::string check_prefixes() const { return far_prefixes_.check_invariants(); }

 private:
  /// Prefixes are in an array by component where ids are low: a look-up is a load. One that goes on to higher ids would be
  /// as long as those are, whatever the signature.
  static constexpr std::uint32_t kLowIds = 64;
  static constexpr std::uint32_t kLowIdsPerComponent = 4;

  void reserve_prefixes(const Signature& signature);
  void set_prefix(ComponentId id, std::uint32_t prefix);
  // Writes to nothing, so that loops keep in registers what stays the same.
  [[gnu::noinline, gnu::pure]] std::uint32_t far_prefix_of(ComponentId id) const noexcept;
  void list_columns(const Signature& signature, const Registry& registry);
  std::uint64_t place_stamps(std::uint64_t offset);

  std::pmr::vector<Column> columns_;  // Behind the last one is one of no component: see SharedColumns.
  static constexpr std::uint32_t kMaskedIds = 64;

  const std::uint32_t* prefixes_;  // By component id, of the lower ones.
  std::uint32_t prefix_count_;
  std::uint64_t mask_ = 0;  // A bit for each of the first ids: whether it is in the signature.
  bool destroys_ = false;
  bool relocates_ = false;
  std::uint32_t entity_prefix_ = 0;
  std::uint32_t row_bytes_ = 0;
  std::uint32_t alignment_ = 64;
  std::uint32_t full_capacity_ = 0;
  std::pmr::vector<TrackedColumn> tracked_;
  std::pmr::vector<std::uint32_t>
      prefix_list_;  // What prefixes_ points into, where look-ups need one load less.
  ComponentTable<std::uint32_t> far_prefixes_;  // Of the other components.
};

/// Finds the columns of one layout in another one, all from the first to the last: as they have the same order in both,
/// the next one is mostly the one looked for.
class SharedColumns {
 public:
  explicit SharedColumns(const ColumnLayout& layout) : layout_(layout), next_(layout.columns().data()) {}

  /// Returns: the column of the same component, or null.
  const Column* find(const Column& column) noexcept {
    if (next_->id != column.id) [[unlikely]] {
      if (!layout_.contains(column.id)) return nullptr;
      while (next_->id != column.id) ++next_;
    }
    return next_++;
  }

 private:
  const ColumnLayout& layout_;
  const Column* next_;
};

}  // namespace strata::detail
