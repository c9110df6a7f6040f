#include "tree_reader.hpp"

#include <array>
#include <span>

namespace strata::detail {

bool TreeReader::read_slots(ByteReader& from) {
  std::array<std::vector<std::uint32_t>, 3> lists;  // Generations, free and retired ones.
  for (std::vector<std::uint32_t>& list : lists) {
    list.resize(from.read_count(4, 4));
    from.read_all(list);
  }
  if (from.failed() || from.left() != 0) return false;
  Slots& slots = state_.parts.store.slots();
  if (!slots.restore(lists[0], lists[1], lists[2]))
    return state_.refuse("its slots are more than WorldOptions::max_entities, or make no sense");
  state_.parts.store.rows().changes().moved().reserve(slots.size());
  state_.parents.assign(slots.size(), Links::kNone);
  marked_.assign(slots.size(), false);
  return true;
}

bool TreeReader::read_family(ByteReader& from) {
  const Slots& slots = state_.parts.store.slots();
  const auto parent = from.read<std::uint32_t>();
  const Layout layout = read_layout_of(from);
  const auto count = static_cast<std::uint32_t>(from.read_count(4, 64));
  if (from.failed() || count == 0) return false;
  if (!slots.is_in_use(parent) || marked_[parent])
    return state_.refuse_entity(parent, "is no parent, or is one twice");
  marked_[parent] = true;
  families_.push_back({parent, layout, static_cast<std::uint32_t>(children_.size()), count});
  children_.resize(children_.size() + count);
  const auto added = std::span(children_).last(count);
  from.read_all(added);
  for (const std::uint32_t child : added) {
    if (!slots.is_in_use(child) || state_.parents[child] != Links::kNone || child == parent)
      return state_.refuse_entity(child, "is no child, or is one twice");
    state_.parents[child] = parent;
  }
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
    const Branch& branch =
        state_.parts.rows.open_branch(family.parent, depths[family.parent], family.layout, family.count);
    state_.parts.links.create_family(family.parent, family.count, family.layout, branch.number,
                                     [&](std::uint32_t i) { return children_[family.first + i]; });
  }
  return true;
}

}  // namespace strata::detail
