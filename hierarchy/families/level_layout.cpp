#include "level_layout.hpp"

#include <algorithm>
#include <array>

#include "../../core/try_allocating.hpp"

namespace strata::detail {
namespace {

/// If at most one in kRowsPerMove rows is out of order, swapping those rows is cheaper than moving all rows.
constexpr std::size_t kRowsPerMove = 8;

/// A loop over parents prefetches the links (kLinksAhead), the record of children (kFamiliesAhead) and the first child
/// (kChildrenAhead) of the parent that comes this many parents later.
constexpr std::uint32_t kLinksAhead = 24;
constexpr std::uint32_t kFamiliesAhead = 16;
constexpr std::uint32_t kChildrenAhead = 8;

/// The number of rows that are moved together, column by column. That touches fewer memory pages at a time
/// than moving row by row.
constexpr std::size_t kRowsAtOnce = 256;

/// Lists the children of several parents in an array. In the links, each sibling leads to the next one, which may be
/// anywhere in memory. So SiblingWalks follows the siblings of several parents in turns: the memory accesses for one
/// parent do not wait for the memory accesses for another.
class SiblingWalks {
 public:
  SiblingWalks(const Links& links, std::span<std::uint32_t> nodes) : links_(links), nodes_(nodes) {}

  /// Adds the children that `family` records. Reserves the next elements of the array `nodes` for their slot indices,
  /// which later calls of `add` write, or at the latest `finish`.
  /// Contract: there is at least one child.
  /// Returns: false if the array has no room for the children; nothing has been added then.
  bool add(const Links::Family& family) {
    if (family.count > nodes_.size() - listed_) return false;
    while (count_ == walks_.size()) step();
    walks_[count_++] = {family.first, nodes_.data() + listed_};
    listed_ += family.count;
    return true;
  }

  /// Returns: the number of children that were added, including those that are not written to the array yet.
  std::size_t listed() const { return listed_; }

  /// Writes those added children to the array that are not written yet.
  /// Returns: whether the added children fill the whole array.
  bool finish() {
    while (count_ != 0) step();
    return listed_ == nodes_.size();
  }

 private:
  struct Walk {
    std::uint32_t child;
    std::uint32_t* to;
  };

  void step() {
    for (std::size_t i = 0; i < count_;) {
      Walk& walk = walks_[i];
      *walk.to++ = walk.child;
      walk.child = links_.next(walk.child);
      if (walk.child == Links::kNone) {
        walk = walks_[--count_];
      } else {
        ++i;
      }
    }
  }

  const Links& links_;
  std::span<std::uint32_t> nodes_;
  std::size_t listed_ = 0;
  std::array<Walk, 16> walks_;
  std::size_t count_ = 0;
};

}  // namespace

LevelLayout::Size LevelLayout::measure(std::uint32_t rank, std::size_t most) const {
  Size size;
  for (const std::uint32_t at : {rank - 1, rank}) {
    for (const Archetype* archetype : store_.archetypes().at_rank(at)) {
      for (const Block* block : archetype->at_rank(at)) {
        const std::uint32_t rows = table_of(*block).row_count();
        const bool shared = at == rank && block->label == 0;
        size.rows += shared ? rows : 0;
        size.looked_at += at != rank || shared ? rows : 1;
        if (size.looked_at > most) return size;
      }
    }
  }
  return size;
}

LevelLayout::Result LevelLayout::sort(std::uint32_t rank, std::size_t rows) {
  Result result = Result::few_moves;  // If memory runs out, nothing has been moved.
  try_allocating([&] { result = sort_in_memory(rank, rows); });
  if (result == Result::moved) void_origins(rank + 1);
  return result;
}

LevelLayout::Result LevelLayout::sort_in_memory(std::uint32_t rank, std::size_t rows) {
  ScratchArray<std::uint32_t> nodes(rows, store_.memory());
  if (!list({nodes.data(), rows}, rank)) return Result::few_moves;
  targets_.list_sources(rank);
  const std::size_t misplaced = count_misplaced({nodes.data(), rows}, rows / kRowsPerMove + 1);
  if (misplaced == 0) return Result::in_order;
  if (misplaced <= rows / kRowsPerMove) return Result::few_moves;
  targets_.prepare({nodes.data(), rows}, rank);
  move_all({nodes.data(), rows});
  return Result::moved;
}

/// Lists in `nodes` the entities in the shared tables of depth `rank`, in the order of their parents' rows. If the
/// children of a parent have become too many for shared tables, calls LevelTargets::add_leaving for them, so that they
/// move to tables of their own.
/// Returns: false if the number of entities differs from the size of `nodes`.
bool LevelLayout::list(std::span<std::uint32_t> nodes, std::uint32_t rank) {
  targets_.begin();
  const std::uint32_t level = families_.branches().level(rank).number;
  SiblingWalks walks(links_, nodes);
  const auto list_families = [&](std::span<const Entity> parents) {
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (i + kLinksAhead < parents.size()) {
        links_.prefetch(parents[i + kLinksAhead].index());
        links_.prefetch_family(parents[i + kFamiliesAhead].index());
        links_.prefetch_first_child(parents[i + kChildrenAhead].index());
      }
      const Links::Family* const family = links_.find_family(parents[i].index());
      if (family == nullptr || family->branch != level || family->count == 0) continue;
      if (families_.outgrows_level(*family))
        targets_.add_leaving(parents[i].index(), walks.listed(), family->count);
      if (!walks.add(*family)) return false;
    }
    return true;
  };
  for (const Archetype* archetype : store_.archetypes().at_rank(rank - 1)) {
    for (const Block* block : archetype->at_rank(rank - 1)) {
      for (; block != nullptr; block = block->next) {
        if (!list_families({block->format->entities(*block), block->count})) return false;
      }
    }
  }
  return walks.finish();
}

/// Counts the misplaced rows. The n-th row of a table is misplaced if it does not belong to the n-th of those entities
/// in `nodes` whose rows are in this table.
/// Returns: the number of misplaced rows; `most` if there are at least `most`.
std::size_t LevelLayout::count_misplaced(std::span<const std::uint32_t> nodes, std::size_t most) {
  next_places_.clear();
  next_places_.reserve(targets_.sources().size());
  for (const LevelTargets::Source& source : targets_.sources()) {
    next_places_.push_back({source.table->first_block(), 0});
  }
  std::size_t misplaced = 0;
  for (std::size_t i = 0; i < nodes.size() && misplaced < most; ++i) {
    if (i + LevelTargets::kSlotsAhead < nodes.size())
      store_.slots().prefetch(nodes[i + LevelTargets::kSlotsAhead]);
    const Place place = store_.slots().place_of(nodes[i]);
    Place& next = next_places_[targets_.source_of(place)];
    misplaced += place.block != next.block || place.row != next.row ? 1 : 0;
    if (++next.row == next.block->count) next = {next.block->next, 0};
  }
  return misplaced;
}

/// Writes to each element of `places` the block and row of the entity at the same index of `nodes`. `nodes` may
/// be longer than `places`. Its further entities are those that the next calls look up: this call only prefetches the
/// slots of the first of them.
void LevelLayout::find_places(std::span<const std::uint32_t> nodes, std::span<Place> places) const {
  // With several tables, successive entities are mostly in different tables, so the hardware does not prefetch their
  // rows. This loop prefetches them instead.
  const bool alternates = targets_.sources().size() > 1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + LevelTargets::kSlotsAhead < nodes.size())
      store_.slots().prefetch(nodes[i + LevelTargets::kSlotsAhead]);
    places[i] = store_.slots().place_of(nodes[i]);
    if (alternates) Rows::prefetch(places[i]);
  }
}

/// Moves the rows of all entities in `nodes`, in this order, to the new blocks that LevelTargets::prepare has
/// allocated.
void LevelLayout::move_all(std::span<const std::uint32_t> nodes) {
  const ChangeGuard::Moving moving(store_.guard());
  std::array<Place, kRowsAtOnce> places;
  std::size_t part_end = 0;
  for (std::size_t first = 0; first < nodes.size(); first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, nodes.size() - first);
    find_places(nodes.subspan(first), {places.data(), count});
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
      if (first + begin == part_end) part_end = targets_.enter_part(part_end);
      const std::size_t most = std::min(count, part_end - first);
      const Table& table = table_of(*places[begin].block);
      while (++end < most && &table_of(*places[end].block) == &table) continue;
      targets_.take(nodes.subspan(first + begin, end - begin), {places.data() + begin, end - begin});
    }
  }
  targets_.finish();
}

/// Each block caches the locations of the parents of its rows (see Origins). Makes these caches invalid for all blocks
/// of depth `rank`. Called after LevelLayout has moved the rows of depth `rank - 1`, because the MoveLog, from which
/// the caches are normally updated, does not record these moves.
void LevelLayout::void_origins(std::uint32_t rank) const {
  for (const Archetype* archetype : store_.archetypes().at_rank(rank)) {
    for (Block* block : archetype->at_rank(rank)) {
      for (; block != nullptr; block = block->next) {
        if (block->cache != nullptr) block->cache->valid = false;
      }
    }
  }
}

}  // namespace strata::detail
