#include "origin_keeper.hpp"

#include <algorithm>

#include "../core/reserve.hpp"
#include "origin_parts.hpp"

namespace strata {

using namespace detail;

namespace {

/// From so many rows for each group on, a loop over groups beats a position for each row.
constexpr std::size_t kRowsPerGroup = 4;
/// With fewer rows for each segment, starting a segment costs more than a place for each row.
constexpr std::size_t kRowsPerSegment = 8;
/// Where more than one of so many rows has changed, finding all anew costs less than finding those.
constexpr std::uint32_t kRowsPerPatch = 4;
/// So many rows of a block are found anew in a pass before its runs become places. It is looked whether those may have
/// become runs when no more were found anew, when one of kRowsPerChange was since it was last looked, and when none was
/// for so many passes.
constexpr std::uint32_t kFewPatches = 8;
constexpr std::uint32_t kRowsPerChange = 2;
constexpr std::uint32_t kCalmPasses = 4;

/// How far ahead memory is asked for.
constexpr std::size_t kAhead = 12;

std::size_t bytes_of_places(std::uint32_t room) {
  return sizeof(Origins) + room * (sizeof(const Block*) + sizeof(std::uint16_t));
}

/// Returns: how many segments there should be room for that come about as single rows are found anew.
std::uint32_t spare_segments(std::uint32_t rows) {
  return std::min(2 * kFewPatches, rows / 16);
}

/// Returns: for how many rows there should be room in places for those of a block: with more, all would be found anew.
std::uint16_t room_for(const Block& block) {
  return narrow(std::min(block.capacity, block.count + block.count / kRowsPerPatch));
}

Origins::Form form_of(const OriginRuns& runs, std::uint32_t rows) {
  if (runs.segments().size() > rows / kRowsPerSegment + 1) return Origins::Form::places;
  return runs.groups().size() * kRowsPerGroup <= rows ? Origins::Form::groups : Origins::Form::rows;
}

}  // namespace

template <class Visit>
void OriginKeeper::for_each_level_block(std::span<Archetype* const> archetypes, Visit visit) const {
  for (std::uint32_t rank = 1; rank < branches_.level_count(); ++rank) {
    const Branch& level = branches_.level(rank);
    for (const Archetype* archetype : archetypes) {
      Table* const table = store_.tables().find(*archetype, level);
      if (table == nullptr) continue;
      for (Block* block = table->first_block(); block != nullptr && block->count != 0; block = block->next) {
        visit(*block);
      }
    }
  }
}

std::uint64_t OriginKeeper::prepare(std::span<Archetype* const> archetypes, std::uint64_t state,
                                    PlanCost& cost) {
  // Only whoever comes first after a change may write what is right: others may be reading it then.
  if (store_.rows().changes() != seen_changes_ || !store_.rows().moved().empty()) read_changes(cost);
  // Counted from one, so that no state is 0.
  if (state == store_.rows().changes() + 1) return state;
  for_each_level_block(archetypes, [&](Block& block) { keep_right(block, cost); });
  return store_.rows().changes() + 1;
}

void OriginKeeper::read_changes(PlanCost& cost) {
  ++pass_;
  if (!store_.rows().moved().empty()) read_moves(cost);
  if (last_spread_ != 0 && pass_ - last_spread_ > kCalmPasses) last_spread_ = 0;
  if (may_be_calm_) {
    for_each_level_block(store_.archetypes().all(), [this](Block& block) { compact_calm(block); });
  }
  may_be_calm_ = last_spread_ != 0;
  seen_changes_ = store_.rows().changes();
}

/// Finds the origins anew of rows that have moved or have another parent, and of rows whose parents have moved.
void OriginKeeper::read_moves(PlanCost& cost) {
  MoveLog& moved = store_.rows().moved();
  // Rows may have moved to another block and left no other trace, and blocks may become void: all are looked at.
  store_.rows().count_change();
  if (moved.overflowed()) {
    for_each_level_block(store_.archetypes().all(), [](Block& block) {
      if (block.companion != nullptr) block.companion->valid = false;
    });
  }
  // If memory runs out, the log tells again of what has been patched, and of what has not.
  opened_.clear();
  const std::span<const std::uint32_t> entries = moved.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    prefetch_entry(entries, i + kAhead);
    patch_around(entries[i]);
  }
  moved.clear();
  for (Block* block : opened_) close(*block, cost);
}

void OriginKeeper::prefetch_entry(std::span<const std::uint32_t> entries, std::size_t next) const {
  if (next >= entries.size()) return;
  links_.prefetch(entries[next]);
  store_.slots().prefetch(entries[next]);
}

/// Finds the origins anew of a node's row and of those of its children.
void OriginKeeper::patch_around(std::uint32_t node) {
  // An entity that has been destroyed since has neither parent nor children.
  const std::uint32_t parent = links_.parent(node);
  if (parent != Links::kNone) patch(store_.slots().place_of(node), store_.slots().place_of(parent));
  const Links::Family* const family = links_.find_family(node);
  const Branch* const branch = branches_.find(family);
  if (branch == nullptr || !Branches::is_level(*branch)) return;
  const Place origin = store_.slots().place_of(node);
  for (std::uint32_t child = family->first; child != Links::kNone; child = links_.next(child)) {
    patch(store_.slots().place_of(child), origin);
  }
}

void OriginKeeper::patch(const Place& row, const Place& origin) {
  Origins* origins = open(*row.block);
  if (origins == nullptr) return;
  bool changed = false;
  if (origins->form != Origins::Form::places && origins->patched == kFewPatches)
    origins = &spread(*row.block, *origins);
  if (origins->form == Origins::Form::places) {
    const Block*& block = blocks_of(*origins)[row.row];
    std::uint16_t& origin_row = rows_of(*origins)[row.row];
    changed = block != origin.block || origin_row != origin.row;
    block = origin.block;
    origin_row = static_cast<std::uint16_t>(origin.row);
  } else {
    changed = patch_runs(*row.block, *origins, row.row, origin);
  }
  // Origins that were spread meanwhile are others.
  auto& patched = static_cast<Origins&>(*row.block->companion);
  patched.patched = narrow(patched.patched + (changed ? 1u : 0u));
  if (patched.patched * kRowsPerPatch > patched.count) patched.valid = false;
}

/// Returns: the origins of a block's rows, all of them included; null if they are void.
Origins* OriginKeeper::open(Block& block) {
  auto* origins = static_cast<Origins*>(block.companion);
  if (origins == nullptr || !origins->valid) return nullptr;
  if (origins->pass == pass_) return origins;
  const std::uint32_t known = std::min<std::uint32_t>(origins->count, block.count);
  if ((block.count - known) * kRowsPerPatch > block.count) {
    origins->valid = false;
    return nullptr;
  }
  reserve_one(opened_);
  cut_origins(*origins, block.count);
  if (known != block.count) {
    if (origins->form != Origins::Form::places || origins->room < block.count)
      origins = &spread(block, *origins);
    // Rows that have come are in the log; until then, they have no origin.
    std::fill(blocks_of(*origins) + known, blocks_of(*origins) + block.count, nullptr);
    origins->count = narrow(block.count);
  }
  origins->patched = 0;
  origins->pass = pass_;
  opened_.push_back(&block);
  return origins;
}

/// Changes the origin of one row of runs; as places, if there is no room for more of them.
/// Returns: whether it was another one.
bool OriginKeeper::patch_runs(Block& block, Origins& runs, std::uint32_t row, const Place& origin) {
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
  // The segment and its neighbours, with which parts of it may become one, are listed anew.
  const std::size_t first = segment - (segment != 0 ? 1 : 0);
  const std::size_t last = std::min<std::size_t>(segment + 2, runs.segment_count);
  runs_.list_patched(runs, first, last, {row, origin});
  if (!runs_.splice_into(runs, first, last)) {
    Origins& places = spread(block, runs);
    blocks_of(places)[row] = origin.block;
    rows_of(places)[row] = static_cast<std::uint16_t>(origin.row);
  }
  return true;
}

/// Writes the origins of a block's rows as places.
Origins& OriginKeeper::spread(Block& block, const Origins& kept) {
  const std::uint16_t room = room_for(block);
  Companion& memory = store_.rows().create_companion(bytes_of_places(room));
  const std::uint16_t rows = std::min(kept.count, narrow(block.count));
  Origins& places = *::new (static_cast<void*>(&memory)) Origins{
      {memory.bytes, true}, Origins::Form::places, rows, 0, 0, room, 0, kept.patched, kept.pass};
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
  last_spread_ = pass_;
  return places;
}

/// Counts what was patched, and looks whether places may have become runs.
void OriginKeeper::close(Block& block, PlanCost& cost) {
  auto& origins = static_cast<Origins&>(*block.companion);
  if (!origins.valid) return;
  cost.patches += origins.patched != 0 ? 1 : 0;
  cost.patched_rows += origins.patched;
  if (origins.form != Origins::Form::places) return;
  origins.changed = narrow(origins.changed + origins.patched);
  last_spread_ = pass_;
  if (origins.patched <= kFewPatches || origins.changed * kRowsPerChange >= origins.count)
    compact(block, origins);
}

/// Writes places as runs where no row has changed for a while.
void OriginKeeper::compact_calm(Block& block) {
  auto* const origins = static_cast<Origins*>(block.companion);
  if (origins == nullptr || !origins->valid || origins->form != Origins::Form::places) return;
  if (origins->changed != 0 && pass_ - origins->pass >= kCalmPasses) compact(block, *origins);
}

/// Writes places as runs, if they are.
void OriginKeeper::compact(Block& block, Origins& places) {
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
  write(block);
}

void OriginKeeper::keep_right(Block& block, PlanCost& cost) {
  auto* const kept = static_cast<Origins*>(block.companion);
  if (kept == nullptr || !kept->valid) return find_all(block, cost);
  cut_origins(*kept, block.count);
}

void OriginKeeper::find_all(Block& block, PlanCost& cost) {
  runs_.clear();
  const Entity* const entities = block.layout->entities(block);
  for (std::uint32_t row = 0; row < block.count;) {
    const std::uint32_t parent = links_.parent(entities[row].index());
    const std::uint32_t first = row;
    do {
      if (row + kAhead < block.count) links_.prefetch(entities[row + kAhead].index());
    } while (++row < block.count && links_.parent(entities[row].index()) == parent);
    const Place place = store_.slots().place_of(parent);
    runs_.append(place.block, place.row, row - first);
  }
  write(block);
  ++cost.patches;
  cost.patched_rows += block.count;
}

/// Writes the listed runs as the origins of a block's rows.
void OriginKeeper::write(Block& block) {
  const Origins::Form form = form_of(runs_, block.count);
  const std::span<const OriginGroup> groups = runs_.groups();
  const std::span<const OriginSegment> segments = runs_.segments();
  const bool are_places = form == Origins::Form::places;
  const std::uint32_t spare = spare_segments(block.count);
  Origins origins{{0, true}, form, narrow(block.count), 0, 0, room_for(block), 0, 0, 0};
  if (!are_places) {
    origins.segment_count = narrow(segments.size());
    origins.segment_room = narrow(segments.size() + spare);
    origins.room = narrow(block.count);
    if (form == Origins::Form::groups) origins.room = narrow(groups.size() + spare);
  }
  const std::size_t bytes =
      are_places
          ? bytes_of_places(origins.room)
          : sizeof(Origins) + origins.segment_room * sizeof(OriginSegment) +
                origins.room * (form == Origins::Form::groups ? sizeof(OriginGroup) : sizeof(std::uint16_t));
  if (block.companion == nullptr || BlockPool::rounded(bytes) != block.companion->bytes) {
    store_.rows().attach(block, store_.rows().create_companion(bytes));
  }
  origins.bytes = block.companion->bytes;
  runs_.write_to(*::new (static_cast<void*>(block.companion)) Origins(origins));
}

bool OriginKeeper::is_right(const Block& block, const Origins& kept) const {
  const Entity* const entities = block.layout->entities(block);
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

std::string OriginKeeper::check_invariants() const {
  // Moves that have not been read yet void origins that still look right.
  if (!store_.rows().moved().empty()) return "";
  std::string complaint;
  store_.tables().for_each([&](const Table& table) {
    for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
      const auto* const kept = static_cast<const Origins*>(block->companion);
      if (kept == nullptr || !kept->valid || is_right(*block, *kept)) continue;
      complaint = "O1: the origins kept with a block of depth " + std::to_string(table.rank()) +
                  " are not its rows' parents";
    }
  });
  return complaint;
}

}  // namespace strata
