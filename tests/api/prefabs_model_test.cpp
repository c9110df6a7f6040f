#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/model_test.hpp"
#include "../support/refusal.hpp"

namespace strata::test::prefabs_model_test {

namespace {

struct Aim {
  Entity at;

  void remap_entities(const EntityMap& map) { at = map(at); }
};
struct Title {
  std::string text;
};

}  // namespace

}  // namespace strata::test::prefabs_model_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::prefabs_model_test::Title> =
    strata::Storage::sparse;

namespace strata::test::prefabs_model_test {

namespace {

struct ByBits {
  bool operator()(Entity a, Entity b) const { return a.bits() < b.bits(); }
};
using Set = std::set<Entity, ByBits>;
using Map = std::map<Entity, Entity, ByBits>;

constexpr std::size_t kMostEntities = 50;

/// What a program that copies by hand would keep of each entity.
struct Node {
  Entity parent = {};
  int points = 0;
  Entity aim = {};
  std::optional<std::string> title = {};
  bool prefab = false;
  Entity of = {};  ///< The prefab of which it is an instance.
  Map parts = {};  ///< From entities of that prefab.
};

class PrefabsTest {
 public:
  PrefabsTest(Layout layout, Bytes& bytes, Log& log)
      : world_({.layout = layout, .large_family = 3}), bytes_(bytes), log_(log) {}

  Disagreement turn() {
    const Entity entity = pick();
    const Entity other = pick();
    switch (bytes_.below(10)) {
      case 0:
      case 1:
        create(other);
        break;
      case 2:
      case 3:
      case 4:
        copy(entity, other);
        break;
      case 5:
        if (entity && bytes_.chance(2)) destroy(entity);
        break;
      case 6:
        move(entity, other);
        break;
      case 7:
        change_values(entity, other);
        break;
      default:
        if (entity) make_prefab(entity);
    }
    return wrong_;
  }

  Disagreement compare() {
    Set outside, instances;
    for (const auto& [entity, node] : nodes_) {
      if (Disagreement wrong = compare(entity, node)) return wrong;
      const bool is_prefab = in_prefab(entity);
      if (world_.is_prefab(entity) != is_prefab) return "is_prefab is wrong for " + to_string(entity);
      if (is_prefab) continue;
      outside.insert(entity);
      if (node.of) instances.insert(entity);
    }
    if (world_.size() != nodes_.size()) return "the number of entities is wrong";
    if (visited<>() != outside) return "a query visits other entities";
    if (visited<With<Pair<InstanceOf>>>() != instances) return "a query of instances visits other entities";
    const Outcome valid = world_.validate();
    return valid ? Disagreement() : Disagreement(valid.message());
  }

 private:
  Disagreement compare(Entity entity, const Node& node) {
    const std::string name = to_string(entity);
    if (world_.parent(entity) != node.parent) return "the parent is wrong of " + name;
    if (world_.get<Health>(entity).points != node.points) return "a value is wrong of " + name;
    if (world_.get<Aim>(entity).at != node.aim) return "a reference is wrong of " + name;
    const Title* const title = world_.find<Title>(entity);
    if ((title != nullptr) != node.title.has_value() || (title != nullptr && title->text != *node.title))
      return "a value beside the tables is wrong of " + name;
    if (world_.prefab_of(entity) != node.of) return "the prefab is wrong of " + name;
    if (!node.of) return {};
    for (const auto& [part, unused] : nodes_) {
      const Entity found = counterpart(entity, part);
      if (world_.counterpart(entity, part) != (nodes_.contains(found) ? found : Entity()))
        return "the counterpart is wrong of " + to_string(part) + " in " + name;
    }
    return {};
  }

  bool in_prefab(Entity entity) const {
    for (; entity; entity = nodes_.at(entity).parent) {
      if (nodes_.at(entity).prefab) return true;
    }
    return false;
  }

  /// Returns: the entity that was made from `part` for `instance`, alive or not.
  Entity counterpart(Entity instance, Entity part) const {
    const Node& node = nodes_.at(instance);
    if (!node.of) return {};
    const auto own = node.parts.find(part);
    if (own != node.parts.end() && own->second) return own->second;
    const auto above = node.parts.find(counterpart(node.of, part));
    return above != node.parts.end() ? above->second : Entity();
  }

  template <class... Terms>
  Set visited() {
    Set entities;
    world_.query<Entity, Terms...>().each([&](Entity entity) { entities.insert(entity); });
    return entities;
  }

  Entity pick() {
    if (nodes_.empty()) return {};
    auto found = nodes_.begin();
    std::advance(found, bytes_.below(nodes_.size()));
    return found->first;
  }

  void create(Entity parent) {
    if (nodes_.size() > kMostEntities) return destroy(parent);
    if (bytes_.chance(3)) parent = Entity();
    const int points = static_cast<int>(bytes_.below(100));
    log_("create below ", parent);
    const Entity entity = parent ? world_.create(child_of(parent), Health{points}, Aim{parent})
                                 : world_.create(Health{points}, Aim{});
    nodes_[entity] = {.parent = parent, .points = points, .aim = parent};
  }

  void destroy(Entity entity) {
    log_("destroy ", entity);
    world_.destroy(entity);
    for (const Entity gone : subtree(entity)) {
      nodes_.erase(gone);
      for (auto& [other, node] : nodes_) {
        if (node.of != gone) continue;
        node.of = Entity();
        node.parts.clear();
      }
    }
  }

  std::vector<Entity> subtree(Entity root) const {
    std::vector<Entity> listed{root};
    for (std::size_t i = 0; i < listed.size(); ++i) {
      for (const auto& [entity, node] : nodes_) {
        if (node.parent == listed[i]) listed.push_back(entity);
      }
    }
    return listed;
  }

  void move(Entity entity, Entity other) {
    if (!entity) return;
    if (bytes_.chance(3)) other = Entity();
    log_("move ", entity, " to ", other);
    const bool moved = other ? static_cast<bool>(world_.set_parent(entity, other)) : true;
    if (!other) world_.clear_parent(entity);
    if (moved) nodes_[entity].parent = other;
  }

  void change_values(Entity entity, Entity other) {
    if (!entity) return;
    Node& node = nodes_[entity];
    const std::size_t what = bytes_.below(5);
    log_("change ", what, " of ", entity);
    if (what == 0) world_.set(entity, Health{node.points = 7});
    if (what == 1) world_.set(entity, Aim{node.aim = other});
    if (what == 2) world_.shrink();
    if (what == 3) {
      const bool in_tables = world_.storage<Title>() == Storage::table;
      world_.set_storage<Title>(in_tables ? Storage::sparse : Storage::table);
    }
    if (what != 4) return;
    node.title ? (void)world_.remove<Title>(entity) : (void)world_.add(entity, Title{"one"});
    node.title ? node.title.reset() : (void)node.title.emplace("one");
  }

  void make_prefab(Entity entity) {
    Node& node = nodes_[entity];
    log_(node.prefab ? "unmake prefab " : "make prefab ", entity);
    const bool changed = node.prefab ? world_.unmake_prefab(entity) : world_.make_prefab(entity);
    if (!changed) wrong_ = "the answer is wrong";
    node.prefab = !node.prefab;
  }

  void copy(Entity root, Entity above) {
    if (!root || nodes_.size() > kMostEntities) return;
    if (bytes_.chance(2)) above = Entity();
    const std::vector<Entity> originals = subtree(root);
    const Entity changed = originals[bytes_.below(originals.size())];
    const Entity titled = originals[bytes_.below(originals.size())];
    const std::size_t road = bytes_.below(4);
    log_("copy ", root, " below ", above, ", road ", road, ", other values for ", changed, " and ", titled);
    Entity made;
    const auto run = [&](auto... values) {
      const std::string refused = refusal([&] {
        made = above ? world_.instantiate(child_of(above), root, values...)
                     : world_.instantiate(root, values...);
      });
      if (!refused.empty() != (road == 3 && !nodes_.at(titled).title)) wrong_ = "refused: " + refused;
      return refused.empty();
    };
    bool done = false;
    if (road == 0) done = run();
    if (road == 1) done = run(Health{-1});
    if (road == 2) done = run(override_at(changed, Health{-2}), override_at(changed, Aim{titled}));
    if (road == 3)
      done = run(override_at(titled, Title{"two"}), Health{-1}, override_at(changed, Health{-2}));
    if (!done) return;
    const Map copies = add_copies(root, made, above);
    if (road == 1 || road == 3) nodes_.at(made).points = -1;
    if (road >= 2) nodes_.at(copies.at(changed)).points = -2;
    if (road == 2) nodes_.at(copies.at(changed)).aim = copies.at(titled);
    if (road == 3) nodes_.at(copies.at(titled)).title = "two";
  }

  /// Adds what a copy by hand would make: children in the order of the originals.
  /// Returns: the copies by their originals.
  Map add_copies(Entity root, Entity made, Entity above) {
    Map copies;
    std::vector<std::pair<Entity, Entity>> open{{root, made}};
    while (!open.empty()) {
      const auto [from, to] = open.back();
      open.pop_back();
      copies[from] = to;
      const auto copied = world_.children(to);
      auto next = copied.begin();
      for (const Entity child : world_.children(from)) {
        if (child == made) continue;
        open.push_back({child, *next});
        ++next;
      }
    }
    const auto map = [&](Entity entity) { return copies.contains(entity) ? copies.at(entity) : entity; };
    for (const auto& [from, to] : copies) {
      Node node = nodes_.at(from);
      node.parent = from == root ? above : map(node.parent);
      node.aim = map(node.aim);
      node.of = map(node.of);
      Map parts;
      for (const auto& [part, copy] : node.parts)
        parts[map(part)] = copies.contains(copy) ? copies.at(copy) : Entity();
      node.parts = std::move(parts);
      if (from == root && node.prefab) {
        node.prefab = false;
        node.of = root;
        node.parts = copies;
      }
      nodes_[to] = std::move(node);
    }
    return copies;
  }

  World world_;
  Bytes& bytes_;
  Log& log_;
  std::map<Entity, Node, ByBits> nodes_;
  Disagreement wrong_;
};

Disagreement prefabs_agree(Bytes& bytes, Log& log) {
  if (!bytes.turn()) return {};
  PrefabsTest test(static_cast<Layout>(bytes.below(3)), bytes, log);
  return take_turns(test, bytes);
}

}  // namespace

TEST_SUITE("api/prefabs") {
  STRATA_MODEL_TEST("copies of prefabs are those that copying by hand makes", prefabs_agree, .runs = 60,
                    .turns = 100);
}

}  // namespace strata::test::prefabs_model_test
