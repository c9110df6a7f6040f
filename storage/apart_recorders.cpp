#include "apart_recorders.hpp"

#include <cstddef>
#include <cstdint>

namespace strata::detail {

void begin_apart(Slots& slots, std::span<ApartRecorder* const> recorders) {
  const auto count = static_cast<std::uint32_t>(recorders.size());
  std::uint32_t left = slots.free_count() + slots.limit() - slots.size();
  for (std::uint32_t i = 0; i < count; ++i) {
    left -= recorders[i]->handles.reserve(slots, count, left / (count - i));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    recorders[i]->handles.begin(slots, i, count);
    recorders[i]->buffer->record_apart(&recorders[i]->handles);
  }
}

void end_apart(Slots& slots, std::span<ApartRecorder* const> recorders) noexcept {
  for (std::size_t i = recorders.size(); i-- > 0;) {
    recorders[i]->buffer->record_apart(nullptr);
    recorders[i]->handles.give_back(slots);
  }
}

}  // namespace strata::detail
