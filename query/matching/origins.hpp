// Origins: a cache attached to a block that tells where the parent of each row is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../core/block.hpp"
#include "batch.hpp"

namespace strata::detail {

/// Neighbouring rows of a block whose parents are all stored in the same other block, `origin`; see Origins.
struct OriginSegment {
  const Block* origin;
  std::uint32_t first;  ///< The first of these rows, counted from the first row of their own block.
  std::uint32_t count;
  /// For Origins::Form::groups: the index in `groups()` of the first group of siblings among these rows.
  std::uint32_t first_group;
};

/// A cache that is attached to a block. The cache has, for each row of the block, the origin: the block and the row in
/// which the parent of the row's entity is stored. So queries find values of parents without looking up the parents. An
/// origin is computed once, and again when the row or the parent's row moves.
///
/// The cache takes two bytes per row (Form::rows), four bytes per group of siblings (Form::groups, if groups are large)
/// or ten bytes per row (Form::places, if many rows have moved). A cache of pointers to the parents' values would take
/// eight bytes per row for each component.
struct alignas(8) Origins : BlockCache {
  enum class Form : std::uint16_t {
    groups,    ///< Described by `segments()` and `groups()`.
    rows,      ///< Described by `segments()` and `rows()`.
    places,    ///< Described by `blocks()` and `rows()`. The origin of a single row can be updated.
    scattered  ///< Parents are in too many blocks: each is looked up.
  };

  Form form;
  std::uint16_t count;          ///< Number of rows whose origins are described.
  std::uint16_t segment_count;  ///< 0 for Form::places.
  std::uint16_t segment_room;
  std::uint16_t room;  ///< Capacity: groups for Form::groups, rows otherwise.

  // Counters for this block, kept by the class OriginKeeper. Origins of rows that have changed are updated by the
  // function Relation::prepare.
  // - `changed`: how many origins were updated since the last attempt to describe the block by `segments()`
  //   (Form::groups or Form::rows)
  // - `patched`: how many origins of this block were updated by the last call of Relation::prepare that updated any of
  //   them
  // - `pass`: the number of that call
  // - `jumps`: how many rows have a parent that is stored far from the parent of the previous row, so that the
  //   processor has to load it from memory; counted from 0 again when the Defragmenter has sorted these rows in the
  //   order of their parents' rows
  std::uint16_t changed;
  std::uint16_t patched;
  std::uint16_t jumps;
  std::uint32_t pass;

  /// Returns: whether the form is `groups` or `rows`: each of the `segments()` describes neighbouring rows whose
  /// parents are stored in the same block.
  bool are_runs() const { return form == Form::groups || form == Form::rows; }

  std::span<const OriginSegment> segments() const {
    return {reinterpret_cast<const OriginSegment*>(this + 1), segment_count};
  }
  const OriginGroup* groups() const {
    return reinterpret_cast<const OriginGroup*>(segments().data() + segment_room);
  }
  const Block* const* blocks() const { return reinterpret_cast<const Block* const*>(this + 1); }
  const std::uint16_t* rows() const {
    return form == Form::places ? reinterpret_cast<const std::uint16_t*>(blocks() + room)
                                : reinterpret_cast<const std::uint16_t*>(segments().data() + segment_room);
  }
};
static_assert(sizeof(Origins) == 32, "with the origin of a single row, it fits into one cache line");

}  // namespace strata::detail
