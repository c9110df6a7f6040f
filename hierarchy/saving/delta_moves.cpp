#include "delta_moves.hpp"

#include <algorithm>
#include <unordered_map>

namespace strata::detail {
namespace {

/// Finds a longest increasing subsequence of `numbers`, leaving out elements that are kNone.
/// Returns: for each element of `numbers`, whether it belongs to this subsequence.
/// Contract: no two elements are equal, except those that are kNone.
/// Source: C. Schensted: "Longest increasing and decreasing subsequences", 1961.
std::vector<bool> longest_rising(const std::vector<std::uint32_t>& numbers) {
  // ends[n]: of the elements visited so far that end an increasing subsequence of n + 1 elements, the position of the
  // least one. before[i]: the position of the element before element i in such a subsequence; kNone if i is its first.
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> before(numbers.size(), Links::kNone);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == Links::kNone) continue;
    const auto at =
        std::ranges::lower_bound(ends, numbers[i], {}, [&](std::uint32_t end) { return numbers[end]; });
    if (at != ends.begin()) before[i] = *(at - 1);
    if (at == ends.end()) {
      ends.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<bool> is_in(numbers.size());
  for (std::uint32_t i = ends.empty() ? Links::kNone : ends.back(); i != Links::kNone; i = before[i])
    is_in[i] = true;
  return is_in;
}

/// Adds to `moves` the moves after which the entity with slot index `parent` has the children that it has in `to`, in
/// the same order. As few children as possible move. The children that stay are children of the entity in `from`, too,
/// and have the same order there.
void list_family(const ImageFacts& from, const ImageFacts& to, std::uint32_t parent,
                 std::vector<WorldDelta::Move>& moves) {
  const Entity above = to.entity_at(parent);
  std::unordered_map<std::uint32_t, std::uint32_t> places;  // Positions of children in `from`, by slot index.
  if (from.alive(above)) {
    std::uint32_t place = 0;
    for (std::uint32_t child = from.links().first_child(parent); child != Links::kNone;
         child = from.links().next(child))
      places.emplace(child, place++);
  }
  std::vector<Entity> children;
  std::vector<std::uint32_t> before;
  for (std::uint32_t child = to.links().first_child(parent); child != Links::kNone;
       child = to.links().next(child)) {
    const Entity entity = to.entity_at(child);
    const auto found = places.find(child);
    children.push_back(entity);
    before.push_back(found != places.end() && from.alive(entity) ? found->second : Links::kNone);
  }
  const std::vector<bool> stays = longest_rising(before);
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!stays[i]) moves.push_back({children[i], above, i != 0 ? children[i - 1] : Entity()});
  }
}

std::uint32_t depth_of(const Links& links, Entity entity) {
  std::uint32_t depth = 0;
  for (std::uint32_t node = entity.index(); node != Links::kNone; node = links.parent(node)) ++depth;
  return depth;
}

}  // namespace

void list_moves(const ImageFacts& from, const ImageFacts& to, std::vector<WorldDelta::Move>& moves) {
  struct Family {
    std::uint32_t depth;
    std::uint32_t parent;
  };
  std::vector<Family> families;
  std::vector<bool> is_listed(to.slots());
  for (std::uint32_t index = 0; index < to.slots(); ++index) {
    const Entity entity = to.entity_at(index);
    if (!entity) continue;
    const Entity parent = to.parent(entity);
    const Entity before = from.alive(entity) ? from.parent(entity) : Entity();
    if (!parent) {
      if (before) moves.push_back({entity, Entity(), Entity()});
    } else if ((before != parent || from.previous(entity) != to.previous(entity)) &&
               !is_listed[parent.index()]) {
      is_listed[parent.index()] = true;
      families.push_back({depth_of(to.links(), parent), parent.index()});
    }
  }
  std::ranges::stable_sort(families, {}, &Family::depth);
  for (const Family& family : families) list_family(from, to, family.parent, moves);
}

}  // namespace strata::detail
