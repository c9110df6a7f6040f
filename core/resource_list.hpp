// ResourceList: the resources of a world (values that belong to no entity) and their types, for code that does
// not know the C++ types.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

#include "compiler.hpp"
#include "memory_use.hpp"
#include "plain_list.hpp"
#include "type_numbers.hpp"
#include "values/value_type.hpp"

namespace strata::detail {

struct ResourceType;

/// A node of the list of a world's resources, which are values that belong to no entity. This base class has no
/// value; ResourceHolder<T> adds it.
struct ResourceNode {
  explicit ResourceNode(const ResourceType& of) : type(&of) {}

  const ResourceType* type;
  ResourceNode* previous = nullptr;
  ResourceNode* next = nullptr;
};

/// The description of a type of resources (values that belong to a world and not to an entity). Each copy of the
/// library has one ResourceType for each C++ type.
struct ResourceType {
  std::string_view name;
  std::size_t bytes;  ///< Size of a ResourceHolder; `alignment` is its alignment.
  std::size_t alignment;
  std::size_t plain_size;  ///< Size of a value, if values can be copied as bytes; otherwise 0.
  bool is_saved;           ///< See is_saved_resource.
  TypeNumber (*number)() noexcept;
  const void* (*value_of)(const ResourceNode& resource) noexcept;
  const ValueType* (*value_type)();  ///< Returns the description of the values; null if there is none.
  /// Runs the destructor of a ResourceHolder, and does not free its memory.
  void (*destroy)(ResourceNode& resource) noexcept;
  // Build a ResourceHolder in uninitialised memory, with an initial value (`make`) or with a copy of the value in
  // `from` (`copy`). Errors: what the constructor throws.
  ResourceNode* (*make)(void* place);                            ///< Null if values have no initial value.
  ResourceNode* (*copy)(void* place, const ResourceNode& from);  ///< Null if values cannot be copied.
};

/// The values of a world that belong to no entity, at most one of each type, and the types that are known. A type is
/// identified by its name. A type becomes known when its first value is added or when `add_type` is called for it, and
/// stays known when the value is removed.
///
/// Invariants:
///   U1. The values form a doubly linked list, and no two have types of the same name. They are in order of creation,
///       except that `exchange` puts a value at the position of the value that it replaces.
///   U2. Each entry of `by_type_`, which is indexed by C++ type, is null or points to a value of the list.
///   U3. The types of all values are known, and no two known types have the same name.
///
/// Threads: any number of readers, or one writer.
class ResourceList {
 public:
  explicit ResourceList(std::pmr::memory_resource* memory)
      : memory_(memory), by_type_(memory), types_(memory) {}
  ResourceList(const ResourceList&) = delete;
  ResourceList& operator=(const ResourceList&) = delete;
  /// Destroys the values, from the last one in the list to the first.
  STRATA_API ~ResourceList();

  std::pmr::memory_resource* memory() const { return memory_; }
  std::size_t size() const { return size_; }
  const ResourceNode* first() const { return first_; }
  /// Returns: the resource of the type with this number; null if there is none, or the caller is in another copy of the
  /// library than the one that made the list.
  STRATA_ALWAYS_INLINE ResourceNode* find(TypeNumber number) const noexcept { return by_type_.find(number); }
  ResourceNode* find(std::string_view name) const noexcept;
  /// Returns: the resource whose type has the name of `type`; null if there is none.
  /// Contract: if there is one, its type has the size and alignment of `type`.
  STRATA_NOINLINE STRATA_COLD STRATA_API ResourceNode* find_agreeing(const ResourceType& type) const;

  std::span<const ResourceType* const> types() const { return {types_.data(), types_.size()}; }
  /// Returns: the known type of this name; null if there is none.
  STRATA_API const ResourceType* find_type(std::string_view name) const noexcept;
  /// Adds a type to the known types, unless a type of the same name is already known.
  /// Errors: std::bad_alloc.
  /// Contract: a known type of the same name has the same size and alignment. The description of the type's
  /// values, if there is one, is valid.
  STRATA_API void add_type(const ResourceType& type);
  /// Adds all types that are known in another list to the known types.
  /// Errors: std::bad_alloc.
  void add_types_of(const ResourceList& other);

  /// Adds a type to the known types, and reserves room for a value of this type, so that `put` cannot fail afterwards.
  /// Errors, Contract: as for `add_type`.
  STRATA_API void reserve(const ResourceType& type);
  /// Appends `resource`, which is a ResourceHolder, to the list, as the value of its type. If the list had a value of
  /// this type before, then removes that value from the list and destroys it.
  /// Contract: `reserve` was called for the type, and `resource` lies in memory from `memory()`.
  STRATA_API void put(ResourceNode& resource) noexcept;
  /// Takes a resource out of the list, destroys it, and frees its memory.
  STRATA_API void destroy(ResourceNode& resource) noexcept;
  /// Destroys all values, from the last one in the list to the first.
  void clear() noexcept;
  /// Takes a resource out of the list without destroying it.
  void take_out(ResourceNode& resource) noexcept;
  /// Puts a ResourceHolder into the list as the value of its type: at the position of the type's old value, or at
  /// the end if there is none.
  /// Returns: the old value, which is no longer in the list; null if there was none.
  /// Contract: as for `put`.
  ResourceNode* exchange(ResourceNode& holder) noexcept;

  MemoryUse memory_use() const;

  /// Returns: the first invariant that does not hold, as a sentence; empty when all do.
  std::string check_invariants() const;

 private:
  void append(ResourceNode& resource) noexcept;

  std::pmr::memory_resource* memory_;
  TypeTable<ResourceNode*, nullptr> by_type_;
  PlainList<const ResourceType*> types_;
  ResourceNode* first_ = nullptr;
  ResourceNode* last_ = nullptr;
  std::size_t size_ = 0;
};

/// Make a ResourceHolder that is in no list: `make_first_resource` with an initial value, `copy_resource` with a copy
/// of the value in `from`.
/// Errors: std::bad_alloc, and what the constructor throws.
/// Contract: the ResourceType has the function `make` or `copy`, respectively.
STRATA_API ResourceNode& make_first_resource(const ResourceType& type, std::pmr::memory_resource* memory);
ResourceNode& copy_resource(const ResourceNode& from, std::pmr::memory_resource* memory);
/// Destroys a ResourceHolder that is in no list, and frees its memory.
void destroy_resource(ResourceNode& resource, std::pmr::memory_resource* memory) noexcept;

}  // namespace strata::detail
