// Layers: puts entities into layers (sets with one integer key each), which LayeredQuery visits one after the other.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/compiler.hpp"
#include "../../core/counting_memory.hpp"
#include "../../core/memory_use.hpp"
#include "../../core/owned.hpp"
#include "../../core/plain_list.hpp"
#include "../../query/matching/batch.hpp"
#include "../../storage/store.hpp"

namespace strata::detail {

/// The tag of every entity that is in a layer other than the default layer, which has the key 0. A query for the
/// entities of the default layer excludes this tag; see Layers.
struct Layered {};

}  // namespace strata::detail

/// Gives the component Layered a fixed name. Without this, its name would be the name of the type, which compilers
/// spell differently for types in the library's own namespace.
template <>
inline constexpr std::string_view strata::name_of<strata::detail::Layered> = "strata::detail::Layered";

namespace strata::detail {

/// Stores in which layer each entity is. A layer is a set of entities with one integer key; a LayeredQuery visits the
/// entities of a layer together. Every entity is in exactly one layer; a new entity is in the default layer. Every
/// other layer has a tag component of its own, which is registered when the key is first used; so the rows of a layer
/// are in tables of their own.
///
/// Invariants:
///   Y1. A layer is found by its key and by its tag, and no two layers have the same key or the same tag.
///   Y2. An entity has the tag of at most one layer. It has the tag Layered exactly if it has the tag of a layer.
///
/// Threads: any number of readers, or one writer.
class Layers {
 public:
  static constexpr std::int32_t kDefaultKey = 0;

  /// The number of a layer: 0 is the default layer, and the others are numbered from 1 in the order in which their keys
  /// were first used. Layers are never removed, so a number stays valid.
  enum class Index : std::uint32_t {};

  explicit Layers(Store& store);
  Layers(const Layers&) = delete;
  Layers& operator=(const Layers&) = delete;
  ~Layers();

  /// Puts an entity into the layer with this key: moves its row to the tables of that layer. If the key is
  /// new, creates the layer first.
  /// Errors: std::bad_alloc; the entity stays in its layer then.
  /// Contract: the entity is alive, nothing is being iterated.
  STRATA_API void set(Entity entity, std::int32_t key);

  /// Appends to `tags` the tags that put an entity into the layer with this key: the layer's own tag and Layered;
  /// appends nothing for the default layer. If the key is new, creates the layer first.
  /// Errors: std::bad_alloc.
  void list_tags(std::int32_t key, std::vector<ComponentId>& tags);

  /// Returns: the layer in which all entities of the archetype are; the default layer if it has no tag of a layer.
  /// Complexity: O(components).
  Index find(const Archetype& archetype) const;

  /// Returns: whether a component is a tag that this class uses: the tag of a layer, or Layered.
  bool uses(ComponentId id) const {
    return (to_index(id) < by_tag_.size() && by_tag_[to_index(id)] != Index{}) ||
           id == find_common(store_.registry());
  }

  /// Returns: the number of layers that have ever been used, including the default one.
  std::uint32_t count() const { return static_cast<std::uint32_t>(layers_.size()) + 1; }

  std::int32_t key_of(Index layer) const {
    return layer == Index{} ? kDefaultKey : layers_[to_position(layer)].key;
  }

  MemoryUse memory_use() const { return {memory_.bytes(), memory_.bytes()}; }

  /// Returns: a query term (see Term) that restricts a query to the entities of a layer. For the default layer, the
  /// term excludes entities with the tag Layered. If that tag is not registered yet, the term's id is
  /// Registry::kUnknown, and the query looks up the id by `find_common` later.
  STRATA_API Term term_of(Index layer) const;
  /// Returns: the id of the tag Layered; Registry::kUnknown while it is not registered.
  STRATA_API static ComponentId find_common(const Registry& registry);

  /// Returns: a sentence about the first invariant that is violated; empty if all hold.
  /// Complexity: O(archetypes).
  std::string check_invariants() const;

 private:
  struct Layer {
    std::int32_t key;
    ComponentId tag;
  };

  static std::size_t to_position(Index layer) { return static_cast<std::size_t>(layer) - 1; }
  Index open(std::int32_t key);
  Archetype& neighbour(Archetype& from, Index layer);

  struct Keys;  // Layers by key.

  Store& store_;
  CountingMemory memory_;
  std::pmr::vector<Layer> layers_;  // All but the default layer.
  Owned<Keys> by_key_;
  PlainList<Index> by_tag_;  // By component id: the layer with this tag; the default layer if there is none.
};

}  // namespace strata::detail
