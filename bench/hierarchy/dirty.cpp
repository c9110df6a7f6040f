// Values in the world computed anew for the nodes that have changed, and for all below them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>

#include "subject.hpp"
#include "support/random.hpp"
#include "support/thread_pool.hpp"

namespace strata::bench::dirty {
namespace {

/// A node that gets new local values in turn, the next one whenever its frame comes round.
template <class Node>
struct Change {
  Node node;
  std::array<Affine, 2> locals;
};

template <class Node>
using Changes = std::vector<Change<Node>>;

/// Frames of changes. Both sides make them in breadth-first order.
struct Data : TreeData<Affine> {
  explicit Data(const Subject& subject) : TreeData(subject), children(tree) { arrays.update(); }

  void add_frame(NodeList nodes) {
    std::sort(nodes.begin(), nodes.end());
    Changes<std::uint32_t>& changes = frames.emplace_back();
    for (const std::uint32_t node : nodes) {
      changes.push_back({node, {local_of<Affine>(node + 1), local_of<Affine>(node + 2)}});
    }
    updates.push_back(count_updates(nodes));
  }

  /// Returns: how many nodes the subtrees of these, given in breadth-first order, have together.
  std::size_t count_updates(const NodeList& nodes) const {
    std::vector<bool> seen(tree.parents.size());
    std::size_t count = 0;
    for (const std::uint32_t node : nodes) {
      if (seen[node]) continue;
      for_each_level(children, node, [&](std::uint32_t begin, std::uint32_t end) {
        count += end - begin;
        std::fill(seen.begin() + begin, seen.begin() + end, true);
      });
    }
    return count;
  }

  /// Returns: the values after this many frames, all of them computed anew.
  Arrays<Affine> expected_after(std::size_t count) const {
    Arrays<Affine> expected = arrays;
    const std::size_t recent = std::min(count, frames.size());
    for (std::size_t frame = count - recent; frame < count; ++frame) {
      for (const auto& [node, locals] : frames[frame % frames.size()]) {
        expected.locals[node] = locals[frame / frames.size() % 2];
      }
    }
    expected.update();
    return expected;
  }

  ChildRanges children;
  std::vector<Changes<std::uint32_t>> frames;
  std::vector<std::size_t> updates;  // By frame: nodes that have changed or are below one that has.
  std::size_t frames_per_step = 1;
};

/// Frames of 1 %, all of them in one step: a node high up makes one frame cost many times another.
struct SomeChanged : Data {
  explicit SomeChanged(const Subject& subject) : Data(subject) {
    std::mt19937 random(23);
    const NodeList nodes = first_nodes(subject.nodes);
    frames_per_step = 8;
    for (std::size_t frame = 0; frame < frames_per_step; ++frame) {
      add_frame(chosen(random, nodes, nodes.size() / 100));
    }
  }
};

/// Frames of one node with 10 descendants, or as near to that as the tree has them.
struct OneChanged : Data {
  explicit OneChanged(const Subject& subject) : Data(subject) {
    constexpr std::uint32_t kWanted = 11;
    const NodeList sizes = subtree_sizes_of(tree);
    const auto distance = [&](std::uint32_t node) {
      return sizes[node] > kWanted ? sizes[node] - kWanted : kWanted - sizes[node];
    };
    NodeList nearest = {0};
    for (std::uint32_t node = 1; node < sizes.size(); ++node) {
      if (distance(node) < distance(nearest.front())) nearest.clear();
      if (nearest.empty() || sizes[node] == sizes[nearest.front()]) nearest.push_back(node);
    }
    std::mt19937 random(29);
    for (const std::uint32_t node : chosen(random, nearest, 64)) add_frame({node});
  }
};

/// The limit: from each changed node down, level by level, unless an ancestor's turn has reached it already.
class ArrayWalk {
 public:
  explicit ArrayWalk(const Data& data) : data_(data), arrays_(data.arrays), seen_(data.tree.parents.size()) {}

  void step() {
    for (std::size_t i = 0; i < data_.frames_per_step; ++i) run_frame();
  }

  Complaint check() const {
    const Arrays<Affine> expected = data_.expected_after(frames_);
    return first_fault(arrays_.size(), "has another value than after a full update", [&](std::uint32_t node) {
      return agree(arrays_.worlds[node], expected.worlds[node]);
    });
  }

 private:
  void run_frame() {
    const std::size_t n = data_.frames.size();
    const Changes<std::uint32_t>& changes = data_.frames[frames_ % n];
    const std::size_t turn = frames_ / n % 2;
    ++frames_;
    for (const auto& change : changes) arrays_.locals[change.node] = change.locals[turn];
    for (const auto& change : changes) {
      if (seen_[change.node] != frames_) walk_down(change.node);
    }
  }

  void walk_down(std::uint32_t root) {
    for_each_level(data_.children, root, [&](std::uint32_t begin, std::uint32_t end) {
      if (begin < arrays_.roots) {
        arrays_.worlds[begin] = arrays_.locals[begin];
      } else {
        arrays_.update_below(begin, end);
      }
      std::fill(seen_.begin() + begin, seen_.begin() + end, frames_);
    });
  }

  const Data& data_;
  Arrays<Affine> arrays_;
  std::vector<std::uint64_t> seen_;  // By node: the frame that has updated it, counted from 1.
  std::uint64_t frames_ = 0;
};

/// The same in a world, by marking what has changed and a cascade over that alone.
class SceneWalk : Defragmented<TreeScene<Data>> {
 public:
  SceneWalk(Layout layout, const Data& changed) : Defragmented(layout, changed) {
    update();
    const std::vector<Entity> entities = handles();
    for (const auto& changes : data.frames) {
      Changes<Entity>& translated = frames_.emplace_back();
      for (const auto& [node, locals] : changes) translated.push_back({entities[node], locals});
    }
  }

  void step() { step_on(pool_); }
  /// Does a step on the workers of an executor.
  void step_on(Executor& executor) {
    for (std::size_t i = 0; i < data.frames_per_step; ++i) run_frame(executor);
  }

  Complaint check() const {
    if (wrong_counts_ != 0) return "the cascade has changed more or fewer nodes than the limit";
    return wrong_value(data.expected_after(frame_));
  }

 private:
  void run_frame(Executor& executor) {
    const std::size_t turn = frame_ / frames_.size() % 2;
    const std::size_t place = frame_++ % frames_.size();
    for (const auto& change : frames_[place]) {
      world().get<Local>(change.node).value = change.locals[turn];
      world().add<Dirty>(change.node);
    }
    const auto changed = nodes().cascade().par(executor).propagate(
        [](const Local& local, InWorld& in_world, const InWorld* parent) {
          update_world(local, in_world, parent);
          return true;
        });
    if (changed.size() != data.updates[place]) ++wrong_counts_;
  }

  ThreadPool pool_{1};
  std::vector<Changes<Entity>> frames_;
  std::size_t frame_ = 0;
  std::size_t wrong_counts_ = 0;
};

Bar bar_of_one(const Subject& subject, Layout) {
  return subject.nodes == 1'000'000 ? Bar::at_most_ns(2'000) : Bar{};
}

/// Frames of 1 % in one world, which all answers update: two worlds would differ in where their memory lies.
struct ThreadedChanges : SomeChanged {
  using SomeChanged::SomeChanged;

  SceneWalk walk{Layout::adaptive, *this};
};

Work walk_on(ThreadedChanges& data, std::size_t threads) {
  const auto pool = std::make_shared<ThreadPool>(threads);
  return {.step = [&data, pool] { data.walk.step_on(*pool); },
          .check = [&data] { return data.walk.check(); }};
}

const Family kFamily([](Suite& suite) {
  ask_about_trees<SomeChanged>(suite, {.name = "dirty_1pct",
                                       .limit = done_by<ArrayWalk>,
                                       .answer = done_in<SceneWalk>,
                                       .at_most = 2,
                                       .items = [](const SomeChanged& data) {
                                         return std::accumulate(data.updates.begin(), data.updates.end(),
                                                                std::size_t{0});
                                       }});
  ask_about_trees<OneChanged>(suite, {.name = "dirty_one",
                                      .limit = done_by<ArrayWalk>,
                                      .answer = done_in<SceneWalk>,
                                      .bar = bar_of_one,
                                      .items = [](const OneChanged&) { return std::size_t{1}; }});

  // On two threads, measured by the time of one. In small trees, 1 % are too few for two threads.
  auto& threads =
      ask_about_tree<ThreadedChanges>(suite, "threads/dirty_1pct", {Shape::bushy, 1'000'000}, Usual::none);
  threads.limit([](ThreadedChanges& data) { return walk_on(data, 1); });
  threads.answer("two_threads", [](ThreadedChanges& data) { return walk_on(data, 2); }).at_most(1 / 1.4);
});

}  // namespace
}  // namespace strata::bench::dirty
