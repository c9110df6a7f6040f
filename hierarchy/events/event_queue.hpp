// EventQueue: events of any types that wait to be delivered, in the order in which they were queued.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>

#include "../../core/compiler.hpp"
#include "../../core/entity.hpp"
#include "../../core/memory_use.hpp"
#include "propagation.hpp"

namespace strata::detail {

struct EventChannel;

/// The header of an event that waits in an EventQueue. The value of the event lies `offset` bytes behind the start of
/// the header.
struct QueuedEvent {
  EventChannel* channel;            ///< Null if there is no value: not built yet, or dropped.
  void (*destroy)(void*) noexcept;  ///< Null if the value needs no destruction.
  Entity entity;                    ///< Null for an event of the whole world.
  std::uint32_t bytes;              ///< Distance from this header to that of the next event.
  std::uint16_t offset;
  Spread spread;

  void* value() noexcept { return reinterpret_cast<std::byte*>(this) + offset; }
  void destroy_value() noexcept {
    if (destroy != nullptr) destroy(value());
  }
};

/// Events of any types that wait to be delivered, in the order in which they were queued. The events lie one after the
/// other in chunks of memory, and an event is never moved. Chunks whose events were delivered are used again.
///
/// Constructors and destructors of events may queue further events, and may drop all queued events. The memory of an
/// event that is being built or delivered is not reused meanwhile (see Use).
///
/// Invariants:
///   F1. Exactly `size()` events have a value. They lie between the event that is delivered next and the end of the
///       chunk to which new events are written.
class EventQueue {
 public:
  explicit EventQueue(std::pmr::memory_resource* memory) : memory_(memory) {}
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;
  /// Contract: no event is waiting, that is, `size()` is 0. The destructor does not destroy events; see `drop_all`.
  ~EventQueue();

  std::size_t size() const noexcept { return size_; }

  /// Appends an event without a value. The caller builds the value at QueuedEvent::value and then calls `commit`. If
  /// building the value runs user code, the caller keeps a Use (see below) until `commit`: the code may drop all
  /// events, and the Use keeps the memory of this event from being reused.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the alignment is at most kMostAlignment.
  QueuedEvent& append(std::size_t bytes, std::size_t alignment) {
    std::byte* const at = write_;
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(at);
    const std::size_t offset = ((address + sizeof(QueuedEvent) + alignment - 1) & ~(alignment - 1)) - address;
    const std::size_t whole = (offset + bytes + alignof(QueuedEvent) - 1) & ~(alignof(QueuedEvent) - 1);
    if (whole > static_cast<std::size_t>(limit_ - at)) [[unlikely]] {
      add_chunk(bytes, alignment);
      return append(bytes, alignment);
    }
    auto* const event = reinterpret_cast<QueuedEvent*>(at);
    event->channel = nullptr;
    event->bytes = static_cast<std::uint32_t>(whole);
    event->offset = static_cast<std::uint16_t>(offset);
    write_ = at + whole;
    return *event;
  }
  /// Marks an event as queued, after the caller has built its value. Before this call, the event is not delivered.
  void commit(QueuedEvent& event, EventChannel& channel, void (*destroy)(void*) noexcept, Entity entity,
              Spread spread) noexcept {
    event.destroy = destroy;
    event.entity = entity;
    event.spread = spread;
    event.channel = &channel;
    ++size_;
  }

  /// Takes the first event out of the queue. The caller destroys the value of the event, and keeps a Use (see below)
  /// until then, so that the memory of the event is not reused.
  /// Returns: the event, valid until `take` is called again or the Use ends; null if there is none.
  QueuedEvent* take() noexcept;

  /// Destroys all events that are in the queue now.
  /// Returns: the number of destroyed events.
  std::size_t drop_all() noexcept;

  /// Frees the chunks (pieces of memory) that hold no events and are kept for reuse. If the queue is empty and no Use
  /// exists, frees all other chunks, too.
  void shrink() noexcept;

  /// The scope in which values of events are built or delivered. While a Use exists, the memory of the event that is
  /// being built or delivered is not reused.
  class Use {
   public:
    explicit Use(EventQueue& queue) noexcept : queue_(queue) { ++queue_.uses_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() {
      --queue_.uses_;
      queue_.start_anew_if_empty();
    }

   private:
    EventQueue& queue_;
  };
  bool in_use() const noexcept { return uses_ != 0; }

  MemoryUse memory_use() const noexcept;
  std::string check_invariants() const;

  static constexpr std::size_t kMostAlignment = 4096;

 private:
  /// The header of a piece of memory that events are written to. `end` is the end of the last event in the chunk. It is
  /// set only when writing continues in the next chunk; in the last chunk, `write_` is the end of the last event.
  struct alignas(64) Chunk {
    Chunk* next;
    std::byte* end;
    std::size_t bytes;

    std::byte* begin() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
    std::byte* limit() noexcept { return reinterpret_cast<std::byte*>(this) + bytes; }
  };
  static constexpr std::size_t kChunkBytes = std::size_t{16} << 10;

  STRATA_NOINLINE STRATA_API void add_chunk(std::size_t bytes, std::size_t alignment);
  STRATA_API void start_anew_if_empty() noexcept;
  bool leave_chunk() noexcept;
  void free(Chunk* chunks) noexcept;
  template <class Visit>
  void for_each(Visit visit) const;

  std::pmr::memory_resource* memory_;
  std::byte* write_ = nullptr;  // The next event is written here, in the last chunk.
  std::byte* limit_ = nullptr;  // The end of the last chunk.
  std::byte* read_ = nullptr;   // The next event is read here, in the first chunk.
  Chunk* first_ = nullptr;
  Chunk* last_ = nullptr;
  Chunk* spare_ = nullptr;
  std::size_t size_ = 0;
  std::uint32_t uses_ = 0;
};

}  // namespace strata::detail
