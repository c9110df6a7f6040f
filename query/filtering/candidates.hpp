// Candidates: a run of entities that may match a query; filters drop those that do not.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "../../core/contract.hpp"
#include "../../core/entity.hpp"

namespace strata::detail {

/// Holds the entities of a run that no filter has dropped so far, in their order. The given array is read in
/// place until the first entity is dropped; then the remaining ones are copied.
class Candidates {
 public:
  /// The most entities of a run: the data of so many stay in the first-level cache.
  static constexpr std::uint32_t kMost = 128;

  Candidates() {}  // Does not clear the arrays, because every iteration would pay for it.
  Candidates(const Candidates&) = delete;
  Candidates& operator=(const Candidates&) = delete;

  /// Begins with a new run.
  /// Contract: at most kMost entities; the array outlives their use here.
  void start(std::span<const Entity> entities) {
    STRATA_EXPECTS(entities.size() <= kMost,
                   "a run of candidates has at most " + std::to_string(kMost) + " entities");
    left_ = entities.data();
    numbers_ = kAll.data();
    count_ = static_cast<std::uint32_t>(entities.size());
  }

  std::uint32_t count() const { return count_; }
  std::span<const Entity> entities() const { return {left_, count_}; }

  /// Returns: for each remaining entity, its position in the original run.
  const std::uint32_t* numbers() const { return numbers_; }

  /// Drops all entities but those at the given positions, which are ascending.
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
    std::array<Entity, kMost> kept_entities_;  // In a union, so that it is not initialised.
  };
  std::array<std::uint32_t, kMost> kept_numbers_;
};

}  // namespace strata::detail
