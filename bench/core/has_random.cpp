// The workload known as asking for a component: SanderMertens/ecs_benchmark has and has_not_found, here of
// entities in random order, a random half of which has it.
#include "checked_arrays.hpp"
#include "prepared.hpp"
#include "questions.hpp"
#include "random_access.hpp"
#include "support/sizes.hpp"

namespace strata::bench {
namespace {

struct Data : RandomAccess {
  explicit Data(std::size_t n) : RandomAccess(n), has(n) {
    // The order itself is random: whose number comes early in it is so too.
    for (std::size_t i = 0; i < n; i += 2) has[order[order[i]]] = 1;
    for (const std::uint8_t one : has) expected += one;
  }

  std::shared_ptr<Crowd> world() const {
    return crowd(*this, [this](std::size_t i) { return has[i] != 0; });
  }

  std::vector<std::uint8_t> has;  ///< By number.
};

/// The limit: an array of bytes indexed by the random order.
Work ask_by_hand(Data& data) {
  return summing(data, [&data] {
    const std::uint8_t* const has = data.has.data();
    std::uint64_t sum = 0;
    for (const std::uint32_t i : data.order) sum += has[i];
    return sum;
  });
}

Work ask_by_handle(Data& data) {
  return sum_by_handle(data, std::span<const std::uint8_t>(data.has), [](std::uint8_t has) { return has; });
}

Work ask_world(Data& data) {
  return summing(data, [crowd = data.world()] {
    const World& world = crowd->world;
    return sum_over(crowd->in_order, [&](Entity entity) { return world.has<Health>(entity); });
  });
}

}  // namespace

void ask_has_random(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Data>(suite, "core/has_random", n);
  question.limit(ask_by_hand);
  question.answer("strata", ask_world).at_most(bar_of(n, 3, 8));
  question.answer("prepared", [](Data& data) { return has_prepared(data, data.world()); })
      .at_most(bar_of(n, 2, 6));
  question.answer("arrays_by_handle", ask_by_handle);
}

}  // namespace strata::bench
