#include "../../storage/tables/table_map.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "../../storage/tables/archetypes.hpp"
#include "../support/components.hpp"
#include "../support/model_test.hpp"

namespace strata::test::table_map_test {

using namespace detail;

namespace {

constexpr std::size_t kBranches = 60;

Disagreement maps_agree(Bytes& bytes, Log& log) {
  Registry registry(std::pmr::new_delete_resource());
  Archetypes archetypes(registry, std::pmr::new_delete_resource());
  archetypes.with(archetypes.empty(), registry.id_of<Position>());
  std::vector<Branch> branches(kBranches);
  std::deque<Table> tables;
  TableMap map(std::pmr::new_delete_resource());
  std::map<std::pair<std::size_t, std::size_t>, Table*> model;

  while (bytes.turn()) {
    const std::size_t archetype = bytes.below(2);
    const std::size_t branch = bytes.below(kBranches);
    const auto known = model.find({archetype, branch});
    if (known == model.end()) {
      log("insert ", archetype, " ", branch);
      Table& table = tables.emplace_back(*archetypes.all()[archetype], branches[branch]);
      map.reserve(1);
      map.insert(table);
      model[{archetype, branch}] = &table;
    } else {
      log("erase ", archetype, " ", branch);
      map.erase(*known->second);
      model.erase(known);
    }
    if (bytes.chance(10)) {
      log("shrink");
      map.shrink();
    }
    if (map.size() != model.size()) return "size() is wrong";
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t b = 0; b < kBranches; ++b) {
        const auto expected = model.find({a, b});
        Table* const table = map.find(*archetypes.all()[a], branches[b]);
        if (table != (expected == model.end() ? nullptr : expected->second)) {
          return "find of " + std::to_string(a) + ' ' + std::to_string(b) + " is wrong";
        }
      }
    }
  }
  return {};
}

}  // namespace

TEST_SUITE("storage/table_map") {
  STRATA_MODEL_TEST("tables are found by their keys as in an ordered map", maps_agree, .runs = 30,
                    .turns = 200);
}

}  // namespace strata::test::table_map_test
