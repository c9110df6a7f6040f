#include "../../hierarchy/creation/forest_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "../support/model_test.hpp"

namespace strata::test::forest_order_test {

using namespace detail;

namespace {

using Nodes = std::vector<std::uint32_t>;

ForestOrder order_of(const Nodes& parents) {
  return {parents, std::pmr::new_delete_resource()};
}

Nodes nodes_of(const ForestOrder& order) {
  Nodes nodes(order.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  if (order.nodes() != nullptr) std::copy_n(order.nodes(), order.size(), nodes.begin());
  return nodes;
}

Nodes children_of(const Nodes& parents, std::uint32_t parent) {
  Nodes children;
  for (std::uint32_t node = 0; node < parents.size(); ++node) {
    if (parents[node] == parent) children.push_back(node);
  }
  return children;
}

/// The dumb way: every node's children are looked for in the whole list.
Nodes breadth_first(const Nodes& parents) {
  Nodes order = children_of(parents, kNoParent);
  for (std::size_t i = 0; i < order.size() && order.size() <= parents.size(); ++i) {
    const Nodes children = children_of(parents, order[i]);
    order.insert(order.end(), children.begin(), children.end());
  }
  return order;
}

Disagreement orders_agree(Bytes& bytes, Log& log) {
  Nodes parents;
  bool may_refuse = bytes.turn() && bytes.chance(3);
  while (bytes.turn()) {
    // Mostly an earlier node; any node, itself and a missing one included, where a refusal is wanted.
    const std::size_t n = parents.size();
    const std::size_t among = may_refuse && bytes.chance(8) ? 60 : n;
    const bool root = among == 0 || bytes.chance(6);
    parents.push_back(root ? kNoParent : static_cast<std::uint32_t>(bytes.below(among)));
    log("node ", n, " below ", parents.back());
  }
  if (bytes.chance(2)) {
    // Turned around, every parent comes after its children.
    std::reverse(parents.begin(), parents.end());
    for (std::uint32_t& parent : parents) {
      if (parent < parents.size()) parent = static_cast<std::uint32_t>(parents.size()) - 1 - parent;
    }
  }
  const ForestOrder order = order_of(parents);
  const Nodes expected = breadth_first(parents);
  const bool sound = expected.size() == parents.size();
  if (order.refusal().empty() != sound) return "refused wrongly: " + order.refusal();
  if (!sound) return {};
  if (nodes_of(order) != expected) return "the order is wrong";
  std::size_t family = 0;
  std::uint32_t first = order.root_count();
  for (std::uint32_t position = 0; position < order.size(); ++position) {
    const Nodes children = children_of(parents, expected[position]);
    if (children.empty()) continue;
    if (family == order.families().size()) return "a family is missing";
    const auto [parent, end] = order.families()[family++];
    if (parent != position) return "a family has the wrong parent";
    if (end != first + children.size()) return "a number of children is wrong";
    for (const std::uint32_t child : children) {
      if (expected[first++] != child) return "a family lies elsewhere";
    }
  }
  if (family != order.families().size()) return "there are families without children";
  if (order.root_count() != children_of(parents, kNoParent).size()) return "the number of roots is wrong";
  return {};
}

}  // namespace

TEST_SUITE("hierarchy/forest_order") {
  STRATA_MODEL_TEST("the order is that of a search for every node's children", orders_agree, .runs = 400,
                    .turns = 50);

  TEST_CASE("an order that is breadth-first already is taken as given") {
    CHECK(order_of({}).nodes() == nullptr);
    CHECK(order_of({kNoParent, kNoParent, 0, 0, 1, 2}).nodes() == nullptr);
    CHECK(order_of({kNoParent, 0, kNoParent}).nodes() != nullptr);
    CHECK(order_of({kNoParent, 0, 0, 2, 1}).nodes() != nullptr);
  }
  TEST_CASE("a refusal names the nodes") {
    CHECK(order_of({kNoParent, 0, 0, 0, 0, 12, 0, 0, 0, 0}).refusal() ==
          "node 5: its parent 12 is not one of the 10 nodes");
    CHECK(order_of({kNoParent, 0, 2}).refusal() == "node 2 is its own parent");
    CHECK(order_of({kNoParent, 3, 0, 4, 1, 1}).refusal() ==
          "nodes 1, 3, 4 form a cycle of 3: each is followed by its parent, the last by node 1");
  }
  TEST_CASE("a cycle is found from the nodes below it, and a long one is shortened") {
    Nodes parents{1, 2};
    for (std::uint32_t node = 2; node < 20; ++node) parents.push_back(node == 19 ? 2 : node + 1);
    CHECK(order_of(parents).refusal() ==
          "nodes 2, 3, 4, 5, 6, 7, 8, 9, ... form a cycle of 18: each is followed by its parent, the last by "
          "node 2");
  }
}

}  // namespace strata::test::forest_order_test
