// Compares what a cascade visits, row by row and block by block, with what a model of the tree expects.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "../../query/query.hpp"
#include "model_test.hpp"
#include "tree_model.hpp"
#include "values.hpp"

namespace strata::test {

inline int number_in(const Name& value) {
  return static_cast<int>(value.id);
}

/// A visited entity, and the values handed out with it as numbers: -1 where there is none.
struct Visit {
  Entity entity;
  std::vector<int> numbers;
};

template <class T>
int visited_number(const T& value) {
  return number_in(value);
}
template <class T>
int visited_number(T* value) {
  return value != nullptr ? number_in(*value) : -1;
}

/// An absent `Maybe` is an empty span.
template <class T>
int visited_number(std::span<T> values, std::size_t row) {
  return values.empty() ? -1 : number_in(values[row]);
}
template <class T>
int visited_number(const detail::RelatedSpan<const T>& values, std::size_t row) {
  return visited_number(values[row]);
}

/// Returns: what the query, whose first term is Entity, visits in its order.
template <class Cascade>
std::vector<Visit> visit_rows(Cascade cascade) {
  std::vector<Visit> visits;
  cascade.each([&](Entity entity, const auto&... values) {
    visits.push_back({entity, {visited_number(values)...}});
  });
  return visits;
}
template <class Cascade>
std::vector<Visit> visit_blocks(Cascade cascade) {
  std::vector<Visit> visits;
  cascade.each_block([&](std::span<const Entity> entities, const auto&... values) {
    for (std::size_t row = 0; row < entities.size(); ++row) {
      visits.push_back({entities[row], {visited_number(values, row)...}});
    }
  });
  return visits;
}

template <class Cascade>
std::vector<Visit> visit_range(Cascade cascade) {
  std::vector<Visit> visits;
  for (const auto& row : cascade) {
    std::apply(
        [&](Entity entity, const auto&... values) {
          visits.push_back({entity, {visited_number(values)...}});
        },
        row);
  }
  return visits;
}

/// Checks visits against `expect(Entity)`: the numbers of an entity that is to be visited, or nothing.
template <class Expect>
Disagreement check_visits(const std::vector<Visit>& visits, Direction direction, const TreeModel& tree,
                          Expect expect) {
  std::set<Entity> visited;
  std::uint32_t depth = direction == Direction::down ? 0 : 0xFFFF'FFFF;
  for (const Visit& visit : visits) {
    const std::string entity = to_string(visit.entity);
    if (!tree.contains(visit.entity)) return "a cascade visits " + entity + ", which is gone";
    if (!visited.insert(visit.entity).second) return "a cascade visits " + entity + " twice";
    const std::uint32_t before = depth;
    depth = tree.depth(visit.entity);
    if (direction == Direction::down ? depth < before : depth > before) {
      return "a cascade does not visit " + entity + " with its level";
    }
    const std::optional<std::vector<int>> numbers = expect(visit.entity);
    if (!numbers) return "a cascade visits " + entity + ", which does not match";
    for (std::size_t i = 0; i < numbers->size(); ++i) {
      if (visit.numbers[i] != (*numbers)[i]) {
        return "value " + std::to_string(i) + " handed out with " + entity + " is " +
               std::to_string(visit.numbers[i]) + " instead of " + std::to_string((*numbers)[i]);
      }
    }
  }
  for (const Entity entity : tree.all()) {
    if (expect(entity) && !visited.contains(entity)) return "a cascade misses " + to_string(entity);
  }
  return {};
}

/// Checks a query in both directions, by rows, by blocks and as a range; not by blocks if a term is of the side store.
template <class Query, class Expect>
Disagreement check_cascades(Query& query, const TreeModel& tree, Expect expect, bool in_blocks = true) {
  for (const Direction direction : {Direction::down, Direction::up}) {
    for (const char* const way : {" by rows", " by blocks", " as a range"}) {
      if (way[4] == 'b' && !in_blocks) continue;
      const auto cascade = query.cascade(direction);
      const std::vector<Visit> visits = way[4] == 'r'   ? visit_rows(cascade)
                                        : way[4] == 'b' ? visit_blocks(cascade)
                                                        : visit_range(cascade);
      if (Disagreement wrong = check_visits(visits, direction, tree, expect)) {
        return *wrong + (direction == Direction::down ? ", downwards" : ", upwards") + way;
      }
    }
  }
  return {};
}

}  // namespace strata::test
