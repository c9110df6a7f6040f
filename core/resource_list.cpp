#include "resource_list.hpp"

#include <algorithm>

#include "contract.hpp"
#include "rollback.hpp"

namespace strata::detail {
namespace {

template <class Build>
ResourceNode& build(const ResourceType& type, std::pmr::memory_resource* memory, Build build_at) {
  void* const place = memory->allocate(type.bytes, type.alignment);
  Rollback give_back([&] { memory->deallocate(place, type.bytes, type.alignment); });
  ResourceNode& resource = *build_at(place);
  give_back.dismiss();
  return resource;
}

bool agree(const ResourceType& a, const ResourceType& b) {
  return a.bytes == b.bytes && a.alignment == b.alignment;
}

std::string other_type(const ResourceType& type) {
  return "the resource " + std::string(type.name) +
         " is known with another size or alignment: give one of the types another name";
}

}  // namespace

ResourceNode& make_first_resource(const ResourceType& type, std::pmr::memory_resource* memory) {
  return build(type, memory, [&](void* place) { return type.make(place); });
}

ResourceNode& copy_resource(const ResourceNode& from, std::pmr::memory_resource* memory) {
  return build(*from.type, memory, [&](void* place) { return from.type->copy(place, from); });
}

void destroy_resource(ResourceNode& resource, std::pmr::memory_resource* memory) noexcept {
  const ResourceType& type = *resource.type;
  type.destroy(resource);
  memory->deallocate(&resource, type.bytes, type.alignment);
}

ResourceList::~ResourceList() {
  clear();
}

void ResourceList::clear() noexcept {
  while (last_ != nullptr) destroy(*last_);
}

ResourceNode* ResourceList::find(std::string_view name) const noexcept {
  ResourceNode* resource = first_;
  while (resource != nullptr && resource->type->name != name) resource = resource->next;
  return resource;
}

ResourceNode* ResourceList::find_agreeing(const ResourceType& type) const {
  ResourceNode* const found = find(type.name);
  STRATA_EXPECTS(found == nullptr || agree(*found->type, type), other_type(type));
  return found;
}

const ResourceType* ResourceList::find_type(std::string_view name) const noexcept {
  const auto found = std::find_if(types_.begin(), types_.end(),
                                  [&](const ResourceType* known) { return known->name == name; });
  return found != types_.end() ? *found : nullptr;
}

void ResourceList::add_type(const ResourceType& type) {
  const ResourceType* const known = find_type(type.name);
  STRATA_EXPECTS(known == nullptr || agree(*known, type), other_type(type));
  if (known != nullptr) return;
  const ValueType* const value = type.value_type();
  const std::string fault = value != nullptr ? find_fault(*value) : "";
  STRATA_EXPECTS(fault.empty(), "the resource " + std::string(type.name) + " is described wrongly: " + fault);
  types_.push_back(&type);
}

void ResourceList::add_types_of(const ResourceList& other) {
  for (const ResourceType* const type : other.types_) add_type(*type);
}

void ResourceList::reserve(const ResourceType& type) {
  add_type(type);
  const TypeNumber number = type.number();
  if (by_type_.counts(number)) by_type_.reserve(number);
}

void ResourceList::append(ResourceNode& resource) noexcept {
  resource.previous = last_;
  (last_ != nullptr ? last_->next : first_) = &resource;
  last_ = &resource;
  ++size_;
}

void ResourceList::put(ResourceNode& resource) noexcept {
  ResourceNode* const old = find(resource.type->name);
  append(resource);
  // The destructor of the old resource may look up the new one, replace it or remove it. So the new one is put into the
  // list and into `by_type_` before the destructor runs, and is not used after that.
  const TypeNumber number = resource.type->number();
  if (by_type_.counts(number)) by_type_.set(number, &resource);
  if (old != nullptr) destroy(*old);
}

void ResourceList::take_out(ResourceNode& resource) noexcept {
  std::ranges::replace(by_type_.values(), &resource, nullptr);
  (resource.previous != nullptr ? resource.previous->next : first_) = resource.next;
  (resource.next != nullptr ? resource.next->previous : last_) = resource.previous;
  --size_;
}

void ResourceList::destroy(ResourceNode& resource) noexcept {
  take_out(resource);
  destroy_resource(resource, memory_);
}

ResourceNode* ResourceList::exchange(ResourceNode& holder) noexcept {
  ResourceNode* const old = find(holder.type->name);
  if (old == nullptr) {
    put(holder);
    return nullptr;
  }
  holder.previous = old->previous;
  holder.next = old->next;
  (old->previous != nullptr ? old->previous->next : first_) = &holder;
  (old->next != nullptr ? old->next->previous : last_) = &holder;
  std::ranges::replace(by_type_.values(), old, &holder);
  return old;
}

MemoryUse ResourceList::memory_use() const {
  MemoryUse use = by_type_.memory_use() + memory_use_of(types_);
  for (const ResourceNode* resource = first_; resource != nullptr; resource = resource->next) {
    use += {resource->type->bytes, resource->type->bytes};
  }
  return use;
}

std::string ResourceList::check_invariants() const {
  std::size_t size = 0;
  const ResourceNode* previous = nullptr;
  for (const ResourceNode* resource = first_; resource != nullptr; resource = resource->next, ++size) {
    const std::string name(resource->type->name);
    if (resource->previous != previous)
      return "U1: the resource " + name + " is not chained to the one before";
    if (find(name) != resource) return "U1: there are two resources " + name;
    if (find_type(name) == nullptr) return "U3: the type of the resource " + name + " is not known";
    previous = resource;
  }
  if (previous != last_ || size != size_) return "U1: the chain of resources does not end with the last one";
  for (const ResourceNode* known : by_type_.values()) {
    const ResourceNode* resource = first_;
    while (resource != nullptr && resource != known) resource = resource->next;
    if (known != nullptr && resource == nullptr) return "U2: a type leads to a resource that is gone";
  }
  for (const ResourceType* const type : types_) {
    if (find_type(type->name) != type) return "U3: the type " + std::string(type->name) + " is known twice";
  }
  return "";
}

}  // namespace strata::detail
