#include "../../hierarchy/layers/layered_query.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "../../hierarchy/hierarchy.hpp"
#include "../support/components.hpp"
#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"

namespace strata::test::layered_query_test {

using namespace detail;

namespace {

struct Subject {
  Store store{std::pmr::new_delete_resource()};
  Hierarchy hierarchy;
  Layers layers{store};
  ComponentId health = store.registry().id_of<Health>();
  ComponentId sparse_health = store.registry().id_of<SparseHealth>();
  ComponentId dirty = store.registry().id_of<Dirty>();

  explicit Subject(Layout layout) : hierarchy(store, {.layout = layout}) {}

  Entity create(Entity parent, int points) {
    Archetype& archetype = store.archetypes().with(store.archetypes().empty(), health);
    const Entity entity = (parent ? hierarchy.create_below(parent, archetype)
                                  : store.create_row(archetype, store.tables().root()))
                              .entity;
    ::new (store.find(entity, health)) Health{points};
    return entity;
  }
};

struct Visit {
  std::int32_t key;
  std::uint32_t depth;
  Entity entity;
  friend auto operator<=>(const Visit&, const Visit&) = default;
};

// The model: every entity's key, marks and components; the order is that of (key, depth).
class LayeredTest {
 public:
  LayeredTest(Layout layout, Bytes& bytes, Log& log)
      : subject_(layout),
        bytes_(bytes),
        log_(log),
        all_(subject_.store, &subject_.hierarchy.parents(), subject_.layers),
        side_(subject_.store, &subject_.hierarchy.parents(), subject_.layers) {}

  Disagreement turn() {
    change();
    if (Disagreement wrong = compare_all()) return wrong;
    return compare_side();
  }

 private:
  void change() {
    if (keys_.empty() || bytes_.chance(3)) return create();
    auto at = keys_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(bytes_.below(keys_.size())));
    const Entity entity = at->first;
    switch (bytes_.below(5)) {
      case 0:
        return destroy(entity);
      case 1:
        return toggle_side(entity);
      case 2:
        log_("mark or unmark ", entity);
        if (marked_.erase(entity) != 0) {
          subject_.store.remove(entity, subject_.dirty);
        } else {
          marked_.insert(entity);
          subject_.store.add(entity, subject_.dirty);
        }
        return;
      default:
        at->second = static_cast<std::int32_t>(bytes_.below(7)) - 3;
        log_("put ", entity, " into layer ", at->second);
        return subject_.layers.set(entity, at->second);
    }
  }
  void create() {
    Entity parent;
    if (!keys_.empty() && !bytes_.chance(6)) parent = keys_.rbegin()->first;
    if (bytes_.chance(2)) parent = tree_.parent(parent);
    const Entity entity = subject_.create(parent, static_cast<int>(keys_.size()));
    log_("create ", entity, " under ", parent);
    tree_.create(entity, parent);
    keys_[entity] = 0;
  }
  void destroy(Entity entity) {
    log_("destroy ", entity);
    for (const Entity gone : tree_.breadth_first(entity)) {
      keys_.erase(gone);
      marked_.erase(gone);
      in_side_.erase(gone);
    }
    tree_.destroy(entity);
    subject_.hierarchy.destroy(entity, ChildPolicy::destroy);
  }
  void toggle_side(Entity entity) {
    log_("toggle SparseHealth of ", entity);
    if (in_side_.erase(entity) != 0) {
      subject_.store.remove(entity, subject_.sparse_health);
    } else {
      in_side_.insert(entity);
      ::new (subject_.store.add(entity, subject_.sparse_health).value) SparseHealth{1};
    }
  }

  template <class Match>
  std::vector<Visit> expected(Match match) const {
    std::vector<Visit> visits;
    for (const auto& [entity, key] : keys_) {
      if (match(entity)) visits.push_back({key, tree_.depth(entity), entity});
    }
    std::sort(visits.begin(), visits.end());
    return visits;
  }
  bool is_changed(std::int32_t key) const {
    return std::any_of(marked_.begin(), marked_.end(),
                       [&](Entity entity) { return keys_.at(entity) == key; });
  }

  /// Visits by the query, sorted within one depth of one layer, where any order is right.
  template <class Layered, class Match>
  Disagreement compare(Layered& query, Match match) {
    std::vector<Visit> visits;
    Disagreement wrong;
    query.each_layer([&](auto& layer) {
      const std::size_t before = visits.size();
      layer.each(on<Entity>([&](Entity entity) {
        visits.push_back({layer.key(), tree_.depth(entity), entity});
      }));
      if (visits.size() == before) wrong = "a layer without entities is visited";
      if (layer.count() != visits.size() - before) wrong = "the count of a layer is wrong";
      if (layer.changed() != is_changed(layer.key())) wrong = "changed() of a layer is wrong";
    });
    if (wrong) return wrong;
    const auto before = [](const Visit& a, const Visit& b) {
      return std::pair(a.key, a.depth) < std::pair(b.key, b.depth);
    };
    if (!std::is_sorted(visits.begin(), visits.end(), before)) return "not by layer, then by depth";
    std::vector<Entity> order;
    query.each(on<Entity>([&](Entity entity) { order.push_back(entity); }));
    const bool same = std::equal(order.begin(), order.end(), visits.begin(), visits.end(),
                                 [](Entity entity, const Visit& visit) { return entity == visit.entity; });
    if (!same) return "each visits in another order than each_layer";
    std::sort(visits.begin(), visits.end());
    if (visits != expected(match)) return "other entities were visited";
    return {};
  }
  Disagreement compare_all() {
    return compare(all_, [](Entity) { return true; });
  }
  Disagreement compare_side() {
    return compare(side_, [&](Entity entity) { return in_side_.contains(entity); });
  }

  Subject subject_;
  Bytes& bytes_;
  Log& log_;
  TreeModel tree_;
  std::map<Entity, std::int32_t> keys_;
  std::set<Entity> marked_;
  std::set<Entity> in_side_;
  LayeredQuery<Entity, const Health, Parent<const Health>> all_;
  LayeredQuery<Entity, SparseHealth> side_;
};

template <Layout layout>
Disagreement layered_queries_agree(Bytes& bytes, Log& log) {
  LayeredTest test(layout, bytes, log);
  while (bytes.turn()) {
    if (Disagreement wrong = test.turn()) return wrong;
  }
  return {};
}

constexpr ModelTest kPerParent = layered_queries_agree<Layout::per_parent>;
constexpr ModelTest kPerLevel = layered_queries_agree<Layout::per_level>;

}  // namespace

TEST_SUITE("hierarchy/layered_query") {
  STRATA_MODEL_TEST("layers are visited by key and each by depth, with a table per parent", kPerParent,
                    .runs = 60, .turns = 80);
  STRATA_MODEL_TEST("layers are visited by key and each by depth, with a table per level", kPerLevel,
                    .runs = 60, .turns = 80);

  TEST_CASE("a child in a lower layer is visited before its parent, and still finds its parent's value") {
    Subject s(Layout::per_parent);
    const Entity top = s.create({}, 1);
    const Entity below = s.create(top, 2);
    s.layers.set(below, -1);
    std::vector<Entity> order;
    LayeredQuery<Entity, Parent<const Health>> query(s.store, &s.hierarchy.parents(), s.layers);
    query.each([&](Entity entity, const Health* parent) {
      order.push_back(entity);
      CHECK((parent != nullptr ? parent->points : 0) == (entity == below ? 1 : 0));
    });
    CHECK(order == std::vector<Entity>{below, top});
  }
  TEST_CASE(
      "structural changes are refused in and between layers, and what is recorded is applied at the end") {
    Subject s(Layout::per_level);
    const Entity first = s.create({}, 1);
    const Entity second = s.create({}, 2);
    s.layers.set(second, 1);
    int ended = 0;
    s.store.on_iteration_end([](void* count) { ++*static_cast<int*>(count); }, &ended);
    LayeredQuery<const Health> query(s.store, &s.hierarchy.parents(), s.layers);
    int visited = 0;
    query.each_layer([&](auto& layer) {
      CHECK_THROWS_AS(s.layers.set(first, 2), ContractViolation);
      s.store.guard().mark_recorded();
      layer.each_block([&](std::span<const Health> healths) { visited += static_cast<int>(healths.size()); });
      CHECK(ended == 0);
    });
    CHECK(visited == 2);
    CHECK(ended == 1);
    CHECK_THROWS_AS(query.each([](const Health&) { throw std::runtime_error("stop"); }), std::runtime_error);
    CHECK(!s.store.iterating());
  }
}

}  // namespace strata::test::layered_query_test
