// LinkRecords: the links between parents, children and siblings. The hierarchy writes them, and queries read
// them.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../core/compiler.hpp"
#include "../../core/plain_list.hpp"

namespace strata::detail {

/// The list of an entity's children, in their order: a singly linked list of slot indices (Entity::index) that ends
/// with kEnd. A RelatedChain owns nothing: it points into the array of LinkRecords that has the links of all entities.
/// kStride is the size of one record of that array (LinkRecords::Node), counted in slot indices of four bytes.
struct RelatedChain {
  static constexpr std::uint32_t kEnd = 0xFFFF'FFFF;
  static constexpr std::size_t kStride = 4;

  std::uint32_t first = kEnd;
  const std::uint32_t* nexts = nullptr;  ///< The successor of index i is at nexts[i * kStride].

  std::uint32_t next(std::uint32_t index) const { return nexts[index * kStride]; }
  void prefetch(std::uint32_t index) const { prefetch_to_read(&nexts[index * kStride]); }
};

/// The parent, sibling and child links of all entities, by slot index. The class Links, which belongs to the hierarchy,
/// derives from this class and changes the links. Queries must not include headers of the hierarchy, so they follow
/// lists of children through this base class. The functions of LinkRecords are inline: most lists are short, and a call
/// would cost as much as the visit.
class LinkRecords {
 public:
  static constexpr std::uint32_t kNone = RelatedChain::kEnd;

  /// The links of one entity. All but `family` are slot indices (Entity::index). kNone means that there is no such
  /// link.
  struct Node {
    std::uint32_t parent = kNone;
    std::uint32_t previous = kNone;  ///< The previous sibling.
    std::uint32_t next = kNone;      ///< The next sibling.
    std::uint32_t family = kNone;    ///< Index into families_; kNone if the entity has no Family.
  };
  static_assert(sizeof(Node) == RelatedChain::kStride * sizeof(std::uint32_t));

  /// Data about the children of one entity, such as the slot indices of the first and the last child, the number of
  /// children, and the branch of their rows. A branch is a group of tables: those that all entities of one depth share,
  /// or those that only the children of one parent use (see Branch). Each entity with children has a Family. An entity
  /// without children may have one, too, for example because a layout was chosen for it.
  struct Family {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t count : 28 = 0;
    // How the children's rows are grouped into tables (see Layout). The Families of the children inherit this.
    std::uint32_t layout : 2 = 0;
    // Set if `layout` was chosen for this entity; not set if the entity inherited it from its parent.
    std::uint32_t chooses_layout : 1 = 0;
    // Set while this entity waits in a queue, because the number of its children has changed so much that their rows
    // have to move to other tables (see FamilyRows::move_resized_families).
    std::uint32_t resized : 1 = 0;
    std::uint32_t branch = kNone;  ///< Number of the children's branch; kNone until the first child is added.
  };
  static_assert(sizeof(Family) == 16);

  /// Returns: the Family of the entity with slot index `node`; null if the entity has none. An entity without a Family
  /// has no children.
  /// Invalidates: the pointer, by any change of the links.
  const Family* find_family(std::uint32_t node) const {
    if (node >= nodes_.size() || nodes_[node].family == kNone) return nullptr;
    return &families_[nodes_[node].family];
  }

  /// Returns: the list of the children of the entity with slot index `node`; an empty list if it has none.
  RelatedChain chain_of(std::uint32_t node) const {
    const Node* const nodes = nodes_.data();
    // Tests node < nodes_.size(). Comparing addresses avoids the division by sizeof(Node) in size().
    const std::uintptr_t offset = std::uintptr_t{node} * sizeof(Node);
    const bool is_known = address_of(nodes) + offset < address_of(nodes + nodes_.size());
    if (!is_known || nodes[node].family == kNone) return {};
    return {families_[nodes[node].family].first, &nodes->next};
  }

 private:
  static std::uintptr_t address_of(const Node* node) { return reinterpret_cast<std::uintptr_t>(node); }

 protected:
  explicit LinkRecords(std::pmr::memory_resource* memory) : nodes_(memory), families_(memory) {}
  ~LinkRecords() = default;

  PlainList<Node> nodes_;  // By slot index. Entities with greater slot indices have no links.
  PlainList<Family> families_;
};

}  // namespace strata::detail
