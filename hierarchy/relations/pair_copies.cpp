// The part of RelationSet that copies the pairs of entities when these entities are copied (instantiated).
#include <algorithm>

#include "../../core/contract.hpp"
#include "../../core/entity_map.hpp"
#include "../../core/rollback.hpp"
#include "relation_set.hpp"

namespace strata::detail {

/// Copies the pairs of entities, the originals, to copies of these entities. If there are several copies of each
/// original, `copy_to` is called several times, each time with one copy of each original.
class RelationSet::Copier {
 public:
  Copier(RelationSet& relations, std::span<const Entity> originals);

  /// Copies the pairs of which the originals are sources. `copies[i]` is the copy of `originals[i]` (see the
  /// constructor), and becomes the source of the copied pairs. If the target of a pair is an original, too, its copy
  /// becomes the target of the copied pair.
  void copy_to(std::span<const Entity> copies);

 private:
  void copy_pair(Pairs& pairs, Entity original, std::uint32_t position, Entity copy, const EntityMap& map);
  void add_copy(Pairs& pairs, const Pairs::Prepared& pair, const void* value, Entity copy, Entity target,
                const EntityMap& map);

  RelationSet& relations_;
  std::span<const Entity> originals_;
  PlainList<std::uint32_t> positions_;  // By slot index: the position of an original in `originals_`.
};

RelationSet::Copier::Copier(RelationSet& relations, std::span<const Entity> originals)
    : relations_(relations), originals_(originals), positions_(relations.store_.memory()) {
  std::uint32_t highest = 0;
  for (const Entity entity : originals) highest = highest < entity.index() ? entity.index() : highest;
  positions_.resize(std::size_t{highest} + 1, 0);
  for (std::uint32_t i = 0; i < originals.size(); ++i) positions_[originals[i].index()] = i;
}

void RelationSet::Copier::copy_to(std::span<const Entity> copies) {
  const EntityMap map(originals_, copies, {positions_.data(), positions_.size()});
  for (Pairs* const pairs : relations_.all()) {
    if (pairs->size() == 0) continue;
    for (std::size_t i = 0; i < originals_.size(); ++i) {
      const std::size_t count = pairs->of(End::source, originals_[i]).size();
      for (std::uint32_t position = 0; position < count; ++position) {
        copy_pair(*pairs, originals_[i], position, copies[i], map);
      }
    }
  }
}

void RelationSet::Copier::copy_pair(Pairs& pairs, Entity original, std::uint32_t position, Entity copy,
                                    const EntityMap& map) {
  const Entity before = pairs.of(End::source, original)[position];
  const Entity target = map(before);
  if (pairs.options().symmetric) {
    // In a symmetric relation, each pair has a reverse pair. If the relation is also exclusive, a pair is not copied if
    // its target is not copied: the target can be in one pair only, so adding its pair with the copy would remove its
    // pair with the original. In any symmetric relation, a pair is not copied if it was already added, as the reverse
    // of another copied pair.
    if (pairs.options().exclusive && target == before) return;
    if (pairs.find(copy, target)) return;
  }
  const void* const value = pairs.value(original, position);
  const Pairs::Prepared pair = pairs.prepare(pairs.open(copy, target), copy, target);
  // The row of the copy was made with the components of the original's row. If the relation is stored in tables (see
  // TargetTags), one of these components is the tag of the old target, `before`. `show` replaces it by the tag of the
  // new target.
  if (pairs.is_shown()) relations_.show(pairs, pair, copy, target, before);
  add_copy(pairs, pair, value, copy, target, map);
}

/// Completes `pair`, a pair from `copy` to `target` that `prepare` has returned: copies `value` to it if
/// the relation has values, adds the pair to the lists of its two entities, and replaces entity handles in the copied
/// value by those that `map` returns. If copying throws, cancels the pair.
void RelationSet::Copier::add_copy(Pairs& pairs, const Pairs::Prepared& pair, const void* value, Entity copy,
                                   Entity target, const EntityMap& map) {
  const ComponentInfo& component = pairs.component();
  Rollback cancel([&] { relations_.cancel(pairs, pair, copy, target); });
  if (!component.is_tag()) component.copy_values(pairs.value(pair.number), value, 1);
  cancel.dismiss();
  relations_.link(pairs, pair, copy, target);
  if (!component.is_tag() && component.remap != nullptr) component.remap(pairs.value(pair.number), 1, map);
}

void RelationSet::require_copyable(std::span<const Entity> originals) const {
  for (const Pairs* const pairs : all()) {
    if (pairs->size() == 0 || pairs->component().can_copy()) continue;
    for (const Entity entity : originals) {
      STRATA_EXPECTS(
          pairs->of(End::source, entity).empty(),
          "instantiate: entity " + to_string(entity) + " has a pair of \"" + pairs->component().name +
              "\", whose values cannot be copied: remove the pair first, or make the type copyable");
    }
  }
}

void RelationSet::copy_pairs(std::span<const Entity> originals, std::span<const Entity> copies) {
  const auto has_pairs = [&](const Pairs* pairs) {
    return pairs->size() != 0 && std::ranges::any_of(originals, [&](Entity entity) {
             return !pairs->of(End::source, entity).empty();
           });
  };
  if (std::none_of(all_.begin(), all_.end(), has_pairs)) return;
  // Copying a value may run user code, which must not change the world meanwhile.
  const ChangeGuard::Operation operation(store_.guard(), "instantiate");
  // The library gives the component Pair to each source of a pair. Copies of sources got it with the other components
  // of their originals, but they have no pairs yet. So `update` removes the component from them.
  for (Pairs* const pairs : all()) {
    for (const Entity copy : copies) components_.update(*pairs, copy);
  }
  Copier copier(*this, originals);
  for (std::size_t done = 0; done < copies.size(); done += originals.size()) {
    copier.copy_to(copies.subspan(done, originals.size()));
  }
}

}  // namespace strata::detail
