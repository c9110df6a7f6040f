#include <strata/strata.hpp>

#include <iostream>
#include <string_view>
#include <vector>

struct Name { std::string_view text; };

/// A ship is docked to one port at most. The value says which berth.
struct DockedTo { int berth; };
/// A shuttle is carried by one ship, and goes with it.
struct CarriedBy {};
/// A port cannot be removed while a ship is being repaired there.
struct RepairedAt {};

template <>
inline constexpr strata::RelationOptions strata::relation_options_of<DockedTo> = {.exclusive = true, .queried = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<CarriedBy> = {
    .exclusive = true, .target_destroyed = strata::PairCleanup::destroy};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<RepairedAt> = {
    .target_destroyed = strata::PairCleanup::refuse};

int main() {
  strata::World world;
  strata::Relations& relations = world.relations();
  const auto make = [&](std::string_view name) { return world.create(Name{name}); };
  const strata::Entity ceres = make("Ceres"), vesta = make("Vesta");
  const strata::Entity dawn = make("Dawn"), nimbus = make("Nimbus"), shuttle = make("shuttle");

  // Docking: one port at a time.
  relations.add(dawn, ceres, DockedTo{1});
  relations.add(nimbus, ceres, DockedTo{2});
  relations.add(dawn, vesta, DockedTo{7});  // Leaves Ceres.
  relations.add<CarriedBy>(shuttle, dawn);
  for (const strata::Entity ship : relations.sources<DockedTo>(ceres)) {
    std::cout << world.get<Name>(ship).text << " is at Ceres, berth "
              << relations.get<DockedTo>(ship, ceres).berth << '\n';
  }

  // A query over all that are docked, with their ports.
  auto docked = world.query<const Name, const strata::Pair<DockedTo>>();
  docked.each([&](const Name& ship, const strata::Pair<DockedTo>& docking) {
    std::cout << ship.text << " is docked to " << world.get<Name>(docking.target()).text << '\n';
  });

  // Observers are notified of each pair that comes or goes.
  const auto leaves = world.observers().on_pair_remove<DockedTo>(
      [&](strata::Entity ship, strata::Entity port, const DockedTo& at) {
        std::cout << world.get<Name>(ship).text << " leaves berth " << at.berth << " of "
                  << world.get<Name>(port).text << '\n';
      });

  // What happens when something is destroyed.
  relations.add<RepairedAt>(nimbus, ceres);
  if (const strata::Outcome may = relations.may_destroy(ceres); !may) std::cout << may.message() << '\n';
  world.destroy(vesta);  // Dawn stays, and is docked nowhere.
  std::cout << "Dawn is " << (relations.has<DockedTo>(dawn) ? "docked" : "free") << '\n';
  world.destroy(dawn);  // The shuttle goes with it.
  std::cout << "the shuttle is " << (world.alive(shuttle) ? "there" : "gone") << '\n';
}
