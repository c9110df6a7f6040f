// RankIndex: finds the archetypes that have tables of a given rank (depth of their entities).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "../../core/owned.hpp"
#include "../../core/pointer_list.hpp"

namespace strata::detail {

class Archetype;

/// Maps each rank (depth of entities) to the archetypes that have tables of that rank, in order of creation. So a query
/// that visits the tables of one rank does not check archetypes without tables of that rank. Exception: an archetype is
/// also found if its list of tables for the rank (see RankLists) exists and is empty.
///
/// Threads: any number of readers, or one writer.
class RankIndex {
 public:
  explicit RankIndex(std::pmr::memory_resource* memory);
  RankIndex(const RankIndex&) = delete;
  RankIndex& operator=(const RankIndex&) = delete;
  ~RankIndex();

  /// Returns: the archetypes that have a list of tables for this rank (depth of entities), in order of creation; empty
  /// if no archetype has one.
  std::span<Archetype* const> at(std::uint32_t rank) const;

  /// Called when an archetype gets a list of tables for a rank (depth of entities). Adds the archetype to the
  /// archetypes of this rank.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Complexity: O(archetypes of that rank that are newer than `archetype`), amortised.
  void add(Archetype& archetype, std::uint32_t rank);

  /// Called when an archetype loses its list of tables for a rank (depth of entities). Removes the archetype from the
  /// archetypes of this rank.
  /// Contract: `add` was called with these arguments.
  /// Complexity: O(n + log a), where a is the number of archetypes of that rank, and n of them are newer than
  /// `archetype`.
  void remove(const Archetype& archetype, std::uint32_t rank) noexcept;

 private:
  static constexpr std::uint32_t kRanksPerPage = 64;

  /// The lists of archetypes for 64 adjacent ranks. They are allocated together, because the ranks next to a rank with
  /// tables usually have tables, too.
  struct Page;
  struct Pages;

  Page& page_of(std::uint32_t rank);
  Page& make_page(std::uint32_t number);

  Owned<Pages> pages_;      // The pages by page number; every page has archetypes.
  Page* recent_ = nullptr;  // The page that changed last: changes are usually close to each other.
  std::uint32_t recent_number_ = 0;
};

}  // namespace strata::detail
