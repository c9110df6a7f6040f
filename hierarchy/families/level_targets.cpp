#include "level_targets.hpp"

#include <limits>

#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {

void LevelTargets::add_leaving(std::uint32_t parent, std::size_t first, std::size_t count) {
  reserve_one(leaving_);
  leaving_.push_back({.parent = parent, .first = first, .end = first + count});
}

void LevelTargets::list_sources(std::uint32_t rank) {
  sources_.clear();
  positions_.resize(store_.archetypes().all().size(), 0);
  for (const Archetype* archetype : store_.archetypes().at_rank(rank)) {
    for (Block* block : archetype->at_rank(rank)) {
      if (block->label != 0) continue;
      const auto position = static_cast<std::uint32_t>(sources_.size());
      positions_[archetype->id()] = position;
      reserve_one(sources_);
      sources_.push_back({&table_of(*block), position});
    }
  }
}

void LevelTargets::prepare(std::span<const std::uint32_t> nodes, std::uint32_t rank) {
  targets_.clear();
  reorders_.clear();
  for (const Source& source : sources_) {
    reserve_one(targets_);
    targets_.push_back({source.table, source.target, source.table->row_count()});
  }
  Rollback undo([this] {
    reorders_.clear();
    close_branches();
  });
  for (Leaving& family : leaving_) {
    family.branch = &families_.branches().open(family.parent, rank - 1);
    add_targets(family, nodes.subspan(family.first, family.end - family.first));
  }
  reorders_.reserve(targets_.size());
  for (const Target& target : targets_) reorders_.emplace_back(store_.rows(), *target.table, target.rows);
  undo.dismiss();
  part_ = 0;
}

/// Called for the children of one parent (`nodes`) that move from shared tables (those for the children of several
/// parents) to tables of their own. Creates the new tables and adds them to `targets_`, with the number of rows that go
/// to each. Subtracts these numbers from the numbers of rows that stay in the shared tables.
void LevelTargets::add_targets(Leaving& family, std::span<const std::uint32_t> nodes) {
  family.first_target = static_cast<std::uint32_t>(targets_.size());
  if (sources_.size() == 1) return add_rows(family, 0, static_cast<std::uint32_t>(nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i + kSlotsAhead < nodes.size()) store_.slots().prefetch(nodes[i + kSlotsAhead]);
    add_rows(family, source_of(store_.slots().place_of(nodes[i])), 1);
  }
}

/// Called for the children of one parent that move from shared tables to tables of their own. Counts `count` rows that
/// leave the shared table `sources_[position]`: adds `count` to the number of rows of the new table, and subtracts
/// `count` from the number of rows that stay. The first call for this parent and archetype creates the new table and
/// adds it to `targets_`.
void LevelTargets::add_rows(const Leaving& family, std::uint32_t position, std::uint32_t count) {
  Source& source = sources_[position];
  if (source.target < family.first_target) {
    Table& table = store_.tables().get(source.table->archetype(), *family.branch);
    reserve_one(targets_);
    source.target = static_cast<std::uint32_t>(targets_.size());
    targets_.push_back({&table, position, 0});
  }
  targets_[source.target].rows += count;
  targets_[position].rows -= count;
}

std::uint32_t LevelTargets::end_of_targets(std::size_t family) const {
  return family + 1 < leaving_.size() ? leaving_[family + 1].first_target
                                      : static_cast<std::uint32_t>(targets_.size());
}

std::size_t LevelTargets::enter_part(std::size_t node) {
  if (node == 0) {
    for (std::uint32_t i = 0; i < sources_.size(); ++i) sources_[i].target = i;
  }
  const auto set_targets = [this](bool leave) {
    for (std::uint32_t i = leaving_[part_].first_target; i < end_of_targets(part_); ++i) {
      sources_[targets_[i].source].target = leave ? i : targets_[i].source;
    }
  };
  if (part_ < leaving_.size() && leaving_[part_].end == node) {
    set_targets(false);
    ++part_;
  }
  if (part_ == leaving_.size()) return std::numeric_limits<std::size_t>::max();
  if (leaving_[part_].first != node) return leaving_[part_].first;
  set_targets(true);
  return leaving_[part_].end;
}

void LevelTargets::finish() noexcept {
  for (RowReorder& row_reorder : reorders_) row_reorder.finish();
  reorders_.clear();
  for (const Leaving& family : leaving_) families_.enter_own_branch(family.parent, *family.branch);
}

void LevelTargets::close_branches() noexcept {
  for (Leaving& family : leaving_) {
    if (family.branch != nullptr) families_.branches().close(*family.branch);
  }
}

}  // namespace strata::detail
