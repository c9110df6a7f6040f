#include "state_shift.hpp"

#include <algorithm>
#include <utility>

namespace strata::detail {

Table& table_of_state(Store& store, Archetype& archetype, Branch& branch) {
  return store.tables().get(archetype, branch);
}

void StateShift::plan(std::span<const NewParent> moves) {
  std::pmr::vector<std::pair<std::uint32_t, bool>> sorted(store_.memory());
  std::pmr::vector<std::uint32_t> moved(store_.memory());
  for (const NewParent& move : moves) {
    if (store_.alive(move.child)) sorted.emplace_back(move.child.index(), closes(store_, move.parent));
  }
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [node, closed] : sorted) moved.push_back(node);
  for (const auto& [node, closed] : sorted) plan(node, closed, moved);
  std::ranges::sort(changed_, {}, &Entity::index);
}

/// Lists `moved` and the entities below it whose state changes if `moved` gets a parent below which all entities
/// are disabled (`closed`) or not. Leaves out those of `others`, which move on their own.
void StateShift::plan(std::uint32_t moved, bool closed, std::span<const std::uint32_t> others) {
  for (std::uint32_t node = moved; node != Links::kNone;) {
    const bool is_other = node != moved && std::binary_search(others.begin(), others.end(), node);
    Archetype& from = table_of(*store_.slots().place_of(node).block).archetype();
    const StateFlags before = flags_of(store_, from);
    const bool stays = is_other || before.above == closed;
    if (!stays) {
      StateFlags flags = before;
      flags.above = closed;
      steps_.push_back({node, moved, &with_flags(store_, from, flags)});
      if (store_.listened() && before.any() != flags.any())
        changed_.push_back(store_.slots().handle_of(node));
    }
    // What is below a subtree that is disabled by itself is disabled anyway.
    node = stays || before.subtree ? links_.next_after_subtree(node, moved)
                                   : links_.next_depth_first(node, moved);
  }
}

std::span<const StateShift::Step> StateShift::steps_of(std::uint32_t moved) const {
  const auto first = std::partition_point(steps_.begin(), steps_.end(),
                                          [&](const Step& step) { return step.moved < moved; });
  const auto end =
      std::partition_point(first, steps_.end(), [&](const Step& step) { return step.moved == moved; });
  return {first, end};
}

void StateShift::reserve_own() {
  for (const Step& step : steps_) {
    Branch& branch = branch_of(step.node);
    if (step.node != step.moved && branch.lasts == 0) reserve(step, branch);
  }
}

void StateShift::apply() noexcept {
  for (const Step& step : steps_) {
    const Place place = store_.slots().place_of(step.node);
    store_.rows().move(place, table_of_state(store_, *step.to, table_of(*place.block).branch()));
  }
}

}  // namespace strata::detail
