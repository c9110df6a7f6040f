// Copies of subtrees of eight nodes: of a prototype, made as others are destroyed, and of a prefab, one by one, with values
// of their own and without.
//
// The limit of units is arrays. Those of prefabs are strata without the feature: copies of the same subtree that is no
// prefab, and copies without other values.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "subject.hpp"
#include "support/random.hpp"

namespace strata::bench::instances {
namespace {

constexpr std::uint32_t kUnits = 10'000;
constexpr std::uint32_t kUnitNodes = 8;
constexpr std::uint32_t kReplaced = 1'000;  // Per frame.
constexpr std::size_t kItems = std::size_t{kReplaced} * kUnitNodes;

/// The unit, and frames of units to destroy: places among those that are left, whose last one fills the hole.
struct UnitData : TreeData<Affine> {
  UnitData() : TreeData({Shape::many_small, kUnitNodes}) {
    std::mt19937 random(31);
    for (int frame = 0; frame < 16; ++frame) {
      NodeList& places = frames.emplace_back();
      for (std::uint32_t left = kUnits; left > kUnits - kReplaced; --left) {
        places.push_back(below(random, left));
      }
    }
  }

  std::vector<NodeList> frames;
};

/// The limit: the rows of a unit next to each other, in breadth-first order.
class UnitArrays {
 public:
  explicit UnitArrays(const UnitData& data) : data_(data), prototype_(data.arrays) {
    rows_.parents.reserve(kRows);
    rows_.locals.reserve(kRows);
    rows_.worlds.reserve(kRows);
    for (std::uint32_t unit = 0; unit < kUnits; ++unit) instantiate();
  }

  void step() {
    for (const std::uint32_t place : data_.frames[frame_++ % data_.frames.size()]) destroy(place);
    for (std::uint32_t i = 0; i < kReplaced; ++i) instantiate();
  }

  Complaint check() const {
    if (rows_.parents.size() != kRows) return "the number of rows is wrong";
    return first_fault(kRows, "is no copy of the prototype's", [this](std::uint32_t row) {
      const std::uint32_t node = row % kUnitNodes;
      return rows_.parents[row] == rebased(node, row - node) &&
             rows_.locals[row] == prototype_.locals[node] && rows_.worlds[row] == prototype_.worlds[node];
    });
  }

 private:
  static constexpr std::size_t kRows = std::size_t{kUnits} * kUnitNodes;

  /// Returns: the parent of the prototype's node in a unit that starts at the row `base`.
  std::uint32_t rebased(std::uint32_t node, std::uint32_t base) const {
    const std::uint32_t parent = prototype_.parents[node];
    return parent == Tree::kNoParent ? parent : parent + base;
  }

  void instantiate() {
    const auto base = static_cast<std::uint32_t>(rows_.parents.size());
    for (std::uint32_t node = 0; node < kUnitNodes; ++node) rows_.parents.push_back(rebased(node, base));
    rows_.locals.insert(rows_.locals.end(), &prototype_.locals[0], &prototype_.locals[0] + kUnitNodes);
    rows_.worlds.insert(rows_.worlds.end(), &prototype_.worlds[0], &prototype_.worlds[0] + kUnitNodes);
  }

  /// Moves the last unit into the hole, where the parents are right: all units have the same tree.
  void destroy(std::uint32_t place) {
    const std::size_t last = rows_.parents.size() - kUnitNodes;
    const std::size_t hole = std::size_t{place} * kUnitNodes;
    if (hole != last) {
      std::copy_n(&rows_.locals[last], kUnitNodes, &rows_.locals[hole]);
      std::copy_n(&rows_.worlds[last], kUnitNodes, &rows_.worlds[hole]);
    }
    rows_.parents.resize(last);
    rows_.locals.resize(last);
    rows_.worlds.resize(last);
  }

  const UnitData& data_;
  Arrays<Affine> prototype_;
  Arrays<Affine> rows_;
  std::size_t frame_ = 0;
};

/// The same in a world, where the prototype is one more unit.
class UnitScene : TreeScene<UnitData> {
 public:
  UnitScene(Layout layout, const UnitData& unit) : TreeScene(layout, unit) {
    units_.reserve(kUnits);
    instantiate(kUnits);
  }

  void step() {
    for (const std::uint32_t place : data.frames[frame_++ % data.frames.size()]) {
      world().destroy(units_[place]);
      units_[place] = units_.back();
      units_.pop_back();
    }
    instantiate(kReplaced);
  }

  Complaint check() const {
    if (world().size() != std::size_t{kUnits + 1} * kUnitNodes) return "the number of entities is wrong";
    const std::vector<Entity> expected = world().breadth_first(prototype_);
    for (const Entity unit : units_) {
      const std::vector<Entity> actual = world().breadth_first(unit);
      const bool right = std::equal(actual.begin(), actual.end(), expected.begin(), expected.end(),
                                    [&](Entity a, Entity b) { return is_copy(a, b); });
      if (!right) return "unit " + to_string(unit) + " is no copy of the prototype";
    }
    return world().validate().message();
  }

 private:
  void instantiate(std::uint32_t count) {
    const std::vector<Entity> roots = world().instantiate(prototype_, count);
    units_.insert(units_.end(), roots.begin(), roots.end());
  }

  bool is_copy(Entity a, Entity b) const {
    return world().depth(a) == world().depth(b) && world().child_count(a) == world().child_count(b) &&
           world().get<Local>(a).value == world().get<Local>(b).value &&
           world().get<InWorld>(a).value == world().get<InWorld>(b).value;
  }

  Entity prototype_ = entities().front();
  std::vector<Entity> units_;
  std::size_t frame_ = 0;
};

constexpr std::size_t kCopies = 1'000;

struct Placement {
  float matrix[12] = {};
};
struct Strength {
  int points = 0;
};

/// What the copies are made from, and whether they get values of their own.
struct Kind {
  bool is_prefab;
  bool has_overrides;
};

/// A world with a subtree, and with its copies, which `prepare` destroys.
class Copies {
 public:
  explicit Copies(Kind kind) : kind_(kind) {
    const std::vector<std::uint32_t> parents{kNoParent, 0, 0, 0, 1, 1, 2, 3};
    nodes_ = world_.build_hierarchy(parents, Placement{}, Strength{1}).entities;
    if (kind.is_prefab) world_.make_prefab(nodes_[0]);
    copies_.reserve(kCopies);
  }

  void prepare() {
    for (const Entity copy : copies_) world_.destroy(copy);
    copies_.clear();
  }
  void step() {
    for (std::size_t i = 0; i < kCopies; ++i) copies_.push_back(copy());
  }
  Complaint check() {
    const std::uint64_t expected = kCopies * (kUnitNodes + (kind_.has_overrides ? 2 : 0));
    std::uint64_t sum = 0;
    for (const Entity copy : copies_) {
      for (const Entity node : world_.depth_first(copy))
        sum += static_cast<std::uint64_t>(world_.get<Strength>(node).points);
      if (kind_.is_prefab && world_.prefab_of(copy) != nodes_[0]) return "a copy does not know its prefab";
    }
    return sum == expected ? "" : "the values of the copies are wrong";
  }

 private:
  Entity copy() {
    if (!kind_.has_overrides) return world_.instantiate(nodes_[0]);
    return world_.instantiate(nodes_[0], Placement{{1}}, Strength{2}, override_at(nodes_[1], Strength{2}));
  }

  Kind kind_;
  World world_;
  std::vector<Entity> nodes_;
  std::vector<Entity> copies_;
};

/// Asks about copies of one kind, the limit being those of another.
void ask_for_copies(Suite& suite, const char* name, Kind limit, Kind kind, double most) {
  auto& question = ask_of_size<Kind>(suite, std::string("hierarchy/") + name, kCopies * kUnitNodes,
                                     [kind] { return std::make_shared<Kind>(kind); });
  question.limit([limit](Kind&) { return work_by<Copies>(limit); });
  question.answer<Copies>("strata").at_most(most);
}

const Family kFamily([](Suite& suite) {
  auto& units = suite.ask<UnitData>("hierarchy/spawn_units/" + std::to_string(kUnits), kItems,
                                    [] { return std::make_shared<UnitData>(); });
  units.limit<UnitArrays>();
  for (const auto& [layout, name] : kLayouts) units.answer<UnitScene>(name, layout).at_most(4);

  ask_for_copies(suite, "instantiate_overrides", {true, false}, {true, true}, 1.2);
  ask_for_copies(suite, "instantiate_prefab", {false, false}, {true, false}, 2.5);
});

}  // namespace
}  // namespace strata::bench::instances
