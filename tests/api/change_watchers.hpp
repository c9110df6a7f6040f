// Watchers: queries that look for changes, and what a model knows of them.
#pragma once

#include <strata/strata.hpp>

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../support/model_test.hpp"
#include "../support/tracked.hpp"

namespace strata::test {

/// Large, so that a block is full with 16 rows.
struct Plain {
  std::array<char, 8192> bytes{};
};
struct Burning {
  int value = 0;
};

using Entities = std::set<Entity>;
using Kinds = std::set<std::string>;

/// What the model knows of an entity: which components it has, and its value of ByRow.
struct Record {
  Kinds kinds;
  int by_row = 0;
};
using Records = std::map<Entity, Record>;

/// A query that looks for changes, and the entities that others have written since its last run began.
struct Watcher {
  using Visit = std::function<void(Entity, const ByRow*)>;

  /// What a run has visited, and what it should have.
  struct Run {
    const std::vector<Entity>& visited;
    const Entities& expected;
    const Entities& passed_over;  ///< In blocks in which nothing has happened.
    bool meanwhile;               ///< Others have written while it lasted.
  };

  std::string name;
  Kinds terms;                            ///< It requires these components,
  Kinds asked;                            ///< asks for changes of these,
  Kinds written;                          ///< and hands these out for writing.
  std::function<void(const Visit&)> run;  ///< Adds one to each ByRow that is handed out for writing.
  std::function<std::size_t()> count;
  std::map<std::string, Entities> new_writes{};  ///< By component.
  bool by_depth = false;                         ///< It visits parents before children,
  bool subtrees = false;                         ///< and all below what was written.
  std::map<Entity, std::pair<const detail::Block*, std::uint32_t>>
      places{};  ///< Blocks and versions at its last run.

  bool exact() const { return !asked.contains("block"); }
  bool matches(const Record& record) const;
  Entities all_new() const;
  Disagreement compare(const Run& seen, const Records& records) const;
};

/// Returns: watchers of all kinds, in tables and in the side store, by row and by block, reading and writing.
std::vector<Watcher> watchers_of(World& world);

}  // namespace strata::test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::Burning> = strata::Storage::sparse;
