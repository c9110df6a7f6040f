// The usual benchmark of systems, as a schedule: movement, data, directions, health, damage and sprites, for all entities,
// on one thread and on two.
#include <algorithm>
#include <strata/strata.hpp>
#include <tuple>
#include <utility>

#include "support/suite.hpp"
#include "support/thread_pool.hpp"

namespace strata::bench::game {
namespace {

struct Place {
  float x, y;
};
struct Speed {
  float x, y;
};
struct Data {
  std::int32_t count;
  double time;
  std::uint32_t random;
};
enum class Status : std::uint8_t { spawned, alive, dead };
struct Health {
  std::int32_t points;
  std::int32_t most;
  Status status;
};
struct Damage {
  std::int32_t attack;
  std::int32_t defence;
};
struct Sprite {
  char character;
};

/// An entity with all components.
using Unit = std::tuple<Place, Speed, Data, Health, Damage, Sprite>;

Unit unit_of(std::size_t i) {
  const auto n = static_cast<std::int32_t>(i % 1024);
  const auto f = static_cast<float>(n);
  return {Place{f, 512 - f},
          Speed{0.5f, 1},
          Data{n, 0, static_cast<std::uint32_t>(n) * 2654435761u},
          Health{50 + n % 100, 50 + n % 100, Status::spawned},
          Damage{10 + n % 30, 5 + n % 30},
          Sprite{'_'}};
}

void move(Place& place, const Speed& speed) {
  constexpr float kSeconds = 1.0f / 64;
  place.x += speed.x * kSeconds;
  place.y += speed.y * kSeconds;
}
void update_data(Data& data) {
  data.count = (data.count + 1) % 1'000'000;
  data.time += 1.0 / 64;
  data.random = data.random * 1664525 + 1013904223;
}
void turn(const Place& place, Speed& speed, const Data& data) {
  if (data.count % 10 != 0) return;
  if (place.x > place.y) {
    speed = {static_cast<float>(data.random >> 16 & 15) - 8, static_cast<float>(data.random >> 24 & 15) - 8};
  } else {
    std::swap(speed.x, speed.y);
  }
}
void update_health(Health& health) {
  if (health.points <= 0 && health.status != Status::dead) {
    health.points = 0;
    health.status = Status::dead;
  } else if (health.status == Status::dead) {
    health.points = health.most;
    health.status = Status::spawned;
  } else {
    health.status = Status::alive;
  }
}
void take_damage(Health& health, const Damage& damage) {
  const std::int32_t total = damage.attack - damage.defence;
  if (health.status == Status::alive && total > 0) health.points = std::max(health.points - total, 0);
}
void choose_sprite(Sprite& sprite, const Health& health) {
  constexpr char kCharacters[] = {'_', '@', '|'};
  sprite.character = kCharacters[static_cast<std::size_t>(health.status)];
}

/// All systems for one entity.
void run_systems(Unit& unit) {
  auto& [place, speed, data, health, damage, sprite] = unit;
  move(place, speed);
  update_data(data);
  turn(place, speed, data);
  update_health(health);
  take_damage(health, damage);
  choose_sprite(sprite, health);
}

/// The limit: an array for each component.
struct Columns : EntityCount {
  explicit Columns(std::size_t count) : EntityCount(count) {
    const auto append = [this]<class... Ts>(const Ts&... values) {
      (std::get<std::vector<Ts>>(columns).push_back(values), ...);
    };
    for (std::size_t i = 0; i < n; ++i) std::apply(append, unit_of(i));
  }

  /// Runs system after system. `for_ranges(body)` calls `body(begin, end)` for ranges that make up all entities.
  void step(auto for_ranges) {
    auto& [places, speeds, data, healths, damages, sprites] = columns;
    const auto each = [&](auto update) {
      for_ranges([update](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) update(i);
      });
    };
    each([of = places.data(), by = speeds.data()](std::size_t i) { move(of[i], by[i]); });
    each([of = data.data()](std::size_t i) { update_data(of[i]); });
    each([of = speeds.data(), at = places.data(), by = data.data()](std::size_t i) {
      turn(at[i], of[i], by[i]);
    });
    each([of = healths.data()](std::size_t i) { update_health(of[i]); });
    each([of = healths.data(), by = damages.data()](std::size_t i) { take_damage(of[i], by[i]); });
    each([of = sprites.data(), by = healths.data()](std::size_t i) { choose_sprite(of[i], by[i]); });
  }

  std::tuple<std::vector<Place>, std::vector<Speed>, std::vector<Data>, std::vector<Health>,
             std::vector<Damage>, std::vector<Sprite>>
      columns;
};

/// A world whose systems visit their rows on some workers.
class Game {
 public:
  Game(std::size_t workers, Columns& columns) : pool_(workers) {
    const auto create = [this](const auto&... values) { world_.create(values...); };
    for (std::size_t i = 0; i < columns.n; ++i) std::apply(create, unit_of(i));
    schedule_.set_executor(&pool_);
    schedule_.add([](Place& place, const Speed& speed) { move(place, speed); }).par();
    schedule_.add([](Data& data) { update_data(data); }).par();
    schedule_.add([](const Place& place, Speed& speed, const Data& data) { turn(place, speed, data); }).par();
    schedule_.add([](Health& health) { update_health(health); }).par();
    schedule_.add([](Health& health, const Damage& damage) { take_damage(health, damage); }).par();
    schedule_.add([](Sprite& sprite, const Health& health) { choose_sprite(sprite, health); }).par();
  }

  void step() {
    schedule_.run();
    ++steps_;
  }

  /// Compares one entity in a hundred with what the systems do to it alone.
  Complaint check() {
    std::size_t i = 0;
    Complaint wrong;
    world_.query<const Place, const Data, const Health, const Sprite>().each(
        [&](const Place& place, const Data& data, const Health& health, const Sprite& sprite) {
          if (i++ % 100 != 0 || !wrong.empty()) return;
          Unit unit = unit_of(i - 1);
          for (std::uint64_t step = 0; step < steps_; ++step) run_systems(unit);
          const auto& [at, speed, own, condition, damage, shown] = unit;
          const bool is_right = place.x == at.x && place.y == at.y && data.random == own.random &&
                                health.points == condition.points && sprite.character == shown.character;
          if (!is_right) wrong = "entity " + std::to_string(i - 1) + " has other values";
        });
    return wrong;
  }

 private:
  ThreadPool pool_;
  World world_;
  Schedule schedule_{world_};
  std::uint64_t steps_ = 0;
};

Work run_columns(std::size_t workers, Columns& columns) {
  const auto pool = std::make_shared<ThreadPool>(workers);
  return {.step = [&columns, pool, workers] {
    columns.step(
        [&](const auto& body) { pool->parallel_for(columns.n, columns.n / (4 * workers) + 1, body); });
  }};
}

void ask_game(Suite& suite, std::size_t n) {
  for (const std::size_t workers : {1, 2}) {
    const std::string name = workers == 1 ? "one_thread" : "two_threads";
    auto& question = ask_of_size<Columns>(suite, "query/game_on_" + name, n);
    question.limit([workers](Columns& columns) { return run_columns(workers, columns); });
    question.answer("schedule", [workers](Columns& columns) { return work_by<Game>(workers, columns); });
  }
}

const Family kFamily([](Suite& suite) { ask_for_sizes(suite, {ask_game}); });

}  // namespace
}  // namespace strata::bench::game
