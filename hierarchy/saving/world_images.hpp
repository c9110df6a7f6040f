// WorldRecorder: copies of all that a world contains, in memory, from which the world can be restored.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "../../core/outcome.hpp"
#include "../../storage/row_images.hpp"
#include "../../storage/row_restorer.hpp"
#include "../events/event_router.hpp"
#include "resource_images.hpp"
#include "saved_parts.hpp"

namespace strata::detail {

/// A copy of the links between parents and children, and of the data that decide in which tables the rows of children
/// will be stored.
struct TreeImage {
  TreeImage(const Links& from, const FamilyRows& rows, ImageMemory& memory);

  Links links;
  FamilyRows::Queue queue;
  ImageBytes bytes;
};

/// A copy of the names, and of the order in which EntityNames::for_each visits their entities.
struct NamesImage {
  NamesImage(const SparsePool& from, const EntityNames& known, ImageMemory& memory);

  PoolImage names;
  std::vector<Entity> order;
};

/// A copy of the pairs of a relation.
struct PairsImage {
  /// Copies the pairs in `from`: those of the world, in order to take an image, or those of an image, in order to
  /// restore the world. With null, the copy has no pairs. `known` is the relation in the world. From it, the copy takes
  /// the options and the tags of targets (see Pairs::take_over_tags).
  PairsImage(const Pairs* from, const Pairs& known, Store& store, BlockPool& pool, ImageMemory& memory);
  PairsImage(const PairsImage&) = delete;
  PairsImage& operator=(const PairsImage&) = delete;
  ~PairsImage();

  Pairs pairs;
  ImageBytes bytes;
};

/// A copy of all that a world contains. Successive copies share the parts that have not changed between them.
struct WorldImage {
  std::shared_ptr<const StoreImage> store;
  std::shared_ptr<const TreeImage> tree;
  std::shared_ptr<const NamesImage> names;  // Null if no entity has a name.
  // One element for each relation, in the order of RelationSet::all; null if the relation has no pairs.
  std::vector<std::shared_ptr<const PairsImage>> pairs;
  ResourceImages resources;
};

/// Takes images (copies) of a world, and restores the world to the state in which an image was taken: all entities with
/// their handles, and the handles that will be issued next; components with their values and storages; the order of
/// children, of rows in tables and of members in sparse sets; layouts, names, pairs, states, layers and resources.
/// Observers and events stay as they are; observers are not notified.
///
/// Contract: the world outlives this object. Between two images, values of tracked components are only written through
/// the library (see Tracking).
/// Threads: only the one writer of the world may use it.
class WorldRecorder {
 public:
  WorldRecorder(const LoadedParts& parts, EventRouter& events);
  WorldRecorder(const WorldRecorder&) = delete;
  WorldRecorder& operator=(const WorldRecorder&) = delete;

  /// Returns: the memory that all images take, in bytes.
  std::size_t bytes() const { return memory_.bytes; }

  /// Returns: a sentence that names a resource that cannot be copied, or a component that is in use and cannot be
  /// copied; empty if there is neither.
  std::string find_uncopyable() const;
  /// Returns: an image (a copy) of the world.
  /// Errors: std::bad_alloc, and what copying a value throws; nothing has changed then.
  /// Contract: `find_uncopyable` returns an empty text; nothing is being iterated, and no command is recorded.
  std::shared_ptr<const WorldImage> take();
  /// Restores the world to the state in which this object took `image`.
  /// Errors: std::bad_alloc, and what copying a value throws. If it throws, the world is unchanged.
  /// Contract: nothing is being iterated, and no command is recorded.
  /// Invalidates: pointers to values.
  void restore(const std::shared_ptr<const WorldImage>& image);

 private:
  class Restoring;

  std::vector<std::shared_ptr<const PairsImage>> take_pairs();
  std::shared_ptr<const NamesImage> take_names();

  LoadedParts parts_;
  EventRouter& events_;
  ImageMemory memory_;
  RowRecorder rows_;
  std::shared_ptr<const WorldImage> last_;
};

}  // namespace strata::detail
