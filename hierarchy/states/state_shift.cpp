#include "state_shift.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace strata::detail {

Table& table_of_state(Store& store, Archetype& archetype, Branch& branch) {
  return store.tables().get(archetype, branch);
}

void StateShift::plan(std::span<const NewParent> moves) {
  std::pmr::vector<std::pair<std::uint32_t, StateSet>> sorted(store_.memory());
  std::pmr::vector<std::uint32_t> moved(store_.memory());
  for (const NewParent& move : moves) {
    if (store_.alive(move.child))
      sorted.emplace_back(move.child.index(), inherited_from(store_, move.parent));
  }
  std::ranges::sort(sorted, {}, [](const auto& move) { return move.first; });
  for (const auto& [node, inherited] : sorted) moved.push_back(node);
  for (const auto& [node, inherited] : sorted) plan(node, inherited, moved);
  std::ranges::sort(changed_, {}, [](const ChangedStates& change) { return change.entity.index(); });
}

/// The entity `moved` is to get another parent, whose children inherit the states `inherited`. Lists `moved` and the
/// entities below it whose states change because of that. Leaves out the subtrees of entities in `others`: these
/// entities also get other parents, and `plan` is called for each of them.
void StateShift::plan(std::uint32_t moved, StateSet inherited, std::span<const std::uint32_t> others) {
  const StateSet all = flags_of(store_, moved).above ^ inherited;
  StateSet changing = all;  // The states that change at `node`; see `staying` below.
  // For each state of `all`: the next node at which the loop adds the state to `changing`. At first, that is `moved`;
  // later, the node after a subtree in which the state stays as it is (kNone if there is no node after it).
  std::array<std::uint32_t, kStates.size()> resumes;
  resumes.fill(moved);
  for (std::uint32_t node = moved; node != Links::kNone && all.any();) {
    for (const State state : kStates) {
      if (resumes[to_index(state)] == node) changing |= all & state;
    }
    const bool is_other = node != moved && std::binary_search(others.begin(), others.end(), node);
    const StateFlags before = flags_of(store_, node);
    if (!is_other) add(node, moved, before, changing);
    // `staying`: the states in `changing` that do not change below `node`. If `node` itself was put into a state with
    // its subtree, the entities below `node` stay in this state. If `node` is in `others`, no entity below it is to be
    // listed here, so all states in `changing` count as staying.
    const StateSet staying = is_other ? changing : changing & before.subtree;
    changing = changing - staying;
    const bool skips = !changing.any();
    const std::uint32_t end = staying.any() || skips ? links_.next_after_subtree(node, moved) : Links::kNone;
    for (const State state : kStates) {
      if (staying.contains(state)) resumes[to_index(state)] = end;
    }
    node = skips ? end : links_.next_depth_first(node, moved);
  }
}

/// Lists the entity `node`, which enters or leaves the inherited states `changing`. `moved` is the entity that gets
/// another parent: `node` or an ancestor of `node`. Does nothing if `changing` is empty.
void StateShift::add(std::uint32_t node, std::uint32_t moved, const StateFlags& before, StateSet changing) {
  if (!changing.any()) return;
  StateFlags flags = before;
  flags.above = before.above ^ changing;
  Archetype& from = table_of(*store_.slots().place_of(node).block).archetype();
  steps_.push_back({node, moved, &with_flags(store_, from, flags)});
  const StateSet entered_or_left = before.all() ^ flags.all();
  if (store_.listened() && entered_or_left.any())
    changed_.push_back({store_.slots().handle_of(node), entered_or_left});
}

void StateShift::plan_tags(std::span<const std::uint32_t> nodes, std::uint32_t parent,
                           MassChanges::FindTarget find, void* context) {
  if (nodes.empty()) return;
  std::pmr::vector<char> planned(nodes.size(), 0, store_.memory());
  const auto position_of = [&](std::uint32_t node) {
    return static_cast<std::size_t>(std::ranges::lower_bound(nodes, node) - nodes.begin());
  };
  const auto is_given = [&](std::size_t position, std::uint32_t node) {
    return position != nodes.size() && nodes[position] == node;
  };
  for (Step& step : steps_) {
    const std::size_t position = position_of(step.node);
    if (!is_given(position, step.node)) continue;
    step.to = &find(context, *step.to);
    planned[position] = 1;
  }
  const auto add = [&](std::size_t position, std::uint32_t moved) {
    if (std::exchange(planned[position], char{1}) != 0) return;
    Archetype& from = table_of(*store_.slots().place_of(nodes[position]).block).archetype();
    steps_.push_back({nodes[position], moved, &find(context, from)});
  };
  for (std::uint32_t child = links_.first_child(parent); child != Links::kNone; child = links_.next(child)) {
    for (std::uint32_t below = child; below != Links::kNone; below = links_.next_depth_first(below, child)) {
      const std::size_t position = position_of(below);
      if (is_given(position, below)) add(position, child);
    }
  }
  for (std::size_t position = 0; position < nodes.size(); ++position) add(position, Links::kNone);
  std::ranges::sort(steps_, {}, [](const Step& step) { return std::pair(step.moved, step.node); });
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
    const bool stays = step.moved == Links::kNone;
    if (stays || (step.node != step.moved && branch.lasts == 0)) reserve(step, branch);
  }
}

void StateShift::apply() noexcept {
  for (const Step& step : steps_) {
    const Place place = store_.slots().place_of(step.node);
    store_.rows().move(place, table_of_state(store_, *step.to, table_of(*place.block).branch()));
  }
}

}  // namespace strata::detail
