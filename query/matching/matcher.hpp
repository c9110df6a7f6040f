// Matcher: finds the archetypes that match the terms of a query, and tests each archetype only once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../storage/toggles.hpp"
#include "batch.hpp"
#include "occupied_matches.hpp"
#include "per_term.hpp"
#include "relation.hpp"
#include "scratch.hpp"
#include "visit_state.hpp"

namespace strata::detail {

/// Returns: whether the term filters by the parent alone or by all ancestors.
/// Contract: the term filters by a component of the parent or an ancestor (see filters_above).
constexpr Reach reach_of(const Term& term) {
  const bool parent = term.role == Role::parent_with || term.role == Role::parent_without;
  return parent ? Reach::parent : Reach::ancestors;
}

/// The untyped part of a query: its terms, and the list of archetypes that match them. A match is one archetype of this
/// list. An archetype matches if it satisfies every term whose component is stored in tables. Terms whose component is
/// in the side store (sparse sets) do not depend on the archetype; they are checked for each entity. Terms that filter
/// by components of the parent or an ancestor are checked for each entity, too.
///
/// Archetypes are only added, never removed. So `refresh` tests only the archetypes that were added since its last
/// call. New tables of a matching archetype need no test, because the archetype lists its tables. The class
/// OccupiedMatches keeps which matches have rows.
///
/// Invariants:
///   Q1. The matches are in the order in which the archetypes were created. An archetype that was tested is a match if
///       all of the following is true:
///       - It has every required component that is stored in tables.
///       - It has no excluded component that is stored in tables. But a component that was ever switched off for an
///         entity, that is, hidden from queries (see `toggled`), does not exclude the archetype; each entity is tested
///         instead.
///       - It has at least one component of every group of alternatives (AnyOf), except groups with an alternative in
///         the side store.
///       - The terms name all of its tags that are states. A state, such as Disabled, is a tag whose entities only
///         match queries that name the tag.
///   Q2. The stored prefix of a column (the number from which the column's address is computed, see BlockFormat) equals
///       the prefix in the format of the matching archetype.
///   Q3. Members that depend on where the terms' components are stored (in tables or in the side store) were computed
///       when the registry's storage epoch was `storage_epoch_`. If the epoch has changed, because a component was
///       moved, `refresh` computes these members again.
class Matcher {
 public:
  /// A function that looks up the id of one component in the registry. Returns Registry::kUnknown while the
  /// component is not registered.
  using FindId = ComponentId (*)(const Registry&);

  /// Makes the untyped part of a query that has these terms. `relation` finds values of parents and ancestors; it is
  /// null if there is no hierarchy. A term whose component is not registered yet has the id Registry::kUnknown;
  /// `finders[i]` looks up the id for term i. Until the id is found, the query treats the term as if no entity had the
  /// component. A term of a typed query that reads values along a relation has Registry::kUnknown as Term::along,
  /// because the id of the relation is looked up later; see `follow`.
  /// Contract: at most kMaxTerms terms, of components of this store; terms that hand out values name components that
  /// have values.
  STRATA_API Matcher(const Store& store, std::span<const Term> terms, const Relation* relation,
                     std::span<const FindId> finders = {});

  /// For a term that reads values along a relation: sets the function that looks up the id of this relation. `term` is
  /// the position of the term.
  void follow(std::size_t term, FindId find) { relation_finders_[term] = find; }

  /// Sets whether visits of the query read or change the store. In checked builds, UseScope uses this to report
  /// conflicting uses of the store by several threads. Call this function if the roles of the query's terms do not show
  /// whether visits write. `named` is the index of the term that is named in error messages if visits change the store.
  void set_use(Use use, std::size_t named) { use_.set(use, named); }
  /// `set_declaring` is called for the query of a system, whose terms declare what the system reads and writes. A visit
  /// that reads more than these terms declare breaks a contract (see require_declared). `declares` returns whether
  /// `set_declaring` was called.
  void set_declaring() { declares_ = true; }
  bool declares() const { return declares_; }
  /// Returns: a function that tells UseScope, which checks for conflicting uses by several threads, whether a visit of
  /// the query reads or changes the store.
  auto describe_use() const {
    return [this]([[maybe_unused]] Use& use, [[maybe_unused]] UseName& name) {
      if constexpr (kChecksUses) describe_use(use, name);
    };
  }

  class Nested;  // Nested and VisitLock exist while a query visits; see visit_lock.hpp.
  class VisitLock;

  /// Brings the list of matches (matching archetypes) up to date. Tests the archetypes that are new since the last
  /// call, adds those that match, and updates which matches have rows. Tests old archetypes again, too, if a component
  /// was moved between tables and the side store (sparse sets), or if the component of a term has become registered
  /// since the last call. Does nothing during a visit of the query.
  /// Complexity: O(tested archetypes: those with the rarest required component, if any is required), plus O(log m + n)
  /// for each archetype that got its first row or lost its last one, where m is the number of matches, and n the number
  /// of matches that have rows and come later in the list.
  void refresh() {
    if (log_seen_ != store_->archetypes().occupancy().end()) [[unlikely]]
      catch_up();
  }

  /// Returns: whether a visit can begin without any preparation. That is so if all values are in columns of the
  /// entity's own block, `refresh` has nothing to do, and the store has no AccessObserver, an object to which each
  /// visit is reported.
  bool is_ready() const {
    return only_columns_ && log_seen_ == store_->archetypes().occupancy().end() &&
           store_->observer() == nullptr;
  }

  /// Returns: true if a visit can be skipped: it needs no preparation (see `is_ready`), and no matching archetype has
  /// rows. If a visit needs preparation, the result is false, although the visit may find no rows.
  bool has_nothing_to_visit() const { return is_ready() && occupied().empty(); }

  /// If a term reads values of parents or ancestors, calls Relation::begin_cascade, which may move rows into the order
  /// of their parents' rows. Call this function before a visit by depth, but not for a query that must not change the
  /// world, because moving rows is a change.
  void begin_cascade() {
    if (has_related()) relation_->begin_cascade();
  }

  /// Calls Relation::prepare, which updates the cached locations of parents' rows, if a term reads values of
  /// parents or ancestors.
  /// Contract: `refresh` was called.
  void prepare() {
    if (!only_columns_ && has_related()) prepare_related();
  }

  /// Updates the cached locations of parents' rows, if a term tests whether the parent or an ancestor has a component
  /// that is stored in tables. The archetype at the location of a parent tells whether the parent has the component.
  /// Contract: `refresh` was called.
  void prepare_above() const {
    if (above_in_tables_) prepare_related();
  }

  /// Returns: the sum of the work that all calls of `prepare` have done for this query.
  const PlanCost& plan_cost() const { return cost_; }

  const Store& store() const { return *store_; }
  const Relation* relation() const { return relation_; }

  /// Returns: the buffer memory that iterations of the query borrow.
  Scratch& scratch() const { return scratch_; }
  std::span<const Term> terms() const { return terms_; }
  std::span<Archetype* const> matches() const { return {matches_.data(), matches_.size()}; }

  /// Returns: the matching archetypes that had rows at the last `refresh`. `match_of_occupied` converts an
  /// index into this list to an index into `matches`.
  std::span<Archetype* const> occupied() const { return occupied_.archetypes(); }
  std::size_t match_of_occupied(std::size_t i) const { return occupied_.match_of(i); }

  /// Returns: for each term, the prefix of its column in the archetype `matches()[match]`. From the prefix, the address
  /// of the column in a block of this archetype is computed; see BlockFormat. A term for which the archetype has no
  /// column has BlockFormat::kAbsent instead.
  std::span<const std::uint32_t> prefixes(std::size_t match) const {
    return {prefixes_.data() + match * prefix_stride(), terms_.size()};
  }

  /// Returns: the first element of `prefixes` (one number for each term, from which the address of its column is
  /// computed) for the archetype of a block; null if that archetype does not match. The last result is remembered, so
  /// this function is faster than `find_match` for successive blocks of the same archetype.
  /// Invalidates: the pointer, by the next `refresh`.
  const std::uint32_t* prefixes_in(const Block& block) const {
    if (block.format != own_.recent.format) [[unlikely]]
      select_format(block);
    return own_.recent.prefixes;
  }
  /// Returns: a bit for each group of alternatives (`AnyOf`), set if the group has to be tested for each entity of the
  /// archetype of this block; see `open_groups`.
  /// Contract: that archetype matches.
  std::uint32_t open_groups_in(const Block& block) const {
    if (block.format != own_.recent.format) select_format(block);
    return open_groups(own_.recent.match);
  }

  /// Returns: whether a visit of a row reads only columns of the row's own block, that is, whether `uses_ancestors` (a
  /// term reads or tests another entity) and `uses_side_store` are both false.
  bool only_columns() const { return only_columns_; }

  /// Returns: whether rows have to be looked up in the side store (sparse sets). There are two reasons for that:
  /// - A term tests or reads a component of the visited entity that is stored in the side store.
  /// - Rows have to be tested for components that are switched off (hidden from queries without being removed), see
  ///   `filters_toggled`. The side store has a sparse set of the entities for which a component is switched off.
  bool uses_side_store() const {
    return uses_side_store_ && (toggled_ == 0 || in_side_store_ != 0 || filters_toggled());
  }
  /// Returns: whether a term tests or reads a component of the visited entity that is stored in the side
  /// store (sparse sets).
  bool has_side_terms() const { return in_side_store_ != 0; }
  /// Returns: whether the term at this position tests or reads a component of the visited entity that is
  /// stored in the side store (sparse sets).
  bool in_side_store(std::size_t term) const { return (in_side_store_ >> term & 1) != 0; }

  /// Returns: whether the term at this position tests or reads, on the visited entity, a component that was ever
  /// switched off (hidden from queries without being removed; see toggles.hpp) for any entity. If not, the component is
  /// on for all entities that have it.
  bool toggled(std::size_t term) const { return (toggled_ >> term & 1) != 0; }
  bool has_toggled() const { return toggled_ != 0; }
  /// Returns: whether the component of the term at this position is switched off (hidden from queries without being
  /// removed) for the entity.
  bool is_off(std::size_t term, Entity entity) const {
    return toggled(term) && detail::is_off(*store_, entity, terms_[term].id);
  }
  /// Returns: whether the entity has the component of the term at this position, which is one alternative of an AnyOf,
  /// and the component is not switched off for the entity. Always false if the component is stored in tables and was
  /// never switched off (see `toggled`): `open_groups` tests these components for whole archetypes.
  /// Contract: the entity is alive.
  bool has_alternative(std::size_t term, Entity entity) const;

  /// Returns: a bit for each group of alternatives (`AnyOf`). If the bit is set, an entity of the archetype only
  /// matches if `has_alternative` is true for a term of the group. The bit is 0 if no entity has to be tested: the
  /// archetype has, in its tables, a component of the group that was never switched off (see `toggled`). `match` is the
  /// index of the archetype in `matches`.
  std::uint32_t open_groups(std::size_t match) const {
    return prefixes_[match * prefix_stride() + terms_.size()];
  }

  /// Returns: a bit for each group of alternatives (`AnyOf`). In the result of `table_groups`, the bit is set if a
  /// component of the group is stored in tables; in the result of `side_groups`, if a component of the group is stored
  /// in the side store (sparse sets). A group may have its bit set in both.
  std::uint32_t table_groups() const { return table_groups_; }
  std::uint32_t side_groups() const { return side_groups_; }

  /// Returns: the size in bytes of one value of the component of the term at this position.
  std::size_t value_size(std::size_t term) const { return value_sizes_[term]; }
  bool has_related() const { return !related_terms_.empty(); }

  /// `column_terms` returns the positions in `terms` of the terms that hand out values from columns of the visited
  /// entity's own block; `related_terms`, those that hand out values of its parent, an ancestor or a relation's target.
  std::span<const std::uint32_t> column_terms() const { return column_terms_; }
  std::span<const std::uint32_t> related_terms() const { return related_terms_; }
  /// For one of the `related_terms`: writes to `values`, for each entity in `rows`, a pointer to the value that the
  /// term finds on a parent, ancestor or target; null if it finds none. `memo` keeps the results of long searches, see
  /// Relation::find_nearest.
  void find_related(std::span<const Entity> rows, std::size_t term, WalkMemo& memo,
                    const void** values) const {
    const Term& asked = terms_[term];
    if (asked.role != Role::nearest) return relation_->find_each(rows, asked.id, values);
    if (asked.along != kChildOf) [[unlikely]]
      return follow_relation(rows, term, memo, values);
    relation_->find_nearest(rows, asked.id, memo, values);
  }
  /// Returns: whether a term reads values along a relation other than the one to the parent. If so, rows with the same
  /// parent need not share the term's value.
  bool follows_relations() const { return follows_relations_; }
  /// Returns: the positions of the terms that filter by components of the parent or an ancestor and hand out no value.
  std::span<const std::uint32_t> above_terms() const { return above_terms_; }
  bool has_above_terms() const { return !above_terms_.empty(); }
  /// Returns: whether a term reads or tests a parent, an ancestor or a target of a relation.
  bool uses_ancestors() const { return uses_ancestors_; }

  /// Returns: whether rows of matching archetypes are tested one by one, because a term uses the side store (see
  /// `uses_side_store`), or filters by components of the parent or an ancestor (see `above_terms`).
  bool filters_rows() const {
    return filters_rows_ && (toggled_ == 0 || has_above_terms() || uses_side_store());
  }

  /// Returns: whether values of parents, ancestors or targets are looked up for each row, without the cached locations
  /// of parents' rows. That is so if a term reads these values from the side store (sparse sets), or along a relation
  /// other than the one to the parent.
  bool finds_related_by_row() const { return finds_related_by_row_; }

  /// Returns: whether the entity itself has every component that the query looks for on ancestors (terms of
  /// Role::nearest). If so, the searches of its descendants end at this entity or below it, so changes above this
  /// entity do not matter to the descendants.
  bool hides_what_is_above(Entity entity) const;

  /// Returns: whether any archetype of the store has the tag of a state that no term names. A state, such as Disabled,
  /// is a tag whose entities only match queries that name the tag. `matches` has no such archetypes. But rows that a
  /// visit finds in another way, such as the children of an entity, have to be tested for states.
  bool passes_over_states() const { return (store_->archetypes().states() - named_states_).any(); }

  /// Returns: the index of the archetype in `matches`; -1 if it does not match.
  /// Complexity: O(log matches).
  std::ptrdiff_t find_match(const Archetype& archetype) const {
    return detail::find_match(matches(), archetype);
  }

  /// Returns: the states of the entity (such as Disabled) whose tags the query does not name. The entity matches only
  /// if there are no such states.
  /// Contract: the entity is alive.
  StateSet unnamed_states(Entity entity) const;

  /// Returns: whether the entity satisfies every term; false if the entity is stale. Components that were registered
  /// since the last `refresh` are taken into account.
  /// Errors: std::bad_alloc, when a term searches through more than WalkMemo::kLongWalk ancestors, or when a term's
  /// component was registered since the last `refresh` (then makes a copy of the matcher that knows the component).
  STRATA_API bool accepts(Entity entity) const;

  /// Returns: whether the entity's parent and ancestors satisfy all terms that filter by them (`above_terms`) or, with
  /// `term`, that one term.
  /// Errors: std::bad_alloc, when a term searches through many ancestors.
  /// Contract: the entity is alive.
  bool accepts_above(Entity entity) const;
  bool accepts_above(Entity entity, const Term& term) const;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  STRATA_API std::string check_invariants() const;

 private:
  STRATA_API void select_format(const Block& block) const;
  STRATA_API void follow_relation(std::span<const Entity> rows, std::size_t term, WalkMemo& memo,
                                  const void** values) const;
  bool follows_relation(std::size_t term) const {
    return terms_[term].role == Role::nearest && terms_[term].along != kChildOf;
  }
  STRATA_API void describe_use(Use& use, UseName& name) const;
  bool accepts(const Archetype& archetype) const;
  std::uint32_t open_groups_of(const Archetype& archetype, bool counts_toggled) const;
  STRATA_API bool filters_toggled() const;
  void find_storages();
  void find_storage(std::size_t position);
  void choose_iteration_source();
  bool find_unknown();
  bool has_become_known() const;
  void find_named_states();
  STRATA_API void catch_up();
  void start_over();
  void take_in_new();
  STRATA_API void prepare_related() const;
  std::size_t prefix_stride() const { return terms_.size() + 1; }
  std::span<Archetype* const> candidates() const {
    return has_lead_ ? store_->archetypes().with_component(lead_) : store_->archetypes().all();
  }

  bool is_visited() const { return own_.visits.any(); }

  const Store* store_;
  const Relation* relation_;
  mutable VisitState own_;
  // The position up to which the OccupancyLog was read (occupied_.seen()). kNever while a term's component is not
  // registered, so that `refresh` looks the component up again.
  std::uint64_t log_seen_ = 0;
  PerTerm<Term> terms_;
  PerTerm<std::size_t> value_sizes_;
  PerTerm<std::uint32_t> column_terms_;
  PerTerm<std::uint32_t> related_terms_;
  PerTerm<std::uint32_t> above_terms_;
  std::array<FindId, kMaxTerms> relation_finders_{};  // By term; null: use Term::along.
  std::uint32_t in_side_store_ = 0;                   // A bit for each term: result of `in_side_store`.
  std::uint32_t toggled_ = 0;                         // A bit for each term: result of `toggled`.
  std::vector<Archetype*> matches_;
  OccupiedMatches occupied_;
  std::vector<std::uint32_t> prefixes_;  // For each match: a prefix per term, then its open groups.
  std::uint32_t table_groups_ = 0;
  std::uint32_t side_groups_ = 0;
  ComponentId lead_{};  // Only archetypes with this required component are tested for a match.
  bool has_lead_ = false;
  bool uses_side_store_ = false;
  bool finds_related_by_row_ = false;
  bool follows_relations_ = false;
  bool only_columns_ = false;
  bool uses_ancestors_ = false;
  bool filters_rows_ = false;
  bool above_in_tables_ = false;
  bool declares_ = false;
  StateSet named_states_;  // The states whose tags a term names.
  // The argument `state` of the next call of Relation::prepare, which updates the cached locations of parents' rows:
  // the result of the last call; 0 before the first call. Mutable, as it describes a cache.
  mutable std::uint64_t prepared_at_ = 0;
  mutable PlanCost cost_;
  std::size_t seen_ = 0;             // Number of `candidates()` that were tested for a match.
  std::size_t seen_of_all_ = 0;      // Number of all archetypes at the time of the last test.
  std::uint64_t storage_epoch_ = 0;  // The registry's storage epoch when `find_storages` was last called.

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct Unknown {
    std::size_t term;
    FindId find;
  };
  std::vector<Unknown> unknown_;  // Terms whose components are not registered yet.
  mutable Scratch scratch_;
  STRATA_NO_UNIQUE_ADDRESS VisitUse use_;
};

}  // namespace strata::detail
