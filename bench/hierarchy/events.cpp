// Events of the user's own: emitted to functions, bubbling from leaves, sinking from roots, and queued.
//
// The limit calls a function by a pointer: for each event, or for each node that an event comes to, in arrays.
#include <memory>
#include <vector>

#include "subject.hpp"

namespace strata::bench::events {
namespace {

/// An event that counts how often a function was called with it, so that no call may be left out.
struct Ping {
  std::uint32_t calls = 0;
  std::uint32_t weight = 1;
};

using Total = std::uint64_t;

void count_call(Total& total, Ping& ping) {
  total += ++ping.calls * ping.weight;
}

/// Which function the limit calls is read at run time, as that of an event is.
void (*volatile g_function)(Total&, Ping&) = count_call;

Ping ping_of(std::size_t i) {
  return {.calls = 0, .weight = static_cast<std::uint32_t>(i & 7u)};
}

/// N events, one after the other.
struct Pings {
  explicit Pings(std::size_t count) : n(count) {
    for (std::size_t i = 0; i < n; ++i) expected += ping_of(i).weight;
  }

  std::size_t n;
  Total expected = 0;
};

Work call_for_each(Pings& data) {
  return summing(data.expected, [n = data.n] {
    const auto function = g_function;
    Total total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Ping ping = ping_of(i);
      function(total, ping);
    }
    return total;
  });
}

/// A world with entities, and functions that add to one total.
struct Audience {
  explicit Audience(std::size_t n) : entities(n) {
    for (Entity& entity : entities) entity = world.create();
  }
  explicit Audience(Layout layout) : world(WorldOptions{.layout = layout}) {}

  /// Listens to the events of `where`: an entity, or of all where it is left out.
  template <class... Where>
  void listen(Where... where) {
    subscriptions.push_back(
        world.events().on<Ping>(where..., [this](Ping& ping) { count_call(total, ping); }));
  }

  World world;
  std::vector<Entity> entities;
  std::vector<Subscription> subscriptions;
  Total total = 0;
};

/// Emits an event for each entity.
Work emit_to(const std::shared_ptr<Audience>& audience, const Pings& data) {
  return summing(data.expected, [audience] {
    audience->total = 0;
    Events& events = audience->world.events();
    for (std::size_t i = 0; i < audience->entities.size(); ++i)
      events.emit(ping_of(i), audience->entities[i]);
    return audience->total;
  });
}
Work emit_everywhere(Pings& data) {
  const auto audience = std::make_shared<Audience>(data.n);
  audience->listen();
  return emit_to(audience, data);
}
Work emit_at_entity(Pings& data) {
  const auto audience = std::make_shared<Audience>(data.n);
  for (const Entity entity : audience->entities) audience->listen(entity);
  return emit_to(audience, data);
}
/// Events that no function listens to.
Work emit_to_none(Pings& data) {
  const auto audience = std::make_shared<Audience>(data.n);
  Work work = emit_to(audience, data);
  work.check = [audience] { return audience->total == 0 ? "" : "a function was called"; };
  return work;
}

struct QueuedPing {
  Ping ping;
  Entity entity;
};

Work queue_in_vector(Pings& data) {
  const auto queue = std::make_shared<std::vector<QueuedPing>>();
  return summing(data.expected, [queue, n = data.n] {
    queue->clear();
    for (std::size_t i = 0; i < n; ++i)
      queue->push_back({ping_of(i), Entity(static_cast<std::uint32_t>(i), 1)});
    const auto function = g_function;
    Total total = 0;
    for (QueuedPing& queued : *queue) function(total, queued.ping);
    return total;
  });
}
Work queue_in_world(Pings& data) {
  const auto audience = std::make_shared<Audience>(data.n);
  audience->listen();
  return summing(data.expected, [audience] {
    audience->total = 0;
    Events& events = audience->world.events();
    for (std::size_t i = 0; i < audience->entities.size(); ++i)
      events.queue(ping_of(i), audience->entities[i]);
    events.deliver();
    return audience->total;
  });
}

/// A tree, and where its events begin.
struct EventTree {
  explicit EventTree(const Subject& subject)
      : tree(make_tree(subject.shape, subject.nodes)), children(tree), creation(creation_of(tree)) {}

  Tree tree;
  ChildRanges children;
  Creation creation;
  NodeList origins;
};

/// Events that begin at all leaves, and come to all nodes above.
struct LeafEvents : EventTree {
  explicit LeafEvents(const Subject& subject) : EventTree(subject) { origins = leaves_of(tree); }

  template <class Function>
  void each_call(Function function) const {
    for (const std::uint32_t leaf : origins) {
      Ping ping;
      for (std::uint32_t node = leaf; node != Tree::kNoParent; node = tree.parents[node]) function(ping);
    }
  }
};

/// Events that begin at all roots, and come to all nodes below.
struct RootEvents : EventTree {
  explicit RootEvents(const Subject& subject) : EventTree(subject) {
    origins = first_nodes(children.first[0]);
  }

  template <class Function>
  void each_call(Function function) const {
    for (const std::uint32_t root : origins) {
      Ping ping;
      for_each_level(children, root, [&](std::uint32_t begin, std::uint32_t end) {
        for (; begin != end; ++begin) function(ping);
      });
    }
  }
};

/// Returns: the sum of a call of count_call for each node that an event comes to.
template <class Data>
Total total_of(const Data& data) {
  Total total = 0;
  data.each_call([&total](Ping& ping) { count_call(total, ping); });
  return total;
}

template <class Data>
std::size_t calls_of(const Data& data) {
  std::size_t calls = 0;
  data.each_call([&calls](Ping&) { ++calls; });
  return calls;
}

/// The limit. The same walk computes the sum that its check expects; the answers are checked against that sum
/// independently, as their events spread in a world.
template <class Data>
Work spread_in_arrays(Data& data) {
  return summing(total_of(data), [&data] {
    const auto function = g_function;
    Total total = 0;
    data.each_call([&](Ping& ping) { function(total, ping); });
    return total;
  });
}

/// The same tree in a world, with a function that listens everywhere. An event spreads from each origin.
template <Spread spread, class Data>
Work spread_in_world(Layout layout, Data& data) {
  const auto audience = std::make_shared<Audience>(layout);
  std::vector<Entity> by_turn;
  for (const std::uint32_t parent : data.creation.parents) {
    by_turn.push_back(parent == Tree::kNoParent ? audience->world.create()
                                                : audience->world.create(child_of(by_turn[parent])));
  }
  const std::vector<Entity> handles = by_node(data.creation, by_turn);
  for (const std::uint32_t node : data.origins) audience->entities.push_back(handles[node]);
  audience->listen();
  return summing(total_of(data), [audience] {
    audience->total = 0;
    for (const Entity origin : audience->entities) audience->world.events().emit(Ping{}, origin, spread);
    return audience->total;
  });
}

void ask_about_pings(Suite& suite, std::size_t n) {
  auto& emit = ask_of_size<Pings>(suite, "hierarchy/emit", n);
  emit.limit(call_for_each);
  emit.answer("everywhere", emit_everywhere);
  emit.answer("at_entity", emit_at_entity);
  emit.answer("no_function", emit_to_none);
  ask_of_size<Pings>(suite, "hierarchy/queue_events", n)
      .limit(queue_in_vector)
      .answer("deliver", queue_in_world);
}

const Family kFamily([](Suite& suite) {
  ask_for_sizes(suite, {ask_about_pings});
  ask_about_trees<LeafEvents>(suite, {.name = "bubble",
                                      .limit = spread_in_arrays,
                                      .answer = spread_in_world<Spread::bubble>,
                                      .items = calls_of});
  ask_about_trees<RootEvents>(suite, {.name = "sink",
                                      .limit = spread_in_arrays,
                                      .answer = spread_in_world<Spread::sink>,
                                      .items = calls_of});
});

}  // namespace
}  // namespace strata::bench::events
