// Sorting a pool of the side store.
//
// sort_random: by a value that says nothing about the order before, EnTT's benchmark SortSingle.StdSort at several sizes.
// sort_almost: what has changed a little; EnTT's AlmostSorted.InsertionSort is nearest. sort_moved: a hundred values jump.
// sort_like: a pool is brought into the order of another, which a query joins with it. sort_by_depth: a pool is to be visited
// from the top of a tree down; nodes come in any order, each below one of those before it.
#include <algorithm>
#include <numeric>
#include <random>

#include "keys.hpp"
#include "support/particles.hpp"
#include "support/random.hpp"
#include "support/suite.hpp"

namespace strata::bench {
namespace {

/// By hand, `sort(PackedKeys&)`.
template <class Sort>
auto sort_by_hand(Sort sort) {
  return [sort](Keys& keys) {
    return work_on(
        std::make_shared<PackedKeys>(keys.of_rows.size()), sort,
        [](PackedKeys& packed) { return packed.is_sorted() ? "" : "the keys are not sorted"; },
        [&keys](PackedKeys& packed) { packed.set(keys.of_rows); });
  };
}

/// In a world, `sort(World&)`.
template <class Sort>
auto sort_in_world(Sort sort) {
  return [sort](Keys& keys) {
    return work_on(
        std::make_shared<Pool>(keys.of_rows.size()), [sort](Pool& pool) { sort(pool.world()); },
        [](Pool& pool) { return pool.complaint(); }, [&keys](Pool& pool) { pool.set(keys.of_rows); });
  };
}

inline constexpr auto kNearer = [](const Distance& a, const Distance& b) { return a.metres < b.metres; };

constexpr auto kStdSort = [](auto first, auto last, auto less) { std::sort(first, last, less); };

void sort_by_key(World& world) {
  world.pool<Distance>().sort(&Distance::metres);
}

/// Each comparison looks two values up.
void sort_by_entities(World& world) {
  auto distances = world.accessor<const Distance>();
  world.pool<Distance>().sort(
      [distances](Entity a, Entity b) mutable { return distances.get(a).metres < distances.get(b).metres; });
}

template <class Way>
auto sort_by(Way way) {
  return sort_in_world([way](World& world) { world.pool<Distance>().sort(kNearer, way); });
}

/// As a game would, a tenth of the pool in each frame, until all is in order.
void sort_in_steps(World& world) {
  const std::size_t budget = world.size() / 10;
  while (!world.pool<Distance>().sort_step(kNearer, budget)) {
  }
}

void ask_sort_random(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Keys>(suite, "side_store/sort_random", n, [n] { return random_keys(n); });
  question.limit(sort_by_hand([](PackedKeys& packed) { packed.sort(); }));
  question.answer("stable", sort_by(sorting::Stable{})).at_most(bar_of(n, 1.4, 1.6));
  question.answer("key", sort_in_world(sort_by_key));
  question.answer("by_entities", sort_in_world(sort_by_entities));
  question.answer("permutation", sort_by(sorting::ByPermutation{}));
  question.answer("permutation_std", sort_by(sorting::ByPermutation{kStdSort}));
  question.answer("in_place", sort_by(sorting::InPlace{}));
  question.answer("in_place_std", sort_by(sorting::InPlace{kStdSort}));
  question.answer("swaps", sort_by(sorting::BySwaps{}));
}

void ask_sort_almost(Suite& suite, std::size_t n) {
  auto& question =
      ask_of_size<Keys>(suite, "side_store/sort_almost", n, [n] { return almost_sorted_keys(n); });
  question.limit(sort_by_hand([](PackedKeys& packed) { packed.insertion_sort(); }));
  question.answer("insertion", sort_by(sorting::Insertion{})).at_most(bar_of(n, 2, 4));
  question.answer("stable", sort_by(sorting::Stable{}));
  question.answer("key", sort_in_world(sort_by_key));
  question.answer("in_place", sort_by(sorting::InPlace{}));
}

void ask_sort_moved(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Keys>(suite, "side_store/sort_moved", n, [n] { return keys_with_moved(n); });
  question.limit(sort_by_hand([](PackedKeys& packed) { packed.insertion_sort(); }));
  question.answer("steps", sort_in_world(sort_in_steps)).at_most(3);
  question.answer("insertion", sort_by(sorting::Insertion{}));
  question.answer("stable", sort_by(sorting::Stable{}));
}

/// In which order the entities are to lie: two, in turn.
struct Orders {
  explicit Orders(std::size_t n) {
    std::mt19937 random(53);
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0u);
    for (auto& order : numbers) order = chosen(random, all, n);
  }

  std::vector<std::uint32_t> numbers[2];
};

Work sort_like_by_hand(Orders& orders) {
  const auto packed = std::make_shared<PackedKeys>(orders.numbers[0].size());
  const auto turn = std::make_shared<std::size_t>(0);
  return {.step = [packed, turn, &orders] { packed->sort_like(orders.numbers[*turn % 2]); },
          .check = [packed, turn, &orders]() -> Complaint {
            return packed->numbers() == orders.numbers[*turn % 2] ? "" : "the order is not the other's";
          },
          .prepare = [turn] { ++*turn; }};
}

Work sort_like_in_world(Orders& orders) {
  const auto pool = std::make_shared<Pool>(orders.numbers[0].size());
  const auto turn = std::make_shared<std::size_t>(0);
  const auto entity_at = [pool, turn, &orders](std::size_t i) {
    return pool->entities()[orders.numbers[*turn % 2][i]];
  };
  return {.step = [pool] { pool->world().pool<Distance>().sort_like<Burning>(); },
          .check = [pool, entity_at]() -> Complaint {
            std::size_t i = 0;
            bool same = true;
            pool->world().query<Entity, const Distance>().each(
                [&](Entity entity, const Distance&) { same = same && entity == entity_at(i++); });
            return same ? "" : "the order is not the other's";
          },
          .prepare =
              [pool, turn, entity_at] {
                ++*turn;
                pool->world().pool<Burning>().clear();
                for (std::size_t i = 0; i < pool->entities().size(); ++i) {
                  pool->world().add<Burning>(entity_at(i));
                }
              }};
}

void ask_sort_like(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Orders>(suite, "side_store/sort_like", n);
  question.limit(sort_like_by_hand);
  question.answer("strata", sort_like_in_world);
}

/// A tree of random shape, and in which order its nodes lie before each sort.
struct Tree {
  explicit Tree(std::size_t n) : parents(n), depths(n), order(n) {
    std::mt19937 random(59);
    for (std::uint32_t i = 1; i < n; ++i) {
      parents[i] = below(random, i);
      depths[i] = depths[parents[i]] + 1;
      order[i] = i;
    }
    order = chosen(random, order, n);
    levels = 1 + *std::max_element(depths.begin(), depths.end());
  }

  std::vector<std::uint32_t> parents;
  std::vector<std::uint32_t> depths;
  std::vector<std::uint32_t> order;
  std::size_t levels = 0;
};

Work sort_by_hand_by_depth(Tree& tree) {
  return work_on(
      std::make_shared<PackedKeys>(tree.parents.size()),
      [&tree](PackedKeys& packed) { packed.counting_sort(tree.depths, tree.levels); },
      [&tree](PackedKeys& packed) {
        const bool sorted = std::is_sorted(packed.numbers().begin(), packed.numbers().end(),
                                           [&](auto a, auto b) { return tree.depths[a] < tree.depths[b]; });
        return sorted ? "" : "the numbers are not in order of depth";
      },
      [&tree](PackedKeys& packed) { packed.sort_like(tree.order); });
}

Work sort_in_world_by_depth(Tree& tree) {
  const auto nodes = std::make_shared<Pool>(tree.parents.size());
  for (std::size_t i = 1; i < tree.parents.size(); ++i) {
    static_cast<void>(nodes->world().set_parent(nodes->entities()[i], nodes->entities()[tree.parents[i]]));
  }
  return work_on(
      nodes, [](Pool& pool) { pool.world().pool<Distance>().sort_by_depth(); },
      [](Pool& pool) {
        std::uint32_t last = 0;
        bool sorted = true;
        pool.world().query<Entity, const Distance>().each([&](Entity entity, const Distance&) {
          sorted = sorted && pool.world().depth(entity) >= last;
          last = pool.world().depth(entity);
        });
        return sorted ? "" : "the entities are not in order of depth";
      },
      [&tree](Pool& pool) {
        pool.world().pool<Distance>().clear();
        for (const std::uint32_t i : tree.order) pool.world().add<Distance>(pool.entities()[i]);
      });
}

void ask_sort_by_depth(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Tree>(suite, "side_store/sort_by_depth", n);
  question.limit(sort_by_hand_by_depth);
  question.answer("strata", sort_in_world_by_depth);
}

/// Between the sizes of other benches lie those of the caches.
void ask_all(Suite& suite) {
  for (const auto ask :
       {ask_sort_random, ask_sort_almost, ask_sort_moved, ask_sort_like, ask_sort_by_depth}) {
    for (const std::size_t n : {kSizes[0], kSizes[1], std::size_t{100'000}, kSizes[2]}) ask(suite, n);
  }
}

const Family kFamily(ask_all);

}  // namespace
}  // namespace strata::bench
