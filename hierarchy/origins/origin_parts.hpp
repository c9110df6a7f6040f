// Helpers for writing origins: access to their arrays and runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../../query/matching/origins.hpp"

namespace strata::detail {

/// Returns: a number that is at most the number of rows of a block, in the type that `Origins` stores.
inline std::uint16_t narrow(std::size_t rows) {
  return static_cast<std::uint16_t>(rows);
}

inline const Block** blocks_of(Origins& places) {
  return const_cast<const Block**>(places.blocks());
}
inline std::uint16_t* rows_of(Origins& origins) {
  return const_cast<std::uint16_t*>(origins.rows());
}

inline std::span<OriginSegment> segments_of(Origins& runs) {
  return {const_cast<OriginSegment*>(runs.segments().data()), runs.segment_room};
}
inline OriginGroup* groups_of(Origins& runs) {
  return const_cast<OriginGroup*>(runs.groups());
}

/// Calls `visit(const Block* block, row, count)` for each run of `count` adjacent rows with the same origin
/// in a segment, up to the row `end`. The origin is row `row` of `block`. Without groups, each row is a run.
template <class Visit>
void for_each_run(const Origins& runs, const OriginSegment& segment, std::uint32_t end, Visit visit) {
  const OriginGroup* group = runs.groups() + segment.first_group;
  end = std::min(end, segment.first + segment.count);
  for (std::uint32_t row = segment.first; row < end;) {
    const bool grouped = runs.form == Origins::Form::groups;
    const std::uint32_t count = grouped ? std::min<std::uint32_t>(end - row, group->count) : 1;
    visit(segment.origin, grouped ? (group++)->origin : runs.rows()[row], count);
    row += count;
  }
}

/// Calls `visit(const Block* block, row, count)` for the runs of the first `rows` rows of a block, in any
/// form of origins except Form::scattered.
template <class Visit>
void for_each_run(const Origins& origins, std::uint32_t rows, Visit visit) {
  if (origins.form == Origins::Form::places) {
    for (std::uint32_t row = 0; row < rows; ++row) visit(origins.blocks()[row], origins.rows()[row], 1);
  }
  for (const OriginSegment& segment : origins.segments()) for_each_run(origins, segment, rows, visit);
}

/// Drops the origins of the rows with index `rows` and above, which were removed from the end of the block.
void cut_origins(Origins& kept, std::uint32_t rows) noexcept;

}  // namespace strata::detail
