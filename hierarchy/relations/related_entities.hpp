// RelatedEntities: a span of entities: the targets of an entity in a relation, or the sources of the pairs that lead to
// it.
#pragma once

#include <iterator>
#include <span>

#include "../../core/entity.hpp"

namespace strata {

/// The sources of a target, or the targets of a source: a std::span<const Entity> whose iterators are pointers.
///
/// The iterators of std::span are objects of a class. If a loop copies a `const Entity` from such an iterator, g++ 12
/// keeps the copy in memory and does not vectorise the loop. With pointers, g++ vectorises it.
class RelatedEntities : public std::span<const Entity> {
 public:
  using iterator = const Entity*;
  using reverse_iterator = std::reverse_iterator<iterator>;

  constexpr RelatedEntities() = default;
  constexpr explicit RelatedEntities(std::span<const Entity> entities) noexcept
      : std::span<const Entity>(entities) {}

  constexpr iterator begin() const noexcept { return data(); }
  constexpr iterator end() const noexcept { return data() + size(); }
  constexpr reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
};

}  // namespace strata

template <>
inline constexpr bool std::ranges::enable_view<strata::RelatedEntities> = true;
template <>
inline constexpr bool std::ranges::enable_borrowed_range<strata::RelatedEntities> = true;
