#include "origin_runs.hpp"

#include <cstring>

#include "origin_parts.hpp"

namespace strata::detail {

using namespace detail;

namespace {

/// In Form::groups, each segment has one or more successive groups, and a group stands for successive rows with one
/// parent.
/// Returns: the index of the first group of the segment with index `segment`; if `segment` is `segment_count`, the
/// number of all groups.
/// Contract: the form of `runs` is Form::groups, and `runs` has at least one segment.
std::uint32_t groups_before(const Origins& runs, std::size_t segment) {
  if (segment < runs.segment_count) return runs.segments()[segment].first_group;
  const OriginSegment& last = runs.segments().back();
  std::uint32_t group = last.first_group;
  for (std::uint32_t row = 0; row < last.count; ++group) row += runs.groups()[group].count;
  return group;
}

}  // namespace

void OriginRuns::list_patched(const Origins& kept, std::size_t first, std::size_t last,
                              const OriginPatch& patch) {
  std::uint32_t at = kept.segments()[first].first;
  const auto append_but_row = [&](const Block* block, std::uint16_t origin, std::uint32_t count) {
    if (patch.row < at || patch.row >= at + count) {
      append(block, origin, count);
    } else {
      const std::uint32_t before = patch.row - at;
      if (before != 0) append(block, origin, before);
      append(patch.origin.block, patch.origin.row, 1);
      if (before + 1 != count) append(block, origin, count - before - 1);
    }
    at += count;
  };
  clear();
  for (std::size_t i = first; i < last; ++i) {
    const OriginSegment& segment = kept.segments()[i];
    if (kept.form == Origins::Form::groups) {
      for_each_run(kept, segment, kept.count, append_but_row);
    } else {
      append_but_row(segment.origin, 0, segment.count);  // Form::rows does not use the groups.
    }
  }
}

bool OriginRuns::splice_into(Origins& kept, std::size_t first, std::size_t last) const noexcept {
  const std::span<const OriginSegment> fresh = segments_;
  const std::size_t count = kept.segment_count + fresh.size() - (last - first);
  if (count > kept.segment_room) return false;
  const std::span<OriginSegment> segments = segments_of(kept);
  const std::uint32_t first_row = segments[first].first;
  const bool grouped = kept.form == Origins::Form::groups;
  const std::uint32_t first_group = grouped ? groups_before(kept, first) : 0;
  if (grouped) {
    const std::span<const OriginGroup> added = groups_;
    const std::uint32_t from = groups_before(kept, last);
    const std::uint32_t end = groups_before(kept, kept.segment_count);
    const auto to = first_group + static_cast<std::uint32_t>(added.size());
    if (to + (end - from) > kept.room) return false;
    OriginGroup* const groups = groups_of(kept);
    std::memmove(groups + to, groups + from, (end - from) * sizeof(OriginGroup));
    std::copy(added.begin(), added.end(), groups + first_group);
    for (std::size_t i = last; i < kept.segment_count; ++i) segments[i].first_group += to - from;
  }
  std::memmove(segments.data() + first + fresh.size(), segments.data() + last,
               (kept.segment_count - last) * sizeof(OriginSegment));
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    OriginSegment& segment = segments[first + i];
    segment = fresh[i];
    segment.first += first_row;
    segment.first_group = grouped ? segment.first_group + first_group : 0;
  }
  kept.segment_count = narrow(count);
  return true;
}

void OriginRuns::write_to(Origins& origins) const noexcept {
  const std::span<const OriginSegment> segments = segments_;
  const std::span<const OriginGroup> groups = groups_;
  if (origins.form == Origins::Form::scattered) return;
  if (origins.form == Origins::Form::places) {
    const Block** to = blocks_of(origins);
    for (const OriginSegment& segment : segments) to = std::fill_n(to, segment.count, segment.origin);
  } else {
    std::copy(segments.begin(), segments.end(), segments_of(origins).begin());
  }
  if (origins.form == Origins::Form::groups) {
    std::copy(groups.begin(), groups.end(), groups_of(origins));
  } else {
    std::uint16_t* to = rows_of(origins);
    for (const OriginGroup& group : groups) to = std::fill_n(to, group.count, group.origin);
  }
}

}  // namespace strata::detail
