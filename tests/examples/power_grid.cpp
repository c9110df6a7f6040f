#include <strata/strata.hpp>

#include <iostream>
#include <string_view>

struct Name { std::string_view text; };
struct Draw { int watts; };
struct Source { int volts; };

/// A device is fed by one other, and never by itself in the end.
struct FedBy {};
/// A device may be watched by many sensors; the value says how often.
struct Watches { int per_hour; };

template <>
inline constexpr strata::RelationOptions strata::relation_options_of<FedBy> = {.exclusive = true, .acyclic = true};

int main() {
  strata::World world;
  strata::Relations& relations = world.relations();
  const strata::Entity house = world.create(Name{"house"});
  const strata::Entity plant = world.create(Name{"plant"}, Source{400});
  const strata::Entity strip = world.create(strata::child_of(house), Name{"strip"}, Draw{1});
  const strata::Entity lamp = world.create(strata::child_of(house), Name{"lamp"}, Draw{20});
  const strata::Entity oven = world.create(strata::child_of(house), Name{"oven"}, Draw{2000});
  const strata::Entity sensor = world.create(Name{"sensor"});
  relations.add<FedBy>(strip, plant);
  relations.add<FedBy>(lamp, strip);
  relations.add<FedBy>(oven, strip);
  relations.add(sensor, lamp, Watches{4});
  relations.add(sensor, oven, Watches{60});

  // What one target feeds.
  auto devices = world.query<const Name, const Draw>();
  devices.to<FedBy>(strip).each(
      [](const Name& name, const Draw& draw) { std::cout << name.text << " takes " << draw.watts << " W\n"; });
  std::cout << devices.without<FedBy>(strip).count() << " is not fed by the strip\n";

  // The nearest value along the relation.
  auto fed = world.query<const Name, strata::Up<const Source, FedBy>>();
  fed.each([](const Name& name, const Source* source) {
    if (source != nullptr) std::cout << name.text << " has " << source->volts << " V\n";
  });

  // Each pair, with its target and value.
  world.query<const Name>().each_pair<Watches>([&](strata::Entity target, const Watches& watches, const Name& name) {
    std::cout << name.text << " looks at the " << world.get<Name>(target).text << ' ' << watches.per_hour
              << " times an hour\n";
  });

  // All pairs of one entity, the parent included.
  relations.each_target(lamp, [&](strata::ComponentId relation, strata::Entity target) {
    std::cout << "lamp: " << world.component_info(relation).name << ' ' << world.get<Name>(target).text << '\n';
  });

  // A cycle is refused.
  if (const strata::Outcome may = relations.may_add<FedBy>(plant, lamp); !may) std::cout << may.message() << '\n';
}
