// The workload known as adding and removing a component, entity by entity: abeimler/ecs_benchmark
// RemoveAddComponent, SanderMertens/ecs_benchmark add_remove_1_components. Entities of four components get a
// fifth, all of them in tables.
//
// The limit is that of toggle_sparse: nothing that an entity has needs to move when it gets something more,
// so the four stay where they are, and the fifth is packed beside them.
#include "questions.hpp"
#include "support/sizes.hpp"
#include "toggle.hpp"

namespace strata::bench {
namespace {

struct Mass {
  float kilograms;
};

/// The fifth.
struct Shield {
  float strength;
};

}  // namespace

void ask_add_remove_arch(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<HowMany>(suite, "core/add_remove_arch", n);
  question.limit(toggle_in_set<Shield, Passes::one>);
  question.answer("strata", toggle_in_world<Shield, Passes::one, Health, Mass>).at_most(12);
}

}  // namespace strata::bench
