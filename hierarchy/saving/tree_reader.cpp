#include "tree_reader.hpp"

#include <span>

namespace strata::detail {

bool TreeReader::read_slots(ByteReader& from) {
  const auto number = from.read<std::uint8_t>();
  const std::size_t count = from.read_count(4, 4);
  if (from.failed() || number >= lists_.size()) return false;
  std::vector<std::uint32_t>& list = lists_[number];
  list.resize(list.size() + count);
  from.read_all(std::span(list).last(count));
  return !from.failed();
}

bool TreeReader::close_slots() {
  Slots& slots = state_.parts.store.slots();
  if (!slots.restore(lists_[0], lists_[1], lists_[2]))
    return state_.refuse("the slots before it are more than WorldOptions::max_entities, or make no sense");
  lists_ = {};
  state_.parts.store.rows().changes().moved().reserve(slots.size());
  state_.parents.assign(slots.size(), Links::kNone);
  marked_.assign(slots.size(), false);
  return true;
}

bool TreeReader::read_family(ByteReader& from) {
  const auto parent = from.read<std::uint32_t>();
  const auto how = from.read<std::uint8_t>();
  const auto count = static_cast<std::uint32_t>(from.read_count(4, 64));
  if (from.failed() || !open_family(parent, how, count)) return false;
  children_.resize(children_.size() + count);
  families_.back().count += count;
  const auto added = std::span(children_).last(count);
  from.read_all(added);
  const Slots& slots = state_.parts.store.slots();
  for (const std::uint32_t child : added) {
    if (!slots.is_in_use(child) || state_.parents[child] != Links::kNone || child == parent)
      return state_.refuse_entity(child, "is no child, or is one twice");
    state_.parents[child] = parent;
  }
  return true;
}

/// Makes the last family that of `parent`.
bool TreeReader::open_family(std::uint32_t parent, std::uint8_t how, std::uint32_t count) {
  const bool chooses = (how & kChoosesLayout) != 0;
  if (how == kContinues) return count != 0 && !families_.empty() && families_.back().parent == parent;
  const int layout = how - (chooses ? kChoosesLayout : 0);
  if (layout > static_cast<int>(Layout::adaptive) || (count == 0 && !chooses)) return false;
  if (!state_.parts.store.slots().is_in_use(parent) || marked_[parent])
    return state_.refuse_entity(parent, "is no parent, or is one twice");
  marked_[parent] = true;
  families_.push_back(
      {parent, static_cast<Layout>(layout), chooses, static_cast<std::uint32_t>(children_.size()), 0});
  return true;
}

/// Finds the depth of each entity: the number of its ancestors.
/// Complexity: O(slots).
bool TreeReader::find_depths(std::vector<std::uint32_t>& depths) {
  const auto size = static_cast<std::uint32_t>(state_.parents.size());
  depths.assign(size, Links::kNone);
  for (std::uint32_t node = 0; node < size; ++node) {
    std::uint32_t unknown = 0;
    std::uint32_t above = node;
    for (; above != Links::kNone && depths[above] == Links::kNone; above = state_.parents[above]) {
      if (++unknown > size) return state_.refuse_entity(node, "is its own ancestor");
    }
    std::uint32_t depth = (above != Links::kNone ? depths[above] + 1 : 0) + unknown;
    for (above = node; unknown != 0; --unknown, above = state_.parents[above]) depths[above] = --depth;
  }
  return true;
}

bool TreeReader::close() {
  if (families_.empty()) return true;
  std::vector<std::uint32_t> depths;
  if (!find_depths(depths)) return false;
  state_.parts.links.reserve(static_cast<std::uint32_t>(state_.parents.size()) - 1);
  state_.parts.links.reserve_families(families_.size());
  for (const Family& family : families_) {
    if (family.count != 0) link(family, depths[family.parent]);
    if (family.chooses) state_.parts.rows.restore_layout(family.parent, family.layout);
  }
  return true;
}

void TreeReader::link(const Family& family, std::uint32_t depth) {
  const Branch& branch = state_.parts.rows.open_branch(family.parent, depth, family.layout, family.count);
  state_.parts.links.create_family(family.parent, family.count, family.layout, branch.number,
                                   [&](std::uint32_t i) { return children_[family.first + i]; });
}

}  // namespace strata::detail
