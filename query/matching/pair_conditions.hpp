// PairConditions: conditions of a query on the pairs of the visited entities. A pair links an entity to a target
// entity, by a relation.
#pragma once

#include <string>
#include <vector>

#include "../../core/contract.hpp"
#include "../../core/registry.hpp"
#include "pair_reader.hpp"
#include "per_term.hpp"

namespace strata::detail {

/// A condition of a query on the pairs of the visited entity, that is, its links to target entities, by a relation: the
/// entity must have a pair to `target` or, if `excluded`, must not have one.
struct PairCondition {
  Entity target;  ///< If the target is stale, no entity has a pair to it.
  ComponentId relation{};
  ComponentId (*find)(const Registry&) = nullptr;  ///< Finds the relation's id; null: use `relation`.
  bool excluded = false;

  /// Returns: the condition on pairs of the relation R. R need not be registered yet: its id is looked up at each use
  /// of the condition.
  template <class R>
  static PairCondition of(Entity target, bool excluded) {
    return {target, {}, find_relation<R>, excluded};
  }
};

/// All conditions that one visit of a query sets on the pairs of the visited entities. A pair links an entity to a
/// target entity, by a relation.
class PairConditions {
 public:
  PairConditions(const PairReader& pairs, const Registry& registry) : pairs_(&pairs), registry_(&registry) {}

  /// Adds a condition.
  /// Contract: there are fewer than kMaxTerms conditions before the call; the condition has a function `find`, or
  /// PairReader::knows returns true for its `relation`.
  STRATA_API void add(const PairCondition& condition);

  bool passes(Entity entity) const;

  std::size_t size() const { return conditions_.size(); }

  /// Returns: the entities that satisfy the first of the conditions that require a pair. The other conditions are not
  /// tested; see `passes`. The entities may be stored in `buffer` (see PairReader::list_sources).
  /// Errors: std::bad_alloc.
  /// Contract: `requires_one()` is true.
  std::span<const Entity> list(std::vector<Entity>& buffer) const;

  /// Returns: whether one of the conditions requires a pair.
  bool requires_one() const { return first_required() != conditions_.size(); }

  /// Appends a reason, such as `has no pair of "Likes" to 7v1`, for each condition that the entity does not
  /// satisfy.
  void explain(Entity entity, std::vector<std::string>& reasons) const;
  /// Returns: the conditions in words, such as `looks up each source of a pair of "Likes" to 7v1, without a pair of
  /// "Eats" to 8v1`.
  std::string in_words() const;

 private:
  ComponentId id_of(const PairCondition& condition) const {
    return condition.find != nullptr ? condition.find(*registry_) : condition.relation;
  }
  bool passes(Entity entity, const PairCondition& condition) const {
    return pairs_->has(id_of(condition), entity, condition.target) != condition.excluded;
  }
  std::size_t first_required() const;
  std::string name_of(const PairCondition& condition) const;

  const PairReader* pairs_;
  const Registry* registry_;
  PerTerm<PairCondition> conditions_;
};

}  // namespace strata::detail
