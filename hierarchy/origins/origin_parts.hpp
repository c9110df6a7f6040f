// Helper functions of the classes that write Origins, the cache of where each row's parent is stored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../../query/matching/origins.hpp"

namespace strata::detail {

/// Returns: `rows` as the integer type in which `Origins` stores numbers of rows.
/// Contract: `rows` is at most the greatest number of rows of a block.
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

/// Goes through a segment: successive rows of a block whose parents are all stored in one other block. Stops before row
/// `end`. Calls `visit(const Block* block, row, count)` for each run of rows: the next `count` rows have one parent,
/// which is stored in row `row` of `block`. With Form::groups, a run is a group (successive rows with one parent); with
/// Form::rows, each row is a run.
/// Contract: the form of `runs` is Form::groups or Form::rows.
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

/// Goes through the first `rows` rows of a block. `origins` is the cache of where their parents are stored. Calls
/// `visit(const Block* block, row, count)` for each run of rows: the next `count` rows have one parent, which is stored
/// in row `row` of `block`.
/// Contract: the form of `origins` is not Form::scattered, which stores no locations.
template <class Visit>
void for_each_run(const Origins& origins, std::uint32_t rows, Visit visit) {
  if (origins.form == Origins::Form::places) {
    for (std::uint32_t row = 0; row < rows; ++row) visit(origins.blocks()[row], origins.rows()[row], 1);
  }
  for (const OriginSegment& segment : origins.segments()) for_each_run(origins, segment, rows, visit);
}

/// Shortens `kept`, the cached locations of parents for the rows of a block, to the first `rows` rows. Does nothing if
/// `kept` has at most `rows` rows. Call this function when rows at the end of the block were removed, so that the block
/// has only `rows` rows left.
void cut_origins(Origins& kept, std::uint32_t rows) noexcept;

}  // namespace strata::detail
