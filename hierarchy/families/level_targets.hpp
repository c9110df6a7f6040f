// LevelTargets: the tables that the rows of a level go to when it is laid out anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../storage/rows/relayout.hpp"
#include "../../storage/store.hpp"
#include "family_rows.hpp"

namespace strata::detail {

/// A row that stays in the level goes to a new block of its table. That of a family which has become too large for the level
/// goes to the family's own table, which is made here: so it moves once.
class LevelTargets {
 public:
  /// How many nodes ahead their slots are asked for, where these are read one after the other.
  static constexpr std::size_t kSlotsAhead = 32;

  LevelTargets(Store& store, FamilyRows& families)
      : store_(store),
        families_(families),
        sources_(store.memory()),
        positions_(store.memory()),
        targets_(store.memory()),
        relayouts_(store.memory()),
        leaving_(store.memory()) {}

  /// A table that families share in the level.
  struct Source {
    Table* table;
    std::uint32_t target;  ///< In `targets_`: where its rows go.
  };

  /// Begins with another level, which no family leaves.
  void begin() noexcept { leaving_.clear(); }

  /// Notes that a family leaves the level, whose children are `count` of the level's nodes, from `first` on.
  /// Errors: std::bad_alloc; nothing has changed then.
  void add_leaving(std::uint32_t parent, std::size_t first, std::size_t count);

  /// Lists the tables that families share in a level.
  /// Errors: std::bad_alloc.
  void list_sources(std::uint32_t rank);

  /// Returns: these tables, and the position among them of the one that a row is in.
  std::span<const Source> sources() const { return sources_; }
  std::uint32_t source_of(const Place& place) const {
    return positions_[table_of(*place.block).archetype().id()];
  }

  /// Makes room for all rows of the level, given by their nodes.
  /// Errors: std::bad_alloc; the tables and families are unchanged then.
  void prepare(std::span<const std::uint32_t> nodes, std::uint32_t rank);

  /// Goes on with the rows of a node, the first one or the one at which the last part ended.
  /// Returns: where the part ends whose rows of one table have one target.
  std::size_t enter_part(std::size_t node);

  /// Moves rows of one table and one part.
  void take(std::span<const std::uint32_t> nodes, std::span<const Place> places) noexcept {
    relayouts_[sources_[source_of(places.front())].target].take(nodes, places);
  }

  /// Gives the tables their new blocks, and families that leave their branches.
  /// Contract: all rows have been taken.
  void finish() noexcept;

 private:
  struct Target {
    Table* table;
    std::uint32_t source;
    std::uint32_t rows;
  };
  struct Leaving {
    std::uint32_t parent;
    std::size_t first;
    std::size_t end;
    Branch* branch = nullptr;
    std::uint32_t first_target = 0;
  };

  void add_targets(Leaving& family, std::span<const std::uint32_t> nodes);
  void add_rows(const Leaving& family, std::uint32_t position, std::uint32_t count);
  std::uint32_t end_of_targets(std::size_t family) const;
  void close_branches() noexcept;

  Store& store_;
  FamilyRows& families_;
  std::pmr::vector<Source> sources_;
  std::pmr::vector<std::uint32_t> positions_;  // In `sources_`, by archetype id.
  std::pmr::vector<Target> targets_;      // The sources themselves, then the tables of families that leave.
  std::pmr::vector<Relayout> relayouts_;  // By target.
  std::pmr::vector<Leaving> leaving_;     // In the order of their nodes.
  std::size_t part_ = 0;                  // The first of these whose nodes do not all lie before this part.
};

}  // namespace strata::detail
