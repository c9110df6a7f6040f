// Matcher: the archetypes that match a query; each archetype is tested once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../../storage/store.hpp"
#include "batch.hpp"
#include "per_term.hpp"
#include "relation.hpp"
#include "scratch.hpp"

namespace strata::detail {

/// The untyped part of a query: its terms, and the list of archetypes that match them. An archetype matches
/// if it satisfies every term that depends only on the components in its tables. Terms of components in the
/// side store are checked for each entity.
///
/// Archetypes are only added, never removed. So `refresh` tests only those that were added since its last
/// call. New tables of a matching archetype need no test: the archetype lists its tables. An archetype is
/// occupied while it has rows.
///
/// Invariants:
///   Q1. The matches are those of the examined archetypes that have every required component, no excluded
///       component, and one component of every group of alternatives. A group with an alternative in the side
///       store excludes no archetype. Matches are in order of creation.
///   Q2. The stored prefix of a column (see BlockFormat) is the one in its archetype's format.
///   Q3. Data that depend on where the terms' components are stored are right for `storage_epoch_`. If the
///       registry has another epoch, because a component was moved, `refresh` computes them again.
///   Q4. After `refresh`, the occupied matches are the matches that have rows, in order of creation.
class Matcher {
 private:
  /// State that belongs to one matcher object: a copy of the matcher starts with an empty one.
  struct Own {
    Own() = default;
    Own(const Own&) noexcept {}
    Own& operator=(const Own&) noexcept {
      recent = {};
      return *this;
    }

    std::uint32_t visits = 0;  ///< Number of visits in progress.

    /// The last look-up of a match by format: the format, and what was found.
    struct Recent {
      const BlockFormat* format = nullptr;
      const std::uint32_t* prefixes = nullptr;  ///< Null: its archetype does not match.
      std::size_t match = 0;
    } recent;
  };

 public:
  /// Finds the id of a component. Returns Registry::kUnknown while the registry does not know the component.
  using FindId = ComponentId (*)(const Registry&);

  /// `relation` finds the values for related terms; it is null if there is no hierarchy. A term with the id
  /// Registry::kUnknown matches no entity until `finders[position of the term]` finds its component.
  /// Contract: at most kMaxTerms terms, of components of this store; terms that hand out values name
  /// components that have values.
  Matcher(const Store& store, std::span<const Term> terms, const Relation* relation,
          std::span<const FindId> finders = {});

  /// The scope of a visit. While such an object exists, `refresh` of its matcher does nothing. So visits of
  /// one query may nest: the outer visit continues with the matches that it began with. Archetypes that are
  /// created meanwhile have no rows yet.
  class Nested {
   public:
    explicit Nested(const Matcher& matcher) : visits_(matcher.own_.visits) { ++visits_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    ~Nested() { --visits_; }

   private:
    std::uint32_t& visits_;
  };

  /// The scope of a visit, like Nested, that also makes the store refuse structural changes.
  class VisitLock {
   public:
    explicit VisitLock(const Matcher& matcher) : lock_(matcher.store_->guard()), nested_(matcher) {}

   private:
    ChangeGuard::Iteration lock_;
    Nested nested_;
  };

  /// Tests new archetypes, adds those that match, and updates the list of occupied matches. Tests all
  /// archetypes again after a component was moved to another storage. Does nothing during a visit.
  /// Complexity: O(new archetypes with the rarest required component), plus for each archetype that got its
  /// first row or lost its last one: O(log matches) and moving the indices of later matches.
  void refresh() {
    if (log_seen_ != store_->archetypes().occupancy().end()) [[unlikely]]
      catch_up();
  }

  /// Returns: whether a visit can begin without `refresh`, `prepare` and a report to an observer, because
  /// none of these has anything to do, and all values that it hands out are in columns.
  bool is_ready() const {
    return only_columns_ && log_seen_ == store_->archetypes().occupancy().end() &&
           store_->observer() == nullptr;
  }

  /// Calls Relation::begin_cascade, which may move rows, if the query has related terms. Call it before a
  /// cascade of a query that may change the world.
  void begin_cascade() {
    if (has_related()) relation_->begin_cascade();
  }

  /// Calls Relation::prepare, which updates the data from which values of related terms are found, if the
  /// query has related terms.
  /// Contract: `refresh` was called.
  void prepare() {
    if (!only_columns_ && has_related()) prepare_related();
  }

  /// Returns: the sum of the work that all calls of `prepare` have done.
  const PlanCost& plan_cost() const { return cost_; }

  const Store& store() const { return *store_; }
  const Relation* relation() const { return relation_; }

  /// Returns: the buffer memory for the query's iterations.
  Scratch& scratch() const { return scratch_; }
  std::span<const Term> terms() const { return terms_; }
  std::span<Archetype* const> matches() const { return matches_; }

  /// Returns: the occupied matches, that is, those that had rows at the last `refresh`. `match_of_occupied`
  /// converts an index into this list to an index into `matches`.
  std::span<Archetype* const> occupied() const { return occupied_; }
  std::size_t match_of_occupied(std::size_t i) const { return occupied_matches_[i]; }

  /// Returns: for each term, the prefix of its column in the blocks of a match (see BlockFormat); kAbsent if
  /// it has no column there.
  std::span<const std::uint32_t> prefixes(std::size_t match) const {
    return {prefixes_.data() + match * prefix_stride(), terms_.size()};
  }

  /// Returns: the array of `prefixes` for the archetype of a block; null if that archetype does not match. It
  /// remembers the last result, so for consecutive blocks of one archetype it is faster than `find_match`.
  /// Invalidates: the pointer, by the next `refresh`.
  const std::uint32_t* prefixes_in(const Block& block) const {
    if (block.format != own_.recent.format) [[unlikely]]
      select_format(block);
    return own_.recent.prefixes;
  }
  /// Returns: `open_groups` for the archetype of a block.
  /// Contract: that archetype matches.
  std::uint32_t open_groups_in(const Block& block) const {
    if (block.format != own_.recent.format) select_format(block);
    return open_groups(own_.recent.match);
  }

  /// Returns: whether every value that is handed out is in a column of the entity's own block.
  bool only_columns() const { return only_columns_; }

  /// Returns: whether a term depends on whether the entity itself has a component of the side store.
  bool uses_side_store() const { return uses_side_store_; }
  /// Returns: whether this term does.
  bool in_side_store(std::size_t term) const { return (in_side_store_ >> term & 1) != 0; }

  /// Returns: a bit for each group of alternatives (`AnyOf`) of which the match has no component in its
  /// tables. Its rows are looked up in the side store for these groups.
  std::uint32_t open_groups(std::size_t match) const {
    return prefixes_[match * prefix_stride() + terms_.size()];
  }

  /// Returns: a bit for each group of alternatives (`AnyOf`), set if one of its components is stored in
  /// tables (`table_groups`), or in the side store (`side_groups`).
  std::uint32_t table_groups() const { return table_groups_; }
  std::uint32_t side_groups() const { return side_groups_; }

  /// Returns: the size of one value that a term hands out, in bytes.
  std::size_t value_size(std::size_t term) const { return value_sizes_[term]; }
  bool has_related() const { return !related_terms_.empty(); }

  /// Returns: the positions of the terms whose values are in columns of the entity's own block
  /// (`column_terms`), or are those of other entities (`related_terms`).
  std::span<const std::uint32_t> column_terms() const { return column_terms_; }
  std::span<const std::uint32_t> related_terms() const { return related_terms_; }
  /// Finds the value of a related term for each row and writes pointers to `values`; null for a row without
  /// one.
  void find_related(std::span<const Entity> rows, std::size_t term, WalkMemo& memo,
                    const void** values) const {
    const Term& asked = terms_[term];
    if (asked.role == Role::nearest) return relation_->find_nearest(rows, asked.id, memo, values);
    relation_->find_each(rows, asked.id, values);
  }
  /// Returns: whether a related term hands out values of the side store.
  bool relates_to_side_store() const { return relates_to_side_store_; }

  /// Returns: whether the entity has every component that a term of Role::nearest looks for. If so, its
  /// descendants find the values on it or below, and never those of its ancestors.
  bool hides_what_is_above(Entity entity) const;

  /// Returns: the index of the archetype in `matches`; -1 if it does not match.
  /// Complexity: O(log matches).
  std::ptrdiff_t find_match(const Archetype& archetype) const;

  /// Returns: whether the entity satisfies every term; false when it is stale.
  bool accepts(Entity entity) const;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.

  std::string check_invariants() const;

 private:
  void select_format(const Block& block) const;
  void require_sound(std::size_t position) const;
  bool accepts(const Archetype& archetype) const;
  std::uint32_t open_groups_of(const Archetype& archetype) const;
  void find_storages();
  void find_storage(std::size_t position);
  void choose_iteration_source();
  bool find_unknown();
  void catch_up();
  void start_over();
  void take_in_new();
  void prepare_related();
  std::size_t prefix_stride() const { return terms_.size() + 1; }
  void take_in_occupancy();
  void list_occupied();
  void update_occupied(const Archetype& archetype);
  std::span<Archetype* const> candidates() const {
    return has_lead_ ? store_->archetypes().with_component(lead_) : store_->archetypes().all();
  }

  bool is_visited() const { return own_.visits != 0; }

  const Store* store_;
  const Relation* relation_;
  mutable Own own_;
  std::uint64_t log_seen_ = 0;  // As occupancy_seen_, or kNever while the component of a term is unknown.
  PerTerm<Term> terms_;
  PerTerm<std::size_t> value_sizes_;
  PerTerm<std::uint32_t> column_terms_;
  PerTerm<std::uint32_t> related_terms_;
  std::uint32_t in_side_store_ = 0;  // A bit for each term.
  std::vector<Archetype*> matches_;
  std::vector<Archetype*> occupied_;             // Matches with rows.
  std::vector<std::uint32_t> occupied_matches_;  // Their indices into matches_.
  std::uint64_t occupancy_seen_ = 0;             // How much of the occupancy log has been read.
  std::vector<std::uint32_t> prefixes_;          // For each match: a prefix per term, then its open groups.
  std::uint32_t table_groups_ = 0;
  std::uint32_t side_groups_ = 0;
  ComponentId lead_{};  // Candidates are the archetypes with this required component.
  bool has_lead_ = false;
  bool uses_side_store_ = false;
  bool relates_to_side_store_ = false;
  bool only_columns_ = false;
  std::uint64_t prepared_at_ = 0;  // Result of the relation's last `prepare`; 0: nothing is prepared.
  PlanCost cost_;
  std::size_t seen_ = 0;             // Number of candidates examined.
  std::size_t seen_of_all_ = 0;      // Number of archetypes that existed then.
  std::uint64_t storage_epoch_ = 0;  // The registry's epoch when storages were looked up.

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct Unknown {
    std::size_t term;
    FindId find;
  };
  std::vector<Unknown> unknown_;  // Terms whose components the store does not know yet.
  mutable Scratch scratch_;
};

}  // namespace strata::detail
