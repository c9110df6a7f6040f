#include "event_queue.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace strata::detail {

EventQueue::~EventQueue() {
  free(first_);
  free(spare_);
}

QueuedEvent* EventQueue::take() noexcept {
  while (size_ != 0) {
    if (read_ == (first_ == last_ ? write_ : first_->end)) {
      leave_chunk();
      continue;
    }
    auto* const event = reinterpret_cast<QueuedEvent*>(read_);
    read_ += event->bytes;
    if (event->channel == nullptr) continue;
    --size_;
    return event;
  }
  return nullptr;
}

/// Continues reading in the next chunk of memory. The chunk that was read before becomes a spare chunk, to which later
/// events are written.
/// Returns: false if there is no next chunk.
bool EventQueue::leave_chunk() noexcept {
  if (first_ == last_) return false;
  Chunk* const left = std::exchange(first_, first_->next);
  left->next = std::exchange(spare_, left);
  read_ = first_->begin();
  return true;
}

std::size_t EventQueue::drop_all() noexcept {
  std::size_t dropped = 0;
  {
    const Use use(*this);
    const std::size_t count = size_;  // Destructors may queue further events, which stay.
    for_each([&](QueuedEvent& event) {
      if (dropped == count) return false;
      if (std::exchange(event.channel, nullptr) == nullptr) return true;
      ++dropped;
      --size_;
      event.destroy_value();
      return true;
    });
  }
  return dropped;
}

/// Calls `visit(QueuedEvent&)` for each event until `visit` returns false. Also visits events whose value is not built
/// yet or was dropped. `visit` may append events, which are visited, too.
template <class Visit>
void EventQueue::for_each(Visit visit) const {
  std::byte* at = read_;
  for (Chunk* chunk = first_; chunk != nullptr; at = chunk != nullptr ? chunk->begin() : nullptr) {
    while (at != (chunk == last_ ? write_ : chunk->end)) {
      auto& event = *reinterpret_cast<QueuedEvent*>(at);
      at += event.bytes;
      if (!visit(event)) return;
    }
    chunk = chunk != last_ ? chunk->next : nullptr;
  }
}

/// Makes all memory available to new events, if no event is queued and no value is being built or delivered.
void EventQueue::start_anew_if_empty() noexcept {
  if (size_ != 0 || uses_ != 0 || first_ == nullptr) return;
  while (leave_chunk()) continue;
  read_ = write_ = first_->begin();
}

void EventQueue::add_chunk(std::size_t bytes, std::size_t alignment) {
  const std::size_t needed = sizeof(Chunk) + sizeof(QueuedEvent) + alignment + bytes + alignof(QueuedEvent);
  Chunk** link = &spare_;
  while (*link != nullptr && (*link)->bytes < needed) link = &(*link)->next;
  Chunk* chunk = *link;
  if (chunk != nullptr) {
    *link = chunk->next;
  } else {
    const std::size_t size = std::max(kChunkBytes, needed);
    chunk = ::new (memory_->allocate(size, alignof(Chunk))) Chunk{nullptr, nullptr, size};
  }
  chunk->next = nullptr;
  if (last_ != nullptr) {
    last_->end = write_;
    last_->next = chunk;
  } else {
    first_ = chunk;
    read_ = chunk->begin();
  }
  last_ = chunk;
  write_ = chunk->begin();
  limit_ = chunk->limit();
}

void EventQueue::shrink() noexcept {
  free(std::exchange(spare_, nullptr));
  if (size_ != 0 || uses_ != 0) return;
  free(std::exchange(first_, nullptr));
  last_ = nullptr;
  read_ = write_ = limit_ = nullptr;
}

void EventQueue::free(Chunk* chunks) noexcept {
  while (chunks != nullptr) {
    Chunk* const chunk = std::exchange(chunks, chunks->next);
    memory_->deallocate(chunk, chunk->bytes, alignof(Chunk));
  }
}

MemoryUse EventQueue::memory_use() const noexcept {
  MemoryUse use;
  for_each([&](const QueuedEvent& event) {
    use.used += event.channel != nullptr ? event.bytes : 0;
    return true;
  });
  for (Chunk* const list : {first_, spare_}) {
    for (const Chunk* chunk = list; chunk != nullptr; chunk = chunk->next) use.reserved += chunk->bytes;
  }
  return use;
}

std::string EventQueue::check_invariants() const {
  std::size_t events = 0;
  for_each([&](const QueuedEvent& event) {
    events += event.channel != nullptr ? 1 : 0;
    return true;
  });
  return events == size_ ? "" : "F1: the queue of events holds more or fewer of them than it counts";
}

}  // namespace strata::detail
