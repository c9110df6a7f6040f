#include "../../hierarchy/families/teardown.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "../support/tree_model.hpp"
#include "subject.hpp"

namespace strata::test::teardown_test {

using namespace detail;

namespace {

/// Notes the depth of each value that is destroyed.
struct Tracer {
  std::vector<int>* log = nullptr;
  int depth = 0;

  Tracer(std::vector<int>* to, int at) : log(to), depth(at) {}
  Tracer(Tracer&& other) noexcept : log(std::exchange(other.log, nullptr)), depth(other.depth) {}
  Tracer& operator=(Tracer&&) = delete;
  ~Tracer() {
    if (log != nullptr) log->push_back(depth);
  }
};

/// Two trees of random shape, whose handles are in no order: nodes are re-parented below younger ones, and slots
/// used again.
struct Woods {
  Subject subject;
  TreeModel model;
  std::vector<Entity> entities;
  std::mt19937 random;

  Woods(Layout layout, unsigned seed, int nodes) : subject(layout), random(seed) {
    for (const int i : {0, 1}) grow({}, i);
    for (int i = 2; i < nodes; ++i) grow(entities[any()], i);
    for (int i = 0; i < nodes / 8; ++i) {
      const Entity doomed = entities[2 + any() % (entities.size() - 2)];
      if (!model.children(doomed).empty()) continue;
      subject.hierarchy.destroy(doomed, ChildPolicy::destroy);
      model.destroy(doomed);
      std::erase(entities, doomed);
      grow(entities[any()], i);
    }
    for (int i = 0; i < nodes / 8; ++i) {
      const Entity child = entities[2 + any() % (entities.size() - 2)];
      const Entity parent = entities[any()];
      if (!model.can_set_parent(child, parent)) continue;
      REQUIRE(subject.hierarchy.set_parent(child, parent));
      model.set_parent(child, parent);
    }
  }

  std::size_t any() { return random() % entities.size(); }

  /// Returns: the root of the larger tree.
  Entity larger() const {
    const std::size_t first = model.breadth_first(entities[0]).size();
    return first > model.breadth_first(entities[1]).size() ? entities[0] : entities[1];
  }

  void grow(Entity parent, int number) {
    const Entity entity = subject.create(parent, number, random() % 3 == 0);
    if (random() % 4 == 0) {
      ::new (subject.store.add(entity, subject.store.registry().id_of<SparseHealth>()).value)
          SparseHealth{number};
    }
    model.create(entity, parent);
    entities.push_back(entity);
  }

  /// Returns: whether the world holds exactly the entities of the model, below the same parents.
  bool agrees() const {
    for (const Entity entity : entities) {
      if (subject.store.alive(entity) != model.contains(entity)) return false;
      if (subject.hierarchy.parent(entity) != model.parent(entity)) return false;
    }
    return subject.store.slots().in_use() == model.size() && subject.broken().empty();
  }
};

}  // namespace

TEST_SUITE("hierarchy/teardown") {
  TEST_CASE("destroying a part of a large world leaves exactly the rest") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      for (unsigned seed = 1; seed <= 3; ++seed) {
        Woods woods(layout, seed, 4'000);
        CAPTURE(seed);
        const Entity root = woods.larger();
        REQUIRE(woods.model.breadth_first(root).size() >
                1'024);  // So many that links are not followed to each.
        woods.model.destroy(root);
        woods.subject.hierarchy.destroy(root, ChildPolicy::destroy);
        CHECK(woods.agrees());
        for (int i = 0; i < 100; ++i) woods.grow({}, i);
        CHECK(woods.agrees());
      }
    }
  }
  TEST_CASE("destroying a world's only tree leaves nothing, and slots are used again in their order") {
    Subject subject(Layout::adaptive);
    const Entity root = subject.create({}, 0);
    std::vector<Entity> entities{root};
    for (std::size_t i = 1; i < 3'000; ++i) entities.push_back(subject.create(entities[i / 3], 1));
    subject.hierarchy.destroy(root, ChildPolicy::destroy);
    CHECK(subject.store.slots().in_use() == 0);
    CHECK(subject.broken().empty());
    CHECK(subject.create({}, 0).index() == 0);
    CHECK(subject.create({}, 0).index() == 1);
  }
  TEST_CASE("clearing destroys all entities, and slots are used again in their order") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      Woods woods(layout, 4, 4'000);
      const std::size_t before = woods.model.size();
      for (int round = 0; round < 3; ++round) {
        CHECK(woods.subject.hierarchy.clear() == (round == 0 ? before : 0));
        woods.model.clear();
        CHECK(woods.agrees());
      }
      woods.entities.clear();
      for (int i = 0; i < 2; ++i) woods.grow({}, i);
      CHECK(woods.entities[1].index() == 1);
      for (int i = 0; i < 300; ++i) woods.grow(woods.entities[woods.any()], i);
      CHECK(woods.agrees());
    }
  }
  TEST_CASE("clearing destroys children before their parents") {
    std::vector<int> log;
    Subject subject(Layout::adaptive);
    const ComponentId id = subject.store.registry().id_of<Tracer>();
    std::vector<Entity> entities{Entity()};
    for (std::size_t i = 1; i < 200; ++i) {
      const Entity parent = entities[i / 3];
      const int depth = parent ? static_cast<int>(subject.hierarchy.depth(parent)) + 1 : 0;
      entities.push_back(subject.create(parent, depth, i % 2 == 0));
      ::new (subject.store.add(entities.back(), id).value) Tracer(&log, depth);
    }
    CHECK(subject.hierarchy.clear() == 199);
    CHECK(log.size() == 199);
    CHECK(std::is_sorted(log.rbegin(), log.rend()));
  }
  TEST_CASE("after memory was given back, a large subtree is still destroyed") {
    for (unsigned seed = 1; seed <= 2; ++seed) {
      Woods woods(Layout::adaptive, seed, 4'000);
      const Entity root = woods.larger();
      const std::size_t before = woods.subject.hierarchy.memory_use().reserved;
      woods.subject.hierarchy.shrink();
      CHECK(woods.subject.hierarchy.memory_use().reserved <= before);
      for (int i = 0; i < 500; ++i) woods.grow(root, i);
      woods.model.destroy(root);
      woods.subject.hierarchy.destroy(root, ChildPolicy::destroy);
      CHECK(woods.agrees());
    }
  }
  TEST_CASE("of a large subtree too, children are destroyed before their parents") {
    std::vector<int> log;
    Subject subject(Layout::adaptive);
    const ComponentId id = subject.store.registry().id_of<Tracer>();
    const auto grow = [&](Entity parent, int depth) {
      const Entity entity = subject.create(parent, depth, depth % 2 == 0);
      ::new (subject.store.add(entity, id).value) Tracer(&log, depth);
      return entity;
    };
    const Entity root = grow({}, 0);
    const Entity apart = grow({}, 0);
    for (int i = 0; i < 40; ++i) {
      const Entity child = grow(root, 1);
      for (int k = 0; k < 60; ++k) grow(child, 2);
      grow(apart, 1);
    }
    subject.hierarchy.destroy(root, ChildPolicy::destroy);
    CHECK(log.size() == 1 + 40 + 40 * 60);
    CHECK(std::is_sorted(log.rbegin(), log.rend()));
    CHECK(subject.hierarchy.child_count(apart) == 40);
    CHECK(subject.broken().empty());
  }
  TEST_CASE("subtrees of every small size go children first, and leave what lies between their rows") {
    for (const Layout layout : {Layout::per_parent, Layout::per_level, Layout::adaptive}) {
      for (std::size_t size = 1; size <= 20; ++size) {
        std::vector<int> log;
        Subject subject(layout);
        const ComponentId id = subject.store.registry().id_of<Tracer>();
        // Three trees grow in turns, so that their rows alternate in the tables of levels.
        std::vector<Entity> trees[3];
        for (std::size_t i = 0; i < size; ++i) {
          for (auto& tree : trees) {
            const Entity parent = i == 0 ? Entity() : tree[(i - 1) / 2];
            const int depth = i == 0 ? 0 : static_cast<int>(subject.hierarchy.depth(parent)) + 1;
            tree.push_back(subject.create(parent, depth, i % 3 == 0));
            ::new (subject.store.add(tree.back(), id).value) Tracer(&log, depth);
          }
        }
        for (const std::size_t doomed : {std::size_t{1}, std::size_t{0}, std::size_t{2}}) {
          log.clear();
          subject.hierarchy.destroy(trees[doomed].front(), ChildPolicy::destroy);
          CHECK(log.size() == size);
          CHECK(std::is_sorted(log.rbegin(), log.rend()));
          for (const Entity entity : trees[doomed]) CHECK_FALSE(subject.store.alive(entity));
          CHECK(subject.broken().empty());
        }
        CHECK(subject.store.slots().in_use() == 0);
      }
    }
  }
  TEST_CASE("marks follow parents, wherever those are, and are gone when they are taken away") {
    // 0 <- 3 <- 1 <- 4, 2 alone, 5 <- 0: numbers do not rise from parents to children.
    constexpr std::uint32_t kNone = Links::kNone;
    const std::vector<std::uint32_t> parents{5, 3, kNone, 0, 1, kNone, 2};
    NodeMarks marks(std::pmr::get_default_resource());
    marks.reserve(parents.size());
    const auto marked_below = [&](std::uint32_t root) {
      marks.mark_subtree(root, 7, [&](std::uint32_t node) { return parents[node]; });
      std::vector<std::uint32_t> found;
      for (std::uint32_t node = 0; node < 8; ++node) {
        if (marks.is_marked(node)) found.push_back(node);
      }
      marks.clear();
      return found;
    };
    CHECK(marked_below(3) == std::vector<std::uint32_t>{1, 3, 4});
    CHECK(marked_below(5) == std::vector<std::uint32_t>{0, 1, 3, 4, 5});
    CHECK(marked_below(2) == std::vector<std::uint32_t>{2, 6});
    CHECK(marked_below(6) == std::vector<std::uint32_t>{6});
    CHECK(!marks.is_marked(6));
  }
}

}  // namespace strata::test::teardown_test
