#include "origin_keeper.hpp"

#include <algorithm>

#include "../../core/reserve.hpp"
#include "origin_parts.hpp"

namespace strata::detail {

using namespace detail;

namespace {

/// When OriginKeeper tries to compress the origins of a block (the locations of its rows' parents), that is, to change
/// them from Form::places, with one entry for each row, to segments. It tries in each of these cases:
/// - the last update of single rows of the block has changed at most OriginWriter::kFewPatches rows
/// - at least one in kRowsPerChange rows of the block has changed since the last attempt
/// - rows of the block have changed since the last attempt, but none during the last kCalmPasses calls of
///   `read_changes`
/// If the block has Form::scattered, which stores no origins, only the last two cases count.
constexpr std::uint32_t kRowsPerChange = 2;
constexpr std::uint32_t kCalmPasses = 4;

/// Parents' rows are counted to estimate whether they fit into a cache of the processor. Counting stops at this number,
/// because so many rows do not fit into any cache even if each of them is small.
constexpr std::uint64_t kManyRows = 1'000'000;

/// Returns: whether the parent of row `row` is known to be stored in the same row as the parent of row `row - 1`, or in
/// one of the next few rows. Then the parent's row is probably in the processor's cache already.
bool follows(const Origins& origins, std::uint32_t row) {
  return origins.form == Origins::Form::places && row != 0 &&
         origins.blocks()[row] == origins.blocks()[row - 1] &&
         OriginRuns::follows(origins.rows()[row - 1], origins.rows()[row]);
}

}  // namespace

template <class Visit>
void OriginKeeper::for_each_level_block(std::span<Archetype* const> archetypes, Visit visit) const {
  for (const Archetype* archetype : archetypes) {
    for (auto lists = archetype->ranks().first(); !lists.at_end(); lists.next()) {
      if (lists.rank() == 0 || lists.rank() >= branches_.level_count()) continue;
      Table* const table = store_.tables().find(*archetype, branches_.level(lists.rank()));
      if (table == nullptr) continue;
      for (Block* block = table->first_block(); block != nullptr && block->count != 0; block = block->next) {
        visit(*block);
      }
    }
  }
}

std::uint64_t OriginKeeper::prepare(std::span<Archetype* const> archetypes, std::uint64_t state,
                                    PlanCost& cost) {
  // Update the cached locations of parents only if something has changed since the last call. If nothing has changed,
  // other threads may be reading the locations that are marked as valid.
  if (store_.rows().changes().count() != seen_changes_ || !store_.rows().changes().moved().empty())
    read_changes(cost);
  // `state` is the result of an earlier call: the number of changes at that time, plus 1. So the result is never 0,
  // which stands for "no earlier call". If the number is the same now, nothing has changed.
  if (state == store_.rows().changes().count() + 1) {
    add_loss(cost.loss);
    return state;
  }
  cost.loss = 0;
  std::uint64_t lost_now = 0;
  above_ = Above();
  for_each_level_block(archetypes, [&](Block& block) {
    const bool found = ensure_valid(block, cost);
    const std::uint32_t jumps = static_cast<const Origins*>(block.cache)->jumps;
    if (jumps == 0) return;
    const std::uint64_t loss = jumps * loss_of_jump(block);
    cost.loss += loss;
    // `loss` is the time that the visit after this call will lose on this block, because the parents' rows are not in
    // order. If `ensure_valid` has just looked up these parents, it has lost the same time. So the defragmenter has to
    // count `loss` twice: in `cost.loss` and in `lost_now`.
    if (found) lost_now += loss;
  });
  add_loss(cost.loss + lost_now);
  return store_.rows().changes().count() + 1;
}

void OriginKeeper::add_loss(std::uint64_t loss) const {
  if (defragmenter_ != nullptr) defragmenter_->add_loss(loss);
}

/// Estimates how much longer the visit of a row of this block takes if its parent's row is not near the parent's row
/// that was read before.
/// Returns: the additional time for one such row, as Defragmenter::loss_of_jump estimates it, in its unit.
/// Contract: the block has rows, and their entities have parents.
std::uint64_t OriginKeeper::loss_of_jump(const Block& block) {
  const std::uint32_t parent = links_.parent(block.format->entities(block)[0].index());
  const Table& table = table_of(*store_.slots().place_of(parent).block);
  if (above_.archetype == &table.archetype() && above_.rank == table.rank()) return above_.loss_of_jump;
  // To estimate how much memory the parents' rows take, count rows of one archetype only: the archetype of the first
  // row's parent, at the parents' depth. The parents may be in thousands of archetypes.
  std::uint64_t rows = 0;
  for (const Block* first : table.archetype().at_rank(table.rank())) {
    rows += table_of(*first).row_count();
    if (rows >= kManyRows) break;
  }
  above_ = {&table.archetype(), table.rank(),
            Defragmenter::loss_of_jump(rows * table.archetype().format().row_bytes())};
  return above_.loss_of_jump;
}

void OriginKeeper::read_changes(PlanCost& cost) {
  ++pass_;
  const bool may_be_calm = last_spread_ != 0;
  if (!store_.rows().changes().moved().empty()) read_moves(cost);
  if (last_spread_ != 0 && pass_ - last_spread_ > kCalmPasses) last_spread_ = 0;
  if (may_be_calm) {
    for_each_level_block(store_.archetypes().all(), [this](Block& block) { compress_if_idle(block); });
  }
  seen_changes_ = store_.rows().changes().count();
}

/// Reads the log of rows that have moved or whose entity has another parent (see MoveLog), and clears the log. Updates
/// the origins (cached locations of parents' rows) of these rows and of the rows of their children. If the log has
/// overflowed, and so is not complete, marks all origins as not valid.
void OriginKeeper::read_moves(PlanCost& cost) {
  MoveLog& moved = store_.rows().changes().moved();
  // Count this as a change, so that every query examines its blocks again: the code below may mark origins (cached
  // locations of parents' rows) as not valid, and a row may have come to a block without any other recorded change.
  store_.rows().changes().add_one();
  if (moved.overflowed()) {
    for_each_level_block(store_.archetypes().all(), [](Block& block) {
      if (block.cache != nullptr) block.cache->valid = false;
    });
  }
  // If memory runs out below, the log is not cleared, and the next call reads all of it again.
  opened_.clear();
  const std::span<const std::uint32_t> entries = moved.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    prefetch_entry(entries, i + kNodesAhead);
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

/// Updates the origin (the cached location of the parent's row) for the row of an entity. Also updates the origins of
/// the rows of the entity's children, if these rows are in tables that the children of several parents share. Call this
/// function if the entity's row has moved or the entity has another parent than before.
void OriginKeeper::patch_around(std::uint32_t node) {
  // An entity that was destroyed after it was recorded in the log has no parent and no children.
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
  if (origins->are_runs() && origins->patched == OriginWriter::kFewPatches)
    origins = &writer_.spread(*row.block, *origins);
  if (!writer_.change(*row.block, *origins, {row.row, origin})) return;
  // `change` may have replaced the block's cache by one in new memory, so get the cache again.
  auto& changed = static_cast<Origins&>(*row.block->cache);
  ++changed.patched;
  if (changed.jumps < changed.count && !follows(changed, row.row)) ++changed.jumps;
  if (changed.patched * OriginWriter::kRowsPerPatch > changed.count) changed.valid = false;
}

/// Prepares the origins of a block (the cached locations of its rows' parents) for updates of single rows: makes room
/// for all present rows, and adds the block to `opened_`, so that `close` is called for it. Changes nothing if this was
/// already done for the block in this call of `read_changes` (a pass).
/// Returns: the origins; null if they are not valid. Null, too, if more than a quarter of the rows are new: then the
/// function marks the origins as not valid, so that `ensure_valid` computes all of them again.
Origins* OriginKeeper::open(Block& block) {
  auto* origins = static_cast<Origins*>(block.cache);
  if (origins == nullptr || !origins->valid) return nullptr;
  if (origins->pass == pass_) return origins;
  const std::uint32_t known = std::min<std::uint32_t>(origins->count, block.count);
  if ((block.count - known) * OriginWriter::kRowsPerPatch > block.count) {
    origins->valid = false;
    return nullptr;
  }
  reserve_one(opened_);
  cut_origins(*origins, block.count);
  if (known != block.count && origins->form != Origins::Form::scattered) {
    if (origins->form != Origins::Form::places || origins->room < block.count)
      origins = &writer_.spread(block, *origins);
    // Rows of existing entities have moved into the block. (If rows of new entities had been appended, the origins of
    // the block would be marked as not valid.) So the log of moves has an entry for each row that has moved. The origin
    // of such a row is unknown (null) until its entry is read.
    std::fill(blocks_of(*origins) + known, blocks_of(*origins) + block.count, nullptr);
  }
  origins->count = narrow(block.count);
  origins->patched = 0;
  origins->pass = pass_;
  opened_.push_back(&block);
  return origins;
}

/// Ends the updates of single rows of a block. Adds the number of updated rows to `cost`, unless the form of the
/// origins (the cached locations of the rows' parents) is Form::scattered. If the origins are stored uncompressed,
/// tries to compress them in two cases:
/// - these updates changed at most kFewPatches rows, and the form is not Form::scattered
/// - at least one in kRowsPerChange rows has changed since the last attempt to compress them; if the form is
///   Form::scattered, marks the origins as not valid instead, so that they are computed again
/// Does nothing if the origins are not valid any more.
void OriginKeeper::close(Block& block, PlanCost& cost) {
  auto& origins = static_cast<Origins&>(*block.cache);
  if (!origins.valid) return;
  const bool scattered = origins.form == Origins::Form::scattered;
  if (!scattered) {
    cost.patches += origins.patched != 0 ? 1 : 0;
    cost.patched_rows += origins.patched;
  }
  if (origins.are_runs()) return;
  origins.changed = narrow(origins.changed + origins.patched);
  last_spread_ = pass_;
  const bool few = origins.patched <= OriginWriter::kFewPatches && !scattered;
  if (few || origins.changed * kRowsPerChange >= origins.count) look_for_runs(block, origins);
}

/// Tries to compress the origins of a block (the cached locations of its rows' parents) if some of them were updated
/// since the last attempt, but none during the last kCalmPasses calls of `read_changes`.
void OriginKeeper::compress_if_idle(Block& block) {
  auto* const origins = static_cast<Origins*>(block.cache);
  if (origins == nullptr || !origins->valid || origins->are_runs()) return;
  if (origins->changed != 0 && pass_ - origins->pass >= kCalmPasses) look_for_runs(block, *origins);
}

void OriginKeeper::look_for_runs(Block& block, Origins& origins) {
  if (origins.form == Origins::Form::scattered) {
    origins.valid = false;  // `find_all` will compute the origins again.
  } else {
    writer_.compact(block, origins);
  }
}

/// Makes the origins of a block (the cached locations of its rows' parents) valid. If they were not valid, computes all
/// of them, and adds that work to `cost`. Otherwise only drops the origins of rows that the block does not have any
/// more.
/// Returns: whether the origins were not valid, so that all of them were computed.
bool OriginKeeper::ensure_valid(Block& block, PlanCost& cost) {
  if (auto* const kept = static_cast<Origins*>(block.cache); kept != nullptr && kept->valid) {
    cut_origins(*kept, block.count);
    return false;
  }
  writer_.find_all(block, defragmenter_ != nullptr && defragmenter_->in_order(table_of(block).rank()));
  ++cost.patches;
  cost.patched_rows += block.count;
  return true;
}

std::string OriginKeeper::check_invariants() const {
  // While the log of moved rows has unread entries, the cached locations of parents may be wrong although they are
  // marked as valid. So they are not checked then.
  if (!store_.rows().changes().moved().empty()) return "";
  std::string complaint;
  store_.tables().for_each([&](const Table& table) {
    for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
      const auto* const kept = static_cast<const Origins*>(block->cache);
      if (kept == nullptr || !kept->valid || writer_.is_right(*block, *kept)) continue;
      complaint = "O1: the origins kept with a block of depth " + std::to_string(table.rank()) +
                  " are not its rows' parents";
    }
  });
  return complaint;
}

}  // namespace strata::detail
