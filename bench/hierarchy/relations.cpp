// Relations: pairs of entities beside the tables, added, followed from both ends, queried and destroyed with their ends.
//
// The limits are strata without relations: the side store, an array of handles, and the same entities destroyed by hand.
#include <memory>
#include <numeric>
#include <span>
#include <strata/strata.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/counting_memory.hpp"
#include "support/random.hpp"
#include "support/suite.hpp"

namespace strata::bench {
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
}  // namespace strata::bench

template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::Visited> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::bench::Destination> = strata::Storage::sparse;
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::bench::DockedTo> = {
    .exclusive = true, .queried = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::bench::CarriedBy> = {
    .exclusive = true, .target_destroyed = strata::PairCleanup::destroy};

namespace strata::bench {
namespace {

/// N ships, ten for each port: which port, and a random order of ships and of ports.
struct Fleet {
  explicit Fleet(std::size_t count) : n(count) {
    std::mt19937 random(1);
    std::vector<std::uint32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0u);
    order = chosen(random, numbers, n);
    ports.resize(n);
    for (std::size_t i = 0; i < n; ++i) ports[order[i]] = static_cast<std::uint32_t>(i / kSources);
    numbers.resize(n / kSources);
    port_order = chosen(random, numbers, numbers.size());
  }

  std::size_t n;
  std::size_t sources = kSources;    // Of each port.
  std::vector<std::uint32_t> ports;  // Of each ship.
  std::vector<std::uint32_t>
      order;  // Of the ships: those of the first port, those of the second one, and so on.
  std::vector<std::uint32_t> port_order;
};

/// A world with the ships and the ports.
struct Sea {
  explicit Sea(const Fleet& fleet) : ships(fleet.n), ports(fleet.n / kSources) {
    world.create_many(std::span(ships), Place{}, Speed{});
    world.create_many(std::span(ports), Place{});
  }
  Entity port_of(const Fleet& fleet, std::size_t ship) const { return ports[fleet.ports[ship]]; }

  template <class R>
  void relate(const Fleet& fleet) {
    for (std::size_t i = 0; i < ships.size(); ++i) world.relations().add<R>(ships[i], port_of(fleet, i));
  }
  void give_destinations(const Fleet& fleet) {
    for (std::size_t i = 0; i < ships.size(); ++i) world.add(ships[i], Destination{port_of(fleet, i)});
  }

  World world;
  std::vector<Entity> ships;
  std::vector<Entity> ports;
};

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
  const auto sea = std::make_shared<Sea>(fleet);
  sea->give_destinations(fleet);
  return summing(sum_of_ports(fleet, *sea), [sea, &fleet] {
    std::uint64_t sum = 0;
    for (const std::uint32_t i : fleet.order)
      sum += sea->world.find<Destination>(sea->ships[i])->port.index();
    return sum;
  });
}

Work find_targets(Fleet& fleet) {
  const auto sea = std::make_shared<Sea>(fleet);
  sea->relate<DockedTo>(fleet);
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
  const auto sea = std::make_shared<Sea>(fleet);
  sea->relate<DockedTo>(fleet);
  return summing(sum_of_ships(*sea), [sea, &fleet] {
    const Relations& relations = sea->world.relations();
    std::uint64_t sum = 0;
    for (const std::uint32_t port : fleet.port_order) {
      for (const Entity ship : relations.sources<DockedTo>(sea->ports[port])) sum += ship.index();
    }
    return sum;
  });
}

Work query_destinations(Fleet& fleet) {
  const auto sea = std::make_shared<Sea>(fleet);
  sea->give_destinations(fleet);
  return summing(sum_of_ports(fleet, *sea),
                 [sea, query = kept(sea->world.query<Place, const Speed, const Destination>())] {
                   std::uint64_t sum = 0;
                   query->each([&sum](Place& place, const Speed& speed, const Destination& to) {
                     place.x += speed.x;
                     sum += to.port.index();
                   });
                   return sum;
                 });
}

Work query_pairs(Fleet& fleet) {
  const auto sea = std::make_shared<Sea>(fleet);
  sea->relate<DockedTo>(fleet);
  return summing(sum_of_ports(fleet, *sea),
                 [sea, query = kept(sea->world.query<Place, const Speed, const Pair<DockedTo>>())] {
                   std::uint64_t sum = 0;
                   query->each([&sum](Place& place, const Speed& speed, const Pair<DockedTo>& docking) {
                     place.x += speed.x;
                     sum += docking.target().index();
                   });
                   return sum;
                 });
}

/// Visits the ships of each port by a query, port by port. `visit(port, query, function)` calls the query.
template <class Visit>
Work query_ships(Fleet& fleet, Visit visit) {
  const auto sea = std::make_shared<Sea>(fleet);
  sea->relate<DockedTo>(fleet);
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

/// A world that is made anew for each step, which destroys its ports.
struct Harbour {
  std::unique_ptr<Sea> sea;
};

/// A step destroys all ports, which have pairs of R.
template <class R>
Work destroy_ports(Fleet& fleet, bool with_ships) {
  return work_on(
      std::make_shared<Harbour>(),
      [](Harbour& harbour) {
        for (const Entity port : harbour.sea->ports) harbour.sea->world.destroy(port);
      },
      [&fleet, with_ships](Harbour& harbour) {
        const World& world = harbour.sea->world;
        if (world.relations().size<R>() != 0) return "a pair is left";
        return world.size() == (with_ships ? 0 : fleet.n) ? "" : "too many or too few are left";
      },
      [&fleet](Harbour& harbour) {
        harbour.sea = std::make_unique<Sea>(fleet);
        harbour.sea->relate<R>(fleet);
      });
}

/// The same by hand: a ship has a component instead of a pair, which is removed, or is destroyed.
Work destroy_by_hand(Fleet& fleet, bool with_ships) {
  return work_on(
      std::make_shared<Harbour>(),
      [&fleet, with_ships](Harbour& harbour) {
        Sea& sea = *harbour.sea;
        for (std::size_t i = 0; i < fleet.n; ++i) {
          const Entity ship = sea.ships[fleet.order[i]];
          with_ships ? sea.world.destroy(ship) : sea.world.remove<Destination>(ship);
          if (i % kSources + 1 == kSources) sea.world.destroy(sea.ports[i / kSources]);
        }
      },
      [&fleet, with_ships](Harbour& harbour) {
        return harbour.sea->world.size() == (with_ships ? 0 : fleet.n) ? "" : "too many or too few are left";
      },
      [&fleet](Harbour& harbour) {
        harbour.sea = std::make_unique<Sea>(fleet);
        harbour.sea->give_destinations(fleet);
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
  auto& toggle = ask_of_size<Fleet>(suite, "hierarchy/toggle_pair", n);
  toggle.limit(toggle_mark);
  toggle.answer("strata", toggle_pair).at_most(2);
  auto& target = ask_of_size<Fleet>(suite, "hierarchy/target", n);
  target.limit(find_destinations);
  target.answer("strata", find_targets).at_most(1.5);
  auto& sources = ask_of_size<Fleet>(suite, "hierarchy/sources", n);
  sources.limit(read_source_arrays);
  sources.answer("strata", list_sources).at_most(3);
  auto& query = ask_of_size<Fleet>(suite, "hierarchy/query_pair", n);
  query.limit(query_destinations);
  query.answer("strata", query_pairs).at_most(1.3);
  auto& of_target = ask_of_size<Fleet>(suite, "hierarchy/query_sources", n);
  of_target.limit(query_listed_ships);
  of_target.answer("strata", query_ships_of_port);
  auto& removing = ask_of_size<Fleet>(suite, "hierarchy/destroy_targets_remove", n);
  removing.limit([](Fleet& fleet) { return destroy_by_hand(fleet, false); });
  removing.answer("strata", [](Fleet& fleet) { return destroy_ports<Visits>(fleet, false); }).at_most(2);
  auto& destroying = ask_of_size<Fleet>(suite, "hierarchy/destroy_targets_destroy", n);
  destroying.limit([](Fleet& fleet) { return destroy_by_hand(fleet, true); });
  destroying.answer("strata", [](Fleet& fleet) { return destroy_ports<CarriedBy>(fleet, true); }).at_most(2);
}

void ask_relations(Suite& suite) {
  for (const std::size_t n : {std::size_t{10'000}, std::size_t{100'000}}) ask_relations_of(suite, n);
}

const Family kFamily(ask_relations);

}  // namespace
}  // namespace strata::bench
