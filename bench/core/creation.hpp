// Creation: entities created into what was empty before, by hand and in a world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "population.hpp"
#include "support/work.hpp"

namespace strata::bench {

/// The data of a question that needs to know no more than how many entities to create.
struct CountOrSpan {
  explicit CountOrSpan(std::size_t count) : n(count) {}

  std::size_t n;
};

/// A step is `fill(rows, numbers)`, with empty rows and room for n numbers.
template <class Rows, class Fill>
Work create_in_rows(std::size_t n, Fill fill) {
  struct State {
    Rows rows;
    std::vector<std::uint32_t> numbers;
  };
  const auto state = std::make_shared<State>(State{Rows(n), std::vector<std::uint32_t>(n)});
  return {.step = [state, fill] { fill(state->rows, state->numbers); },
          .check = [state, n] { return state->rows.size() == n ? "" : "rows are missing"; },
          .prepare = [state] { state->rows.clear(); }};
}

/// A step is `fill(world, entities)`, with an empty world and no handles but room for n; `check` says what is
/// wrong with both.
template <class Fill>
Work create_in_world(std::size_t n, Fill fill, Complaint (*check)(const World&, const Handles&)) {
  struct State {
    std::optional<World> world;
    Handles entities;
  };
  const auto state = std::make_shared<State>();
  state->entities.reserve(n);
  return {.step = [state, fill] { fill(*state->world, state->entities); },
          .check =
              [state, n, check] {
                if (state->entities.size() != n) return Complaint("handles are missing");
                return check(*state->world, state->entities);
              },
          .prepare =
              [state] {
                state->world.emplace();
                state->entities.clear();
              }};
}

}  // namespace strata::bench
