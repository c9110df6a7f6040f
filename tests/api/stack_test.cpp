// How much stack the library's frames take between a caller and the function that visits.
#include <doctest/doctest.h>
#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <strata/strata.hpp>

#include "../support/components.hpp"
#include "../support/sanitized.hpp"

namespace strata::test::stack_test {

namespace {

#if defined(__OPTIMIZE__)
constexpr std::size_t kOptimized = 1;
#else
constexpr std::size_t kOptimized = 4;  // Calls are not inlined, and variables share no memory.
#endif

/// What the frames may take, in bytes: a sanitizer puts guards around every variable.
constexpr std::size_t kMost = 1000 * kOptimized * (kSanitized ? 4 : 1);

std::uintptr_t stack_here() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

/// Notes how deep the stack gets.
class StackUse {
 public:
  [[gnu::noinline]] void note() { deepest_ = std::min(deepest_, stack_here()); }
  std::uintptr_t deepest() const { return deepest_; }

 private:
  std::uintptr_t deepest_ = ~std::uintptr_t{0};
};

/// Returns: how many bytes of stack are between a function that visits and what it is visited with, which notes them.
/// Not inlined, so that what the test itself has on the stack is not counted.
template <class Visit>
[[gnu::noinline]] std::size_t stack_of(Visit visit) {
  StackUse use;
  visit(use);
  return stack_here() - use.deepest();
}

/// A root with children that have two archetypes and a child each.
struct Family {
  World world;
  Entity root = world.create(Position{}, Health{1});

  Family() {
    for (int i = 0; i < 300; ++i) {
      const Entity child = i % 7 == 0 ? world.create(child_of(root), Position{}, Health{i}, Name{})
                                      : world.create(child_of(root), Position{}, Health{i});
      world.create(child_of(child), Position{}, Health{});
    }
  }
};

/// Runs `function` on a thread with a stack of so many bytes.
template <class Function>
void run_on_stack(std::size_t bytes, Function function) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, bytes) == 0);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<Function*>(argument))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &function) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
}

constexpr int kDeep = 10'000;

Entity create_chain(World& world) {
  const Entity root = world.create(Health{1});
  Entity last = root;
  for (int i = 1; i < kDeep; ++i) last = world.create(child_of(last), Health{1});
  return root;
}

int sum_below(Query<Entity, const Health>& query, Entity entity) {
  int sum = 0;
  query.children_of(entity).each(
      [&](Entity child, const Health& health) { sum += health.points + sum_below(query, child); });
  return sum;
}

int sum_in_loop_below(Query<Entity, const Health>& query, Entity entity) {
  int sum = 0;
  for (auto [child, health] : query.children_of(entity))
    sum += health.points + sum_in_loop_below(query, child);
  return sum;
}

}  // namespace

TEST_SUITE("api/stack") {
  TEST_CASE("a visit of tables takes less than a kilobyte of stack") {
    Family family;
    auto query = family.world.query<Entity, Position, const Health>();
    CHECK(stack_of([&](StackUse& use) {
            query.each([&](Entity, Position&, const Health&) { use.note(); });
          }) < kMost);
    CHECK(stack_of([&](StackUse& use) {
            for ([[maybe_unused]] const auto& row : query) use.note();
          }) < kMost);
    CHECK(stack_of([&](StackUse& use) {
            query.cascade().each([&](Entity, Position&, const Health&) { use.note(); });
          }) < kMost);
  }
  TEST_CASE("a cascade with values of the parent takes less than a kilobyte of stack") {
    Family family;
    auto query = family.world.query<Position, Parent<const Position>, Up<const Name>>();
    CHECK(stack_of([&](StackUse& use) {
            query.cascade().each([&](Position&, const Position*, const Name*) { use.note(); });
          }) < kMost);
    CHECK(stack_of([&](StackUse& use) {
            for ([[maybe_unused]] const auto& row : query.cascade()) use.note();
          }) < kMost);
  }
  TEST_CASE("a visit of children takes less than a kilobyte of stack") {
    Family family;
    auto query = family.world.query<Entity, Position, const Health>();
    CHECK(stack_of([&](StackUse& use) {
            query.children_of(family.root).each([&](Entity, Position&, const Health&) { use.note(); });
          }) < kMost);
    CHECK(stack_of([&](StackUse& use) {
            for ([[maybe_unused]] const auto& row : query.children_of(family.root)) use.note();
          }) < kMost);
    auto with_parent = family.world.query<Position, Parent<const Position>, Up<const Health>>();
    CHECK(stack_of([&](StackUse& use) {
            with_parent.children_of(family.root).each([&](Position&, const Position*, const Health*) {
              use.note();
            });
          }) < kMost);
  }
  TEST_CASE("ten thousand visits of children can be nested") {
    World world;
    const Entity root = create_chain(world);
    auto query = world.query<Entity, const Health>();
    // 800 bytes for each, where the compiler optimises.
    const std::size_t bytes = std::size_t{800} * kDeep * kOptimized * (kSanitized ? 8 : 1);
    int sum = 0;
    run_on_stack(bytes, [&] { sum = sum_below(query, root); });
    CHECK(sum == kDeep - 1);
    run_on_stack(bytes, [&] { sum = sum_in_loop_below(query, root); });
    CHECK(sum == kDeep - 1);
  }
}

}  // namespace strata::test::stack_test
