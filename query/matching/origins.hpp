// Origins: the origin of each row of a block, stored beside the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../core/block.hpp"
#include "batch.hpp"

namespace strata::detail {

/// Neighbouring rows whose origins are all in one other block.
struct OriginSegment {
  const Block* origin;
  std::uint32_t first;  ///< First of the rows.
  std::uint32_t count;
  std::uint32_t first_group;  ///< For Origins::Form::groups.
};

/// The origin of each row of a block, that is, the row of another block that it relates to. It is computed
/// once, and again when the row or its origin moves. It takes two bytes per row, or four bytes per group of
/// rows with the same origin if groups are large, or ten bytes per row if many rows have moved.
///
/// Rows of a block take a quarter of the memory of pointers, and they serve every component.
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

  // OriginKeeper's counters: rows updated since the last attempt to compress them into runs, rows updated in
  // the last pass that updated any, and the number of that pass.
  std::uint16_t changed;
  std::uint16_t patched;
  std::uint16_t
      jumps;  ///< Rows whose origin does not follow that of the previous row, as it would in family order.
  std::uint32_t pass;

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
