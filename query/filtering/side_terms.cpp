#include "side_terms.hpp"

#include <algorithm>

namespace strata::detail {

SideTerms::SideTerms(const Matcher& matcher) : matcher_(matcher) {
  if (!matcher.uses_side_store()) return;
  for (std::size_t i = 0; i < matcher.terms().size(); ++i) {
    if (matcher.in_side_store(i)) add(i);
    if (matcher.toggled(i)) add_toggled(static_cast<std::uint32_t>(i));
  }
  groups_ = matcher.side_groups() & ~matcher.table_groups();
  choose_leaders();
}

/// Returns: the index of the pool's entry in `uses_`, which tells how the terms use each pool. Adds an entry if there
/// is none.
std::uint32_t SideTerms::use_of(const SparsePool& pool) {
  for (std::uint32_t i = 0; i < use_count_; ++i) {
    if (uses_[i].pool == &pool) return i;
  }
  uses_[use_count_] = {&pool, false, false, false};
  return use_count_++;
}

void SideTerms::add(std::size_t term) {
  const Term& asked = matcher_.terms()[term];
  const bool has_value = has_own_value(asked);
  if (asked.role == Role::any_of) return;  // Alternatives are checked as a group.
  const SparsePool* const pool = matcher_.store().side().find(asked.id);
  const std::uint32_t number = pool != nullptr ? use_of(*pool) : kNone;
  if (has_value) value_terms_[value_count_++] = {static_cast<std::uint32_t>(term), number};
  if (pool == nullptr) {
    impossible_ = impossible_ || is_required(asked);
    return;
  }
  uses_[number].required |= is_required(asked);
  uses_[number].excluded |= asked.role == Role::without && !matcher_.toggled(term);
  uses_[number].has_value |= has_value;
}

/// Adds a term whose component is or was switched off (hidden from queries without being removed) for some entity.
/// Candidates are then tested one by one for the term, even if its component is stored in tables. If no entity has the
/// component switched off now, does nothing, unless the term is Without or belongs to an AnyOf: other terms need no
/// such test then.
void SideTerms::add_toggled(std::uint32_t term) {
  const Term& asked = matcher_.terms()[term];
  const SparsePool* const off = find_off_pool(matcher_.store(), asked.id);
  if (asked.role == Role::any_of) {
    toggled_groups_ |= 1u << asked.group;
  } else if (off->size() != 0 || asked.role == Role::without) {
    toggles_[toggle_count_++] = {term, off};
  }
}

void SideTerms::choose_leaders() {
  for (std::uint32_t i = 0; i < use_count_; ++i) {
    if (uses_[i].required) lead_with({&uses_[i].pool, 1}, 0);
  }
  for (std::uint32_t group = 0; groups_ >> group != 0; ++group) {
    if ((groups_ >> group & 1) == 0) continue;
    std::array<const SparsePool*, kMaxTerms> pools;
    std::size_t count = 0;
    for (const Term& term : matcher_.terms()) {
      const bool alternative = term.role == Role::any_of && term.group == group;
      const SparsePool* const pool = alternative ? matcher_.store().side().find(term.id) : nullptr;
      if (pool != nullptr) pools[count++] = pool;
    }
    lead_with(std::span(pools).first(count), 1u << group);
  }
}

/// Makes `pools` the leaders (the pools through whose members the iteration goes) if there are none yet, or if `pools`
/// have fewer members in all than the present leaders. If `pools` belong to the alternatives of an `AnyOf`, `groups` is
/// the bit of that `AnyOf`, `1 << Term::group`; otherwise `groups` is 0. If `pools` is empty, records that no entity
/// can match.
/// Contract: every matching entity is a member of one of `pools`.
void SideTerms::lead_with(std::span<const SparsePool* const> pools, std::uint32_t groups) {
  impossible_ = impossible_ || pools.empty();
  std::size_t members = 0;
  for (const SparsePool* const pool : pools) members += pool->size();
  if (leader_count_ != 0 && led_ <= members) return;
  std::copy(pools.begin(), pools.end(), leaders_.begin());
  leader_count_ = pools.size();
  led_ = members;
  led_groups_ = groups & ~toggled_groups_;
}

void SideTerms::filter(Candidates& rows) {
  leading_ = kNone;
  located_ = 0;
  for (std::uint32_t i = 0; i < use_count_; ++i) {
    if (uses_[i].required || uses_[i].excluded) filter_by_pool(rows, i);
  }
  if (groups_ != 0) filter_by_groups(rows, groups_);
  if (toggle_count_ != 0) filter_toggled(rows);
}

void SideTerms::filter_led(Candidates& rows, std::size_t leader, std::uint32_t first) {
  leading_ = kNone;
  located_ = 0;
  if (leader != 0) drop_led(rows, leader);
  for (std::uint32_t i = 0; i < use_count_; ++i) {
    if (uses_[i].pool == leaders_[leader]) {
      leading_ = i;
      first_ = first;
      if (uses_[i].excluded) rows.keep({});
    } else if (uses_[i].required || uses_[i].excluded) {
      filter_by_pool(rows, i);
    }
  }
  if ((groups_ & ~led_groups_) != 0) filter_by_groups(rows, groups_ & ~led_groups_);
  if (toggle_count_ != 0) filter_toggled(rows);
}

/// Removes the candidates for which a required component is switched off (hidden from queries without being removed),
/// and those that have an excluded component which is not switched off.
void SideTerms::filter_toggled(Candidates& rows) {
  std::array<std::uint32_t, kRun> kept;
  for (const auto& [number, off] : toggles()) {
    const Term& term = matcher_.terms()[number];
    std::uint32_t kept_count = 0;
    if (is_required(term)) {
      kept_count = off->list_many<false>(rows.entities(), kept.data());
    } else if (term.role == Role::without) {
      for (std::uint32_t i = 0; i < rows.count(); ++i) {
        const Entity entity = rows.entities()[i];
        const Place place = matcher_.store().slots().place_of(entity.index());
        kept[kept_count] = i;
        kept_count += off->contains(entity) || !matcher_.store().holds(place, entity, term.id) ? 1 : 0;
      }
    } else {
      continue;
    }
    keep_in(rows, std::span(kept).first(kept_count));
  }
}

/// Removes all candidates but those at the indices `kept`. Also removes the positions in pools that are stored for the
/// removed candidates.
void SideTerms::keep_in(Candidates& rows, std::span<const std::uint32_t> kept) {
  if (kept.size() == rows.count()) return;
  rows.keep(kept);
  keep(kept);
}

bool SideTerms::excludes(const BlockFormat& format) const {
  return std::ranges::any_of(toggles(), [&](const Toggle& toggle) {
    const Term& term = matcher_.terms()[toggle.term];
    return term.role == Role::without && toggle.off->size() == 0 && format.contains(term.id);
  });
}

bool SideTerms::hides_values(const Candidates& rows) const {
  std::array<std::uint32_t, kRun> listed;
  return std::ranges::any_of(toggles(), [&](const Toggle& toggle) {
    return is_optional(matcher_.terms()[toggle.term]) &&
           toggle.off->list_many<true>(rows.entities(), listed.data()) != 0;
  });
}

void SideTerms::hide_values(const Candidates& rows, Values& values) const {
  std::array<std::uint32_t, kRun> listed;
  for (const auto& [term, off] : toggles()) {
    if (!is_optional(matcher_.terms()[term])) continue;
    const std::uint32_t count = off->list_many<true>(rows.entities(), listed.data());
    for (std::uint32_t i = 0; i < count; ++i) values[term][listed[i]] = nullptr;
  }
}

/// Looks up the candidates in the pool of `uses_[use]`. If the query requires the pool, removes the candidates that are
/// not members; if it excludes the pool, removes the members; if it does both, removes all candidates. If a term reads
/// values of the pool, stores the positions that the remaining candidates have in the pool.
/// Contract: the query requires or excludes the pool.
void SideTerms::filter_by_pool(Candidates& rows, std::uint32_t use) {
  const auto& [pool, required, excluded, has_value] = uses_[use];
  if (required && excluded) return rows.keep({});
  std::array<std::uint32_t, kRun> kept;
  std::uint32_t kept_count = 0;
  if (has_value) {
    kept_count = list_and_locate(rows, use, kept.data());
  } else {
    kept_count = required ? pool->list_many<true>(rows.entities(), kept.data())
                          : pool->list_many<false>(rows.entities(), kept.data());
  }
  keep_in(rows, std::span(kept).first(kept_count));
}

/// Looks up the candidates in the pool of `uses_[use]`. Sets `members_[use]` to their positions in that pool, and to
/// kAbsent for candidates that are not members. Values are found by these positions later. Writes to `kept` the indices
/// of the candidates that remain: the members if the query requires the pool, otherwise the candidates that are not
/// members.
/// Returns: the number of indices. If it is the number of all candidates, nothing was written to `kept`.
std::uint32_t SideTerms::list_and_locate(const Candidates& rows, std::uint32_t use, std::uint32_t* kept) {
  std::array<std::uint32_t, kRun>& members = members_[use];
  const bool required = uses_[use].required;
  const std::uint32_t count = rows.count();
  const std::uint32_t absent = uses_[use].pool->positions_of(rows.entities(), members.data());
  located_ |= 1u << use;
  if (absent == (required ? 0 : count)) return count;
  std::uint32_t kept_count = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    kept[kept_count] = i;
    kept_count += (members[i] != SparsePool::kAbsent) == required ? 1 : 0;
  }
  return kept_count;
}

void SideTerms::keep(std::span<const std::uint32_t> kept) {
  for (std::uint32_t use = 0; use < use_count_; ++use) {
    if ((located_ >> use & 1) == 0) continue;
    std::array<std::uint32_t, kRun>& members = members_[use];
    for (std::size_t i = 0; i < kept.size(); ++i) members[i] = members[kept[i]];
  }
}

void SideTerms::filter_by_groups(Candidates& rows, std::uint32_t groups) {
  std::array<std::uint32_t, kRun> kept;
  std::uint32_t kept_count = 0;
  for (std::uint32_t i = 0; i < rows.count(); ++i) {
    kept[kept_count] = i;
    kept_count += has_one_of_each(rows.entities()[i], groups) ? 1 : 0;
  }
  keep_in(rows, std::span(kept).first(kept_count));
}

bool SideTerms::has_one_of_each(Entity entity, std::uint32_t groups) const {
  for (std::size_t i = 0; i < matcher_.terms().size(); ++i) {
    const Term& term = matcher_.terms()[i];
    if (term.role != Role::any_of || (groups >> term.group & 1) == 0) continue;
    if (matcher_.has_alternative(i, entity)) groups &= ~(1u << term.group);
  }
  return groups == 0;
}

/// The iteration goes through the members of several pools, one pool after the other: those in `leaders()`. Now it is
/// at the pool with the index `leader`. Removes the candidates that are also members of an earlier pool in `leaders()`,
/// because they were tested when the iteration was at that pool.
void SideTerms::drop_led(Candidates& rows, std::size_t leader) {
  const auto before = leaders().first(leader);
  std::array<std::uint32_t, kRun> kept;
  std::uint32_t kept_count = 0;
  for (std::uint32_t i = 0; i < rows.count(); ++i) {
    const Entity entity = rows.entities()[i];
    kept[kept_count] = i;
    kept_count += std::none_of(before.begin(), before.end(),
                               [&](const SparsePool* pool) { return pool->contains(entity); })
                      ? 1
                      : 0;
  }
  if (kept_count != rows.count()) rows.keep(std::span(kept).first(kept_count));
}

bool SideTerms::pick_values(const Candidates& rows) {
  side_by_side_ = true;
  if (rows.count() == 0) return true;
  for (std::uint32_t i = 0; i < value_count_; ++i) {
    const std::uint32_t use = value_terms_[i].use;
    if (use == kNone || (use != leading_ && !uses_[use].required)) return false;
    if (use == leading_ ? !pick_led(rows, picked_[i]) : !pick_members(rows, use, picked_[i])) return false;
  }
  return true;
}

bool SideTerms::pick_led(const Candidates& rows, Picked& picked) {
  const SparsePool& pool = *uses_[leading_].pool;
  const std::uint32_t last = rows.numbers()[rows.count() - 1];
  if (pool.values_together(first_) <= last) return false;
  picked = {pool.value_at(first_), rows.numbers()};
  side_by_side_ = side_by_side_ && last + 1 == rows.count();
  return true;
}

bool SideTerms::pick_members(const Candidates& rows, std::uint32_t use, Picked& picked) {
  const SparsePool& pool = *uses_[use].pool;
  const std::uint32_t* const members = members_[use].data();
  std::uint32_t* const offsets = offsets_[use].data();
  const std::uint32_t count = rows.count();
  const std::uint32_t first = members[0];
  const std::uint32_t together = pool.values_together(first);
  // The result is true only if the values of all candidates are among the `together` contiguous values that begin with
  // the value of the first candidate. Check the last candidate before the others: if the candidates are not in the
  // order of the pool, this check alone usually fails, and the loop over all candidates is not needed. For a candidate
  // whose position is below `first`, the unsigned difference is very large, so the check fails, too.
  if (members[count - 1] - first >= together) return false;
  std::uint32_t far = 0;
  std::uint32_t apart = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t offset = members[i] - first;
    offsets[i] = offset;
    far |= offset >= together ? 1 : 0;
    apart |= offset ^ i;
  }
  picked = {pool.value_at(first), offsets};
  side_by_side_ = side_by_side_ && apart == 0;
  return far == 0;
}

void SideTerms::point_at_columns(std::uint32_t begin, Batch& batch) const {
  for (std::uint32_t i = 0; i < value_count_; ++i) {
    const std::uint32_t term = value_terms_[i].term;
    batch.lanes[term] = static_cast<std::byte*>(picked_[i].values) + begin * matcher_.value_size(term);
  }
}

void SideTerms::point_at_picks(std::uint32_t begin, Batch& batch) const {
  for (std::uint32_t i = 0; i < value_count_; ++i) {
    batch.lanes[value_terms_[i].term] = picked_[i].values;
    batch.picks[value_terms_[i].term] = picked_[i].positions + begin;
  }
}

void SideTerms::find_values(const Candidates& rows, Values& values) {
  const auto count = rows.count();
  for (const auto& [term, use] : std::span(value_terms_).first(value_count_)) {
    const void** const to = values[term].data();
    if (use == kNone) {
      std::fill_n(to, count, nullptr);
    } else if (use == leading_) {
      find_led(rows, matcher_.value_size(term), to);
    } else if (uses_[use].required) {
      uses_[use].pool->values_from(0, {members_[use].data(), count}, to);
    } else {
      find_optional(rows, use, to);
    }
  }
}

/// Finds the candidates' values, of `size` bytes each, in the pool through whose members the iteration goes,
/// and writes a pointer for each candidate to `values`. The candidates are members of the pool, in its order,
/// so most of their values are contiguous.
void SideTerms::find_led(const Candidates& rows, std::size_t size, const void** values) const {
  const SparsePool& pool = *uses_[leading_].pool;
  const std::uint32_t* const numbers = rows.numbers();
  const std::uint32_t count = rows.count();
  if (pool.values_together(first_) <= numbers[count - 1])
    return pool.values_from(first_, {numbers, count}, values);
  const auto* const first = static_cast<const std::byte*>(pool.value_at(first_));
  for (std::uint32_t i = 0; i < count; ++i) values[i] = first + numbers[i] * size;
}

/// Finds the candidates' values in the pool of `uses_[use]`. The query also matches entities that are not members of
/// this pool. Writes a pointer for each candidate to `values`; null if the candidate is not a member.
void SideTerms::find_optional(const Candidates& rows, std::uint32_t use, const void** values) {
  const SparsePool& pool = *uses_[use].pool;
  const std::uint32_t* const members = members_[use].data();
  if ((located_ >> use & 1) == 0) pool.positions_of(rows.entities(), members_[use].data());
  located_ |= 1u << use;
  for (std::uint32_t i = 0; i < rows.count(); ++i) {
    values[i] = members[i] != SparsePool::kAbsent ? pool.value_at(members[i]) : nullptr;
  }
}

}  // namespace strata::detail
