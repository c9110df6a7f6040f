#include "../../hierarchy/creation/forest_builder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "../../hierarchy/hierarchy.hpp"
#include "../../query/query.hpp"
#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"
#include "../support/values.hpp"
#include "build_forest.hpp"

namespace strata::test::forest_builder_test {

using namespace detail;

namespace {

constexpr Layout kLayouts[] = {Layout::per_parent, Layout::per_level, Layout::adaptive};

using Parents = std::vector<std::uint32_t>;

struct Subject {
  FailingMemory memory;
  Store store{&memory};
  Hierarchy hierarchy;
  ComponentId counted = store.registry().id_of<Counted>();
  ComponentId wide = store.registry().id_of<Wide>();
  ComponentId huge = store.registry().id_of<Huge>();
  ComponentId sparse = store.registry().id_of<SparseCounted>();
  ComponentId frozen = store.registry().id_of<Frozen>();
  ComponentId sparse_frozen = store.registry().id_of<SparseFrozen>();

  explicit Subject(Layout layout) : hierarchy(store, {.layout = layout, .large_family = 4}) {}

  /// Builds a forest whose node i has the number `first_number` + i in every component.
  BuiltHierarchy build(const Parents& parents, int first_number, Entity above = {}) {
    std::vector<Counted> counted_values;
    std::vector<Wide> wides;
    std::vector<Huge> huges;
    std::vector<SparseCounted> sparse_values;
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const int number = first_number + static_cast<int>(i);
      counted_values.emplace_back(number);
      wides.emplace_back(static_cast<float>(number));
      huges.emplace_back(number);
      sparse_values.emplace_back(number);
    }
    const std::array<ForestColumn, 6> columns{
        column(counted, counted_values),
        column(wide, wides),
        column(huge, huges),
        column(sparse, sparse_values),
        ForestColumn{frozen, nullptr, parents.size(), nullptr},
        ForestColumn{sparse_frozen, nullptr, parents.size(), nullptr},
    };
    const std::array ids{counted, wide, huge, frozen};
    return build_forest(hierarchy, {parents, columns, store.archetypes().get(Signature(ids, &memory))},
                        above);
  }

  template <class T>
  static ForestColumn column(ComponentId id, const std::vector<T>& values) {
    return {id, values.data(), values.size(), detail::gather_values<T>};
  }

  template <class T>
  int number(Entity entity, ComponentId id) const {
    const void* value = store.find(entity, id);
    return value != nullptr ? number_in(*static_cast<const T*>(value)) : -1;
  }
  bool has_number(Entity entity, int expected) const {
    return number<Counted>(entity, counted) == expected && number<Wide>(entity, wide) == expected &&
           number<Huge>(entity, huge) == expected && number<SparseCounted>(entity, sparse) == expected &&
           store.has(entity, frozen) && store.has(entity, sparse_frozen);
  }
  std::string broken() const {
    const std::string complaint = store.check_invariants();
    return complaint.empty() ? hierarchy.check_invariants() : complaint;
  }
};

class ForestTest {
 public:
  ForestTest(Layout layout, Bytes& bytes, Log& log) : subject_(layout), bytes_(bytes), log_(log) {}

  Disagreement turn() {
    switch (bytes_.below(12)) {
      case 0:
        return build();
      case 1:
        destroy();
        return {};
      default:
        add_node();
        return {};
    }
  }

  Disagreement compare() const {
    std::size_t alive = 0;
    for (const auto& [entity, number] : numbers_) {
      const std::string of = " of " + to_string(entity) + " is wrong";
      if (subject_.store.alive(entity) != model_.contains(entity)) return "alive" + of;
      if (!model_.contains(entity)) continue;
      ++alive;
      const ChildRange children = subject_.hierarchy.children(entity);
      if (std::vector<Entity>(children.begin(), children.end()) != model_.children(entity)) {
        return "the list of children" + of;
      }
      if (subject_.hierarchy.parent(entity) != model_.parent(entity)) return "the parent" + of;
      if (subject_.hierarchy.depth(entity) != model_.depth(entity)) return "the depth" + of;
      if (!subject_.has_number(entity, number)) return "a value" + of;
    }
    if (subject_.store.slots().in_use() != alive) return "the number of entities is wrong";
    if (std::string broken = subject_.broken(); !broken.empty()) return broken;
    return {};
  }

 private:
  void add_node() {
    const bool root = forest_.empty() || bytes_.chance(4);
    forest_.push_back(root ? kNoParent : static_cast<std::uint32_t>(bytes_.below(forest_.size())));
  }

  /// Builds what has been gathered, in another order of nodes.
  Disagreement build() {
    const auto n = static_cast<std::uint32_t>(forest_.size());
    const auto shift = static_cast<std::uint32_t>(n != 0 ? bytes_.below(n) : 0);
    Parents parents(n);
    for (std::uint32_t node = 0; node < n; ++node) {
      parents[(node + shift) % n] = forest_[node] == kNoParent ? kNoParent : (forest_[node] + shift) % n;
    }
    const Entity above = numbers_.empty() || bytes_.chance(3) ? Entity() : pick();
    if (above && !model_.contains(above)) return {};
    log_("build ", n, " nodes below ", above);
    const int first_number = static_cast<int>(numbers_.size());
    const BuiltHierarchy built = subject_.build(parents, first_number, above);
    forest_.clear();
    if (!built.outcome) return "refused: " + built.outcome.message();
    if (built.entities.size() != n) return "the number of handles is wrong";
    for (std::uint32_t node = 0; node < n; ++node) {
      model_.create(built.entities[node]);
      numbers_[built.entities[node]] = first_number + static_cast<int>(node);
    }
    for (std::uint32_t node = 0; node < n; ++node) {
      const Entity parent = parents[node] == kNoParent ? above : built.entities[parents[node]];
      if (parent) model_.set_parent(built.entities[node], parent);
    }
    return {};
  }

  void destroy() {
    if (numbers_.empty()) return;
    const Entity entity = pick();
    log_("destroy ", entity);
    if (subject_.hierarchy.destroy(entity, ChildPolicy::destroy)) model_.destroy(entity);
  }

  Entity pick() const {
    return std::next(numbers_.begin(), static_cast<std::ptrdiff_t>(bytes_.below(numbers_.size())))->first;
  }

  Subject subject_;
  Bytes& bytes_;
  Log& log_;
  TreeModel model_;
  std::map<Entity, int> numbers_;
  Parents forest_;
};

Disagreement forests_agree(Bytes& bytes, Log& log) {
  const std::size_t picked = bytes.turn() ? bytes.below(std::size(kLayouts)) : 0;
  const Layout layout = kLayouts[picked];
  log("layout ", picked);
  ForestTest test(layout, bytes, log);
  return take_turns(test, bytes);
}

const Parents kParentsLast{3, 3, 0, kNoParent, 3, kNoParent, 2, 5, 0};

}  // namespace

TEST_SUITE("hierarchy/forest_builder") {
  STRATA_MODEL_TEST("a forest is built like one entity at a time", forests_agree, .runs = 75, .turns = 100);

  TEST_CASE("rows lie in the order of a walk by levels, and so are visited") {
    for (const Layout layout : kLayouts) {
      Subject subject(layout);
      const BuiltHierarchy built = subject.build(kParentsLast, 0);
      REQUIRE(built.outcome);
      std::vector<Entity> expected;
      for (const std::uint32_t node : {3, 5, 0, 1, 4, 7, 2, 8, 6}) expected.push_back(built.entities[node]);
      std::vector<Entity> visited;
      Query<Entity> query(subject.store, &subject.hierarchy.parents());
      query.cascade().each([&](Entity entity) { visited.push_back(entity); });
      CHECK(visited == expected);
    }
  }
  TEST_CASE("a forest of several blocks is built in either order of nodes") {
    for (const Layout layout : kLayouts) {
      const CountedScope scope;
      {
        Subject subject(layout);
        Parents parents{kNoParent};
        for (std::uint32_t node = 1; node < 200; ++node) parents.push_back((node - 1) / 10);
        const BuiltHierarchy sorted = subject.build(parents, 0);
        std::reverse(parents.begin(), parents.end());
        for (std::uint32_t& parent : parents) {
          if (parent != kNoParent) parent = 199 - parent;
        }
        const BuiltHierarchy turned = subject.build(parents, 500, sorted.entities[7]);
        REQUIRE(sorted.outcome);
        REQUIRE(turned.outcome);
        for (int node = 0; node < 200; ++node) {
          const auto i = static_cast<std::size_t>(node);
          CHECK(subject.has_number(sorted.entities[i], node));
          CHECK(subject.has_number(turned.entities[i], 500 + node));
        }
        CHECK(subject.hierarchy.parent(turned.entities[199]) == sorted.entities[7]);
        CHECK(subject.broken().empty());
      }
      CHECK(scope.clean());
    }
  }
  TEST_CASE("a deep chain is built without recursion") {
    Parents parents{kNoParent};
    for (std::uint32_t node = 1; node < 20'000; ++node) parents.push_back(node - 1);
    FailingMemory memory;
    Store store(&memory);
    Hierarchy hierarchy(store, {.layout = Layout::per_level});
    const BuiltHierarchy built = build_forest(hierarchy, {parents, {}, store.archetypes().empty()});
    REQUIRE(built.outcome);
    CHECK(hierarchy.depth(built.entities.back()) == 19'999);
  }
  TEST_CASE("a refused forest leaves nothing") {
    Subject subject(Layout::per_parent);
    CHECK(subject.build({1, 0}, 0).outcome.message() ==
          "nodes 0, 1 form a cycle of 2: each is followed by its parent, the last by node 0");
    const std::array<ForestColumn, 1> columns{ForestColumn{subject.frozen, nullptr, 3, nullptr}};
    const Parents parents{kNoParent, 0};
    const Forest forest{parents, columns, subject.store.archetypes().empty()};
    std::vector<Entity> few(1);
    CHECK(subject.hierarchy.build(forest, Entity(), few).message() ==
          "the span for the entities has 1 elements for 2 nodes");
    CHECK(build_forest(subject.hierarchy, forest).outcome.message() ==
          "the column of \"strata::test::Frozen\" has 3 values for 2 nodes");
    CHECK(subject.store.slots().in_use() == 0);
    CHECK(subject.broken().empty());
  }
  TEST_CASE("a forest is refused while something is iterated") {
    Subject subject(Layout::per_level);
    const ChangeGuard::Iteration lock(subject.store.guard());
    CHECK_THROWS_AS((void)subject.build(kParentsLast, 0), ContractViolation);
  }
}

}  // namespace strata::test::forest_builder_test
