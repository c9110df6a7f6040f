// WorldParts: the engines that a world is composed of.
#pragma once

#include <memory>

#include "../../core/resources.hpp"
#include "../../hierarchy/hierarchy.hpp"
#include "../../hierarchy/layers.hpp"
#include "../../hierarchy/shrinker.hpp"
#include "../../storage/store.hpp"
#include "commands.hpp"
#include "typed_store.hpp"
#include "world_options.hpp"

namespace strata {

class World;

namespace detail {

/// What a World owns, at an address that does not change when the World is moved: queries, spawners, accessors and
/// commands refer to it. The members refer to those above them.
struct WorldParts {
  /// Contract: the options are sound.
  explicit WorldParts(const WorldOptions& options);
  WorldParts(const WorldParts&) = delete;
  WorldParts& operator=(const WorldParts&) = delete;
  ~WorldParts() = default;

  /// Destroys all entities, then the values of recorded commands. Nothing but the destructor follows.
  void end() noexcept;

  Resources resources;  // Destroyed last: values of components may refer to them.
  Store store;
  Hierarchy hierarchy;
  Layers layers;
  TypedStore typed;
  Commands commands;
  Shrinker shrinker;
};

/// Owns the parts of a world; const if it is const itself. Null after it was moved from.
class OwnedParts {
 public:
  explicit OwnedParts(const WorldOptions& options);
  OwnedParts(OwnedParts&& other) noexcept = default;
  OwnedParts& operator=(OwnedParts&& other) noexcept;
  ~OwnedParts() { end(); }

  WorldParts& operator*() { return *parts_; }
  const WorldParts& operator*() const { return *parts_; }
  WorldParts* operator->() { return parts_.get(); }
  const WorldParts* operator->() const { return parts_.get(); }

 private:
  /// Destroys the values of entities and commands while the parts can be reached: destructors may ask the world.
  void end() noexcept {
    if (parts_ != nullptr) parts_->end();
  }

  std::unique_ptr<WorldParts> parts_;
};

/// Returns: the parts of a world, for the library's own tools and tests.
WorldParts& parts_of(World& world) noexcept;
const WorldParts& parts_of(const World& world) noexcept;

}  // namespace detail
}  // namespace strata
