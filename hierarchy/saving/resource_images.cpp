#include "resource_images.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../../core/rollback.hpp"

namespace strata::detail {

ResourceImage::ResourceImage(const ResourceNode& from, ImageMemory& memory)
    : copy_(copy_resource(from, memory.resource)),
      memory_(memory.resource),
      bytes_(memory, sizeof(ResourceImage) + from.type->bytes) {}

ResourceImage::~ResourceImage() {
  destroy_resource(copy_, memory_);
}

bool ResourceImage::equals(const ResourceNode& other) const {
  const ResourceType& type = *copy_.type;
  return type.plain_size != 0 && other.type->name == type.name &&
         std::memcmp(type.value_of(copy_), other.type->value_of(other), type.plain_size) == 0;
}

std::string find_uncopyable_resource(const ResourceList& resources) {
  for (const ResourceNode* resource = resources.first(); resource != nullptr; resource = resource->next) {
    if (resource->type->is_saved && resource->type->copy == nullptr)
      return "the resource \"" + std::string(resource->type->name) +
             "\" cannot be copied; if it is no part of what the world contains, write is_saved_resource for "
             "it";
  }
  return "";
}

ResourceImages take_resources(const ResourceList& resources, const ResourceImages& last,
                              ImageMemory& memory) {
  ResourceImages images;
  for (const ResourceNode* resource = resources.first(); resource != nullptr; resource = resource->next) {
    if (!resource->type->is_saved) continue;
    const auto same = std::ranges::find_if(last, [&](const auto& image) { return image->equals(*resource); });
    images.push_back(same != last.end() ? *same : std::make_shared<ResourceImage>(*resource, memory));
  }
  return images;
}

ResourceRestoring::ResourceRestoring(ResourceList& resources, const ResourceImages& images)
    : resources_(resources), images_(images), coming_(images.size()) {
  Rollback destroy([&] { destroy_unlisted(); });
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i]->resource().type->plain_size == 0) copy(i);
  }
  destroy.dismiss();
}

void ResourceRestoring::prepare_plain() {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const ResourceType& type = *images_[i]->resource().type;
    if (type.plain_size == 0) continue;
    const ResourceNode* const now = resources_.find(type.name);
    if (now == nullptr || !images_[i]->equals(*now)) copy(i);
  }
}

ResourceRestoring::~ResourceRestoring() {
  destroy_unlisted();
}

/// Copies the value of the i-th image for `apply` to put into the world's list, and reserves room for it there.
void ResourceRestoring::copy(std::size_t i) {
  const ResourceNode& from = images_[i]->resource();
  resources_.reserve(*from.type);
  coming_[i] = &copy_resource(from, resources_.memory());
}

/// Destroys the values that are not in the world's list of resources, the last one first. After `apply`, these are the
/// values that `apply` has replaced or taken out of the list. If `apply` was not called, these are the copies that were
/// made of images.
void ResourceRestoring::destroy_unlisted() noexcept {
  for (; !coming_.empty(); coming_.pop_back()) {
    if (coming_.back() != nullptr) destroy_resource(*coming_.back(), resources_.memory());
  }
  while (going_ != nullptr) destroy_resource(*std::exchange(going_, going_->previous), resources_.memory());
}

/// Adds to `going_` a resource that has been taken out of the world's list.
void ResourceRestoring::let_go(ResourceNode& resource) noexcept {
  resource.previous = going_;
  going_ = &resource;
}

bool ResourceRestoring::has_image(const ResourceNode& resource) const noexcept {
  return std::ranges::any_of(
      images_, [&](const auto& image) { return image->resource().type->name == resource.type->name; });
}

void ResourceRestoring::apply() noexcept {
  // The world's list is searched here, not in the constructor: functions of the program that copied values in the
  // meantime may have added and removed resources.
  const ResourceNode* next = nullptr;
  for (const ResourceNode* now = resources_.first(); now != nullptr; now = next) {
    next = now->next;
    if (!now->type->is_saved || has_image(*now)) continue;
    ResourceNode& going = *resources_.find(now->type->name);
    resources_.take_out(going);
    let_go(going);
  }
  for (ResourceNode* const resource : coming_) {
    if (resource == nullptr) continue;
    if (ResourceNode* const old = resources_.exchange(*resource)) let_go(*old);
  }
  coming_.clear();
}

}  // namespace strata::detail
