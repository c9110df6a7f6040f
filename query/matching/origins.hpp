// Origins: where the rows that the rows of a block relate to are, kept beside the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../core/block.hpp"
#include "batch.hpp"

namespace strata::detail {

/// Neighbouring rows of a block that all relate to rows of one other block.
struct OriginSegment {
  const Block* origin;
  std::uint32_t first;  ///< The first of the rows.
  std::uint32_t count;
  std::uint32_t first_group;  ///< Of Origins::Form::groups.
};

/// For each row of a block, the row of another block that it relates to; found once, and again for rows one of which
/// has moved. Two bytes for a row, or four for a group of rows with the same origin where groups are large; ten
/// where many rows have moved since.
///
/// Source: DESIGN.md, section 4, measured there over both forms: a pointer per row suits small families, runs
/// suit large ones; rows of a block, instead of pointers, are a quarter of the size and serve every component.
struct alignas(8) Origins : Companion {
  enum class Form : std::uint16_t {
    groups,    ///< `segments()` and `groups()` describe the rows.
    rows,      ///< `segments()` and `rows()` do.
    places,    ///< `blocks()` and `rows()` do. One row can be changed alone.
    scattered  ///< The origins lie all over: rows have to be asked one by one.
  };

  Form form;
  std::uint16_t count;          ///< Of the rows that are described.
  std::uint16_t segment_count;  ///< 0 for Form::places.
  std::uint16_t segment_room;
  std::uint16_t room;  ///< For groups of Form::groups, for rows of the others.

  // Kept by OriginKeeper: rows found anew since the last attempt to compress them into runs, rows found anew in the last
  // pass that found some, and the number of that pass.
  std::uint16_t changed;
  std::uint16_t patched;
  std::uint16_t
      jumps;  ///< Rows whose origin does not follow that of the row before, though it would in family order.
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
static_assert(sizeof(Origins) == 32, "with the origin of a single row, it is one line of memory");

}  // namespace strata::detail
