#include "origin_keeper.hpp"

#include <algorithm>

#include "../../core/reserve.hpp"
#include "origin_parts.hpp"

namespace strata::detail {

using namespace detail;

namespace {

/// When to try to compress places into runs: after a pass that updated only a few rows, when at least one in
/// kRowsPerChange rows was updated since the last attempt, and when no row was updated for kCalmPasses
/// passes.
constexpr std::uint32_t kRowsPerChange = 2;
constexpr std::uint32_t kCalmPasses = 4;

/// This many rows do not fit into any cache, whatever their size.
constexpr std::uint64_t kManyRows = 1'000'000;

/// Returns: whether a row's origin is known to follow that of the previous row.
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
  // Only the first pass after a change may write origins, because other threads may read them during later
  // ones.
  if (store_.rows().changes().count() != seen_changes_ || !store_.rows().changes().moved().empty())
    read_changes(cost);
  // Plus one, so that no state is 0.
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
    // Finding the parents read memory in the same order as visiting them, so it had the same loss.
    if (found) lost_now += loss;
  });
  add_loss(cost.loss + lost_now);
  return store_.rows().changes().count() + 1;
}

void OriginKeeper::add_loss(std::uint64_t loss) const {
  if (defragmenter_ != nullptr) defragmenter_->add_loss(loss);
}

/// Returns: the time that a pass loses at one row of the block whose origin does not follow that of the
/// previous row.
std::uint64_t OriginKeeper::loss_of_jump(const Block& block) {
  const std::uint32_t parent = links_.parent(block.format->entities(block)[0].index());
  const Table& table = table_of(*store_.slots().place_of(parent).block);
  if (above_.archetype == &table.archetype() && above_.rank == table.rank()) return above_.loss_of_jump;
  // There may be thousands of archetypes with rows of that rank, so one stands for all.
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

/// Updates the origins of rows that have moved or have another parent, and of rows whose parents have moved.
void OriginKeeper::read_moves(PlanCost& cost) {
  MoveLog& moved = store_.rows().changes().moved();
  // Counts a change, so that every query examines its blocks again: rows may have moved to another block
  // without another trace, and blocks may become void.
  store_.rows().changes().add_one();
  if (moved.overflowed()) {
    for_each_level_block(store_.archetypes().all(), [](Block& block) {
      if (block.cache != nullptr) block.cache->valid = false;
    });
  }
  // If memory runs out, the log is kept, and the next call reads all of it again.
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

/// Updates the origins of a node's row and of its children's rows.
void OriginKeeper::patch_around(std::uint32_t node) {
  // An entity that was destroyed since has no parent and no children.
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
  // `change` may have replaced the origins by new ones.
  auto& changed = static_cast<Origins&>(*row.block->cache);
  ++changed.patched;
  if (changed.jumps < changed.count && !follows(changed, row.row)) ++changed.jumps;
  if (changed.patched * OriginWriter::kRowsPerPatch > changed.count) changed.valid = false;
}

/// Returns: the origins of a block, extended to all of its rows; null if they are void.
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
    // New rows are in the log; until they are read there, they have no origin.
    std::fill(blocks_of(*origins) + known, blocks_of(*origins) + block.count, nullptr);
  }
  origins->count = narrow(block.count);
  origins->patched = 0;
  origins->pass = pass_;
  opened_.push_back(&block);
  return origins;
}

/// Counts the updates of a block. Tries to compress places or scattered origins into runs after a pass with
/// few changes, or after many changes.
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

/// Tries to compress the origins of a block into runs if no row of it has changed for several passes.
void OriginKeeper::compress_if_idle(Block& block) {
  auto* const origins = static_cast<Origins*>(block.cache);
  if (origins == nullptr || !origins->valid || origins->are_runs()) return;
  if (origins->changed != 0 && pass_ - origins->pass >= kCalmPasses) look_for_runs(block, *origins);
}

void OriginKeeper::look_for_runs(Block& block, Origins& origins) {
  if (origins.form == Origins::Form::scattered) {
    origins.valid = false;  // find_all will compute them again.
  } else {
    writer_.compact(block, origins);
  }
}

/// Makes the stored origins of a block describe exactly its rows.
/// Returns: whether all of them had to be computed.
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
  // Unread moves make origins void that still look right.
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
