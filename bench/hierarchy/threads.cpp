// Visits on two threads: cascades against one thread, and a visit that waits for memory against two threads over arrays.
#include <cstddef>
#include <memory>
#include <vector>

#include "subject.hpp"
#include "support/thread_pool.hpp"

namespace strata::bench::threads {
namespace {

constexpr std::size_t kThreads = 2;

/// A tree in a world, which all answers update: two worlds would differ in where their memory lies.
template <class Value>
struct ThreadedTree : TreeData<Value> {
  explicit ThreadedTree(const Subject& subject) : TreeData<Value>(subject) {
    this->arrays.update();  // What all answers are compared with.
  }

  Defragmented<SceneAtRest<TreeData<Value>>> scene{Layout::adaptive, *this};
};

template <class Value>
Work cascade_on(ThreadedTree<Value>& data, std::size_t threads) {
  const auto pool = std::make_shared<ThreadPool>(threads);
  return {.step = [&data, pool] { data.scene.update(*pool); },
          .check = [&data] { return data.scene.check(); }};
}

/// Asks for the values in the world of a tree by two threads, measured by the time of one.
template <class Value>
void ask_cascade(Suite& suite, const char* name, Shape shape, std::uint32_t nodes, double faster) {
  using Data = ThreadedTree<Value>;
  auto& question = ask_about_tree<Data>(suite, name, {shape, nodes}, Usual::none);
  question.limit([](Data& data) { return work_of_data(data.scene); });
  question.answer("two_threads", [](Data& data) { return cascade_on(data, kThreads); }).at_most(1 / faster);
  question.answer("one_worker", [](Data& data) { return cascade_on(data, 1); }).at_most(1.05);
}

struct Place {
  float x, y, z;
};
struct Speed {
  float x, y, z;
};

/// Particles in arrays and in a world.
struct Particles {
  explicit Particles(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto x = static_cast<float>(i % 1024);
      positions.push_back({x, x + 0.5f, -x});
      velocities.push_back({0.25f, 0.5f, -0.125f});
      world.create(positions.back(), velocities.back());
    }
  }

  std::vector<Place> positions;
  std::vector<Speed> velocities;
  World world;
  ThreadPool pool{kThreads};
};

void move(Place& position, const Speed& velocity) {
  position.x += velocity.x;
  position.y += velocity.y;
  position.z += velocity.z;
}

Work move_arrays(Particles& data) {
  return {.step = [&data] {
    const auto body = [&data](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) move(data.positions[i], data.velocities[i]);
    };
    data.pool.parallel_for(data.positions.size(), data.positions.size() / (4 * kThreads) + 1, body);
  }};
}

Work move_in_world(Particles& data) {
  const auto query = kept(data.world.query<Place, const Speed>());
  return {.step = [query, &data] {
    query->par(data.pool).each([](Place& position, const Speed& velocity) { move(position, velocity); });
  }};
}

void ask_iteration(Suite& suite, std::size_t n) {
  auto& question = ask_of_size<Particles>(suite, "hierarchy/threads/iterate_2", n);
  question.only_on_demand();
  question.limit(move_arrays);
  question.answer("two_threads", move_in_world).at_most(1.05);
}

const Family kFamily([](Suite& suite) {
  constexpr const char* kAffine = "threads/update_affine";
  constexpr const char* kNormal = "threads/update_normal";
  for (const std::uint32_t nodes : {10'000u, 1'000'000u}) {
    ask_cascade<Affine>(suite, kAffine, Shape::bushy, nodes, 1.75);
    ask_cascade<Affine>(suite, kAffine, Shape::many_small, nodes, 1.75);
    ask_iteration(suite, nodes);
  }
  ask_cascade<WithNormal>(suite, kNormal, Shape::bushy, 1'000'000, 1.9);
  ask_cascade<WithNormal>(suite, kNormal, Shape::many_small, 1'000'000, 1.9);
  // Of 1,000 nodes in each of 1,000 levels.
  ask_cascade<Affine>(suite, kAffine, Shape::chain, 1'000'000, 1.5);
  // So few nodes that two threads may not take longer than one.
  ask_cascade<Affine>(suite, kAffine, Shape::bushy, 2'000, 0.95);
});

}  // namespace
}  // namespace strata::bench::threads
