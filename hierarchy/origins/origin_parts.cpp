#include "origin_parts.hpp"

namespace strata::detail {

void cut_origins(Origins& kept, std::uint32_t rows) noexcept {
  if (kept.count <= rows) return;
  kept.count = narrow(rows);
  if (kept.form == Origins::Form::places) return;
  const std::span<OriginSegment> segments = segments_of(kept);
  while (kept.segment_count != 0 && segments[kept.segment_count - 1].first >= rows) --kept.segment_count;
  if (kept.segment_count == 0) return;
  OriginSegment& last = segments[kept.segment_count - 1];
  last.count = std::min(last.count, rows - last.first);
  if (kept.form != Origins::Form::groups) return;
  std::uint32_t left = last.count;
  for (OriginGroup* group = groups_of(kept) + last.first_group; left != 0; ++group) {
    group->count = static_cast<std::uint16_t>(std::min<std::uint32_t>(group->count, left));
    left -= group->count;
  }
}

}  // namespace strata::detail
