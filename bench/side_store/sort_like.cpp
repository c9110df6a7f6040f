// The workload of two pools that a query joins: one is brought into the order of the other.
#include <numeric>
#include <random>

#include "keys.hpp"
#include "questions.hpp"
#include "support/particles.hpp"
#include "support/random.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

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
  return {.step = [pool] { pool->world().sort_like<Distance, Burning>(); },
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
                pool->world().clear<Burning>();
                for (std::size_t i = 0; i < pool->entities().size(); ++i) {
                  pool->world().add<Burning>(entity_at(i));
                }
              }};
}

}  // namespace

void ask_sort_like(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Orders>(suite, "side_store/sort_like", n);
  question.limit(sort_like_by_hand);
  question.answer("strata", sort_like_in_world);
}

}  // namespace strata::bench
