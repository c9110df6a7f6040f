#include <strata/strata.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using strata::Entity, strata::Existing, strata::child_of;

struct Position { float x, y; };
struct Name { std::string text; };

class Grid {
 public:
  explicit Grid(strata::World& world) : world_(world) {
    moved_ = world.observers().on_set<Position>([this](Entity entity, Position& at) { put(entity, at); });
    removed_ = world.observers().on_remove<Position>([this](Entity entity) { take_out(entity); });
    fill();
  }
  Grid(const Grid&) = delete;  // the observers refer to this object
  Grid& operator=(const Grid&) = delete;

  void fill() {
    cells_.clear();
    cell_of_.clear();
    added_ = world_.observers().on_add<Position>([this](Entity entity, Position& at) { put(entity, at); },
                                                 Existing::notify);
  }

  /// Returns: the entities within a distance of a place, in the order of their handles.
  std::vector<Entity> near(Position place, float distance) const {
    std::vector<Entity> found;
    const auto [left, top] = cell_at({place.x - distance, place.y - distance});
    const auto [right, bottom] = cell_at({place.x + distance, place.y + distance});
    for (std::int32_t x = left; x <= right; ++x) {
      for (std::int32_t y = top; y <= bottom; ++y) {
        const auto cell = cells_.find({x, y});
        if (cell == cells_.end()) continue;
        for (const Entity entity : cell->second) {
          const Position& at = world_.get<Position>(entity);
          if (std::hypot(at.x - place.x, at.y - place.y) <= distance) found.push_back(entity);
        }
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  std::size_t size() const { return cell_of_.size(); }

 private:
  using Cell = std::pair<std::int32_t, std::int32_t>;

  static constexpr float kCellSize = 4;

  static Cell cell_at(Position place) {
    return {static_cast<std::int32_t>(std::floor(place.x / kCellSize)),
            static_cast<std::int32_t>(std::floor(place.y / kCellSize))};
  }

  void put(Entity entity, Position at) {
    const Cell cell = cell_at(at);
    const auto [known, is_new] = cell_of_.emplace(entity, cell);
    if (!is_new && known->second == cell) return;
    if (!is_new) std::erase(cells_[known->second], entity);
    known->second = cell;
    cells_[cell].push_back(entity);
  }

  void take_out(Entity entity) {
    const auto known = cell_of_.find(entity);
    std::erase(cells_[known->second], entity);
    cell_of_.erase(known);
  }

  strata::World& world_;
  std::map<Cell, std::vector<Entity>> cells_;
  std::unordered_map<Entity, Cell> cell_of_;
  strata::Subscription added_, moved_, removed_;
};

int main() {
  strata::World world;
  Grid grid(world);
  const auto show = [&](const char* when) {
    std::cout << when << ", near the camp:";
    for (const Entity entity : grid.near({0, 0}, 5)) std::cout << ' ' << world.get<Name>(entity).text;
    std::cout << '\n';
  };

  world.create(Name{"fire"}, Position{0, 0});
  const Entity smoke = world.create(Name{"smoke"}, Position{0, 1});
  const Entity cart = world.create(Name{"cart"}, Position{3, 0});
  world.create(child_of(cart), Name{"barrel"}, Position{3, 1});
  const Entity wolf = world.create(Name{"wolf"}, Position{40, 0});
  const Entity deer = world.create(Name{"deer"}, Position{2, -2});
  show("at first");

  world.set(deer, Position{-30, 0});
  world.patch<Position>(wolf, [](Position& at) { at.x -= 38; });
  show("the deer runs, the wolf comes");

  world.get<Position>(wolf).x = 20;
  world.modified<Position>(wolf);
  world.destroy(cart);  // and the barrel
  world.remove<Position>(smoke);
  show("the wolf leaves, the cart goes, the smoke clears");

  {
    const auto quiet = world.observers().quiet();
    world.create_many<Name, Position>(100, [i = 0](std::span<const Entity>, std::span<Name> names,
                                                   std::span<Position> places) mutable {
      for (std::size_t row = 0; row < names.size(); ++row, ++i) {
        names[row] = {"tree " + std::to_string(i)};
        places[row] = {static_cast<float>(i % 10) * 3 - 1, static_cast<float>(i / 10) * 3 - 1};
      }
    });
  }
  show("trees, not told of");
  std::cout << grid.size() << " places are known, ";
  grid.fill();
  std::cout << grid.size() << " after filling\n";
  show("the grid is filled");
}
