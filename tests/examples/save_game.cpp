#include <strata/strata.hpp>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

/// Version 1 of the game. Components that are saved have names of their own, which files keep.
namespace version_1 {

struct Hero {
  float health = 100;
  std::int32_t gold = 0;
};
struct Trail { std::int32_t steps = 0; };

}  // namespace version_1

template <>
inline constexpr std::string_view strata::name_of<version_1::Hero> = "Hero";
template <>
inline constexpr auto strata::members_of<version_1::Hero> = strata::Members{
    strata::member("health", &version_1::Hero::health), strata::member("gold", &version_1::Hero::gold)};
template <>
inline constexpr std::string_view strata::name_of<version_1::Trail> = "Trail";
template <>
inline constexpr auto strata::members_of<version_1::Trail> =
    strata::Members{strata::member("steps", &version_1::Trail::steps)};

/// Version 2: gold is money, health is a whole number, there are lives, and no trails.
struct Hero {
  std::int16_t health = 100;
  std::int64_t money = 0;
  std::int32_t lives = 3;
};

template <>
inline constexpr std::string_view strata::name_of<Hero> = "Hero";
template <>
inline constexpr auto strata::members_of<Hero> =
    strata::Members{strata::member("health", &Hero::health), strata::member("money", &Hero::money),
                    strata::member("lives", &Hero::lives)};

/// Plays version 1, and saves.
void play_old(const std::string& path) {
  strata::World world;
  const strata::Entity hero = world.create(version_1::Hero{75, 40}, version_1::Trail{1'200});
  (void)world.names().set(hero, "hero");
  (void)world.names().set(world.create(strata::child_of(hero)), "sword");
  const strata::Outcome saved = strata::save_file(world, path);
  std::cout << (saved ? "saved" : saved.message()) << '\n';
}

/// Loads a game into version 2, whatever version saved it.
strata::LoadedWorld load_game(const std::string& path) {
  strata::World known;
  (void)known.component<Hero>();
  const std::vector<strata::Migration> migrations{{.saved_name = "Hero", .members = {{"gold", "money"}}}};
  return strata::load_file(path, known,
                           {.unknown = strata::UnknownComponents::skip, .migrations = migrations});
}

int main() {
  const std::string path = (std::filesystem::temp_directory_path() / "strata_save_game.strata").string();
  play_old(path);

  strata::LoadedWorld game = load_game(path);
  std::cout << (game.outcome ? "loaded" : game.outcome.message()) << '\n';
  for (const strata::LoadNote& note : game.notes) std::cout << "- " << note.sentence << '\n';
  strata::World world = std::move(game.world);
  const strata::Entity hero = world.names().find("hero");
  std::cout << "hero: " << strata::to_text(world.get<Hero>(hero)) << '\n';
  std::cout << "sword: " << (world.names().find("hero/sword") ? "still there" : "lost") << '\n';

  // A long save shows how far it is, and can be cancelled; the old file stays then.
  auto cancel = [](const strata::SavingProgress& progress) { return progress.bytes < 100; };
  const strata::Outcome cancelled = strata::save_file(world, path, {.progress = cancel});
  std::cout << (cancelled ? "saved" : "cancelled") << ", and the old game "
            << (load_game(path).outcome ? "is whole" : "is gone") << '\n';
  std::filesystem::remove(path);
}
