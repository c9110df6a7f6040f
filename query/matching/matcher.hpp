// Matcher: which archetypes a query visits, found once per archetype.
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

/// The terms of a query, and the archetypes seen so far that satisfy those of them that tables can answer.
///
/// Archetypes are appended to storage, so what is new since the last time is an integer. New tables under a
/// matched archetype cost nothing: the archetype lists them by rank.
///
/// Invariants:
///   Q1. The matches are, in order of creation, the archetypes among those seen that have every required
///       component and no excluded one, and of every group of alternatives one, unless the side store may.
///   Q2. A column's prefix is that of its archetype's layout.
///   Q3. What is known of the storages of terms is right for the registry's storage epoch that is remembered.
///   Q4. After `refresh`, the occupied matches are those that have rows, in order of creation.
class Matcher {
 private:
  /// What belongs to one object: that of a copy is as in a new one.
  struct Own {
    Own() = default;
    Own(const Own&) noexcept {}
    Own& operator=(const Own&) noexcept {
      recent = {};
      return *this;
    }

    std::uint32_t visits = 0;  ///< How many are under way.

    /// What is known of the layout that was asked about last.
    struct Recent {
      const ColumnLayout* layout = nullptr;
      const std::uint32_t* prefixes = nullptr;  ///< Null: its archetype is no match.
      std::size_t match = 0;
    } recent;
  };

 public:
  /// Finds the id of a component; Registry::kUnknown as long as the registry does not know it.
  using FindId = ComponentId (*)(const Registry&);

  /// `relation` answers related terms; null if there are none. A term with the id Registry::kUnknown is found by
  /// `finders[its position]` as soon as the store knows its component; until then, no entity has it.
  /// Contract: at most kMaxTerms terms, of components of this store; values are asked for only of components
  /// that have some.
  Matcher(const Store& store, std::span<const Term> terms, const Relation* relation,
          std::span<const FindId> finders = {});

  /// From its creation until its end, `refresh` leaves the matches as they are. Whatever comes to be known meanwhile has no
  /// rows, and visits of one query may be nested: the outer one goes on with what it found.
  class Nested {
   public:
    explicit Nested(const Matcher& matcher) : visits_(matcher.own_.visits) { ++visits_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    ~Nested() { --visits_; }

   private:
    std::uint32_t& visits_;
  };

  /// The same, and structural changes are refused.
  class VisitLock {
   public:
    explicit VisitLock(const Matcher& matcher) : lock_(*matcher.store_), nested_(matcher) {}

   private:
    Store::IterationLock lock_;
    Nested nested_;
  };

  /// Takes in the archetypes that are new, and those that have come to have rows or none; all of them, once a component
  /// has been moved to another storage.
  /// Complexity: O(new archetypes that have the rarest required component), and O(log matches) for each archetype that
  /// has come to have rows or none, besides moving the numbers of matches behind it.
  void refresh() {
    if (log_seen_ != store_->archetypes().occupancy().end()) [[unlikely]]
      catch_up();
  }

  /// Returns: whether a visit needs nothing of `refresh` and `prepare`, and all values that it hands out are in columns.
  bool is_ready() const {
    return only_columns_ && log_seen_ == store_->archetypes().occupancy().end() &&
           store_->observer() == nullptr;
  }

  /// Lets the relation move rows before a cascade that may change the world, if a term asks it.
  void begin_cascade() {
    if (has_related()) relation_->begin_cascade();
  }

  /// Has the relation find what related terms will need, after `refresh`.
  void prepare() {
    if (!only_columns_ && has_related()) prepare_related();
  }

  /// Returns: what `prepare` has had to do so far.
  const PlanCost& plan_cost() const { return cost_; }

  const Store& store() const { return *store_; }
  const Relation* relation() const { return relation_; }

  /// Returns: where iterations of the query get memory for their buffers.
  Scratch& scratch() const { return scratch_; }
  std::span<const Term> terms() const { return terms_; }
  std::span<Archetype* const> matches() const { return matches_; }

  /// Returns: the matches that have rows, or had at the last `refresh`, and the index of one of those among all.
  std::span<Archetype* const> occupied() const { return occupied_; }
  std::size_t match_of_occupied(std::size_t i) const { return occupied_matches_[i]; }

  /// Returns: the prefix of each term's column in a match; ColumnLayout::kAbsent for a term without one
  /// there.
  std::span<const std::uint32_t> prefixes(std::size_t match) const {
    return {prefixes_.data() + match * prefix_stride(), terms_.size()};
  }

  /// Returns: `prefixes` of the match that the block's archetype is; null if it is none. Faster than `find_match` where
  /// blocks of one archetype are asked about one after the other.
  /// Invalidates: the pointer, by the next `refresh`.
  const std::uint32_t* prefixes_in(const Block& block) const {
    if (block.layout != own_.recent.layout) [[unlikely]]
      look_at(block);
    return own_.recent.prefixes;
  }
  /// Returns: `open_groups` of that match.
  /// Contract: it is one.
  std::uint32_t open_groups_in(const Block& block) const {
    if (block.layout != own_.recent.layout) look_at(block);
    return open_groups(own_.recent.match);
  }

  /// Returns: whether every value that is handed out is in a column of its entity's block.
  bool only_columns() const { return only_columns_; }

  /// Returns: whether a term asks for values of, or membership in, the side store.
  bool uses_side_store() const { return uses_side_store_; }
  bool in_side_store(std::size_t term) const { return (in_side_store_ >> term & 1) != 0; }

  /// Returns: a bit for each group of alternatives of which a match has none: the side store has to be asked
  /// about each of its rows.
  std::uint32_t open_groups(std::size_t match) const {
    return prefixes_[match * prefix_stride() + terms_.size()];
  }

  /// Returns: a bit for each group with an alternative in tables, and with one in the side store.
  std::uint32_t table_groups() const { return table_groups_; }
  std::uint32_t side_groups() const { return side_groups_; }

  /// Returns: the size of the values that a term hands out, in bytes.
  std::size_t value_size(std::size_t term) const { return value_sizes_[term]; }
  bool has_related() const { return !related_terms_.empty(); }

  /// Returns: the terms whose values are in columns, and those whose values are on other entities.
  std::span<const std::uint32_t> column_terms() const { return column_terms_; }
  std::span<const std::uint32_t> related_terms() const { return related_terms_; }
  /// Finds the values of such a term for rows, one by one; null where there is none.
  void find_related(std::span<const Entity> rows, std::size_t term, WalkMemo& memo,
                    const void** values) const {
    const Term& asked = terms_[term];
    if (asked.role == Role::nearest) return relation_->find_nearest(rows, asked.id, memo, values);
    relation_->find_each(rows, asked.id, values);
  }
  bool relates_to_side_store() const { return relates_to_side_store_; }

  /// Returns: whether the entity has itself each value that a term would look for on entities above those
  /// below it.
  bool hides_what_is_above(Entity entity) const;

  /// Returns: the index of the match, or -1.
  /// Complexity: O(log matches).
  std::ptrdiff_t find_match(const Archetype& archetype) const;

  /// Returns: whether the entity satisfies every term.
  bool accepts(Entity entity) const;

  std::string check_invariants() const;

 private:
  void look_at(const Block& block) const;
  void require_sound(std::size_t position) const;
  bool accepts(const Archetype& archetype) const;
  std::uint32_t open_groups_of(const Archetype& archetype) const;
  void find_storages();
  void find_storage(std::size_t position);
  void choose_lead();
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
  std::uint64_t log_seen_ = 0;  // As occupancy_seen_; or kNever, while a term's component is unknown.
  PerTerm<Term> terms_;
  PerTerm<std::size_t> value_sizes_;
  PerTerm<std::uint32_t> column_terms_;
  PerTerm<std::uint32_t> related_terms_;
  std::uint32_t in_side_store_ = 0;  // A bit for each term.
  std::vector<Archetype*> matches_;
  std::vector<Archetype*> occupied_;             // Those with rows.
  std::vector<std::uint32_t> occupied_matches_;  // Their indices among the matches.
  std::uint64_t occupancy_seen_ = 0;             // How much of the occupancy log has been read.
  std::vector<std::uint32_t> prefixes_;          // Of each match: one for each term, then its open groups.
  std::uint32_t table_groups_ = 0;
  std::uint32_t side_groups_ = 0;
  ComponentId lead_{};  // The required component whose archetypes are the candidates.
  bool has_lead_ = false;
  bool uses_side_store_ = false;
  bool relates_to_side_store_ = false;
  bool only_columns_ = false;
  std::uint64_t prepared_at_ = 0;  // What the relation gave back; 0: nothing is prepared.
  PlanCost cost_;
  std::size_t seen_ = 0;             // How many candidates have been looked at.
  std::size_t seen_of_all_ = 0;      // How many archetypes there were then.
  std::uint64_t storage_epoch_ = 0;  // At which storages were found.

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct Unknown {
    std::size_t term;
    FindId find;
  };
  std::vector<Unknown> unknown_;  // The terms whose components the store does not know yet.
  mutable Scratch scratch_;
};

}  // namespace strata::detail
