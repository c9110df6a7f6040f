#include "child_batches.hpp"

namespace strata::detail {

bool ChildBatches::next(Batch& batch) {
  if (!(row_by_row_ ? take_row(batch) : take_run(batch))) return false;
  return !matcher_.uses_ancestors() || take_above(batch);
}

bool ChildBatches::take_run(Batch& batch) {
  if (!runs_.next()) return false;
  take(runs_.first(), runs_.count(), batch);
  return true;
}

bool ChildBatches::take_row(Batch& batch) {
  for (;;) {
    if (row_ == end_) {
      if (!runs_.next()) return false;
      row_ = runs_.first();
      end_ = row_ + runs_.count();
    }
    take(row_++, 1, batch);
    if (find_side_values(batch)) return true;
  }
}

/// Fills the batch with `count` rows of the current run of children in `runs_`, from row `first` of the block on. A
/// lane of a batch points to the values of one term. The lanes of terms that read tables point to columns, or are null
/// if the block does not have the component. Other lanes are not set.
void ChildBatches::take(std::uint32_t first, std::uint32_t count, Batch& batch) {
  const Block& block = runs_.block();
  const std::uint32_t* const prefixes = runs_.prefixes();
  batch.access = Access::columns;
  batch.count = count;
  batch.entities = block.format->entities(block) + first;
  for (const std::uint32_t term : matcher_.column_terms()) {
    const bool absent = prefixes[term] == BlockFormat::kAbsent;
    batch.lanes[term] = absent ? nullptr : block.value(prefixes[term], first, matcher_.value_size(term));
  }
}

/// Sets, in a batch of one row, the lanes (pointers to the values of one term) of terms that give values of the side
/// store (sparse sets). Also sets the lane of an optional component to null if the row's entity does not have the
/// component, or if the component is switched off (hidden from queries without being removed) for the entity.
/// Returns: whether the row's entity satisfies every AnyOf, and all terms for components that are in the side store or
/// that were ever switched off for some entity. If it does not, the lanes must not be used.
bool ChildBatches::find_side_values(Batch& batch) const {
  const Entity entity = batch.entities[0];
  for (std::size_t i = 0; i < matcher_.terms().size(); ++i) {
    const Term& term = matcher_.terms()[i];
    const bool sparse = matcher_.in_side_store(i);
    if ((!sparse && !matcher_.toggled(i)) || term.role == Role::any_of) continue;
    const SparsePool* const pool = sparse ? matcher_.store().side().find(term.id) : nullptr;
    const bool held =
        sparse ? pool != nullptr && pool->contains(entity) : runs_.block().format->contains(term.id);
    const bool present = held && !matcher_.is_off(i, entity);
    if (present ? term.role == Role::without : is_required(term)) return false;
    if (!has_own_value(term)) continue;
    if (!present || sparse) batch.lanes[i] = present ? pool->find(entity) : nullptr;
  }
  return has_alternatives(entity);
}

/// A term AnyOf<A, B> is a group of alternatives. Some groups need no test, because every entity of the archetype
/// satisfies them: the archetype's tables have a component of the group that was never switched off (hidden from
/// queries without being removed). This function tests the entity for the other groups.
/// Returns: whether the entity has, for each tested group, a component that is not switched off for it; the component
/// may be in a table or in the side store (sparse sets).
/// Contract: the entity's row is in the current run of `runs_`.
bool ChildBatches::has_alternatives(Entity entity) const {
  std::uint32_t open = matcher_.open_groups_in(runs_.block());
  if (open == 0) return true;
  for (std::size_t i = 0; i < matcher_.terms().size(); ++i) {
    const Term& term = matcher_.terms()[i];
    if (term.role == Role::any_of && matcher_.has_alternative(i, entity)) open &= ~(1u << term.group);
  }
  return open == 0;
}

/// Sets the lanes (pointers to the values of one term) of terms that read the parent, an ancestor or a target of a
/// relation. All children have the same parent, so the values are looked up only for the first batch, unless a term
/// follows a relation other than the one to the parent.
/// Returns: false if the parent or the ancestors do not satisfy the terms that filter by their components. Then no
/// child matches.
bool ChildBatches::take_above(Batch& batch) {
  if (!related_found_ && !matcher_.accepts_above(batch.entities[0])) return false;
  for (const std::uint32_t term : matcher_.related_terms()) {
    if (!related_found_) matcher_.find_related({batch.entities, 1}, term, walks_, &related_[term]);
    // The type of a lane is a pointer to non-const. The typed query adds const again, unless the term may write to the
    // parent.
    batch.lanes[term] = const_cast<void*>(related_[term]);
  }
  related_found_ = !matcher_.follows_relations();
  return true;
}

}  // namespace strata::detail
