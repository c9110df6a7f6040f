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

/// What is to be done where components are in tables, whatever the tables: rows of four columns and rows of five,
/// moved from the ones to the others, without a check. It has no bar; it says how much of strata's figure is the move.
class TwoTables {
 public:
  explicit TwoTables(std::size_t n) : without_(n), with_(n) {
    for (std::size_t i = 0; i < n; ++i) {
      without_.add(static_cast<std::uint32_t>(i), position_of(i), velocity_of(i), health_of(i), {});
    }
  }

  void add(std::uint32_t number, const Shield& shield) {
    with_.add(number, without_.get<Position>(number), without_.get<Velocity>(number),
              without_.get<Health>(number), without_.get<Mass>(number), shield);
    without_.remove(number);
  }

  bool remove(std::uint32_t number) {
    without_.add(number, with_.get<Position>(number), with_.get<Velocity>(number), with_.get<Health>(number),
                 with_.get<Mass>(number));
    return with_.remove(number);
  }

 private:
  PackedSet<Position, Velocity, Health, Mass> without_;
  PackedSet<Position, Velocity, Health, Mass, Shield> with_;
};

}  // namespace

void ask_add_remove_arch(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<CountOrSpan>(suite, "core/add_remove_arch", n);
  question.limit(toggle_in_set<Shield, Passes::one>);
  question.answer("strata", toggle_in_world<Shield, Passes::one, Health, Mass>).at_most(12);
  question.answer("two_tables_by_hand",
                  [](CountOrSpan& data) { return toggle_by_hand<Shield, Passes::one, TwoTables>(data.n); });
}

}  // namespace strata::bench
