#include "origin_writer.hpp"

#include <algorithm>

#include "origin_parts.hpp"

namespace strata::detail {

using namespace detail;

namespace {

/// Successive rows with one parent form a group. If groups have at least this many rows on average, a loop over groups
/// is faster than a loop over rows that reads the position of each row's parent.
constexpr std::size_t kRowsPerGroup = 4;
/// An OriginSegment describes successive rows whose parents are in one block. A block's cache has segments only if each
/// of them has about this many rows or more on average. With shorter segments, a loop over the rows loses more time at
/// the beginnings of segments than by reading the parent's block for each row.
constexpr std::size_t kRowsPerSegment = 8;

std::size_t bytes_of_places(std::uint32_t room) {
  return sizeof(Origins) + room * (sizeof(const Block*) + sizeof(std::uint16_t));
}

/// The cache for `rows` rows consists of OriginSegments, each for successive rows whose parents are in one block. Later
/// updates of single rows divide segments.
/// Returns: how many spare segments to allocate for these updates.
std::uint32_t spare_segments(std::uint32_t rows) {
  return std::min(2 * OriginWriter::kFewPatches, rows / 16);
}

/// Computes the size of a block's cache of the form Form::places, which stores for each row where its parent is.
/// Returns: for how many rows to allocate memory: those of the block, and some that it may get later. If the block gets
/// more rows than that, all parents are looked up again for a new cache.
std::uint16_t room_for(const Block& block) {
  return narrow(std::min(block.capacity, block.count + block.count / OriginWriter::kRowsPerPatch));
}

/// Returns: the form in which to store where the parents of a block's rows are (see Origins::Form):
/// - if the parents of neighbouring rows are mostly in one block: Form::groups if there are many rows for each parent,
///   otherwise Form::rows
/// - otherwise, if the block's cache now has a form other than Form::scattered: Form::places, one location for each
///   row. That takes more memory, but the parents were stored together before, and will probably soon be sorted
///   together again
/// - otherwise: Form::scattered, which stores no locations
Origins::Form form_of(const OriginRuns& runs, const Block& block) {
  if (runs.segments().size() > block.count / kRowsPerSegment + 1) {
    const auto* const before = static_cast<const Origins*>(block.cache);
    const bool lay_together = before != nullptr && before->form != Origins::Form::scattered;
    return lay_together ? Origins::Form::places : Origins::Form::scattered;
  }
  return runs.groups().size() * kRowsPerGroup <= block.count ? Origins::Form::groups : Origins::Form::rows;
}

std::size_t bytes_of(const Origins& origins) {
  if (origins.form == Origins::Form::places) return bytes_of_places(origins.room);
  return sizeof(Origins) + origins.segment_room * sizeof(OriginSegment) +
         origins.room * (origins.form == Origins::Form::groups ? sizeof(OriginGroup) : sizeof(std::uint16_t));
}

}  // namespace

void OriginWriter::find_all(Block& block, bool in_order) {
  runs_.clear();
  const Entity* const entities = block.format->entities(block);
  for (std::uint32_t row = 0; row < block.count;) {
    const std::uint32_t parent = links_.parent(entities[row].index());
    const std::uint32_t first = row;
    do {
      if (row + kNodesAhead < block.count) links_.prefetch(entities[row + kNodesAhead].index());
    } while (++row < block.count && links_.parent(entities[row].index()) == parent);
    const Place place = store_.slots().place_of(parent);
    runs_.append(place.block, place.row, row - first);
  }
  write(block, in_order ? 0 : runs_.jumps());
}

/// Stores the list `runs_` as the block's cache of parents' locations, in the form that `form_of` chooses. `jumps` is
/// stored with them: how many rows have a parent that is far from the parent of the row before (see Origins).
void OriginWriter::write(Block& block, std::uint32_t jumps) {
  const Origins::Form form = form_of(runs_, block);
  const std::span<const OriginGroup> groups = runs_.groups();
  const std::span<const OriginSegment> segments = runs_.segments();
  const std::uint32_t spare = spare_segments(block.count);
  Origins origins{{0, true}, form, narrow(block.count), 0, 0, 0, 0, 0, narrow(jumps), 0};
  if (origins.are_runs()) {
    origins.segment_count = narrow(segments.size());
    origins.segment_room = narrow(segments.size() + spare);
    origins.room = narrow(form == Origins::Form::groups ? groups.size() + spare : block.count);
  } else if (form == Origins::Form::places) {
    origins.room = room_for(block);
  }
  const std::size_t bytes = bytes_of(origins);
  if (block.cache == nullptr || BlockPool::rounded(bytes) != block.cache->bytes) {
    store_.rows().attach(block, store_.rows().create_cache(bytes));
  }
  origins.bytes = block.cache->bytes;
  runs_.write_to(*::new (static_cast<void*>(block.cache)) Origins(origins));
}

bool OriginWriter::change(Block& block, Origins& kept, const OriginPatch& patch) {
  if (kept.form == Origins::Form::scattered) return true;
  return kept.are_runs() ? change_runs(block, kept, patch) : change_place(kept, patch);
}

bool OriginWriter::change_place(Origins& places, const OriginPatch& patch) noexcept {
  const Block*& block = blocks_of(places)[patch.row];
  std::uint16_t& row = rows_of(places)[patch.row];
  const bool changed = block != patch.origin.block || row != patch.origin.row;
  block = patch.origin.block;
  row = static_cast<std::uint16_t>(patch.origin.row);
  return changed;
}

bool OriginWriter::change_runs(Block& block, Origins& runs, const OriginPatch& patch) {
  const auto& [row, origin] = patch;
  const std::span<OriginSegment> segments = segments_of(runs);
  const auto* const behind =
      std::upper_bound(segments.data(), segments.data() + runs.segment_count, row,
                       [](std::uint32_t at, const OriginSegment& segment) { return at < segment.first; });
  const auto segment = static_cast<std::size_t>(behind - segments.data()) - 1;
  if (runs.form == Origins::Form::groups) {
    const OriginGroup* group = runs.groups() + segments[segment].first_group;
    for (std::uint32_t end = segments[segment].first + group->count; end <= row; end += group->count) ++group;
    if (segments[segment].origin == origin.block && group->origin == origin.row) return false;
  } else {
    std::uint16_t& origin_row = rows_of(runs)[row];
    const bool same_row = origin_row == origin.row;
    origin_row = static_cast<std::uint16_t>(origin.row);
    if (segments[segment].origin == origin.block) return !same_row;
  }
  // The changed row may divide its segment (successive rows whose parents are in one block), or join a neighbouring
  // segment whose parents are in the block of its new parent. So replace the neighbouring segments, too.
  const std::size_t first = segment - (segment != 0 ? 1 : 0);
  const std::size_t last = std::min<std::size_t>(segment + 2, runs.segment_count);
  runs_.list_patched(runs, first, last, patch);
  if (!runs_.splice_into(runs, first, last)) change_place(spread(block, runs), patch);
  return true;
}

Origins& OriginWriter::spread(Block& block, const Origins& kept) {
  const std::uint16_t room = room_for(block);
  BlockCache& memory = store_.rows().create_cache(bytes_of_places(room));
  const std::uint16_t rows = std::min(kept.count, narrow(block.count));
  Origins& places = *::new (static_cast<void*>(&memory)) Origins{
      {memory.bytes, true}, Origins::Form::places, rows, 0, 0, room, 0, kept.patched, kept.jumps, kept.pass};
  const Block** to_block = blocks_of(places);
  std::uint16_t* to_row = rows_of(places);
  if (kept.form == Origins::Form::rows) {
    std::copy_n(kept.rows(), rows, to_row);
    for (const OriginSegment& segment : kept.segments()) {
      std::fill_n(to_block + segment.first, std::min(segment.count, rows - segment.first), segment.origin);
    }
  } else {
    for_each_run(kept, rows, [&](const Block* origin, std::uint16_t row, std::uint32_t count) {
      to_block = std::fill_n(to_block, count, origin);
      to_row = std::fill_n(to_row, count, row);
    });
  }
  store_.rows().attach(block, places);
  return places;
}

void OriginWriter::compact(Block& block, Origins& places) {
  cut_origins(places, block.count);
  places.changed = 0;
  const std::size_t most = places.count / kRowsPerSegment + 1;
  runs_.clear();
  const Block* const* const blocks = places.blocks();
  const std::uint16_t* const rows = places.rows();
  for (std::uint32_t row = 0; row < places.count;) {
    std::uint32_t end = row + 1;
    while (end < places.count && blocks[end] == blocks[row] && rows[end] == rows[row]) ++end;
    runs_.append(blocks[row], rows[row], end - row);
    if (runs_.segments().size() > most) return;
    row = end;
  }
  write(block, std::min<std::uint32_t>(places.jumps, runs_.jumps()));
}

bool OriginWriter::is_right(const Block& block, const Origins& kept) const {
  if (kept.form == Origins::Form::scattered) return true;
  const Entity* const entities = block.format->entities(block);
  std::uint32_t row = 0;
  bool right = true;
  for_each_run(kept, std::min<std::uint32_t>(kept.count, block.count),
               [&](const Block* origin, std::uint16_t origin_row, std::uint32_t count) {
                 for (const std::uint32_t end = row + count; row < end; ++row) {
                   const Place place = store_.slots().place_of(links_.parent(entities[row].index()));
                   right = right && origin == place.block && origin_row == place.row;
                 }
               });
  return right && row == block.count;
}

}  // namespace strata::detail
