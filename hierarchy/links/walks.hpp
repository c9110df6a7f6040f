// Walks: ranges over the children, ancestors or descendants of an entity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "../../core/contract.hpp"
#include "../../core/slots.hpp"
#include "../../storage/tables/archetypes.hpp"
#include "links.hpp"

namespace strata::detail {

/// A range of entities for range-for, found by following links from the entity with slot index `origin`. `Step::first`
/// returns the first entity, `Step::next` the one that follows a given entity. The range is empty if `origin` is
/// Links::kNone. Allocates nothing.
/// Invalidates: the range and its iterators, by creating, destroying or re-parenting entities.
template <class Step>
class Walk {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Entity;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entity*;
    using reference = Entity;

    iterator() = default;
    iterator(const Links* links, const Slots* slots, std::uint32_t origin, std::uint32_t node)
        : links_(links), slots_(slots), origin_(origin), node_(node) {}

    /// Contract: the iterator is not at the end of its range.
    Entity operator*() const {
      STRATA_EXPECTS(node_ != Links::kNone,
                     "an iterator at the end of a range refers to no entity: compare it with end() first");
      return slots_->handle_of(node_);
    }
    iterator& operator++() {
      node_ = Step::next(*links_, node_, origin_);
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) { return a.node_ == b.node_; }

   private:
    const Links* links_ = nullptr;
    const Slots* slots_ = nullptr;
    std::uint32_t origin_ = Links::kNone;
    std::uint32_t node_ = Links::kNone;  // kNone in the end iterator of every walk.
  };

  Walk() = default;
  Walk(const Links& links, const Slots& slots, std::uint32_t origin)
      : links_(&links), slots_(&slots), origin_(origin) {}

  iterator begin() const {
    return {links_, slots_, origin_, origin_ == Links::kNone ? Links::kNone : Step::first(*links_, origin_)};
  }
  iterator end() const { return {}; }
  bool empty() const { return begin() == end(); }

 private:
  const Links* links_ = nullptr;
  const Slots* slots_ = nullptr;
  std::uint32_t origin_ = Links::kNone;
};

/// The Step of a Walk over an entity's children, in their order.
struct ChildStep {
  static std::uint32_t first(const Links& links, std::uint32_t origin) { return links.first_child(origin); }
  static std::uint32_t next(const Links& links, std::uint32_t node, std::uint32_t) {
    return links.next_of_linked(node);
  }
};

/// The Step of a Walk over an entity's ancestors, from its parent up to the root.
struct AncestorStep {
  static std::uint32_t first(const Links& links, std::uint32_t origin) { return links.parent(origin); }
  static std::uint32_t next(const Links& links, std::uint32_t node, std::uint32_t) {
    return links.parent_of_linked(node);
  }
};

/// The Step of a Walk over an entity and all entities below it, depth first: each entity comes directly
/// before the entities below it.
struct DepthFirstStep {
  static std::uint32_t first(const Links&, std::uint32_t origin) { return origin; }
  static std::uint32_t next(const Links& links, std::uint32_t node, std::uint32_t origin) {
    return links.next_depth_first(node, origin);
  }
};

/// Returns: the entity with slot index `origin` and all entities below it, depth by depth; empty if `origin`
/// is Links::kNone.
/// Complexity: O(returned entities), in time and memory.
std::vector<Entity> list_breadth_first(const Links& links, const Slots& slots, std::uint32_t origin);

/// Returns: all roots (entities without a parent), in ascending order of their slot indices.
/// Complexity: O(n log n + archetypes) for n roots.
std::vector<Entity> list_roots(const Archetypes& archetypes);

/// The children of an entity, in their order.
using ChildRange = Walk<ChildStep>;

/// The ancestors of an entity, from its parent up to the root.
using AncestorRange = Walk<AncestorStep>;

/// An entity and all entities below it, depth first: each entity comes directly before the entities below it.
using DepthFirstRange = Walk<DepthFirstStep>;

}  // namespace strata::detail
