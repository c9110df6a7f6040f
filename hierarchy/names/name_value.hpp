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

/// Returns: a hash of a text; the same on all platforms of one byte order.
std::uint64_t hash_of_name(std::string_view text) noexcept;

/// The text of a name, and its place in a NameIndex. The characters follow it in memory.
struct NameNode {
  std::pmr::memory_resource* memory;  ///< Where it was allocated.
  NameIndex* index;                   ///< The index that it is in; null if it is in none.
  Entity entity;                      ///< The entity that has the name, if it is in an index.
  Entity parent;                      ///< The parent of that entity, or a null handle.
  std::uint64_t hash;                 ///< Of the text.
  NameNode* next;                     ///< A ring of the equal names below one parent, in the order in which
  NameNode* previous;                 ///< they came to the index.
  std::size_t size;

  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(this + 1), size}; }
  std::size_t bytes() const noexcept { return sizeof(NameNode) + size; }
};

/// A component: the name of an entity. Its destructor takes the name out of the index that it is in, so destroying an
/// entity in any way updates the index. A copy is in no index at first.
class NameValue {
 public:
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
