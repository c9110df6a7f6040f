// Candidates: a list of entities that may match a query, from which filters remove the entities that do not match.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../../core/contract.hpp"
#include "../../core/entity.hpp"

namespace strata::detail {

/// A list of up to kMost entities, from which filters remove those that do not match the query. The remaining entities
/// keep their order. As long as no entity was removed, the list refers to the caller's array; the first removal copies
/// the remaining entities.
class Candidates {
 public:
  /// The most entities of a list: so few that the data needed for them stay in the first-level cache.
  static constexpr std::uint32_t kMost = 128;

  Candidates() {}  // Does not clear the arrays, because every iteration would pay for it.
  Candidates(const Candidates&) = delete;
  Candidates& operator=(const Candidates&) = delete;

  /// Replaces the list by `entities`.
  /// Contract: at most kMost entities; the array is neither changed nor freed while the list is in use.
  void start(std::span<const Entity> entities) {
    STRATA_EXPECTS(entities.size() <= kMost, "a run of candidates is longer than Candidates::kMost");
    left_ = entities.data();
    numbers_ = kAll.data();
    count_ = static_cast<std::uint32_t>(entities.size());
  }

  std::uint32_t count() const { return count_; }
  std::span<const Entity> entities() const { return {left_, count_}; }

  /// Returns: for each remaining entity, its index in the list that `start` received.
  const std::uint32_t* numbers() const { return numbers_; }

  /// Keeps only the entities whose indices in the present list are in `kept`, and removes the others.
  /// Contract: `kept` is ascending.
  void keep(std::span<const std::uint32_t> kept) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      kept_entities_[i] = left_[kept[i]];
      kept_numbers_[i] = numbers_[kept[i]];
    }
    left_ = kept_entities_.data();
    numbers_ = kept_numbers_.data();
    count_ = static_cast<std::uint32_t>(kept.size());
  }

 private:
  static constexpr std::array<std::uint32_t, kMost> kAll = [] {
    std::array<std::uint32_t, kMost> numbers{};
    for (std::uint32_t i = 0; i < kMost; ++i) numbers[i] = i;
    return numbers;
  }();

  std::uint32_t count_ = 0;
  const Entity* left_ = nullptr;
  const std::uint32_t* numbers_ = kAll.data();
  union {
    std::array<Entity, kMost> kept_entities_;  // In a union, so that the array is not initialised.
  };
  std::array<std::uint32_t, kMost> kept_numbers_;
};

}  // namespace strata::detail
