// SystemOrder: an order of systems, computed from what the program declares (one system runs before another) and from
// conflicts between systems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace strata::detail {

/// The relation "runs before" of the systems of a schedule, which are numbered in the order in which they were added.
/// Make it in three steps: call `declare` for each declaration of the program, `separate` for each pair of systems that
/// conflict, and then `finish`.
///
/// The result depends only on the numbers, the declarations and the conflicts.
///
/// Invariants:
/// - The relation is transitive, and no system runs before itself.
/// - All declarations hold. Of two systems that were passed to `separate`, one runs before the other: the one with the
///   lower number, unless earlier calls of `declare` and `separate` imply the opposite.
/// - After `finish`, `order` has each system once, after all systems that run before it. If several systems may come
///   next, the one with the lowest number comes next.
/// - After `finish`, the stage of a system is the number of systems in the longest chain of systems that run before it.
class SystemOrder {
 public:
  /// The number of a system: its position in the order of adding.
  using Index = std::uint32_t;

  explicit SystemOrder(std::uint32_t count);

  /// Declares that one system runs before another.
  /// Returns: an empty list if the declaration agrees with all earlier ones. Otherwise nothing changes, and the result
  /// is the systems of the cycle: each is declared to run before the next, and the last before the first.
  /// Complexity: O(systems^2 / 64); O(1) if earlier declarations imply this one.
  [[nodiscard]] std::vector<Index> declare(Index before, Index after);

  /// Makes two conflicting systems run one after the other: first the one with the lower number, unless it already runs
  /// after the other.
  /// Contract: `first` < `second`; `declare` is not called again.
  /// Complexity: O(systems^2 / 64); O(1) if one of them already runs before the other.
  void separate(Index first, Index second);

  /// Computes `order`, and the stage of each system: the length of the longest chain of systems that run before it.
  /// Complexity: O(systems^2).
  void finish();

  std::uint32_t count() const { return count_; }
  bool runs_before(Index first, Index second) const { return contains(after_, first, second); }
  std::span<const Index> order() const { return order_; }
  std::uint32_t stage_of(Index system) const { return stages_[system]; }
  std::uint32_t stage_count() const { return stage_count_; }

  /// Returns: the systems that `system` waits for directly, in ascending order. A system is left out if a third system
  /// has to run after it and before `system`: then `system` waits for it indirectly.
  std::vector<Index> direct_predecessors(Index system) const;

 private:
  /// A relation between systems, such as "runs before", as a matrix of bits: row s has a bit for each system, set if
  /// system s has the relation to it. Each row takes `words_` words.
  using Relation = std::vector<std::uint64_t>;

  bool contains(const Relation& relation, Index row, Index bit) const {
    return (relation[std::size_t{row} * words_ + bit / 64] >> bit % 64 & 1) != 0;
  }
  void add(Relation& relation, Index row, Index bit) const {
    relation[std::size_t{row} * words_ + bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  void merge(Relation& relation, Index row, Index from) const;
  void link(Index before, Index after);
  std::vector<Index> find_path(Index from, Index to) const;

  std::uint32_t count_;
  std::uint32_t words_;
  Relation after_;   // Row s: the systems that run after s.
  Relation before_;  // Row s: the systems that run before s.
  std::vector<std::vector<Index>>
      linked_;  // For each system, those that `declare` has put directly after it.
  std::vector<Index> order_;
  std::vector<std::uint32_t> stages_;
  std::uint32_t stage_count_ = 0;
};

}  // namespace strata::detail
