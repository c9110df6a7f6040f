#include "apart_recorders.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace strata::detail {

void begin_apart(Slots& slots, std::span<ApartRecorder* const> recorders) {
  const auto count = static_cast<std::uint32_t>(recorders.size());
  const auto reserving = static_cast<std::uint32_t>(std::ranges::count_if(
      recorders, [](const ApartRecorder* recorder) { return recorder->handles.wants_any(); }));
  const std::uint32_t share =
      (slots.free_count() + slots.limit() - slots.size()) / std::max<std::uint32_t>(reserving, 1);
  for (ApartRecorder* const recorder : recorders) {
    if (recorder->handles.wants_any()) recorder->handles.reserve(slots, reserving, share);
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
