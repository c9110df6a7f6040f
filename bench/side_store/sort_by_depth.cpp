// The workload of a pool that is to be gone through from the top of a tree down: nodes come in any order,
// each below one of those before it.
#include <algorithm>
#include <random>

#include "keys.hpp"
#include "questions.hpp"
#include "support/random.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

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
  const auto packed = std::make_shared<PackedKeys>(tree.parents.size());
  return {.step = [packed, &tree] { packed->counting_sort(tree.depths, tree.levels); },
          .check = [packed, &tree]() -> Complaint {
            const bool sorted =
                std::is_sorted(packed->numbers().begin(), packed->numbers().end(),
                               [&](auto a, auto b) { return tree.depths[a] < tree.depths[b]; });
            return sorted ? "" : "the numbers are not in order of depth";
          },
          .prepare = [packed, &tree] { packed->sort_like(tree.order); }};
}

Work sort_in_world_by_depth(Tree& tree) {
  const auto pool = std::make_shared<Pool>(tree.parents.size());
  for (std::size_t i = 1; i < tree.parents.size(); ++i) {
    static_cast<void>(pool->world().set_parent(pool->entities()[i], pool->entities()[tree.parents[i]]));
  }
  return {.step = [pool] { pool->world().sort_by_depth<Distance>(); },
          .check = [pool]() -> Complaint {
            std::uint32_t last = 0;
            bool sorted = true;
            pool->world().query<Entity, const Distance>().each([&](Entity entity, const Distance&) {
              sorted = sorted && pool->world().depth(entity) >= last;
              last = pool->world().depth(entity);
            });
            return sorted ? "" : "the entities are not in order of depth";
          },
          .prepare =
              [pool, &tree] {
                pool->world().clear<Distance>();
                for (const std::uint32_t i : tree.order) pool->world().add<Distance>(pool->entities()[i]);
              }};
}

}  // namespace

void ask_sort_by_depth(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Tree>(suite, "side_store/sort_by_depth", n);
  question.limit(sort_by_hand_by_depth);
  question.answer("strata", sort_in_world_by_depth);
}

}  // namespace strata::bench
