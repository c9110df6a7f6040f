// SideTerms: what a query asks of the side store, for runs of entities.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../matching/matcher.hpp"
#include "candidates.hpp"

namespace strata::detail {

/// Asks the pools one after the other, each once about an entity: first those that may drop candidates, and
/// each about what those before it have left.
///
/// Made for one iteration: which pools lead is decided by their members at its start.
/// Contract: no structural change while it is in use.
class SideTerms {
 public:
  static constexpr std::uint32_t kRun = Candidates::kMost;
  using Values = std::array<std::array<const void*, kRun>, kMaxTerms>;

  explicit SideTerms(const Matcher& matcher);
  SideTerms(const SideTerms&) = delete;
  SideTerms& operator=(const SideTerms&) = delete;

  /// Returns: as few members as possible, in a pool or in several, among which is every entity that matches;
  /// no pool when no term requires one.
  std::span<const SparsePool* const> leaders() const { return std::span(leaders_).first(leader_count_); }

  /// Returns: how many members the leaders have in all.
  std::size_t led() const { return led_; }

  /// Returns: whether nothing can match, because a required pool does not exist.
  bool impossible() const { return impossible_; }

  /// Returns: whether a term hands out values of the side store.
  bool has_values() const { return value_count_ != 0; }

  /// Drops candidates that do not satisfy the terms, but for groups of which an alternative may be in tables.
  /// Contract: they are alive.
  void filter(Candidates& rows);

  /// The same where the candidates are members of the leader with that number, from a position on. Those that
  /// an earlier leader has are dropped.
  void filter_led(Candidates& rows, std::size_t leader, std::uint32_t first);

  /// Drops the same as the candidates, of which this has remembered where they are.
  void keep(std::span<const std::uint32_t> kept);

  /// Returns: whether the entity is in a pool of an alternative of each of those groups.
  bool has_one_of_each(Entity entity, std::uint32_t groups) const;

  /// Looks whether the values of the candidates that are left lie on one page in each pool, and where there.
  /// Returns: false when they do not, or an entity may have none.
  bool pick_values(const Candidates& rows);

  /// Returns: whether they lie side by side there, in the order of the candidates.
  bool side_by_side() const { return side_by_side_; }

  /// Describes the values that have been picked, from a candidate on: as columns that begin there, or as
  /// columns and the positions to pick.
  void point_at_columns(std::uint32_t begin, Batch& batch) const;
  void point_at_picks(std::uint32_t begin, Batch& batch) const;

  /// Finds the values of the candidates that are left, one by one.
  void find_values(const Candidates& rows, Values& values);

 private:
  /// What terms ask of one pool.
  struct Ask {
    const SparsePool* pool;
    bool required;
    bool excluded;
    bool has_value;
  };
  struct ValueTerm {
    std::uint32_t term;
    std::uint32_t ask;
  };
  /// Where the values of a term have been picked.
  struct Picked {
    void* values;
    const std::uint32_t* positions;
  };
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  std::uint32_t ask_about(const SparsePool& pool);
  void add(std::size_t term);
  void choose_leaders();
  void lead_with(std::span<const SparsePool* const> pools, std::uint32_t groups);
  void ask(Candidates& rows, std::uint32_t ask);
  std::uint32_t list_and_remember(const Candidates& rows, std::uint32_t ask, std::uint32_t* kept);
  void ask_groups(Candidates& rows, std::uint32_t groups);
  void drop_led(Candidates& rows, std::size_t leader);
  bool pick_led(const Candidates& rows, Picked& picked);
  bool pick_members(const Candidates& rows, std::uint32_t ask, Picked& picked);
  void find_led(const Candidates& rows, std::size_t size, const void** values) const;
  void find_optional(const Candidates& rows, std::uint32_t ask, const void** values);

  const Matcher& matcher_;
  std::array<Ask, kMaxTerms> asks_;  // Of different pools.
  std::uint32_t ask_count_ = 0;
  std::array<ValueTerm, kMaxTerms> value_terms_;
  std::uint32_t value_count_ = 0;
  std::uint32_t groups_ = 0;  // A bit for each group whose alternatives are all in the side store.
  std::array<const SparsePool*, kMaxTerms> leaders_;
  std::size_t leader_count_ = 0;
  std::size_t led_ = 0;           // The members of the leaders.
  std::uint32_t led_groups_ = 0;  // A bit for the group whose alternatives lead, if one does.
  bool impossible_ = false;
  std::uint32_t leading_ = kNone;  // The ask of which the candidates are members, side by side,
  std::uint32_t first_ = 0;        // from this position on.
  std::uint32_t asked_ = 0;        // A bit for each ask of which it is known where the candidates are.
  bool side_by_side_ = true;
  std::array<Picked, kMaxTerms> picked_;                            // By value term.
  std::array<std::array<std::uint32_t, kRun>, kMaxTerms> members_;  // By ask.
  std::array<std::array<std::uint32_t, kRun>, kMaxTerms> offsets_;  // By ask, from its first member on.
};

}  // namespace strata::detail
