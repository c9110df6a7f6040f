// GatheredRows: single rows that match a query, collected into batches.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "matcher.hpp"

namespace strata {

/// Takes entities one by one, leaves out those that do not match, and hands out up to kRun rows as a batch,
/// each value behind a pointer.
/// Contract: no structural change while it is in use.
class GatheredRows {
 public:
  static constexpr std::uint32_t kRun =
      128;  ///< Rows of a batch: the pointers stay in the first-level cache.

  explicit GatheredRows(const Matcher& matcher);

  /// Returns: as few members as possible, in a pool or in several, among which is every entity that matches;
  /// no pool when no term requires one.
  std::span<const SparsePool* const> leaders() const { return std::span(leaders_).first(leader_count_); }

  /// Returns: whether nothing can match, because a required pool does not exist.
  bool impossible() const { return impossible_; }

  std::uint32_t count() const { return count_; }
  bool full() const { return count_ == kRun; }

  /// Takes a live entity, wherever its row is.
  /// Returns: whether it matches.
  /// Contract: not full.
  bool add(Entity entity) {
    const Place place = matcher_.store().slots().place_of(entity.index());
    if (place.block->layout != recent_layout_) find_match(*place.block);
    return recent_match_ >= 0 && !impossible_ &&
           add(entity, *place.block, place.row, static_cast<std::size_t>(recent_match_));
  }

  /// Takes a row of an archetype that is a match.
  /// Returns: whether the side store's terms are satisfied, too.
  /// Contract: not full, not impossible.
  bool add(Entity entity, const Block& block, std::uint32_t row, std::size_t match) {
    const std::span<const Term> terms = matcher_.terms();
    const std::span<const std::uint32_t> prefixes = matcher_.prefixes(match);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const void* value = nullptr;
      if (matcher_.in_side_store(i)) {
        const Role role = terms[i].role;
        const SparsePool* const pool = pools_[i];
        const std::uint32_t member = pool != nullptr ? pool->position_of(entity) : SparsePool::kAbsent;
        const bool present = member != SparsePool::kAbsent;
        if (present == (role == Role::without) && role != Role::optional && role != Role::any_of)
          return false;
        if (present) value = pool->value_at(member);
      } else if (prefixes[i] != ColumnLayout::kAbsent) {
        value = block.value(prefixes[i], row, matcher_.value_size(i));
      }
      values_[i][count_] = value;
    }
    if (const std::uint32_t open = matcher_.open_groups(match); open != 0) [[unlikely]] {
      if (!has_one_of_each(entity, open)) return false;
    }
    entities_[count_++] = entity;
    return true;
  }

  /// Takes entities where they are, and asks for the memory of their values; says of each whether it matches.
  /// Contract: there is room for all of them.
  void add(std::span<const Reached> reached, bool* matched);

  /// Describes the rows that have been taken as a batch, which may be of none, and starts afresh.
  /// Invalidates: the batch before, at the next `add`.
  void take(Batch& batch);

  /// The same for rows that were taken as reached, where `above` is the list that their positions are of:
  /// what they relate to need not be looked up.
  void take(Batch& batch, std::span<const Reached> above);

 private:
  void choose_leaders();
  void lead_with(std::span<const SparsePool* const> pools);
  bool has_one_of_each(Entity entity, std::uint32_t groups) const;
  void find_match(const Block& block);
  void add_alike(std::span<const Reached> reached, bool* matched);
  void add_values(std::span<const Reached> reached, std::size_t term, std::uint32_t prefix);
  void find_related(std::uint32_t term, std::span<const Reached> above);
  void find_values(ComponentId id, std::span<const Reached> reached, std::span<const std::uint32_t> positions,
                   const void** values) const;
  void find_missing(std::uint32_t term, std::uint32_t begin, std::uint32_t end);
  void describe(Batch& batch);

  const Matcher& matcher_;
  std::array<const SparsePool*, kMaxTerms> leaders_{};
  std::size_t leader_count_ = 0;
  std::size_t led_ = 0;  // The members of the leaders.
  bool impossible_ = false;
  std::uint32_t count_ = 0;
  const ColumnLayout* recent_layout_ = nullptr;  // Neighbours often have one archetype.
  std::ptrdiff_t recent_match_ = -1;
  std::array<const SparsePool*, kMaxTerms> pools_{};         // By term; null where it asks no pool by itself.
  std::array<const SparsePool*, kMaxTerms> alternatives_{};  // By term, of groups; null where it asks none.
  std::array<Entity, kRun> entities_;
  std::array<std::uint32_t, kRun> above_;  // Of rows taken as reached: see Reached::above.
  std::array<std::array<const void*, kRun>, kMaxTerms> values_;
  WalkMemo walks_;
};

}  // namespace strata
