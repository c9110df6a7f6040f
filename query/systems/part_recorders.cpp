#include "part_recorders.hpp"

namespace strata::detail {

void PartRecorders::prepare(std::size_t parts) {
  free_values();
  recorders_.reserve(parts);
  while (recorders_.size() < parts) recorders_.push_back({&make_buffer()});
}

void PartRecorders::merge() {
  for (const ApartRecorder& recorder : recorders_) merged_.take_all(*recorder.buffer);
}

void PartRecorders::drop() noexcept {
  for (const ApartRecorder& recorder : recorders_) recorder.buffer->drop_and_clear();
}

void PartRecorders::free_values() noexcept {
  if (!merged_.empty()) return;
  for (const ApartRecorder& recorder : recorders_) recorder.buffer->free_values();
}

}  // namespace strata::detail
