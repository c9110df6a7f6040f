// Relations: pairs of entities beside the tables, added, followed from both ends, queried and destroyed with their ends.
//
// The limits are strata without relations: the side store, an array of handles, and the same entities destroyed by hand.
#include <memory>
#include <span>
#include <strata/strata.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "support/counting_memory.hpp"
#include "support/random.hpp"
#include "support/suite.hpp"

namespace strata::bench::relations {
namespace {

constexpr std::size_t kSources = 10;  // Of each port.

struct Place {
  float x = 0;
};
struct Speed {
  float x = 1;
};
struct Visited {};
/// The same as a pair, as a component.
struct Destination {
  Entity port;
};
struct Visits {};
struct DockedTo {};
struct CarriedBy {};

}  // namespace
}  // namespace strata::bench::relations

template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::relations::Visited> =
    strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::relations::Destination> =
    strata::Storage::sparse;
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::bench::relations::DockedTo> = {
    .exclusive = true, .queried = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::bench::relations::CarriedBy> = {
    .exclusive = true, .target_destroyed = strata::PairCleanup::destroy};

namespace strata::bench::relations {
namespace {

/// N ships, ten for each port: which port, and a random order of ships and of ports.
struct Fleet {
  explicit Fleet(std::size_t count) : n(count) {
    std::mt19937 random(1);
    std::vector<std::uint32_t> numbers = numbers_below(n);
    order = chosen(random, numbers, n);
    ports.resize(n);
    for (std::size_t i = 0; i < n; ++i) ports[order[i]] = static_cast<std::uint32_t>(i / kSources);
    numbers.resize(n / kSources);
    port_order = chosen(random, numbers, numbers.size());
  }

  std::size_t n;
  std::size_t sources = kSources;    // Of each port.
  std::vector<std::uint32_t> ports;  // Of each ship.
  std::vector<std::uint32_t> order;  // Of the ships: those of the first port, of the second one, and so on.
  std::vector<std::uint32_t> port_order;
};

/// A world with the ships and the ports.
struct Sea {
  explicit Sea(const Fleet& fleet) : ships(fleet.n), ports(fleet.n / kSources) {
    world.create_many(std::span(ships), Place{}, Speed{});
    world.create_many(std::span(ports), Place{});
  }
  Entity port_of(const Fleet& fleet, std::size_t ship) const { return ports[fleet.ports[ship]]; }

  World world;
  std::vector<Entity> ships;
  std::vector<Entity> ports;
};

/// Gives each ship its port: by the component Destination, or by a pair of any other R.
template <class R>
void give_ports(Sea& sea, const Fleet& fleet) {
  for (std::size_t i = 0; i < fleet.n; ++i) {
    if constexpr (std::is_same_v<R, Destination>) {
      sea.world.add(sea.ships[i], Destination{sea.port_of(fleet, i)});
    } else {
      sea.world.relations().template add<R>(sea.ships[i], sea.port_of(fleet, i));
    }
  }
}

/// Returns: a new sea, each ship with its port.
template <class R>
std::shared_ptr<Sea> sea_with(const Fleet& fleet) {
  auto sea = std::make_shared<Sea>(fleet);
  give_ports<R>(*sea, fleet);
  return sea;
}

Work toggle_mark(Fleet& fleet) {
  return work_on(
      std::make_shared<Sea>(fleet),
      [&fleet](Sea& sea) {
        for (const std::uint32_t i : fleet.order) sea.world.add(sea.ships[i], Visited{});
        for (const std::uint32_t i : fleet.order) sea.world.remove<Visited>(sea.ships[i]);
      },
      [](Sea& sea) { return sea.world.has<Visited>(sea.ships[0]) ? "a mark is left" : ""; });
}

Work toggle_pair(Fleet& fleet) {
  return work_on(
      std::make_shared<Sea>(fleet),
      [&fleet](Sea& sea) {
        Relations& relations = sea.world.relations();
        for (std::size_t i = 0; i < fleet.n; ++i)
          relations.add<Visits>(sea.ships[fleet.order[i]], sea.ports[i / kSources]);
        for (std::size_t i = 0; i < fleet.n; ++i)
          relations.remove<Visits>(sea.ships[fleet.order[i]], sea.ports[i / kSources]);
      },
      [](Sea& sea) { return sea.world.relations().size<Visits>() != 0 ? "a pair is left" : ""; });
}

/// Returns: the sum of the indices of the ports of all ships.
std::uint64_t sum_of_ports(const Fleet& fleet, const Sea& sea) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < fleet.n; ++i) sum += sea.port_of(fleet, i).index();
  return sum;
}

Work find_destinations(Fleet& fleet) {
  const auto sea = sea_with<Destination>(fleet);
  return summing(sum_of_ports(fleet, *sea), [sea, &fleet] {
    std::uint64_t sum = 0;
    for (const std::uint32_t i : fleet.order)
      sum += sea->world.find<Destination>(sea->ships[i])->port.index();
    return sum;
  });
}

Work find_targets(Fleet& fleet) {
  const auto sea = sea_with<DockedTo>(fleet);
  return summing(sum_of_ports(fleet, *sea), [sea, &fleet] {
    const Relations& relations = sea->world.relations();
    std::uint64_t sum = 0;
    for (const std::uint32_t i : fleet.order) sum += relations.target<DockedTo>(sea->ships[i]).index();
    return sum;
  });
}

/// Returns: the sum of the indices of all ships.
std::uint64_t sum_of_ships(const Sea& sea) {
  std::uint64_t sum = 0;
  for (const Entity ship : sea.ships) sum += ship.index();
  return sum;
}

Work read_source_arrays(Fleet& fleet) {
  const Sea sea(fleet);
  const auto sources = std::make_shared<std::vector<Entity>>();
  for (const std::uint32_t ship : fleet.order) sources->push_back(sea.ships[ship]);
  return summing(sum_of_ships(sea), [sources, &fleet] {
    std::uint64_t sum = 0;
    for (const std::uint32_t port : fleet.port_order) {
      // How many there are is not known while compiling, neither here nor in what is compared.
      const std::size_t first = port * fleet.sources;
      for (std::size_t i = first; i < first + fleet.sources; ++i) sum += (*sources)[i].index();
    }
    return sum;
  });
}

Work list_sources(Fleet& fleet) {
  const auto sea = sea_with<DockedTo>(fleet);
  return summing(sum_of_ships(*sea), [sea, &fleet] {
    const Relations& relations = sea->world.relations();
    std::uint64_t sum = 0;
    for (const std::uint32_t port : fleet.port_order) {
      for (const Entity ship : relations.sources<DockedTo>(sea->ports[port])) sum += ship.index();
    }
    return sum;
  });
}

Entity port_in(const Destination& destination) {
  return destination.port;
}
Entity port_in(const Pair<DockedTo>& docking) {
  return docking.target();
}

/// Moves all ships, and reads the ports that a query hands out as a `Term`.
template <class R, class Term>
Work query_ports(Fleet& fleet) {
  const auto sea = sea_with<R>(fleet);
  return summing(sum_of_ports(fleet, *sea),
                 [sea, query = kept(sea->world.template query<Place, const Speed, const Term>())] {
                   std::uint64_t sum = 0;
                   query->each([&sum](Place& place, const Speed& speed, const Term& term) {
                     place.x += speed.x;
                     sum += port_in(term).index();
                   });
                   return sum;
                 });
}

/// Visits the ships of each port by a query, port by port. `visit(port, query, function)` calls the query.
template <class Visit>
Work query_ships(Fleet& fleet, Visit visit) {
  const auto sea = sea_with<DockedTo>(fleet);
  auto ships = std::make_shared<std::vector<Entity>>();
  for (const std::uint32_t ship : fleet.order) ships->push_back(sea->ships[ship]);
  return summing(sum_of_ships(*sea),
                 [sea, ships, visit, &fleet, query = kept(sea->world.query<Entity, Place, const Speed>())] {
                   std::uint64_t sum = 0;
                   for (const std::uint32_t port : fleet.port_order) {
                     visit(*query, sea->ports[port], std::span(*ships).subspan(port * kSources, kSources),
                           [&sum](Entity ship, Place& place, const Speed& speed) {
                             place.x += speed.x;
                             sum += ship.index();
                           });
                   }
                   return sum;
                 });
}

Work query_listed_ships(Fleet& fleet) {
  return query_ships(fleet, [](auto& query, Entity, std::span<const Entity> ships, auto function) {
    query.each_of(ships, function);
  });
}

Work query_ships_of_port(Fleet& fleet) {
  return query_ships(fleet, [](auto& query, Entity port, std::span<const Entity>, auto function) {
    query.template to<DockedTo>(port).each(function);
  });
}

/// A step destroys the ports of a sea that is made anew for it. The check expects that the ships are destroyed as well
/// if `with_ships`, and that all of them are left otherwise.
template <class R, class Step>
Work destroy_in_sea(Fleet& fleet, bool with_ships, Step step) {
  using State = std::shared_ptr<Sea>;
  return work_on(
      std::make_shared<State>(), step,
      [&fleet, with_ships](State& sea) {
        if constexpr (!std::is_same_v<R, Destination>) {
          if (sea->world.relations().template size<R>() != 0) return "a pair is left";
        }
        return sea->world.size() == (with_ships ? 0 : fleet.n) ? "" : "too many or too few are left";
      },
      [&fleet](State& sea) {
        sea = std::make_shared<Sea>(fleet);  // Frees the last sea before the new one has pairs.
        give_ports<R>(*sea, fleet);
      });
}

/// The ports have pairs of R.
template <class R>
Work destroy_ports(Fleet& fleet, bool with_ships) {
  return destroy_in_sea<R>(fleet, with_ships, [](std::shared_ptr<Sea>& sea) {
    for (const Entity port : sea->ports) sea->world.destroy(port);
  });
}

/// The same by hand: a ship has a component instead of a pair, which is removed, or is destroyed.
Work destroy_by_hand(Fleet& fleet, bool with_ships) {
  return destroy_in_sea<Destination>(fleet, with_ships, [&fleet, with_ships](std::shared_ptr<Sea>& made) {
    Sea& sea = *made;
    for (std::size_t i = 0; i < fleet.n; ++i) {
      const Entity ship = sea.ships[fleet.order[i]];
      with_ships ? sea.world.destroy(ship) : sea.world.remove<Destination>(ship);
      if (i % kSources + 1 == kSources) sea.world.destroy(sea.ports[i / kSources]);
    }
  });
}

/// Bytes per pair, of N pairs with distinct sources and targets; the limit is two arrays of handles.
Amounts pair_bytes(std::size_t n) {
  CountingMemory memory;
  World world({.memory = &memory});
  std::vector<Entity> ends(2 * n);
  world.create_many(std::span(ends), Place{});
  const std::size_t before = memory.bytes();
  for (std::size_t i = 0; i < n; ++i) world.relations().add<Visits>(ends[i], ends[n + i]);
  return {static_cast<double>(memory.bytes() - before) / static_cast<double>(n), 2 * sizeof(Entity)};
}

void ask_relations_of(Suite& suite, std::size_t n) {
  suite.count({.path = "hierarchy/pair_memory/" + std::to_string(n),
               .items = n,
               .take = [n] { return pair_bytes(n); },
               .most = 3 * 2 * sizeof(Entity)});
  const auto ask = [&](const char* name, Work (*limit)(Fleet&), Work (*answer)(Fleet&), double at_most) {
    auto& question = ask_of_size<Fleet>(suite, std::string("hierarchy/") + name, n);
    question.limit(limit);
    question.answer("strata", answer).set_bar(at_most != 0 ? Bar::at_most(at_most) : Bar{});
  };
  ask("toggle_pair", toggle_mark, toggle_pair, 2);
  ask("target", find_destinations, find_targets, 1.5);
  ask("sources", read_source_arrays, list_sources, 3);
  ask("query_pair", query_ports<Destination, Destination>, query_ports<DockedTo, Pair<DockedTo>>, 1.3);
  ask("query_sources", query_listed_ships, query_ships_of_port, 0);
  ask(
      "destroy_targets_remove", [](Fleet& fleet) { return destroy_by_hand(fleet, false); },
      [](Fleet& fleet) { return destroy_ports<Visits>(fleet, false); }, 2);
  ask(
      "destroy_targets_destroy", [](Fleet& fleet) { return destroy_by_hand(fleet, true); },
      [](Fleet& fleet) { return destroy_ports<CarriedBy>(fleet, true); }, 2);
}

const Family kFamily([](Suite& suite) {
  for (const std::size_t n : {10'000u, 100'000u}) ask_relations_of(suite, n);
});

}  // namespace
}  // namespace strata::bench::relations
