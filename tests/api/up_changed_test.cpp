// changed() with Up terms: values handed down past entities that have none, compared with finding all anew.
#include <strata/strata.hpp>

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "../support/model_test.hpp"
#include "../support/values.hpp"

namespace strata::test::up_changed_test {

namespace {

constexpr std::array kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};

/// What an entity sees of those above it.
struct Seen {
  int health = -1;
  int sparse = -1;
};

class UpTest {
 public:
  UpTest(Layout layout, Bytes& bytes, Log& log)
      : world_({.layout = layout, .large_family = 3}), bytes_(bytes), log_(log) {}

  void turn() {
    switch (bytes_.below(8)) {
      case 0:
      case 1:
        return create();
      case 2:
        return change<Health>("Health");
      case 3:
        return change<SparseHealth>("SparseHealth");
      case 4:
        return move();
      case 5:
        return store_elsewhere();
      default:
        return update();
    }
  }

  Disagreement compare() {
    update();
    for (const Entity entity : entities_) {
      const Seen* const seen = world_.find<Seen>(entity);
      if (seen == nullptr) continue;
      if (seen->health != nearest<Health>(entity))
        return "the Health above " + to_string(entity) + " is wrong";
      if (seen->sparse != nearest<SparseHealth>(entity)) {
        return "the SparseHealth above " + to_string(entity) + " is wrong";
      }
    }
    return {};
  }

 private:
  Entity pick() { return entities_.empty() ? Entity() : entities_[bytes_.below(entities_.size())]; }
  void mark(Entity entity) {
    world_.add<Dirty>(entity);
    marked_.insert(entity);
  }

  void create() {
    const Entity parent = pick();
    const bool sees = !bytes_.chance(5);
    log_("create ", entities_.size(), " below ", parent, sees ? "" : ", which sees nothing");
    const Entity entity = parent ? world_.create(child_of(parent)) : world_.create();
    if (sees) world_.add(entity, Seen{});
    entities_.push_back(entity);
    mark(entity);
  }
  template <class T>
  void change(const char* name) {
    const Entity entity = pick();
    if (!entity) return;
    const bool removes = bytes_.chance(3);
    log_(removes ? "remove " : "set ", name, " of ", entity);
    if (removes) {
      world_.remove<T>(entity);
    } else {
      world_.add(entity, T{++number_});
    }
    mark(entity);
  }
  void move() {
    const Entity child = pick();
    const Entity parent = pick();
    log_("move ", child, " below ", parent);
    if (world_.set_parent(child, parent)) mark(child);
  }
  void store_elsewhere() {
    log_("store Health or SparseHealth elsewhere");
    const auto other = [](Storage storage) {
      return storage == Storage::table ? Storage::sparse : Storage::table;
    };
    if (bytes_.chance(2)) {
      world_.set_storage<Health>(other(world_.storage<Health>()));
    } else {
      world_.set_storage<SparseHealth>(other(world_.storage<SparseHealth>()));
    }
  }
  /// The values that others see change by hand alone, so that all but the marked ones answer "unchanged".
  void update() {
    query_.cascade().propagate(
        [&](Entity entity, Seen& seen, const Health* health, const SparseHealth* sparse) {
          seen = {health != nullptr ? health->points : -1, sparse != nullptr ? sparse->points : -1};
          return marked_.contains(entity);
        });
    marked_.clear();
  }

  template <class T>
  int nearest(Entity entity) const {
    for (const Entity above : world_.ancestors(entity)) {
      if (const T* const value = world_.find<T>(above)) return value->points;
    }
    return -1;
  }

  World world_;
  Bytes& bytes_;
  Log& log_;
  std::vector<Entity> entities_;
  std::set<Entity> marked_;
  int number_ = 0;
  Query<Entity, Seen, Up<const Health>, Up<const SparseHealth>> query_ =
      world_.query<Entity, Seen, Up<const Health>, Up<const SparseHealth>>();
};

Disagreement changes_agree(Bytes& bytes, Log& log) {
  const Layout layout = kLayouts[bytes.turn() ? bytes.below(kLayouts.size()) : 0];
  UpTest test(layout, bytes, log);
  while (bytes.turn()) {
    test.turn();
    if (bytes.chance(3)) {
      if (Disagreement wrong = test.compare()) return wrong;
    }
  }
  return test.compare();
}

}  // namespace

TEST_SUITE("api/up_changed") {
  STRATA_MODEL_TEST("a change is seen by all below, past entities that have nothing to see", changes_agree,
                    .runs = 150, .turns = 80);

  TEST_CASE("below an entity that has itself what terms look for, an unchanged one ends the way") {
    World world;
    const Entity top = world.create(Health{1}, Seen{});
    const Entity bare = world.create(child_of(top), Seen{});
    const Entity hiding = world.create(child_of(bare), Health{2}, Seen{});
    world.create(child_of(hiding), Seen{});
    auto query = world.query<Entity, Up<const Health>>();
    world.add<Dirty>(top);
    std::vector<Entity> visited;
    const auto changed = query.cascade().propagate([&](Entity entity, const Health*) {
      visited.push_back(entity);
      return entity == top;
    });
    CHECK(visited == std::vector<Entity>{top, bare, hiding});
    CHECK(std::vector<Entity>(changed.begin(), changed.end()) == std::vector<Entity>{top});
  }
  TEST_CASE("a marked entity that did not change leads nowhere") {
    World world;
    const Entity top = world.create(Health{1});
    world.create(child_of(top));
    auto query = world.query<Entity, Up<const Health>>();
    world.add<Dirty>(top);
    std::size_t visited = 0;
    query.cascade().propagate([&](Entity, const Health*) { return ++visited == 0; });
    CHECK(visited == 1);
  }
}

}  // namespace strata::test::up_changed_test
