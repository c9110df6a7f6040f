#include "resources.hpp"

#include <algorithm>
#include <cstdlib>

namespace strata {

Resources::~Resources() {
  while (last_ != nullptr) destroy(*last_);
}

/// Appends `resource` to the list and, if the list already has one with the same name, destroys the old one.
/// Then stores `resource` in `by_type_`, unless `type` is a number of another copy of the library.
/// Contract: `by_type_` has room for `type`, if the number is of this copy.
void Resources::replace(detail::TypeNumber type, Resource& resource) noexcept {
  Resource* const old = find_named(resource.name);
  resource.previous = last_;
  (last_ != nullptr ? last_->next : first_) = &resource;
  last_ = &resource;
  ++size_;
  // The new resource is in the list already, because the destructor of the old one may look it up by name.
  // `destroy` sets the old one's entry of `by_type_` to null, so the new one is entered afterwards.
  if (old != nullptr) destroy(*old);
  if (by_type_.counts(type)) by_type_.set(type, &resource);
}

void Resources::destroy(Resource& resource) noexcept {
  std::ranges::replace(by_type_.values(), &resource, nullptr);
  (resource.previous != nullptr ? resource.previous->next : first_) = resource.next;
  (resource.next != nullptr ? resource.next->previous : last_) = resource.previous;
  --size_;
  const std::size_t bytes = resource.bytes;
  const std::size_t alignment = resource.alignment;
  resource.destroy(resource);
  memory_->deallocate(&resource, bytes, alignment);
}

void Resources::refuse_absent(std::string_view name, CallSite at) {
  STRATA_EXPECTS_AT(
      at, false,
      "resources: there is no " + std::string(name) + "; set gives the world one, find returns null instead");
  std::abort();
}

Resources::Resource* Resources::find_named(std::string_view name) const noexcept {
  Resource* resource = first_;
  while (resource != nullptr && resource->name != name) resource = resource->next;
  return resource;
}

Resources::Resource* Resources::find_agreeing(std::string_view name, std::size_t bytes,
                                              std::size_t alignment) const {
  Resource* const found = find_named(name);
  STRATA_EXPECTS(found == nullptr || (found->bytes == bytes && found->alignment == alignment),
                 "the resource " + std::string(name) +
                     " is known with another size or alignment: give one of the types another name");
  return found;
}

MemoryUse Resources::memory_use() const {
  MemoryUse use = by_type_.memory_use();
  for (const Resource* resource = first_; resource != nullptr; resource = resource->next) {
    use += {resource->bytes, resource->bytes};
  }
  return use;
}

std::string Resources::check_invariants() const {
  std::size_t size = 0;
  const Resource* previous = nullptr;
  for (const Resource* resource = first_; resource != nullptr; resource = resource->next, ++size) {
    const std::string name(resource->name);
    if (resource->previous != previous)
      return "U1: the resource " + name + " is not chained to the one before";
    if (find_named(resource->name) != resource) return "U1: there are two resources " + name;
    previous = resource;
  }
  if (previous != last_ || size != size_) return "U1: the chain of resources does not end with the last one";
  for (const Resource* known : by_type_.values()) {
    const Resource* resource = first_;
    while (resource != nullptr && resource != known) resource = resource->next;
    if (known != nullptr && resource == nullptr) return "U2: a type leads to a resource that is gone";
  }
  return "";
}

}  // namespace strata
