#include <algorithm>
#include <memory>
#include <string>

#include "subject.hpp"
#include "support/random.hpp"

namespace strata::bench {
namespace {

constexpr std::uint32_t kUnits = 10'000;
constexpr std::uint32_t kUnitNodes = 8;
constexpr std::uint32_t kReplaced = 1'000;  // Per frame.
constexpr std::size_t kItems = std::size_t{kReplaced} * kUnitNodes;

/// The unit, and frames of units to destroy: places among those that are left, whose last one fills the hole.
struct Data {
  Data() : unit(make_tree(Shape::many_small, kUnitNodes)) {
    std::mt19937 random(31);
    for (int frame = 0; frame < 16; ++frame) {
      std::vector<std::uint32_t>& places = frames.emplace_back();
      for (std::uint32_t left = kUnits; left > kUnits - kReplaced; --left) {
        places.push_back(below(random, left));
      }
    }
  }

  Tree unit;
  std::vector<std::vector<std::uint32_t>> frames;
};

/// The limit: the rows of a unit next to each other, in breadth-first order.
class UnitArrays {
 public:
  explicit UnitArrays(const Data& data) : data_(data), prototype_(data.unit) {
    parents_.reserve(kRows);
    locals_.reserve(kRows);
    worlds_.reserve(kRows);
    for (std::uint32_t unit = 0; unit < kUnits; ++unit) instantiate();
  }

  void step() {
    for (const std::uint32_t place : data_.frames[frame_++ % data_.frames.size()]) destroy(place);
    for (std::uint32_t i = 0; i < kReplaced; ++i) instantiate();
  }

  Complaint check() const {
    if (parents_.size() != kRows) return "the number of rows is wrong";
    for (std::uint32_t row = 0; row < kRows; ++row) {
      const std::uint32_t node = row % kUnitNodes;
      const bool right = parents_[row] == rebased(node, row - node) &&
                         locals_[row] == prototype_.local(node) && worlds_[row] == prototype_.world(node);
      if (!right) return "row " + std::to_string(row) + " is no copy of the prototype";
    }
    return "";
  }

 private:
  static constexpr std::size_t kRows = std::size_t{kUnits} * kUnitNodes;

  /// Returns: the parent of the prototype's node in a unit that starts at the row `base`.
  std::uint32_t rebased(std::uint32_t node, std::uint32_t base) const {
    const std::uint32_t parent = prototype_.parent(node);
    return parent == Tree::kNoParent ? parent : parent + base;
  }

  void instantiate() {
    const auto base = static_cast<std::uint32_t>(parents_.size());
    for (std::uint32_t node = 0; node < kUnitNodes; ++node) parents_.push_back(rebased(node, base));
    locals_.insert(locals_.end(), &prototype_.local(0), &prototype_.local(0) + kUnitNodes);
    worlds_.insert(worlds_.end(), &prototype_.world(0), &prototype_.world(0) + kUnitNodes);
  }

  /// Moves the last unit into the hole, where the parents are right: all units have the same tree.
  void destroy(std::uint32_t place) {
    const std::size_t last = parents_.size() - kUnitNodes;
    const std::size_t hole = std::size_t{place} * kUnitNodes;
    if (hole != last) {
      std::copy_n(&locals_[last], kUnitNodes, &locals_[hole]);
      std::copy_n(&worlds_[last], kUnitNodes, &worlds_[hole]);
    }
    parents_.resize(last);
    locals_.resize(last);
    worlds_.resize(last);
  }

  const Data& data_;
  Arrays<Affine> prototype_;
  std::vector<std::uint32_t> parents_;
  std::vector<Affine> locals_;
  std::vector<Affine> worlds_;
  std::size_t frame_ = 0;
};

/// The same in a world, where the prototype is one more unit.
class UnitScene {
 public:
  UnitScene(Layout layout, const Data& data)
      : data_(data), script_(data.unit), scene_(layout), prototype_(build_prototype()) {
    units_.reserve(kUnits);
    instantiate(kUnits);
  }

  void step() {
    World& world = scene_.world();
    for (const std::uint32_t place : data_.frames[frame_++ % data_.frames.size()]) {
      world.destroy(units_[place]);
      units_[place] = units_.back();
      units_.pop_back();
    }
    instantiate(kReplaced);
  }

  Complaint check() {
    const World& world = scene_.world();
    if (world.size() != std::size_t{kUnits + 1} * kUnitNodes) return "the number of entities is wrong";
    const std::vector<Entity> expected = world.breadth_first(prototype_);
    for (const Entity unit : units_) {
      const std::vector<Entity> actual = world.breadth_first(unit);
      const bool right = std::equal(actual.begin(), actual.end(), expected.begin(), expected.end(),
                                    [&](Entity a, Entity b) { return is_copy(a, b); });
      if (!right) return "unit " + to_string(unit) + " is no copy of the prototype";
    }
    return world.validate().message();
  }

 private:
  Entity build_prototype() {
    scene_.expect(kUnitNodes);
    scene_.build(script_);
    return scene_.entities().front();
  }

  void instantiate(std::uint32_t count) {
    const std::vector<Entity> roots = scene_.world().instantiate(prototype_, count);
    units_.insert(units_.end(), roots.begin(), roots.end());
  }

  bool is_copy(Entity a, Entity b) {
    const World& world = scene_.world();
    return world.depth(a) == world.depth(b) && world.child_count(a) == world.child_count(b) &&
           world.get<LocalOf<Affine>>(a).value == world.get<LocalOf<Affine>>(b).value &&
           world.get<WorldOf<Affine>>(a).value == world.get<WorldOf<Affine>>(b).value;
  }

  const Data& data_;
  Script<Affine> script_;
  Scene<Affine> scene_;
  Entity prototype_;
  std::vector<Entity> units_;
  std::size_t frame_ = 0;
};

void ask_spawn_units(Suite& suite) {
  auto& question = suite.ask<Data>("hierarchy/spawn_units/" + std::to_string(kUnits), kItems,
                                   [] { return std::make_shared<Data>(); });
  question.limit<UnitArrays>();
  for (const auto& [layout, name] : kLayouts) question.answer<UnitScene>(name, layout).at_most(4);
}

const Family kFamily(ask_spawn_units);

}  // namespace
}  // namespace strata::bench
