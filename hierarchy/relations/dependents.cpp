#include "dependents.hpp"

#include <algorithm>

namespace strata::detail {
namespace {

/// Returns: what the options of the relation say about the other entity of a pair when one entity of the pair is
/// destroyed. `end` says whether the destroyed entity is the source or the target.
PairCleanup cleanup_of(const Pairs& pairs, End end) {
  return end == End::target ? pairs.options().target_destroyed : pairs.options().source_destroyed;
}

}  // namespace

void Dependents::add(Entity entity) {
  const std::uint32_t index = entity.index();
  if (contains(index)) return;
  if (index >= positions_.size()) positions_.resize(std::size_t{index} + 1, 0);
  entities_.push_back(entity);
  positions_[index] = static_cast<std::uint32_t>(entities_.size() - 1);
}

void Dependents::complete(ChildPolicy children) {
  const std::size_t given = entities_.size();
  for (std::size_t i = 0; i < entities_.size(); ++i) {
    if (i >= given || children == ChildPolicy::destroy) add_children(entities_[i]);
    add_related(entities_[i]);
  }
}

void Dependents::add_children(Entity entity) {
  std::uint32_t child = links_.first_child(entity.index());
  for (; child != Links::kNone; child = links_.next(child)) {
    add(relations_.entity_of(child));
  }
}

void Dependents::add_related(Entity entity) {
  for (const Pairs* const pairs : relations_.all()) {
    if (pairs->size() == 0) continue;
    for (const End end : {End::target, End::source}) {
      if (cleanup_of(*pairs, end) != PairCleanup::destroy) continue;
      for (const Entity other : pairs->of(end, entity)) add(other);
    }
  }
}

std::string Dependents::find_refusal() const {
  const bool any_refuses = std::ranges::any_of(relations_.all(), [](const Pairs* pairs) {
    return pairs->size() != 0 && (cleanup_of(*pairs, End::target) == PairCleanup::refuse ||
                                  cleanup_of(*pairs, End::source) == PairCleanup::refuse);
  });
  if (!any_refuses) return "";
  for (const Entity entity : entities_) {
    if (std::string refusal = find_refusal_of(entity); !refusal.empty()) return refusal;
  }
  return "";
}

std::string Dependents::find_refusal_of(Entity entity) const {
  for (const Pairs* const pairs : relations_.all()) {
    for (const End end : {End::target, End::source}) {
      if (cleanup_of(*pairs, end) != PairCleanup::refuse) continue;
      for (const Entity other : pairs->of(end, entity)) {
        if (contains(other.index())) continue;
        const bool is_target = end == End::target;
        return "entity " + to_string(entity) + " cannot be destroyed: it is the " +
               (is_target ? "target" : "source") + " of a pair of \"" + pairs->component().name +
               (is_target ? "\" from entity " : "\" to entity ") + to_string(other) +
               ", which refuses that: remove the pair, or destroy both";
      }
    }
  }
  return "";
}

}  // namespace strata::detail
