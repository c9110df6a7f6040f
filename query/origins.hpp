// Origins: where the rows that the rows of a block relate to are, kept beside the block.
#pragma once

#include <cstdint>
#include <span>

#include "../core/block.hpp"
#include "batch.hpp"

namespace strata {

/// Neighbouring rows of a block that all relate to rows of one other block.
struct OriginSegment {
  const Block* origin;
  std::uint32_t first;  ///< The first of the rows.
  std::uint32_t count;
  std::uint32_t first_group;  ///< Of Origins::Form::groups.
};

/// For each row of a block, the row of another block that it relates to; found once, and used until either
/// moves. Two bytes for a row, or four for a group of rows with the same origin where groups are large.
///
/// Source: DESIGN.md, section 4, measured there over both forms: a pointer per row suits small families, runs
/// suit large ones; rows of a block, instead of pointers, are a quarter of the size and serve every component.
struct alignas(8) Origins : Companion {
  enum class Form : std::uint32_t {
    groups,    ///< `groups()` describes the rows.
    rows,      ///< `rows()` does.
    scattered  ///< The origins lie all over: rows have to be asked one by one.
  };

  std::uint32_t epoch;  ///< When it was found, see Relation.
  Form form;
  std::uint32_t segment_count;

  std::span<const OriginSegment> segments() const {
    return {reinterpret_cast<const OriginSegment*>(this + 1), segment_count};
  }
  const OriginGroup* groups() const {
    return reinterpret_cast<const OriginGroup*>(segments().data() + segment_count);
  }
  const std::uint16_t* rows() const {
    return reinterpret_cast<const std::uint16_t*>(segments().data() + segment_count);
  }
};
static_assert(sizeof(Origins) % alignof(OriginSegment) == 0);

}  // namespace strata
