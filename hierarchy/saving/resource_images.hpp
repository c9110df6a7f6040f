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
  /// Makes a copy of each image whose copying may run user code, for `apply` to put into the list `resources`. Reserves
  /// room for the copies in the list, so that `apply` cannot fail.
  /// Errors: std::bad_alloc, and what copying a value throws.
  /// Contract: `images` outlives this object.
  ResourceRestoring(ResourceList& resources, const ResourceImages& images);
  ResourceRestoring(const ResourceRestoring&) = delete;
  ResourceRestoring& operator=(const ResourceRestoring&) = delete;
  /// Destroys the values that are not in the world's list of resources. After `apply`, these are the values that
  /// `apply` has replaced or taken out of the list. If `apply` was not called, these are the copies that were made of
  /// images.
  ~ResourceRestoring();

  /// Does what the constructor does, for the images that are copied as bytes. Makes no copy of an image that is equal
  /// to the world's resource. Called when no user code runs any more before `apply`, because user code may change the
  /// resource that was compared.
  /// Errors: std::bad_alloc.
  void prepare_plain();

  /// Puts the copies that were made of images into the list. Takes each saved resource without an image out of the
  /// list.
  /// Contract: `prepare_plain` was called.
  void apply() noexcept;

 private:
  void copy(std::size_t i);
  void destroy_unlisted() noexcept;
  void let_go(ResourceNode& resource) noexcept;
  bool has_image(const ResourceNode& resource) const noexcept;

  ResourceList& resources_;
  const ResourceImages& images_;
  // The new value for each image, which is not in the list before `apply`; null if there is none.
  std::vector<ResourceNode*> coming_;
  // The value that `apply` has replaced or taken out of the list last; null if there is none. ResourceNode::previous
  // leads to the earlier ones.
  ResourceNode* going_ = nullptr;
};

}  // namespace strata::detail
