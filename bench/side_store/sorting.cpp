// Sorting a pool of the side store.
//
// sort_random: by a value that says nothing about the order before, EnTT's benchmark SortSingle.StdSort at several sizes.
// sort_almost: what has changed a little; EnTT's AlmostSorted.InsertionSort is nearest. sort_moved: a hundred values jump.
// sort_like: a pool is brought into the order of another, which a query joins with it. sort_by_depth: a pool is to be visited
// from the top of a tree down; nodes come in any order, each below one of those before it.
#include "keys.hpp"
#include "support/particles.hpp"
#include "support/suite.hpp"

namespace strata::bench {
namespace {

Keys sorted_keys(std::size_t n) {
  Keys keys(n);
  std::iota(keys.begin(), keys.end(), 0.0f);  // Exact up to 16,777,216.
  return keys;
}

/// All different and in random order.
Keys random_keys(std::size_t n) {
  std::mt19937 random(41);
  return chosen(random, sorted_keys(n), n);
}

/// In order, but for one in a hundred, which has changed places with one of its next eight neighbours.
Keys almost_sorted_keys(std::size_t n) {
  std::mt19937 random(43);
  Keys keys = sorted_keys(n);
  for (std::size_t i = 0; i + 8 < n; i += 100) std::swap(keys[i], keys[i + 1 + below(random, 8)]);
  return keys;
}

/// In order, but for a hundred, which belong anywhere.
Keys keys_with_moved(std::size_t n) {
  std::mt19937 random(47);
  Keys keys = sorted_keys(n);
  const auto count = static_cast<std::uint32_t>(n);
  for (int i = 0; i < 100; ++i) keys[below(random, count)] = static_cast<float>(below(random, count));
  return keys;
}

/// Asks `path`/n, about the keys; the limit sorts them by hand.
Question<Keys>& ask_sort(Suite& suite, const char* path, std::size_t n, Keys (*keys_of)(std::size_t),
                         void (PackedKeys::*sort)()) {
  const auto make = [n, keys_of] { return std::make_shared<Keys>(keys_of(n)); };
  return ask_of_size<Keys>(suite, path, n, make).limit([sort](Keys& keys) {
    return work_on(
        std::make_shared<PackedKeys>(keys.size()), [sort](PackedKeys& packed) { (packed.*sort)(); },
        [](PackedKeys& packed) { return packed.is_sorted() ? "" : "the keys are not sorted"; },
        [&keys](PackedKeys& packed) { packed.set(keys); });
  });
}

/// In a world, `sort(World&)`.
auto sort_in_world(auto sort) {
  return [sort](Keys& keys) {
    return work_on(
        std::make_shared<Pool>(keys.size()), [sort](Pool& pool) { sort(pool.world); },
        [](Pool& pool) { return pool.complaint(); }, [&keys](Pool& pool) { pool.set(keys); });
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

auto sort_by(auto way) {
  return sort_in_world([way](World& world) { world.pool<Distance>().sort(kNearer, way); });
}

/// As a game would, a tenth of the pool in each frame, until all is in order.
void sort_in_steps(World& world) {
  const std::size_t budget = world.size() / 10;
  while (!world.pool<Distance>().sort_step(kNearer, budget)) {
  }
}

void ask_sorts(Suite& suite, std::size_t n) {
  auto& random = ask_sort(suite, "side_store/sort_random", n, random_keys, &PackedKeys::sort);
  random.answer("stable", sort_by(sorting::Stable{})).at_most(bar_of(n, 1.4, 1.6));
  random.answer("key", sort_in_world(sort_by_key));
  random.answer("by_entities", sort_in_world(sort_by_entities));
  random.answer("permutation", sort_by(sorting::ByPermutation{}));
  random.answer("permutation_std", sort_by(sorting::ByPermutation{kStdSort}));
  random.answer("in_place", sort_by(sorting::InPlace{}));
  random.answer("in_place_std", sort_by(sorting::InPlace{kStdSort}));
  random.answer("swaps", sort_by(sorting::BySwaps{}));
  auto& almost =
      ask_sort(suite, "side_store/sort_almost", n, almost_sorted_keys, &PackedKeys::insertion_sort);
  almost.answer("insertion", sort_by(sorting::Insertion{})).at_most(bar_of(n, 2, 4));
  almost.answer("stable", sort_by(sorting::Stable{}));
  almost.answer("key", sort_in_world(sort_by_key));
  almost.answer("in_place", sort_by(sorting::InPlace{}));
  auto& moved = ask_sort(suite, "side_store/sort_moved", n, keys_with_moved, &PackedKeys::insertion_sort);
  moved.answer("steps", sort_in_world(sort_in_steps)).at_most(3);
  moved.answer("insertion", sort_by(sorting::Insertion{}));
  moved.answer("stable", sort_by(sorting::Stable{}));
}

/// In which order the entities are to lie: two, in turn.
struct Orders {
  explicit Orders(std::size_t n) {
    std::mt19937 random(53);
    for (auto& order : numbers) order = chosen(random, numbers_below(n), n);
  }

  std::size_t size() const { return numbers[0].size(); }
  const std::vector<std::uint32_t>& at(std::size_t turn) const { return numbers[turn % 2]; }

  std::vector<std::uint32_t> numbers[2];
};

/// A pool, or keys by hand, that follows the orders.
template <class Sorted>
struct Follower : Sorted {
  using Sorted::Sorted;

  std::size_t turn = 0;
};

Work sort_like_by_hand(Orders& orders) {
  using Packed = Follower<PackedKeys>;
  return work_on(
      std::make_shared<Packed>(orders.size()),
      [&orders](Packed& packed) { packed.sort_like(orders.at(packed.turn)); },
      [&orders](Packed& packed) {
        return packed.numbers() == orders.at(packed.turn) ? "" : "the order is not the other's";
      },
      [](Packed& packed) { ++packed.turn; });
}

Work sort_like_in_world(Orders& orders) {
  using Members = Follower<Pool>;
  return work_on(
      std::make_shared<Members>(orders.size()),
      [](Members& pool) { pool.world.pool<Distance>().sort_like<Burning>(); },
      [&orders](Members& pool) {
        auto number = orders.at(pool.turn).begin();
        bool same = true;
        pool.world.query<Entity, const Distance>().each(
            [&](Entity entity, const Distance&) { same = same && entity == pool.entities[*number++]; });
        return same ? "" : "the order is not the other's";
      },
      [&orders](Members& pool) {
        ++pool.turn;
        pool.world.pool<Burning>().clear();
        for (const std::uint32_t i : orders.at(pool.turn)) pool.world.add<Burning>(pool.entities[i]);
      });
}

/// A tree of random shape, and in which order its nodes lie before each sort.
struct Tree {
  explicit Tree(std::size_t n) : parents(n), depths(n) {
    std::mt19937 random(59);
    for (std::uint32_t i = 1; i < n; ++i) {
      parents[i] = below(random, i);
      depths[i] = depths[parents[i]] + 1;
    }
    order = chosen(random, numbers_below(n), n);
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
    static_cast<void>(nodes->world.set_parent(nodes->entities[i], nodes->entities[tree.parents[i]]));
  }
  return work_on(
      nodes, [](Pool& pool) { pool.world.pool<Distance>().sort_by_depth(); },
      [](Pool& pool) {
        std::uint32_t last = 0;
        bool sorted = true;
        pool.world.query<Entity, const Distance>().each([&](Entity entity, const Distance&) {
          sorted = sorted && pool.world.depth(entity) >= last;
          last = pool.world.depth(entity);
        });
        return sorted ? "" : "the entities are not in order of depth";
      },
      [&tree](Pool& pool) {
        pool.world.pool<Distance>().clear();
        for (const std::uint32_t i : tree.order) pool.world.add<Distance>(pool.entities[i]);
      });
}

void ask_orders(Suite& suite, std::size_t n) {
  auto& like = ask_of_size<Orders>(suite, "side_store/sort_like", n);
  like.limit(sort_like_by_hand);
  like.answer("strata", sort_like_in_world);
  auto& by_depth = ask_of_size<Tree>(suite, "side_store/sort_by_depth", n);
  by_depth.limit(sort_by_hand_by_depth);
  by_depth.answer("strata", sort_in_world_by_depth);
}

/// Between the sizes of other benches lie those of the caches.
const Family kFamily([](Suite& suite) {
  for (const std::size_t n : {kSizes[0], kSizes[1], std::size_t{100'000}, kSizes[2]}) {
    ask_sorts(suite, n);
    ask_orders(suite, n);
  }
});

}  // namespace
}  // namespace strata::bench
