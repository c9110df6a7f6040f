#include "resource_images.hpp"

#include <algorithm>
#include <cstring>

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
    : resources_(resources) {
  Rollback destroy([&] { destroy_unlisted(); });
  coming_.reserve(images.size());
  going_.reserve(resources.size() + images.size());
  for (const auto& image : images) {
    const ResourceType& type = *image->resource().type;
    const ResourceNode* const now = resources.find(type.name);
    if (now != nullptr && image->equals(*now)) continue;
    resources.reserve(type);
    coming_.push_back(&copy_resource(image->resource(), resources.memory()));
  }
  for (const ResourceNode* now = resources.first(); now != nullptr; now = now->next) {
    const auto is_kept = [&](const auto& image) { return image->resource().type->name == now->type->name; };
    if (now->type->is_saved && std::ranges::none_of(images, is_kept))
      going_.push_back(resources.find(now->type->name));
  }
  destroy.dismiss();
}

ResourceRestoring::~ResourceRestoring() {
  destroy_unlisted();
}

/// Destroys the values that are not in the world's list of resources, the last one first. After `apply`, these are the
/// values that `apply` has replaced or taken out of the list. If `apply` was not called, these are the copies that the
/// constructor has made of images.
void ResourceRestoring::destroy_unlisted() noexcept {
  std::vector<ResourceNode*>& unlisted = is_applied_ ? going_ : coming_;
  while (!unlisted.empty()) {
    destroy_resource(*unlisted.back(), resources_.memory());
    unlisted.pop_back();
  }
}

void ResourceRestoring::apply() noexcept {
  for (ResourceNode* const resource : going_) resources_.take_out(*resource);
  for (ResourceNode* const resource : coming_) {
    if (ResourceNode* const old = resources_.exchange(*resource)) going_.push_back(old);
  }
  is_applied_ = true;
}

}  // namespace strata::detail
