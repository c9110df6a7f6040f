// SideTerms: the side-store terms of a query, applied to runs of entities.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../matching/matcher.hpp"
#include "candidates.hpp"

namespace strata::detail {

/// Looks up the candidates in one pool after the other. Each pool is looked up once per candidate. Pools that
/// may drop candidates come first, so later pools see fewer.
///
/// It is made for one iteration: the leaders are chosen at its start.
/// Contract: no structural change while it is in use.
class SideTerms {
 public:
  static constexpr std::uint32_t kRun = Candidates::kMost;
  using Values = std::array<std::array<const void*, kRun>, kMaxTerms>;

  explicit SideTerms(const Matcher& matcher);
  SideTerms(const SideTerms&) = delete;
  SideTerms& operator=(const SideTerms&) = delete;

  /// Returns: the leaders, that is, the pool or pools with the fewest members that contain every matching
  /// entity. None if no term requires a pool.
  std::span<const SparsePool* const> leaders() const { return std::span(leaders_).first(leader_count_); }

  /// Returns: the number of members of all leaders.
  std::size_t leader_member_count() const { return led_; }

  /// Returns: whether nothing can match, because a required pool does not exist.
  bool impossible() const { return impossible_; }

  /// Returns: whether a term hands out values of the side store.
  bool has_values() const { return value_count_ != 0; }

  /// Drops candidates that do not satisfy the terms. Does not decide groups that have an alternative in
  /// tables.
  /// Contract: they are alive.
  void filter(Candidates& rows);

  /// As `filter`, for consecutive members of a leader, from position `first` on. Also drops members of
  /// earlier leaders.
  void filter_led(Candidates& rows, std::size_t leader, std::uint32_t first);

  /// Keeps the remembered positions of these candidates only; the caller has dropped the others.
  void keep(std::span<const std::uint32_t> kept);

  /// Returns: whether the entity is in a pool of each of these groups.
  bool has_one_of_each(Entity entity, std::uint32_t groups) const;

  /// Finds out whether the values of the remaining candidates are in one page of each pool, and where.
  /// Returns: false if not, or if an entity may have no value.
  bool pick_values(const Candidates& rows);

  /// Returns: whether the values are contiguous there, in the order of the candidates.
  bool side_by_side() const { return side_by_side_; }

  /// Describes the picked values from candidate `begin` on: as columns, or as columns with positions.
  void point_at_columns(std::uint32_t begin, Batch& batch) const;
  void point_at_picks(std::uint32_t begin, Batch& batch) const;

  /// Finds the values of the remaining candidates, one by one.
  void find_values(const Candidates& rows, Values& values);

 private:
  /// The requirements of all terms for one pool.
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
  /// The location of a term's picked values.
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
  std::array<Ask, kMaxTerms> asks_;  // One for each pool.
  std::uint32_t ask_count_ = 0;
  std::array<ValueTerm, kMaxTerms> value_terms_;
  std::uint32_t value_count_ = 0;
  std::uint32_t groups_ = 0;  // A bit for each group with alternatives only in the side store.
  std::array<const SparsePool*, kMaxTerms> leaders_;
  std::size_t leader_count_ = 0;
  std::size_t led_ = 0;           // Number of members of the leaders.
  std::uint32_t led_groups_ = 0;  // The bit of the group whose pools lead, if one does.
  bool impossible_ = false;
  std::uint32_t leading_ = kNone;  // The ask whose pool has the candidates as consecutive members,
  std::uint32_t first_ = 0;        // from this position on.
  std::uint32_t asked_ = 0;        // A bit for each ask with known positions of the candidates.
  bool side_by_side_ = true;
  std::array<Picked, kMaxTerms> picked_;                            // By index of the value term.
  std::array<std::array<std::uint32_t, kRun>, kMaxTerms> members_;  // By ask.
  std::array<std::array<std::uint32_t, kRun>, kMaxTerms> offsets_;  // By ask, relative to its first member.
};

}  // namespace strata::detail
