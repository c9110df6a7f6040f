// SubtreePass: visits the entities that were written after a given time, and all entities below them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../../core/compiler.hpp"
#include "../filtering/gathered_rows.hpp"
#include "batch_visitor.hpp"
#include "changed_batches.hpp"
#include "pass_threads.hpp"

namespace strata::detail {

/// The work of ChangedSubtrees::each: visits the entities that were written, and all entities below them. A SubtreePass
/// may run many times; its lists keep their capacity.
///
/// A SubtreePass goes depth by depth. At each depth, it first visits the children of the entities of the depth above,
/// and then the other entities of this depth that were written. It finds written entities in the blocks of tables,
/// which store the time of the last write.
class SubtreePass {
 public:
  /// Visits each matching entity that was written or is below one that was written, once and after its ancestors. If
  /// `threads` has an executor, `visit` may be called by several threads at a time, with entities of one depth. An
  /// entity counts as written if one of the components `ids` was written on it after the time `since`; whether it
  /// matches the query does not matter.
  /// Errors: what `visit` throws, and std::bad_alloc.
  /// Contract: `matcher` is up to date and locked (see Matcher::VisitLock), the query was made with a hierarchy, and no
  /// other call of `run` on this object is in progress.
  /// Complexity: O(blocks with these components + rows of written blocks + entities visited). The first call, and each
  /// call after the number of entity slots (one for each entity index) has grown, also takes O(slots).
  STRATA_API void run(const Matcher& matcher, std::span<const ComponentId> ids, std::uint64_t since,
                      BatchVisitor visit, const PassThreads& threads = {});

 private:
  /// The greatest number of entities in one batch. The values of the whole batch are prefetched before its first entity
  /// is visited. The number is so small that all these values stay in the cache until they are visited.
  static constexpr std::size_t kRun = 64;
  static_assert(kRun <= GatheredRows::kRun);

  void list_archetypes(const Store& store, std::span<const ComponentId> ids);
  void remember_reached();
  void add_written(std::span<Block* const> tables, ChangeFilter& filter);
  void visit_wide_level(const Matcher& matcher, BatchVisitor visit, const PassThreads& threads) const;
  void visit_part(GatheredRows& rows, BatchVisitor visit, std::size_t begin, std::size_t end) const;

  std::vector<Archetype*>
      archetypes_;                 // The archetypes with one of the components `ids`, in order of creation.
  std::vector<VisitedRow> level_;  // The entities of the current depth.
  std::vector<VisitedRow> above_;  // The entities of the depth above.
  // The first `reached_` entities of `level_` were added as children of entities of the depth above. `positions_` has
  // the position of each of them in `level_`, by slot index (Entity::index). `positions_` is not cleared: an entry
  // counts only if it is less than `reached_` and `level_` has the entity at that position.
  std::vector<std::uint32_t> positions_;
  std::size_t reached_ = 0;
  bool running_ = false;
};

/// Owns the SubtreePass of a query. Most queries never need one, so the first call of `get` makes it. A SubtreePass
/// keeps only working memory between visits, so a copy of this object owns none until its `get` is called.
class OwnSubtreePass {
 public:
  OwnSubtreePass() = default;
  OwnSubtreePass(const OwnSubtreePass&) noexcept {}
  OwnSubtreePass(OwnSubtreePass&& other) noexcept : pass_(std::exchange(other.pass_, nullptr)) {}
  OwnSubtreePass& operator=(OwnSubtreePass other) noexcept {
    std::swap(pass_, other.pass_);
    return *this;
  }
  ~OwnSubtreePass() { delete pass_; }

  /// Returns: the query's SubtreePass. The first call creates it.
  /// Errors: std::bad_alloc.
  SubtreePass& get() {
    if (pass_ == nullptr) pass_ = new SubtreePass;
    return *pass_;
  }

 private:
  SubtreePass* pass_ = nullptr;
};

}  // namespace strata::detail
