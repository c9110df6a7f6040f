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
    return state_.refuse("the slots before it are more than WorldOptions::max_entities, or are not valid");
  lists_ = {};
  state_.parts.store.rows().changes().moved().reserve(slots.size());
  return true;
}

bool TreeReader::read_family(ByteReader& from) {
  const auto parent = from.read<std::uint32_t>();
  const auto how = from.read<std::uint8_t>();
  const auto count = static_cast<std::uint32_t>(from.read_count(4, 64));
  if (from.failed() || !open_family(parent, how, count)) return false;
  children_.resize(count);
  from.read_all(children_);
  const std::size_t attached = state_.parts.links.attach_unchecked(children_, parent);
  return attached == count || refuse_child(children_[attached]);
}

bool TreeReader::refuse_child(std::uint32_t child) {
  return state_.refuse_entity(child, "is no child, or is one twice");
}

/// Begins a family (a parent with its children), so that `parent` can get children. `how` is the byte with the family's
/// layout and flags; see kChoosesLayout. If `how` is kContinues, the `count` children that follow in the file belong to
/// the family that was begun last. In this case, only checks that `parent` is the parent of that family.
/// Returns: false if the arguments, which were read from the file, are not valid, for example if `parent` is not alive.
bool TreeReader::open_family(std::uint32_t parent, std::uint8_t how, std::uint32_t count) {
  const bool chooses = (how & kChoosesLayout) != 0;
  if (how == kContinues) return count != 0 && !parents_.empty() && parents_.back() == parent;
  const int layout = how - (chooses ? kChoosesLayout : 0);
  if (layout > static_cast<int>(Layout::adaptive) || (count == 0 && !chooses)) return false;
  const Slots& slots = state_.parts.store.slots();
  Links& links = state_.parts.links;
  if (!slots.is_in_use(parent) || links.has_family(parent))
    return state_.refuse_entity(parent, "is no parent, or is one twice");
  if (parents_.empty()) {
    links.reserve_new(0, slots.size());
    links.add_new(slots.size() - 1);
  }
  links.reserve_families(1);
  links.get_family(parent).layout = static_cast<std::uint32_t>(layout) & 3u;
  if (chooses) state_.parts.rows.restore_layout(parent, static_cast<Layout>(layout));
  parents_.push_back(parent);
  return true;
}

bool TreeReader::close() {
  if (!are_children_in_use()) return false;
  for (const std::uint32_t parent : parents_) {
    if (state_.parts.links.child_count(parent) != 0 && !open_branches(parent)) return false;
  }
  return true;
}

bool TreeReader::are_children_in_use() {
  const Slots& slots = state_.parts.store.slots();
  if (slots.in_use() == slots.size()) return true;
  for (std::uint32_t node = 0; node < slots.size(); ++node) {
    if (state_.parts.links.parent(node) != Links::kNone && !slots.is_in_use(node)) return refuse_child(node);
  }
  return true;
}

/// Chooses the branch (set of tables) for the rows of the children of `parent`. Before that, chooses branches for the
/// children of those ancestors of `parent` whose children have none yet.
/// Returns: false if `parent`, or one of its ancestors, is its own ancestor.
/// Complexity: O(branches that are chosen); O(entities with children in the file) if the result is false.
bool TreeReader::open_branches(std::uint32_t parent) {
  Links& links = state_.parts.links;
  FamilyRows& rows = state_.parts.rows;
  std::uint32_t depth = 0;
  std::uint32_t node = parent;
  for (; node != Links::kNone; node = links.parent(node)) {
    const Branch* const branch = rows.branches().find(links.find_family(node));
    if (branch != nullptr) {
      depth = branch->rank;
      break;
    }
    if (above_.size() == parents_.size()) return state_.refuse_entity(parent, "is its own ancestor");
    above_.push_back(node);
  }
  for (; !above_.empty(); above_.pop_back(), ++depth) {
    Links::Family& family = *links.find_family(above_.back());
    const auto layout = static_cast<Layout>(family.layout);
    family.branch = rows.open_branch(above_.back(), depth, layout, family.count).number;
  }
  return true;
}

}  // namespace strata::detail
