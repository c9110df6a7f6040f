// ChildRuns: groups the children of one entity into runs of neighbouring rows.
#pragma once

#include <cstdint>

#include "table_batches.hpp"

namespace strata::detail {

/// Follows the list of an entity's children and hands out the rows of the children whose archetype matches. A run is a
/// sequence of successive children in successive rows of one block. Only the first child of a run is looked up; the
/// rows of the other children follow from its row. Terms for components in the side store (sparse sets) are not tested:
/// the caller has to test them.
/// Contract: no structural change while this object is in use; the query was made with a hierarchy.
/// Complexity: O(children) for all runs.
class ChildRuns {
 public:
  ChildRuns(const Matcher& matcher, RelatedChain children)
      : matcher_(matcher), chain_(children), child_(children.first) {}

  /// Goes to the next run (successive children in successive rows of one block) whose rows are in a table of a matching
  /// archetype. The first call goes to the first such run.
  /// Returns: false if no such run is left.
  bool next() {
    while (child_ != RelatedChain::kEnd) {
      find_run();
      prefixes_ = matcher_.prefixes_in(*block_);
      if (prefixes_ != nullptr) return true;
    }
    return false;
  }

  // The functions from here to `rows` describe the current run. Contract: the last `next` returned true.

  const Block& block() const { return *block_; }
  // For each term, the number from which the address of its column is computed; see Matcher::prefixes.
  const std::uint32_t* prefixes() const { return prefixes_; }
  std::uint32_t first() const { return first_; }  ///< First row of the run in the block.
  std::uint32_t count() const { return count_; }
  BlockRun rows() const {
    return {{first_ + count_, block_->format->entities(*block_), {*block_, prefixes_}}, first_};
  }

 private:
  void find_run() {
    const Place place = matcher_.store().slots().place_of(child_);
    block_ = place.block;
    first_ = place.row;
    const Entity* const entities = block_->format->entities(*block_);
    const std::uint32_t end = block_->count;
    std::uint32_t row = place.row;
    do {
      // A program often visits the children of many entities, one entity after the other. A world may keep the
      // children's rows in the order of their parents' rows (see WorldOptions::defragmentation). Then the rows after
      // this run are those of the next parent's children. Prefetch the links from these children to their next
      // siblings, because the program follows them soon.
      if (row + kAhead < end) chain_.prefetch(entities[row + kAhead].index());
      child_ = chain_.next(child_);
      ++row;
    } while (row != end && entities[row].index() == child_);
    count_ = row - place.row;
  }

  static constexpr std::uint32_t kAhead = 24;

  const Matcher& matcher_;
  RelatedChain chain_;
  std::uint32_t child_;  // First child that is in no run yet; kEnd after the last one.
  const Block* block_ = nullptr;
  const std::uint32_t* prefixes_ = nullptr;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace strata::detail
