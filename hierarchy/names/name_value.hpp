// NameValue: the component that holds the name of an entity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string_view>
#include <utility>

#include "../../core/entity.hpp"

namespace strata::detail {

class NameIndex;

/// Returns: a hash of a text. It is the same on all platforms that have the same byte order.
std::uint64_t hash_of_name(std::string_view text) noexcept;

/// The text of a name, and its place in a NameIndex. The characters of the text follow this object in memory.
struct NameNode {
  std::pmr::memory_resource* memory;  ///< The resource that allocated this node.
  NameIndex* index;                   ///< The index that contains the name; null if none does.
  Entity entity;                      ///< The entity that has the name, if an index contains it.
  Entity parent;                      ///< The parent of that entity, or a null handle.
  std::uint64_t hash;                 ///< The hash of the text.
  NameNode* next;                     ///< The next name in the ring of equal names below one parent.
  NameNode* previous;                 ///< The previous name in this ring, which is in the order of insertion.
  std::size_t size;

  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(this + 1), size}; }
  std::size_t bytes() const noexcept { return sizeof(NameNode) + size; }
};

/// A component: the name of an entity. The destructor erases the name from the index that contains it, so destroying an
/// entity in any way updates the index. A copy of a name is in no index at first.
class NameValue {
 public:
  /// The first two constructors allocate a NameNode for the text. The move constructor takes over the NameNode of
  /// `other`.
  /// Errors: std::bad_alloc.
  NameValue(std::string_view text, std::pmr::memory_resource* memory);
  NameValue(const NameValue& other);
  NameValue(NameValue&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  NameValue& operator=(NameValue other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~NameValue();

  /// Returns: the name. Its address stays the same until the name is destroyed.
  /// Contract: the value was not moved from.
  NameNode& node() const noexcept { return *node_; }

 private:
  NameNode* node_;  // Null after a move.
};

}  // namespace strata::detail
