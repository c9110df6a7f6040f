#include "../../hierarchy/events/event_queue.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <new>
#include <string>
#include <vector>

#include "../../hierarchy/events/event_channel.hpp"
#include "../../storage/store.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"

namespace strata::test::event_queue_test {

using namespace detail;

namespace {

template <class T>
void queue_value(EventQueue& queue, EventChannel& channel, int number) {
  const EventQueue::Use use(queue);
  QueuedEvent& event = queue.append(sizeof(T), alignof(T));
  ::new (event.value()) T(static_cast<T>(number));
  queue.commit(
      event, channel, [](void* value) noexcept { static_cast<T*>(value)->~T(); },
      Entity(static_cast<std::uint32_t>(number), 1), Spread::none);
}

struct Bulk {
  Counted counted;
  char rest[20'000];
  explicit Bulk(int number) : counted(number) {}
};

/// The queue behaves like a deque of numbers, whatever the types of its events.
Disagreement queue_agrees(Bytes& bytes, Log& log) {
  const CountedScope scope;
  FailingMemory memory;
  {
    Store store(&memory);
    EventChannel counted("counted", sizeof(Counted), alignof(Counted), store.slots(), &memory);
    EventChannel wide("wide", sizeof(Wide), alignof(Wide), store.slots(), &memory);
    EventChannel bulk("bulk", sizeof(Bulk), alignof(Bulk), store.slots(), &memory);
    EventQueue queue(&memory);
    std::deque<int> expected;
    int next = 0;
    while (bytes.turn()) {
      switch (bytes.below(7)) {
        case 0:
        case 1: {
          const std::size_t kind = bytes.below(3);
          std::size_t count = bytes.below(40);
          if (kind == 2) count %= 3;
          log("queue ", count, " of kind ", kind);
          for (std::size_t i = 0; i < count; ++i) {
            expected.push_back(++next);
            if (kind == 0) queue_value<Counted>(queue, counted, next);
            if (kind == 1) queue_value<Wide>(queue, wide, next);
            if (kind == 2) queue_value<Bulk>(queue, bulk, next);
          }
          break;
        }
        case 2:
        case 3:
        case 4: {
          std::size_t count = bytes.below(40);
          log("take ", count);
          for (const EventQueue::Use use(queue); count != 0; --count) {
            QueuedEvent* const event = queue.take();
            if ((event == nullptr) != expected.empty()) return "an event is missing, or one too many";
            if (event == nullptr) break;
            if (event->entity.index() != static_cast<std::uint32_t>(expected.front())) return "another event";
            if (event->channel == &wide && !static_cast<Wide*>(event->value())->aligned())
              return "a value is not aligned";
            if (event->channel == &counted &&
                static_cast<Counted*>(event->value())->value() != expected.front())
              return "another value";
            event->destroy_value();
            expected.pop_front();
          }
          break;
        }
        case 5:
          if (bytes.chance(4)) {
            log("drop all");
            if (queue.drop_all() != expected.size()) return "another number was dropped";
            expected.clear();
          }
          break;
        default:
          log("shrink");
          queue.shrink();
      }
      if (queue.size() != expected.size()) return "another number is queued";
      if (std::string broken = queue.check_invariants(); !broken.empty()) return broken;
      if (queue.memory_use().used > queue.memory_use().reserved) return "more memory is used than there is";
    }
    queue.drop_all();
  }
  if (!scope.clean()) return "a value was not destroyed once";
  return memory.blocks() == 0 && memory.complaint().empty() ? Disagreement() : "memory was not given back";
}

}  // namespace

TEST_SUITE("hierarchy/event_queue") {
  STRATA_MODEL_TEST("a queue of events behaves like a deque", queue_agrees, .runs = 200);
}

}  // namespace strata::test::event_queue_test
