// ResourceImages: copies of the resources of a world, in memory, from which they can be restored.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../../core/resource_list.hpp"
#include "../../storage/row_images.hpp"

namespace strata::detail {

/// A copy of a resource, a single value that belongs to the world instead of an entity.
class ResourceImage {
 public:
  /// Copies the resource `from`.
  /// Errors: std::bad_alloc, and what copying the value throws.
  ResourceImage(const ResourceNode& from, ImageMemory& memory);
  ResourceImage(const ResourceImage&) = delete;
  ResourceImage& operator=(const ResourceImage&) = delete;
  ~ResourceImage();

  const ResourceNode& resource() const { return copy_; }
  /// Returns: whether the value of `other` is known to be equal to the copy. Only plain values are compared, byte by
  /// byte; for all other values, the result is false.
  bool equals(const ResourceNode& other) const;

 private:
  ResourceNode& copy_;
  std::pmr::memory_resource* memory_;
  ImageBytes bytes_;
};

/// Copies of all resources that are saved (see is_saved_resource).
using ResourceImages = std::vector<std::shared_ptr<const ResourceImage>>;

/// Returns: a sentence that names a resource that is saved (see is_saved_resource) but cannot be copied; empty if there
/// is none.
std::string find_uncopyable_resource(const ResourceList& resources);

/// Returns: a copy of each resource that is saved (see is_saved_resource). `last` has earlier copies. If a copy in
/// `last` is known to be equal to the present value (see ResourceImage::equals), the result shares this copy instead of
/// making a new one.
/// Errors: std::bad_alloc, and what copying a value throws.
/// Contract: `find_uncopyable_resource` returns an empty text.
ResourceImages take_resources(const ResourceList& resources, const ResourceImages& last, ImageMemory& memory);

/// Restores the resources of a world from images (copies that were made earlier). Resources that are equal to their
/// images stay where they are.
class ResourceRestoring {
 public:
  /// Makes the values that `apply` will put into the list `resources`: a copy of each image, unless the world's
  /// resource is known to be equal to the image (see ResourceImage::equals). Reserves room for them in the list, so
  /// that `apply` cannot fail.
  /// Errors: std::bad_alloc, and what copying a value throws.
  /// Contract: `images` outlives this object.
  ResourceRestoring(ResourceList& resources, const ResourceImages& images);
  ResourceRestoring(const ResourceRestoring&) = delete;
  ResourceRestoring& operator=(const ResourceRestoring&) = delete;
  /// Destroys the values that are not in the world's list of resources. After `apply`, these are the values that
  /// `apply` has replaced or taken out of the list. If `apply` was not called, these are the copies that the
  /// constructor has made of images.
  ~ResourceRestoring();

  /// Puts the values that the constructor has made into the list. Takes each saved resource without an image out of the
  /// list.
  void apply() noexcept;

 private:
  void destroy_unlisted() noexcept;
  void let_go(ResourceNode& resource) noexcept;
  bool has_image(const ResourceNode& resource) const noexcept;

  ResourceList& resources_;
  const ResourceImages& images_;
  std::vector<ResourceNode*> coming_;  // New values, which are not in the list before `apply`.
  // The value that `apply` has replaced or taken out of the list last; null if there is none. ResourceNode::previous
  // leads to the earlier ones.
  ResourceNode* going_ = nullptr;
  bool is_applied_ = false;
};

}  // namespace strata::detail
