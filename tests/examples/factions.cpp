#include <strata/strata.hpp>

#include <array>
#include <iostream>
#include <span>
#include <string_view>
#include <vector>

struct Name { std::string_view text; };
struct Health { int points; };

/// A unit serves one faction.
struct Serves {};

template <>
inline constexpr strata::RelationOptions strata::relation_options_of<Serves> = {
    .exclusive = true, .storage = strata::Storage::table};

int main() {
  strata::World world;
  strata::Relations& relations = world.relations();
  const strata::Entity red = world.create(Name{"red"}), blue = world.create(Name{"blue"});
  std::vector<strata::Entity> units(1000);
  world.create_many(std::span(units), Health{10});
  for (std::size_t i = 0; i < units.size(); ++i) relations.add<Serves>(units[i], i % 2 == 0 ? red : blue);

  // All units of one faction.
  auto healths = world.query<Health>();
  healths.to<Serves>(red).each([](Health& health) { health.points -= 3; });
  std::cout << "red has " << healths.to<Serves>(red).count() << " units\n";

  // The same, table by table: no unit of the other faction is in between.
  const strata::ComponentId serves = relations.relation<Serves>();
  const std::array terms{strata::Term{strata::Role::with, *relations.source_component(serves, red)},
                         strata::Term{strata::Role::read, *world.find_component(strata::name_of<Health>)}};
  std::size_t runs = 0;
  int sum = 0;
  world.query(terms).each_block([&](const strata::RuntimeQuery::Block& block) {
    ++runs;
    for (const Health& health : block.values<const Health>(1)) sum += health.points;
  });
  std::cout << "red: " << sum << " points, in " << runs << (runs == 1 ? " array\n" : " arrays\n");

  // A unit changes sides: its row moves.
  relations.add<Serves>(units[0], blue);
  std::cout << "red has " << relations.sources<Serves>(red).size() << " units, blue has "
            << relations.sources<Serves>(blue).size() << '\n';

  // A faction ends: its units stay, without a faction.
  world.destroy(red);
  std::cout << relations.size<Serves>() << " of " << healths.count() << " units serve a faction\n";
}
