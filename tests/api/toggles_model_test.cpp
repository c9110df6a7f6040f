#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/model_test.hpp"
#include "toggled_parts.hpp"

namespace strata::test::toggles_model_test {

namespace {

class TogglesTest {
 public:
  TogglesTest(Layout layout, bool observed, Bytes& bytes, Log& log)
      : world_({.layout = layout, .large_family = 3}), bytes_(bytes), log_(log) {
    if (!observed) return;
    observe<const Shape, With<Solid>>(0);
    observe<Without<Glow>, AnyOf<Solid, Shape>>(1);
  }

  Disagreement turn() {
    const Entity entity = pick();
    switch (bytes_.below(13)) {
      case 0:
      case 1:
        create(entity);
        break;
      case 2:
        copy(entity);
        break;
      case 3:
        destroy(entity);
        break;
      case 4:
        change<Shape>(entity);
        break;
      case 5:
        change<Glow>(entity);
        break;
      case 6:
        change<Solid>(entity);
        break;
      case 7:
        tidy(entity);
        break;
      case 8:
        remove_many();
        break;
      case 9:
        toggle<Glow>(entity);
        break;
      case 10:
        toggle<Solid>(entity);
        break;
      default:
        toggle<Shape>(entity);
    }
    return wrong_;
  }

  Disagreement compare() {
    for (auto& [entity, node] : nodes_) {
      if (world_.enabled<Shape>(entity) != node.shape.on() ||
          world_.enabled<Glow>(entity) != node.glow.on() || world_.enabled<Solid>(entity) != node.solid.on())
        return "enabled is wrong for " + to_string(entity);
      if (world_.has<Solid>(entity) != node.solid.number.has_value()) return "a tag is wrong";
      const World& world = world_;
      const Shape* const shape = world.find<Shape>(entity);
      if ((shape != nullptr ? shape->number : kNone) != node.shape.number.value_or(kNone))
        return "a value that may be off is wrong";
    }
    const auto shapes = [](const Node& node) { return Numbers{node.shape.shown()}; };
    const auto both = [](const Node& node) { return Numbers{node.shape.shown(), node.glow.shown()}; };
    const auto nothing = [](const Node&) { return Numbers(); };
    compare(
        shapes_, [](const Node& node) { return node.shape.on(); }, shapes, "value");
    compare(
        maybe_, [](const Node& node) { return node.solid.on(); }, shapes, "Maybe, With a tag");
    compare(
        side_, [](const Node& node) { return node.glow.on(); }, both, "value in the side store");
    compare(
        without_, [](const Node& node) { return !node.shape.on() && !node.glow.on(); }, nothing, "Without");
    compare(
        any_, [](const Node& node) { return node.solid.on() || node.glow.on(); }, both, "AnyOf");
    compare(
        tags_, [](const Node& node) { return node.shape.on() || node.solid.on(); }, shapes,
        "AnyOf in tables");
    compare_blocks();
    compare_sets();
    if (wrong_) return wrong_;
    const Outcome valid = world_.validate();
    return valid ? Disagreement() : Disagreement(valid.message());
  }

 private:
  template <class... Terms>
  void observe(std::size_t set) {
    subscriptions_.push_back(world_.observers().on_enter<Terms...>([this, set](Entity entity) {
      if (!sets_[set].insert(entity).second) wrong_ = "an entity enters a set twice";
    }));
    subscriptions_.push_back(world_.observers().on_leave<Terms...>([this, set](Entity entity) {
      if (sets_[set].erase(entity) == 0) wrong_ = "an entity leaves a set in which it was not";
    }));
  }

  void compare_sets() {
    if (subscriptions_.empty()) return;
    for (const auto& [entity, node] : nodes_) {
      if (sets_[0].contains(entity) != (node.shape.on() && node.solid.on())) wrong_ = "a set is wrong";
      const bool second = !node.glow.on() && (node.solid.on() || node.shape.on());
      if (sets_[1].contains(entity) != second) wrong_ = "the set of those without is wrong";
    }
  }

  template <class AnyQuery, class Passes, class Shown>
  void compare(AnyQuery& query, Passes passes, Shown shown, const char* terms) {
    Rows expected, found;
    for (const auto& [entity, node] : nodes_) {
      if (passes(node)) expected[entity] = shown(node);
      if (query.contains(entity) != passes(node)) wrong_ = std::string("contains is wrong: ") + terms;
    }
    const auto note = [&](Entity entity, const auto&... values) {
      if (!found.emplace(entity, Numbers{number_of(values)...}).second) wrong_ = "an entity is visited twice";
    };
    const auto check = [&](const char* way) {
      if (found != expected && !wrong_) wrong_ = std::string(terms) + ": " + way + " visits other rows";
      found.clear();
    };
    query.each(note);
    check("each");
    query.cascade(bytes_.chance(2) ? up : down).each(note);
    check("a cascade");
    std::vector<Entity> all;
    for (const auto& [entity, node] : nodes_) all.push_back(entity);
    query.each_of(all, note);
    check("each_of");
    for (auto&& row : query) std::apply(note, row);
    check("a range-for");
    query.children_of(Entity()).each(note);
    for (const auto& [entity, node] : nodes_) {
      query.children_of(entity).each(note);
      if (!node.parent && expected.contains(entity)) found[entity] = expected[entity];
    }
    check("children_of");
    if (query.count() != expected.size()) wrong_ = std::string("count is wrong: ") + terms;
    if (const Entity first = query.first();
        expected.empty() ? static_cast<bool>(first) : !expected.contains(first))
      wrong_ = std::string("first is wrong: ") + terms;
  }

  void compare_blocks() {
    if (world_.storage<Shape>() != Storage::table || world_.storage<Solid>() != Storage::table) return;
    Rows expected, found;
    for (const auto& [entity, node] : nodes_) {
      if (node.solid.on()) expected[entity] = {node.shape.shown(), static_cast<int>(entity.index())};
    }
    blocks_.each_block([&](std::span<const Entity> entities, std::span<const Shape> shapes,
                           std::span<const Place> places, Parent<const Place>::Span above) {
      for (std::size_t row = 0; row < entities.size(); ++row) {
        found[entities[row]] = {number_at(shapes, row), number_at(places, row)};
        const Entity parent = nodes_[entities[row]].parent;
        if (number_of(above[row]) != (parent ? static_cast<int>(parent.index()) : kNone))
          wrong_ = "each_block hands out the value of another parent";
      }
    });
    if (found != expected) wrong_ = "each_block visits other rows";
  }

  Entity pick() {
    if (nodes_.empty()) return {};
    auto found = nodes_.begin();
    std::advance(found, bytes_.below(nodes_.size()));
    return found->first;
  }

  void create(Entity parent) {
    if (nodes_.size() > kMostEntities) return destroy(parent);
    if (bytes_.chance(3)) parent = {};
    const std::size_t kind = bytes_.below(3);
    log_("create below ", parent, ", kind ", kind);
    Entity made;
    if (kind == 0) made = parent ? world_.create(child_of(parent), Place{}) : world_.create(Place{});
    if (kind == 1)
      made = parent ? world_.create(child_of(parent), Place{}, Shape{1}, Solid{})
                    : world_.create(Place{}, Shape{1}, Solid{});
    if (kind == 2)
      made = parent ? world_.create(child_of(parent), Place{}, Glow{1}) : world_.create(Place{}, Glow{1});
    world_.get<Place>(made).number = static_cast<int>(made.index());
    Node& node = nodes_[made];
    node.parent = parent;
    if (kind == 1) node.shape.number = 1, node.solid.number = 0;
    if (kind == 2) node.glow.number = 1;
  }

  void copy(Entity original) {
    if (!original || nodes_.size() > kMostEntities) return;
    log_("copy ", original);
    std::vector<std::array<Entity, 2>> open{{original, world_.instantiate(original)}};
    while (!open.empty()) {
      const auto [from, to] = open.back();
      open.pop_back();
      nodes_[to] = nodes_.at(from);
      nodes_[to].parent = from == original ? Entity() : world_.parent(to);
      world_.get<Place>(to).number = static_cast<int>(to.index());
      const auto copies = world_.children(to);
      auto copied = copies.begin();
      for (const Entity child : world_.children(from)) open.push_back({child, *copied++});
    }
  }

  void destroy(Entity entity) {
    if (!entity) return;
    log_("destroy ", entity);
    std::vector<Entity> gone{entity};
    for (std::size_t i = 0; i < gone.size(); ++i) {
      for (const Entity child : world_.children(gone[i])) gone.push_back(child);
    }
    bytes_.chance(2) ? (void)world_.destroy(entity) : (void)world_.destroy(std::array{entity});
    for (const Entity one : gone) {
      nodes_.erase(one);
      for (auto& set : sets_) {
        if (set.contains(one)) wrong_ = "an entity that is destroyed stays in a set";
      }
    }
  }

  /// Adds a component, replaces its value or removes it, by one of the roads.
  template <class T>
  void change(Entity entity) {
    if (!entity) return;
    Part& part = part_of<T>(nodes_[entity]);
    const bool adds = bytes_.chance(2);
    const std::size_t road = bytes_.below(5);
    const int number = static_cast<int>(bytes_.below(100));
    log_(adds ? "add " : "remove ", name_of<T>, " of ", entity, ", road ", road);
    T value{};
    if constexpr (!is_tag<T>) value.number = number;
    Commands& commands = world_.commands();
    if (adds) {
      if (road == 0) commands.add<T>(entity, value);
      if (road == 1) world_.add<T>(std::array{entity}, value);
      if (road > 1) world_.add<T>(entity, value);
      part.number = is_tag<T> ? 0 : number;
    } else {
      bool removed = part.number.has_value();
      if (road == 0) commands.remove<T>(entity);
      if (road == 1) removed = world_.remove<T>(std::array{entity}) != 0;
      if (road == 2) removed = world_.remove(entity, world_.component<T>());
      if (road == 3 && !is_tag<T>) {
        if constexpr (!is_tag<T>) removed = world_.accessor<T>().remove(entity);
      } else if (road > 2) {
        removed = world_.remove<T>(entity);
      }
      if (removed != part.number.has_value()) wrong_ = "the answer of remove is wrong";
      part = {};
    }
    world_.flush();
  }

  void remove_many() {
    const std::size_t what = bytes_.below(3);
    log_("remove many ", what);
    if (what == 0) {
      auto with = world_.query<With<Shape>>();  // Passes over those for which it is off.
      world_.remove<Shape>(with);
    } else if (world_.storage<Glow>() == Storage::sparse) {
      world_.pool<Glow>().clear();
    } else {
      return;
    }
    for (auto& [entity, node] : nodes_) {
      Part& part = what == 0 ? node.shape : node.glow;
      if (what != 0 || part.on()) part = {};
    }
  }

  template <class T>
  void toggle(Entity entity) {
    const bool on = bytes_.chance(2);
    const std::size_t road = bytes_.below(3);
    log_(on ? "enable " : "disable ", name_of<T>, " of ", entity, ", road ", road);
    if (!entity) {
      if (world_.disable<T>(entity)) wrong_ = "a component of no entity is switched off";
      return;
    }
    Part& part = part_of<T>(nodes_[entity]);
    const void* const before = world_.find(entity, world_.component<T>());
    const bool expected = part.number && part.off == on;
    bool changed = expected;
    if (road == 0) {
      on ? world_.commands().enable<T>(entity) : world_.commands().disable<T>(entity);
      world_.flush();
    } else if (road == 1) {
      const ComponentId id = world_.component<T>();
      changed = on ? world_.enable(entity, id) : world_.disable(entity, id);
    } else {
      changed = on ? world_.enable<T>(entity) : world_.disable<T>(entity);
    }
    if (changed != expected) wrong_ = "the answer is wrong";
    if (world_.find(entity, world_.component<T>()) != before) wrong_ = "a value has moved";
    if (part.number) part.off = !on;
  }

  void tidy(Entity entity) {
    const std::size_t what = bytes_.below(5);
    log_("tidy ", what);
    const auto other = [](Storage now) { return now == Storage::table ? Storage::sparse : Storage::table; };
    if (what == 0) world_.shrink();
    if (what == 1) world_.set_storage<Solid>(other(world_.storage<Solid>()));
    if (what == 2) world_.set_storage<Glow>(other(world_.storage<Glow>()));
    if (what == 3 && entity) {
      const Entity above = pick();
      if (world_.set_parent(entity, above)) nodes_[entity].parent = above;
    }
    if (what == 4 && bytes_.chance(8)) {
      world_.clear();
      nodes_.clear();
    }
  }

  World world_;
  Bytes& bytes_;
  Log& log_;
  Query<Entity, const Shape> shapes_ = world_.query<Entity, const Shape>();
  Query<Entity, Maybe<Shape>, With<Solid>> maybe_ = world_.query<Entity, Maybe<Shape>, With<Solid>>();
  Query<Entity, Maybe<const Shape>, Glow> side_ = world_.query<Entity, Maybe<const Shape>, Glow>();
  Query<Entity, Without<Shape>, Without<Glow>> without_ =
      world_.query<Entity, Without<Shape>, Without<Glow>>();
  Query<Entity, Maybe<const Shape>, Maybe<const Glow>, AnyOf<Solid, Glow>> any_ =
      world_.query<Entity, Maybe<const Shape>, Maybe<const Glow>, AnyOf<Solid, Glow>>();
  Query<Entity, Maybe<const Shape>, AnyOf<Shape, Solid>> tags_ =
      world_.query<Entity, Maybe<const Shape>, AnyOf<Shape, Solid>>();
  Query<Entity, Maybe<const Shape>, With<Solid>, const Place, Parent<const Place>> blocks_ =
      world_.query<Entity, Maybe<const Shape>, With<Solid>, const Place, Parent<const Place>>();
  std::map<Entity, Node, ByEntity> nodes_;
  std::array<std::set<Entity, ByEntity>, 2> sets_;  // Those that observers were told to match.
  std::vector<Subscription> subscriptions_;
  Disagreement wrong_;
};

Disagreement toggles_agree(Bytes& bytes, Log& log) {
  if (!bytes.turn()) return {};
  TogglesTest test(static_cast<Layout>(bytes.below(3)), bytes.chance(2), bytes, log);
  return take_turns(test, bytes);
}

}  // namespace

TEST_SUITE("api/toggles") {
  STRATA_MODEL_TEST("queries see what filtering by hand finds when components are off", toggles_agree,
                    .runs = 40, .turns = 100);

}  // TEST_SUITE

}  // namespace strata::test::toggles_model_test
