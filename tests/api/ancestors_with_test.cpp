#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <iterator>
#include <optional>
#include <type_traits>
#include <vector>

#include "../../include/strata/storage_advisor.hpp"

namespace strata::test::ancestors_with_test {

namespace {

struct Weight {
  int value = 0;
};
struct Speed {
  double value = 0;
};
struct Scent {
  int value = 0;
};
struct Burrow {
  int value = 0;
};
struct Marked {};

}  // namespace

}  // namespace strata::test::ancestors_with_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::ancestors_with_test::Scent> =
    strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::ancestors_with_test::Burrow> =
    strata::Storage::sparse;
template <>
inline constexpr strata::PoolOptions strata::pool_options_of<strata::test::ancestors_with_test::Burrow>{
    .removal = strata::Removal::stable};

namespace strata::test::ancestors_with_test {

namespace {

constexpr std::array kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};

/// A tree whose entities have each component now and then.
struct Tree {
  explicit Tree(Layout layout) : world(WorldOptions{.layout = layout, .large_family = 4}) {
    for (int i = 0; i < 80; ++i) {
      const Entity entity = i < 2 ? world.create() : world.create(child_of(entities[entities.size() / 3]));
      entities.push_back(entity);
      if (i % 2 == 0) world.add(entity, Weight{i});
      if (i % 3 == 0) world.add(entity, Speed{i + 0.5});
      if (i % 2 == 1) world.add(entity, Scent{i});
      if (i % 4 != 3) world.add(entity, Burrow{i});
      if (i % 5 == 0) world.add<Marked>(entity);
    }
  }

  /// Returns: whether the range hands out what `find` does, of all entities.
  template <class T>
  bool agrees() const {
    for (const Entity entity : entities) {
      std::vector<const T*> expected;
      for (const Entity ancestor : world.ancestors(entity)) expected.push_back(world.find<T>(ancestor));
      std::vector<const T*> maybe;
      for (const T* value : world.ancestors_with<Maybe<T>>(entity)) maybe.push_back(value);
      if (maybe != expected) return false;
      std::erase(expected, nullptr);
      std::vector<const T*> found;
      for (const T& value : world.ancestors_with<T>(entity)) found.push_back(&value);
      if (found != expected) return false;
    }
    return true;
  }
  bool all_agree() const {
    return agrees<Weight>() && agrees<Speed>() && agrees<Scent>() && agrees<Burrow>();
  }

  World world;
  std::vector<Entity> entities;
};

TEST_SUITE("api/ancestors_with") {
  TEST_CASE("the values of all ancestors that have some are met, the parent's first, in every layout") {
    for (const Layout layout : kLayouts) {
      Tree tree(layout);
      CHECK(tree.all_agree());
      tree.world.defragment();
      CHECK(tree.all_agree());
    }
  }
  TEST_CASE("so they are where components have been moved to the other storage, and back") {
    for (const Layout layout : kLayouts) {
      Tree tree(layout);
      tree.world.set_storage<Weight>(Storage::sparse);
      tree.world.set_storage<Scent>(Storage::table);
      tree.world.set_storage<Burrow>(Storage::table);
      CHECK(tree.all_agree());
      tree.world.set_storage<Weight>(Storage::table);
      tree.world.set_storage<Scent>(Storage::sparse);
      tree.world.set_storage<Burrow>(Storage::sparse);
      CHECK(tree.all_agree());
    }
  }
  TEST_CASE("of several components, ancestors that have all are met, with those that they may have") {
    const Tree tree(Layout::adaptive);
    for (const Entity entity : tree.entities) {
      auto range = tree.world.ancestors_with<Weight, const Scent, Maybe<Speed>>(entity);
      CHECK(range.empty());  // Nothing has a Weight and a Scent.
      auto both = tree.world.ancestors_with<Weight, Maybe<Speed>, Burrow>(entity);
      auto at = both.begin();
      for (const Entity ancestor : tree.world.ancestors(entity)) {
        const Weight* const weight = tree.world.find<Weight>(ancestor);
        const Burrow* const burrow = tree.world.find<Burrow>(ancestor);
        if (weight == nullptr || burrow == nullptr) continue;
        REQUIRE(at != both.end());
        CHECK(at.entity() == ancestor);
        const auto [first, second, third] = *at++;
        CHECK(&first == weight);
        CHECK(second == tree.world.find<Speed>(ancestor));
        CHECK(&third == burrow);
      }
      CHECK(at == both.end());
    }
  }
  TEST_CASE("a root, a stale entity and one that names nothing have none") {
    World world;
    const Entity root = world.create(Weight{1});
    const Entity child = world.create(child_of(root), Weight{2});
    CHECK(world.ancestors_with<Weight>(root).empty());
    CHECK(!world.ancestors_with<Weight>(child).empty());
    world.destroy(child);
    CHECK(world.ancestors_with<Weight>(child).empty());
    CHECK(world.ancestors_with<Weight>(Entity()).empty());
  }
  TEST_CASE("of a component that the world has never seen, there are none") {
    World world;
    const Entity child = world.create(child_of(world.create(Weight{1})), Weight{2});
    CHECK(world.ancestors_with<Speed>(child).empty());
    CHECK(world.ancestors_with<Scent>(child).empty());
    CHECK(*world.ancestors_with<Maybe<Scent>>(child).begin() == nullptr);
    CHECK(*world.ancestors_with<Maybe<Speed>>(child).begin() == nullptr);
  }
  TEST_CASE("each value asked for counts as a look-up while an advisor observes") {
    World world;
    const Entity root = world.create(Weight{1}, Scent{2});
    const Entity leaf = world.create(child_of(world.create(child_of(root), Speed{})), Speed{});
    StorageAdvisor advisor(world);
    advisor.start();
    int sum = 0;
    for (const Weight& weight : world.ancestors_with<Weight>(leaf)) sum += weight.value;
    for (const Scent& scent : world.ancestors_with<Scent>(leaf)) sum += scent.value;
    advisor.stop();
    CHECK(sum == 3);
    const StorageAdvice advice = advisor.advise();
    for (const ComponentId id : {world.component<Weight>(), world.component<Scent>()}) {
      const StorageAdvice::Component* const one = advice.find(id);
      REQUIRE(one != nullptr);
      CHECK(one->use.accesses.found == 1);
      CHECK(one->use.accesses.missed == 1);
    }
  }
  TEST_CASE("the range is one of the standard library's") {
    using One = detail::AncestorsWith<Weight>::iterator;
    using Several = detail::AncestorsWith<Weight, Maybe<Speed>>::iterator;
    static_assert(std::forward_iterator<One> && std::forward_iterator<Several>);
    static_assert(std::sentinel_for<std::default_sentinel_t, One>);
    static_assert(std::is_same_v<std::iter_reference_t<One>, const Weight&>);
    static_assert(std::is_same_v<std::iter_reference_t<Several>, std::tuple<const Weight&, const Speed*>>);
  }
}

}  // namespace

}  // namespace strata::test::ancestors_with_test
