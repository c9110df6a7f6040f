#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "../support/components.hpp"
#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"

namespace strata::test::folds_test {

namespace {

/// A span of numbers, in tables and in the side store.
struct Box {
  int low = 0;
  int high = 0;
  void merge(const Box& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
  friend bool operator==(const Box&, const Box&) = default;
};
struct SparseBox : Box {};

struct Count {
  int nodes = 1;
};

}  // namespace

}  // namespace strata::test::folds_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::folds_test::SparseBox> =
    strata::Storage::sparse;

namespace strata::test::folds_test {

namespace {

/// A random forest in which some entities lack some components.
struct Forest {
  World world;
  TreeModel tree;
  std::vector<Entity> entities;
  std::map<Entity, Box> boxes;  // Of those that have one.
  std::map<Entity, int> counts;

  Forest(Layout layout, Bytes& bytes) : world(WorldOptions{.layout = layout}) {
    while (bytes.turn()) {
      Entity parent;
      if (!entities.empty() && !bytes.chance(10)) parent = entities[bytes.below(entities.size())];
      const Entity entity = parent ? world.create(child_of(parent)) : world.create();
      tree.create(entity, parent);
      entities.push_back(entity);
      if (bytes.chance(4)) world.add<Frozen>(entity);
      if (!bytes.chance(6)) {
        world.add(entity, Count{1});
        counts[entity] = 1;
      }
      if (bytes.chance(6)) continue;
      const int at = static_cast<int>(bytes.below(10'000));
      boxes[entity] = Box{at, at + 1};
      world.add(entity, Box{at, at + 1});
      world.add(entity, SparseBox{{at, at + 1}});
    }
  }

  /// Folds what the entities have into their parents, the deepest first.
  template <class T, class Fold>
  void fold(std::map<Entity, T>& values, Fold fold) const {
    std::vector<Entity> order = entities;
    std::sort(order.begin(), order.end(), [&](Entity a, Entity b) { return tree.depth(a) > tree.depth(b); });
    for (const Entity entity : order) {
      const auto parent = values.find(tree.parent(entity));
      if (values.contains(entity) && parent != values.end()) fold(values.at(entity), parent->second);
    }
  }
};

template <Layout layout>
Disagreement folds_agree(Bytes& bytes, Log&) {
  Forest forest(layout, bytes);
  forest.fold(forest.boxes, [](const Box& box, Box& parent) { parent.merge(box); });
  forest.fold(forest.counts, [](int count, int& parent) { parent += count; });

  World& world = forest.world;
  const auto merge = [](const Box& box, Box* parent) {
    if (parent != nullptr) parent->merge(box);
  };
  world.query<const Box, Parent<Box>>().cascade(up).each(merge);
  world.query<const SparseBox, Parent<SparseBox>>().cascade(up).each(merge);
  world.query<const Count, Parent<Count>>().cascade(up).each_block(
      [](std::span<const Count> counts, Parent<Count>::Span parents) {
        for (std::size_t row = 0; row < counts.size(); ++row) {
          if (parents[row] != nullptr) parents[row]->nodes += counts[row].nodes;
        }
      });
  for (const Entity entity : forest.entities) {
    const Box* box = world.find<Box>(entity);
    const SparseBox* sparse_box = world.find<SparseBox>(entity);
    const Count* count = world.find<Count>(entity);
    if (box != nullptr && *box != forest.boxes.at(entity)) return "a box is wrong";
    if (sparse_box != nullptr && *sparse_box != forest.boxes.at(entity)) return "a side-store box is wrong";
    if (count != nullptr && count->nodes != forest.counts.at(entity)) return "a count is wrong";
  }
  return {};
}

constexpr ModelTest kPerParent = folds_agree<Layout::per_parent>;
constexpr ModelTest kPerLevel = folds_agree<Layout::per_level>;

}  // namespace

TEST_SUITE("api/folds") {
  STRATA_MODEL_TEST("children are folded into parents, with a table per parent", kPerParent, .runs = 60,
                    .turns = 200);
  STRATA_MODEL_TEST("children are folded into parents, with a table per level", kPerLevel, .runs = 60,
                    .turns = 200);

  TEST_CASE("several operators fold and read in one pass upwards") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level}) {
      World world(WorldOptions{.layout = layout});
      const Entity top = world.create(Box{5, 6}, Count{});
      const Entity middle = world.create(child_of(top), Box{1, 2}, Count{});
      for (int i = 0; i < 300; ++i) world.create(child_of(middle), Box{i, 2 * i}, Count{});
      int visits = 0;
      world.query<const Box, Parent<Box>, const Count, Parent<Count>>().cascade(up).each(
          on<const Box, Parent<Box>>([](const Box& box, Box* parent) {
            if (parent != nullptr) parent->merge(box);
          }),
          on<const Count, Parent<Count>>([](const Count& count, Count* parent) {
            if (parent != nullptr) parent->nodes += count.nodes;
          }),
          on<const Count, Parent<const Count>>([&](const Count&, const Count*) { ++visits; }));
      CHECK(world.get<Box>(top) == Box{0, 598});
      CHECK(world.get<Count>(top).nodes == 302);
      CHECK(visits == 302);
    }
  }
  TEST_CASE("a parent is written to on the way up alone, and the contract says what to write instead") {
    World world;
    world.create(child_of(world.create(Count{})), Count{});
    auto counts = world.query<const Count, Parent<Count>>();
    const auto fold = [](const Count&, Count*) {};
    const auto fold_block = [](std::span<const Count>, Parent<Count>::Span) {};
    // Where the order is not chosen when the program runs, structure/refused.cpp: it does not compile.
    CHECK_THROWS_WITH_AS(counts.cascade().each(fold),
                         doctest::Contains("use cascade(up), or Parent<const T> to read"), ContractViolation);
    CHECK_THROWS_AS(counts.cascade().each_block(fold_block), ContractViolation);
    CHECK_NOTHROW(counts.cascade(up).each(fold));
    CHECK(counts.count() == 2);
  }
}

}  // namespace strata::test::folds_test
