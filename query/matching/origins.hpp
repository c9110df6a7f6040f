// Origins: the origin of each row of a block, stored beside the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../core/block.hpp"
#include "batch.hpp"

namespace strata::detail {

/// Neighbouring rows of a block whose origins are all in one other block; see Origins.
struct OriginSegment {
  const Block* origin;
  std::uint32_t first;  ///< The first of the rows.
  std::uint32_t count;
  std::uint32_t first_group;  ///< For Origins::Form::groups: the index of the first group of these rows.
};

/// The origin of each row of a block: the row of its related entity (the parent), given as a block and a row
/// in it. Queries find values of parents through it without a look-up of the parent. It is a cache that is
/// attached to the block. An origin is computed once, and again when the row or its origin moves.
///
/// The cache takes two bytes per row, or four bytes per group of rows with the same origin if groups are
/// large, or ten bytes per row if many rows have moved. Pointers to values would take four times as much, and
/// each would serve only one component.
struct alignas(8) Origins : BlockCache {
  enum class Form : std::uint16_t {
    groups,    ///< Described by `segments()` and `groups()`.
    rows,      ///< Described by `segments()` and `rows()`.
    places,    ///< Described by `blocks()` and `rows()`. A single row can be updated.
    scattered  ///< Too many different blocks: rows are looked up one by one.
  };

  Form form;
  std::uint16_t count;          ///< Number of rows described.
  std::uint16_t segment_count;  ///< 0 for Form::places.
  std::uint16_t segment_room;
  std::uint16_t room;  ///< Capacity: groups for Form::groups, rows otherwise.

  // Counters of the class OriginKeeper. `changed`: rows updated since the last attempt to compress the origins
  // into segments. `patched`: rows updated in the last pass that updated any. `pass`: the number of that pass.
  std::uint16_t changed;
  std::uint16_t patched;
  std::uint16_t
      jumps;  ///< Rows whose origin does not follow that of the previous row, as it would in family order.
  std::uint32_t pass;

  /// Returns: whether the origins are described by segments.
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
