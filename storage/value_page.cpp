#include "value_page.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "../core/rollback.hpp"

namespace strata::detail {

ValuePage::ValuePage(const ComponentInfo& component, const void* values, std::uint32_t count,
                     ImageMemory& memory) {
  const std::size_t bytes = offset_of(component) + component.size * count;
  void* const place = memory.pool.allocate(bytes, alignment_of(component));
  Rollback undo([&] { memory.pool.deallocate(place, bytes, alignment_of(component)); });
  component.copy_values(static_cast<std::byte*>(place) + offset_of(component), values, count);
  undo.dismiss();
  head_ = ::new (place) Head{1, count, &component, &memory};
  memory.bytes += bytes;
}

bool ValuePage::equals(const void* values) const noexcept {
  return std::memcmp(this->values(), values, head_->component->size * head_->count) == 0;
}

std::size_t ValuePage::alignment_of(const ComponentInfo& component) {
  return std::max(component.alignment, alignof(Head));
}

std::size_t ValuePage::offset_of(const ComponentInfo& component) {
  const std::size_t alignment = alignment_of(component);
  return (sizeof(Head) + alignment - 1) / alignment * alignment;
}

void ValuePage::free() noexcept {
  const ComponentInfo& component = *head_->component;
  ImageMemory& memory = *head_->memory;
  const std::size_t size = bytes();
  component.destroy_values(reinterpret_cast<std::byte*>(head_) + offset_of(component), head_->count);
  memory.bytes -= size;
  memory.pool.deallocate(head_, size, alignment_of(component));
}

}  // namespace strata::detail
