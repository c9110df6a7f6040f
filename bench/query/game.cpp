// The usual benchmark of systems, as a schedule: six systems over all entities, on one thread and on two.
#include "game.hpp"

#include <cstdint>
#include <memory>
#include <strata/strata.hpp>
#include <string>

#include "support/suite.hpp"
#include "support/thread_pool.hpp"

namespace strata::bench {
namespace {

using namespace game;

/// A world whose systems visit their rows on some workers.
class Game {
 public:
  Game(std::size_t workers, Columns& columns) : pool_(workers) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Unit unit = unit_of(i);
      world_.create(unit.place, unit.speed, unit.data, unit.health, unit.damage, unit.sprite);
    }
    schedule_.set_executor(&pool_);
    add<Place, const Speed>([](Place& place, const Speed& speed) { move(place, speed); });
    add<Data>([](Data& data) { update_data(data); });
    add<const Place, Speed, const Data>(
        [](const Place& place, Speed& speed, const Data& data) { turn(place, speed, data); });
    add<Health>([](Health& health) { update_health(health); });
    add<Health, const Damage>([](Health& health, const Damage& damage) { take_damage(health, damage); });
    add<Sprite, const Health>([](Sprite& sprite, const Health& health) { choose_sprite(sprite, health); });
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
          for (std::uint64_t step = 0; step < steps_; ++step) game::step(unit);
          const bool is_right = place.x == unit.place.x && place.y == unit.place.y &&
                                data.random == unit.data.random && health.points == unit.health.points &&
                                sprite.character == unit.sprite.character;
          if (!is_right) wrong = "entity " + std::to_string(i - 1) + " has other values";
        });
    return wrong;
  }

 private:
  /// Adds a system for rows of these terms.
  template <class... Terms, class Function>
  void add(Function function) {
    schedule_.add<Terms...>(function).par();
  }

  ThreadPool pool_;
  World world_;
  Schedule schedule_{world_};
  std::uint64_t steps_ = 0;
};

Work run_columns(std::size_t workers, Columns& columns) {
  const auto pool = std::make_shared<ThreadPool>(workers);
  return {.step = [&columns, pool, workers] {
    columns.step([&](const auto& body) {
      pool->parallel_for(columns.size(), columns.size() / (4 * workers) + 1, body);
    });
  }};
}

void ask(Suite& suite, std::size_t n) {
  for (const std::size_t workers : {1, 2}) {
    const std::string name = workers == 1 ? "one_thread" : "two_threads";
    auto& question = ask_of_size<Columns>(suite, "query/game_on_" + name, n);
    question.limit([workers](Columns& columns) { return run_columns(workers, columns); });
    question.answer("schedule", [workers](Columns& columns) { return work_by<Game>(workers, columns); });
  }
}

void ask_game(Suite& suite) {
  ask_for_sizes(suite, {ask});
}

const Family kFamily(ask_game);

}  // namespace
}  // namespace strata::bench
