// Pair: a component by which queries find the entities that have targets in a relation, and read these targets. The
// library adds it to these entities if the relation has the option `queried`.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "../../core/component.hpp"
#include "../../query/terms/terms.hpp"
#include "pair_lists.hpp"
#include "related_entities.hpp"
#include "relation_options.hpp"
#include "target_tags.hpp"

namespace strata {

namespace detail {

/// The contents of the component Pair, which the library adds to each source (entity from which a pair leads to a
/// target) of a relation with the option `queried`: the first target of the source, and a pointer to the list of all
/// its targets.
class SourcePairs {
 public:
  SourcePairs(Entity target, const PairLists::Head& targets) : target_(target), targets_(&targets) {}
  SourcePairs(const SourcePairs&) = default;
  SourcePairs& operator=(const SourcePairs&) = delete;

  /// Returns: the first of the targets.
  Entity target() const { return target_; }
  /// Returns: the targets, in the order of Relations::targets.
  /// Invalidates: the span, by any change of the relation.
  RelatedEntities targets() const { return RelatedEntities(targets_->entities()); }

 private:
  Entity target_;
  const PairLists::Head* targets_;
};

/// The contents of the component Pair for relations with values: SourcePairs, and a pointer to the value of the pair
/// that leads to `target()`, the first target of the source.
class SourcePairsWithValues : public SourcePairs {
 public:
  SourcePairsWithValues(Entity target, const PairLists::Head& targets, const void* value)
      : SourcePairs(target, targets), value_(value) {}

 protected:
  const void* value_;  // The value of the pair that leads to `target()`.
};

/// The name of the component Pair of a relation consists of kPairName, the name of the relation and kPairNameEnd.
constexpr std::string_view kPairName = "strata::Pair<";
constexpr std::string_view kPairNameEnd = ">";

/// Returns: whether this is the name of a component that the library adds to entities because they have pairs; see Pair
/// and TargetTags.
constexpr bool is_of_pairs(std::string_view name) {
  return name.starts_with(kPairName) || name.starts_with(TargetTags::kName);
}

template <class R>
struct FollowedRelation {
  static constexpr bool exclusive = relation_options_of<R>.exclusive;
};

template <class R>
constexpr auto make_pair_name() {
  std::array<char, kPairName.size() + name_of<R>.size() + kPairNameEnd.size()> name{};
  std::size_t i = 0;
  for (const std::string_view part : {kPairName, name_of<R>, kPairNameEnd}) {
    for (const char letter : part) name[i++] = letter;
  }
  return name;
}
template <class R>
inline constexpr auto pair_name = make_pair_name<R>();

}  // namespace detail

/// In `Pair<R, Any>`, stands for a target that may be any entity.
struct Any {};

/// The library adds this component to each source of the relation R (an entity from which a pair leads to a target),
/// and removes it with the last pair of the source. A program only reads it. The relation must have the option
/// `queried` (see relation_options_of). Queries use the component like any other: `const Pair<R>` gives access to the
/// targets of an entity, and `With<Pair<R>>` and `Without<Pair<R>>` test whether an entity has targets.
template <class R, class Target = Any>
class Pair : public std::conditional_t<is_tag<R>, detail::SourcePairs, detail::SourcePairsWithValues> {
  static_assert(
      std::is_same_v<Target, Any>,
      "Pair<R, Any> finds all sources of R: those of one target are visited by query.to<R>(target)");
  static_assert(relation_options_of<R>.queried,
                "queries find pairs of relations with the option queried; write after the definition of R: "
                "template <> inline constexpr strata::RelationOptions strata::relation_options_of<R> = "
                "{.queried = true};");

 public:
  Pair() = delete;

  /// Returns: the value of the pair with the first target.
  const R& value() const {
    static_assert(!is_tag<R>, "this relation has no values");
    return *static_cast<const R*>(this->value_);
  }
};

template <class R>
inline constexpr bool detail::is_kept_by_library<Pair<R>> = true;
template <class R>
inline constexpr Storage storage_of<Pair<R>> = Storage::sparse;
template <class R>
inline constexpr std::string_view name_of<Pair<R>> = {detail::pair_name<R>.data(),
                                                      detail::pair_name<R>.size()};

}  // namespace strata
