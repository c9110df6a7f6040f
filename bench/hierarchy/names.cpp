// Names of entities: found by paths of four names, and changed among many siblings.
//
// The limit is one std::unordered_map from the number of a parent and the name of a child to the number of the child.
#include <memory>
#include <strata/strata.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/random.hpp"
#include "support/suite.hpp"

namespace strata::bench::names {
namespace {

constexpr std::uint32_t kNoNode = 0xFFFF'FFFF;

struct Key {
  std::uint32_t parent;
  std::string name;
};
/// A key that does not own its name, for look-ups.
struct KeyView {
  KeyView(std::uint32_t above, std::string_view text) : parent(above), name(text) {}
  KeyView(const Key& key) : parent(key.parent), name(key.name) {}

  std::uint32_t parent;
  std::string_view name;
};
struct HashKey {
  using is_transparent = void;
  std::size_t operator()(KeyView key) const {
    return std::hash<std::string_view>()(key.name) ^ (key.parent * 0x9E37'79B9'7F4A'7C15u);
  }
};
struct EqualKeys {
  using is_transparent = void;
  bool operator()(KeyView a, KeyView b) const { return a.parent == b.parent && a.name == b.name; }
};
using NameMap = std::unordered_map<Key, std::uint32_t, HashKey, EqualKeys>;

/// N named nodes in four levels, each node with as many children as there are nodes of the level above for it, and the
/// paths of random leaves.
struct NamedNodes {
  static constexpr std::size_t kLevels = 4;

  explicit NamedNodes(std::size_t count) : n(count) {
    std::size_t begin = 0;
    std::size_t width = 1;
    while (width * width * width * width < n) ++width;
    for (std::size_t level = 0, nodes = width; level < kLevels; ++level, nodes *= width) {
      const std::size_t end = level + 1 == kLevels ? n : begin + nodes;
      const std::size_t above = begin - nodes / width;
      for (std::size_t i = 0; begin + i < end; ++i) {
        parents.push_back(level == 0 ? kNoNode : static_cast<std::uint32_t>(above + i / width));
        names.push_back("node " + std::to_string(i % width) + (i % 2 == 0 ? "" : " with a longer name"));
      }
      begin = end;
    }
    std::mt19937 random(1);
    const auto half = static_cast<std::uint32_t>(n / 2);
    for (std::size_t i = 0; i < n; ++i) choose(half + below(random, half));
  }
  void choose(std::uint32_t leaf) {
    std::string path;
    for (std::uint32_t node = leaf; node != kNoNode; node = parents[node])
      path = path.empty() ? names[node] : names[node] + '/' + path;
    expected += leaf;
    paths.push_back(path);
  }

  std::size_t n;
  std::vector<std::uint32_t> parents;
  std::vector<std::string> names;
  std::vector<std::string> paths;
  std::uint64_t expected = 0;
};

Work look_up_in_map(NamedNodes& data) {
  const auto map = std::make_shared<NameMap>();
  map->reserve(data.n);
  for (std::uint32_t node = 0; node < data.n; ++node)
    map->insert({{data.parents[node], data.names[node]}, node});
  // The names of each path, which are found beforehand.
  const auto names = std::make_shared<std::vector<std::string_view>>();
  for (const std::string_view path : data.paths) {
    for (std::size_t begin = 0, end = 0; end < path.size(); begin = end + 1) {
      end = std::min(path.find('/', begin), path.size());
      names->push_back(path.substr(begin, end - begin));
    }
  }
  return summing(data.expected, [map, names] {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < names->size();) {
      std::uint32_t node = kNoNode;
      for (std::size_t level = 0; level < NamedNodes::kLevels; ++level)
        node = map->find(KeyView(node, (*names)[i++]))->second;
      sum += node;
    }
    return sum;
  });
}

/// The same nodes in a world; entity i is node i.
std::shared_ptr<World> world_of(const NamedNodes& data) {
  const auto world = std::make_shared<World>();
  std::vector<Entity> entities;
  for (std::size_t node = 0; node < data.n; ++node) {
    const std::uint32_t parent = data.parents[node];
    entities.push_back(parent == kNoNode ? world->create() : world->create(child_of(entities[parent])));
    if (!world->names().set(entities.back(), data.names[node])) return nullptr;
  }
  return world;
}

Work find_in_world(NamedNodes& data) {
  return summing(data.expected, [world = world_of(data), &data] {
    std::uint64_t sum = 0;
    for (const std::string& path : data.paths) sum += world->names().find(path).index();
    return sum;
  });
}

/// N siblings, and two names for each.
struct NamedSiblings {
  explicit NamedSiblings(std::size_t count) : n(count) {
    for (std::size_t i = 0; i < n; ++i) {
      names[0].push_back("sibling " + std::to_string(i));
      names[1].push_back("renamed " + std::to_string(i));
    }
  }

  std::size_t n;
  std::vector<std::string> names[2];
};

/// A step gives each sibling its other name; `rename(number, old name, new name)`.
template <class Subject, class Rename, class Find>
Work rename_all(NamedSiblings& data, const std::shared_ptr<Subject>& subject, Rename rename, Find find) {
  const auto steps = std::make_shared<std::size_t>(0);
  return {.step =
              [=, &data] {
                const auto& old = data.names[*steps % 2];
                const auto& now = data.names[++*steps % 2];
                for (std::uint32_t i = 0; i < data.n; ++i) rename(*subject, i, old[i], now[i]);
              },
          .check = [=, &data]() -> Complaint {
            for (std::uint32_t i = 0; i < data.n; ++i) {
              if (find(*subject, data.names[*steps % 2][i]) != i) return "a name leads elsewhere";
              if (find(*subject, data.names[(*steps + 1) % 2][i]) != kNoNode)
                return "an old name leads somewhere";
            }
            return "";
          }};
}

Work rename_in_map(NamedSiblings& data) {
  const auto map = std::make_shared<NameMap>();
  map->reserve(data.n);
  for (std::uint32_t i = 0; i < data.n; ++i) map->insert({{0, data.names[0][i]}, i});
  return rename_all(
      data, map,
      [](NameMap& names, std::uint32_t number, const std::string& old, const std::string& now) {
        names.erase(names.find(KeyView(0, old)));
        names.insert({{0, now}, number});
      },
      [](const NameMap& names, const std::string& name) {
        const auto found = names.find(KeyView(0, name));
        return found != names.end() ? found->second : kNoNode;
      });
}

struct Siblings {
  Siblings(SiblingNames rule, const std::vector<std::string>& names)
      : world(WorldOptions{.sibling_names = rule}), parent(world.create()), children(names.size()) {
    world.spawner<>(child_of(parent)).create_many(children);
    for (std::size_t i = 0; i < names.size(); ++i)
      static_cast<void>(world.names().set(children[i], names[i]));
  }

  World world;
  Entity parent;
  std::vector<Entity> children;
};

template <SiblingNames rule>
Work rename_in_world(NamedSiblings& data) {
  return rename_all(
      data, std::make_shared<Siblings>(rule, data.names[0]),
      [](Siblings& all, std::uint32_t number, const std::string&, const std::string& now) {
        static_cast<void>(all.world.names().set(all.children[number], now));
      },
      [](const Siblings& all, const std::string& name) {
        const Entity found = all.world.names().find(all.parent, name);
        return found ? found.index() - all.children[0].index() : kNoNode;
      });
}

const Family kFamily([](Suite& suite) {
  for (const std::size_t n : {10'000u, 100'000u}) {
    ask_of_size<NamedNodes>(suite, "hierarchy/find_path", n)
        .limit(look_up_in_map)
        .answer("strata", find_in_world)
        .at_most(1.5);
    auto& rename = ask_of_size<NamedSiblings>(suite, "hierarchy/rename", n);
    rename.limit(rename_in_map);
    rename.answer("any", rename_in_world<SiblingNames::any>).at_most(2);
    rename.answer("unique", rename_in_world<SiblingNames::unique>).at_most(2);
  }
});

}  // namespace
}  // namespace strata::bench::names
