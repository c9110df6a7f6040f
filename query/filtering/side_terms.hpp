// SideTerms: tests entities against the terms of a query whose components are in the side store (sparse
// sets).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../matching/matcher.hpp"
#include "candidates.hpp"

namespace strata::detail {

/// Tests a list of candidates, that is, entities that may match a query. Removes the candidates that do not satisfy the
/// terms for components in the side store (sparse sets), and finds the values of the remaining ones. Goes pool by pool
/// and looks up each candidate once in each pool. Pools of terms that may remove candidates come first, so that fewer
/// candidates are looked up in the other pools. Also tests the terms for components that are switched off for some
/// entities (hidden from queries without being removed), whether these components are in the side store or in tables.
///
/// A SideTerms is made for one iteration: its constructor chooses the pools through whose members the iteration may go
/// (see `leaders`).
/// Contract: no structural change while this object is in use.
class SideTerms {
 public:
  static constexpr std::uint32_t kRun = Candidates::kMost;
  using Values = std::array<std::array<const void*, kRun>, kMaxTerms>;

  explicit SideTerms(const Matcher& matcher);
  SideTerms(const SideTerms&) = delete;
  SideTerms& operator=(const SideTerms&) = delete;

  /// Returns: the leaders, that is, pools (sparse sets) through whose members an iteration finds every matching entity.
  /// The leaders are the smallest pool that the query requires, or the pools of an `AnyOf` whose components are all in
  /// the side store: whichever has fewer members in all. Empty if the query has neither.
  std::span<const SparsePool* const> leaders() const { return {leaders_.data(), leader_count_}; }

  /// Returns: the number of members of all pools in `leaders()` together.
  std::size_t leader_member_count() const { return led_; }

  /// Returns: whether no entity can match, because a pool that the query requires does not exist, or because
  /// all components of an `AnyOf` are in the side store (sparse sets) and none of their pools exists.
  bool impossible() const { return impossible_; }

  /// An archetype with a component that the query excludes may still have matching entities: those for which the
  /// component is switched off (hidden from queries without being removed).
  /// Returns: true if the archetype with this format has such a component that was switched off for some entity before,
  /// but is switched off for none now. No entity of the archetype matches then.
  bool excludes(const BlockFormat& format) const;

  /// Returns: whether an optional component of one of the candidates is switched off (hidden from queries without being
  /// removed), so that its value must not be handed out.
  bool hides_values(const Candidates& rows) const;
  /// Sets `values[term][i]` to null if the term is optional and its component is switched off (hidden from queries
  /// without being removed) for candidate i.
  void hide_values(const Candidates& rows, Values& values) const;

  /// Returns: whether a term gives values of the side store (sparse sets) to visiting functions.
  bool has_values() const { return value_count_ != 0; }

  /// Removes the candidates that do not satisfy the terms for components in the side store (sparse sets) or for
  /// components that are switched off for some entities. Does not test an `AnyOf` with a component in tables: the
  /// caller tests it, with `has_one_of_each`.
  /// Contract: the candidates are alive.
  void filter(Candidates& rows);

  /// Removes the candidates that do not satisfy the terms for components in the side store (sparse sets), as `filter`
  /// does. The candidates are successive members of a pool, from position `first` on, so they are not looked up in that
  /// pool. `leader` is the index of the pool in `leaders()`. Also removes the candidates that are members of an earlier
  /// pool in `leaders()`, so that no entity is visited twice.
  void filter_led(Candidates& rows, std::size_t leader, std::uint32_t first);

  /// If the caller itself removes candidates after `filter` or `filter_led`, it must call this function, too: those
  /// functions have stored the positions of the candidates in pools, and this function removes the positions of the
  /// removed candidates. `kept` has the indices that the remaining candidates had before, ascending.
  void keep(std::span<const std::uint32_t> kept);

  /// Tests an entity for each group of alternatives (AnyOf) whose bit in `groups` is set. Only components that differ
  /// between entities of an archetype count: those in the side store (sparse sets), and those in tables that were
  /// switched off (hidden from queries without being removed) for some entity at any time.
  /// Returns: whether the entity has such a component of each of these groups, and the component is not switched off
  /// for this entity.
  bool has_one_of_each(Entity entity, std::uint32_t groups) const;

  /// Looks for a way to reach the candidates' values without a pointer for each. For each pool whose values a term
  /// reads, tests whether the values of all candidates are among the values that follow the first candidate's value in
  /// memory without a gap. They may be in any order, and values of other entities may lie between them. Stores where
  /// the values are, for `point_at_columns` and `point_at_picks`.
  /// Returns: whether all these pools pass the test; also false if a term reads an optional component whose pool may
  /// lack some of the candidates.
  /// Contract: `filter` or `filter_led` was called for these candidates.
  bool pick_values(const Candidates& rows);

  /// Returns: whether the last `pick_values` found that, in each pool, the values of the candidates follow each other
  /// in the order of the candidates, without other values between them.
  bool side_by_side() const { return side_by_side_; }

  /// Both functions write to `batch` where `pick_values` has found the values of the candidates from index `begin` on:
  /// for each term that hands out values of a pool (sparse set). `point_at_columns` writes the address of the first
  /// value; the others follow it. `point_at_picks` writes the address of an array of values, and the address of a list
  /// that has the position of each candidate's value in this array.
  /// Contract: the last call of `pick_values` has returned true; for `point_at_columns`, `side_by_side()` is true, too.
  void point_at_columns(std::uint32_t begin, Batch& batch) const;
  void point_at_picks(std::uint32_t begin, Batch& batch) const;

  /// Writes to `values`, for each candidate and each term that gives values of the side store (sparse sets),
  /// a pointer to the value; null if there is none. Nothing is written for other terms.
  /// Contract: `filter` or `filter_led` was called for these candidates.
  void find_values(const Candidates& rows, Values& values);

 private:
  /// How all terms together use one pool. `required`: a matching entity must be a member. `excluded`: it must not be a
  /// member. `has_value`: a term hands out the values of members.
  struct PoolUse {
    const SparsePool* pool;
    bool required;
    bool excluded;
    bool has_value;
  };
  /// A term (by its position in the query) for a component that can be switched off, that is, hidden from queries
  /// without being removed. The members of the pool `off` are the entities for which it is switched off now.
  struct Toggle {
    std::uint32_t term;
    const SparsePool* off;
  };
  struct ValueTerm {
    std::uint32_t term;
    std::uint32_t use;
  };
  /// Where the candidates' values of one term are, if `pick_values` succeeded: the value of candidate i is at
  /// `positions[i]` of the array `values`.
  struct Picked {
    void* values;
    const std::uint32_t* positions;
  };
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  std::uint32_t use_of(const SparsePool& pool);
  void add(std::size_t term);
  void add_toggled(std::uint32_t term);
  std::span<const Toggle> toggles() const { return {toggles_.data(), toggle_count_}; }
  void filter_toggled(Candidates& rows);
  void keep_in(Candidates& rows, std::span<const std::uint32_t> kept);
  void choose_leaders();
  void lead_with(std::span<const SparsePool* const> pools, std::uint32_t groups);
  void filter_by_pool(Candidates& rows, std::uint32_t use);
  std::uint32_t list_and_locate(const Candidates& rows, std::uint32_t use, std::uint32_t* kept);
  void filter_by_groups(Candidates& rows, std::uint32_t groups);
  void drop_led(Candidates& rows, std::size_t leader);
  bool pick_led(const Candidates& rows, Picked& picked);
  bool pick_members(const Candidates& rows, std::uint32_t use, Picked& picked);
  void find_led(const Candidates& rows, std::size_t size, const void** values) const;
  void find_optional(const Candidates& rows, std::uint32_t use, const void** values);

  const Matcher& matcher_;
  std::array<PoolUse, kMaxTerms> uses_;  // One for each pool that a term uses.
  std::uint32_t use_count_ = 0;
  std::array<ValueTerm, kMaxTerms> value_terms_;
  std::uint32_t value_count_ = 0;
  std::array<Toggle, kMaxTerms> toggles_;  // Terms whose component is or was switched off for some entity.
  std::uint32_t toggle_count_ = 0;
  std::uint32_t toggled_groups_ = 0;  // A bit for each AnyOf with a component that was ever switched off.
  std::uint32_t groups_ = 0;          // A bit for each AnyOf whose components are all in the side store.
  std::array<const SparsePool*, kMaxTerms> leaders_;
  std::size_t leader_count_ = 0;
  std::size_t led_ = 0;           // Number of members of all leaders together.
  std::uint32_t led_groups_ = 0;  // The bit of an AnyOf that all members of the leaders satisfy, if any.
  bool impossible_ = false;
  std::uint32_t leading_ = kNone;  // Index in uses_ of the pool whose successive members are the candidates.
  std::uint32_t first_ = 0;        // The position in that pool of the first candidate.
  std::uint32_t located_ = 0;      // A bit for each pool in uses_: `members_` has the candidates' positions.
  bool side_by_side_ = true;
  std::array<Picked, kMaxTerms> picked_;  // By index in value_terms_.
  // For each pool in `uses_`, by the same index: the candidates' positions in the pool (`members_`), and these
  // positions minus that of the first candidate (`offsets_`). Picked::positions may point to an element of `offsets_`.
  std::array<std::array<std::uint32_t, kRun>, kMaxTerms> members_;
  std::array<std::array<std::uint32_t, kRun>, kMaxTerms> offsets_;
};

}  // namespace strata::detail
