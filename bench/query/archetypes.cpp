// Worlds of many archetypes.
//
// query_create: 10,000 archetypes, of which 100 match; a query is made, iterated once and dropped, as scripts do. Nearest to
// SanderMertens/ecs_benchmark cached_init_fini_1_ids, which makes it in an empty world. many_archetypes: a component of 4,000
// entities with a tag of their own each, and of a chain of 20,000 nodes, is summed up. new_archetypes: entities that get tags
// of their own make archetypes.
#include <strata/strata.hpp>
#include <unordered_map>

#include "support/particles.hpp"
#include "support/suite.hpp"
#include "support/work.hpp"

namespace strata::bench::archetypes {
namespace {

constexpr std::uint32_t kArchetypes = 10'000;
constexpr std::uint32_t kMatching = 100;
constexpr std::uint32_t kTags = 14;  // Enough for subsets by the number of the archetype.

/// The limit: a list of those archetypes that have the component, their values in one array. Each is compared
/// with the terms, added to the matches, and then iterated.
struct Index {
  struct Archetype {
    std::uint64_t signature;
    const Health* healths;
    std::size_t count;
  };

  Index() {
    for (std::uint32_t i = 0; i < kMatching; ++i) healths.push_back(health_of(i));
    for (std::uint32_t i = 0; i < kMatching; ++i) {
      with_health.push_back({std::uint64_t{i} | kHealth, &healths[i], 1});
      expected += healths[i].points;
    }
    matches.resize(kMatching);
  }

  std::uint64_t sum() {
    std::size_t count = 0;
    for (const Archetype& archetype : with_health) {
      if ((archetype.signature & kHealth) == kHealth) matches[count++] = &archetype;
    }
    std::uint64_t sum = 0;
    for (std::size_t match = 0; match < count; ++match) {
      const Archetype& archetype = *matches[match];
      for (std::size_t i = 0; i < archetype.count; ++i) sum += archetype.healths[i].points;
    }
    return sum;
  }

  static constexpr std::uint64_t kHealth = 1ull << 63;

  std::vector<Health> healths;
  std::vector<Archetype> with_health;
  std::vector<const Archetype*> matches;
  std::uint64_t expected = 0;
};

/// Returns: the sum of the health points that the query visits.
std::uint64_t sum_of(auto&& query) {
  std::uint64_t sum = 0;
  query.each([&sum](const Health& health) { sum += health.points; });
  return sum;
}

/// A world with an entity in each of many archetypes: subsets of the tags, some of them with a health.
struct ManyArchetypes {
  ManyArchetypes() {
    for (std::uint32_t i = 0; i < kTags; ++i) tags.push_back(make_tag(world, i));
    // Every subset on the way to another one has a smaller number, so no archetype comes to be but these. The
    // health comes last for the same reason.
    for (std::uint32_t i = 0; i < kArchetypes - kMatching; ++i) create(i);
    for (std::uint32_t i = 0; i < kMatching; ++i) world.add(create(i), health_of(i));
  }

  Entity create(std::uint32_t subset) {
    const Entity entity = world.create();
    for (std::uint32_t bit = 0; bit < kTags; ++bit) {
      if ((subset >> bit & 1) != 0) world.add(entity, tags[bit], nullptr);
    }
    return entity;
  }

  World world;
  std::vector<ComponentId> tags;
};

Work query_once(Index& index) {
  const auto many = std::make_shared<ManyArchetypes>();
  Work work = summing(index.expected, [many] { return sum_of(many->world.query<const Health>()); });
  work.check = [many, summed = work.check] {
    const std::size_t count = many->world.stats().archetypes;
    return count == kArchetypes ? summed() : "there are " + std::to_string(count) + " archetypes";
  };
  return work;
}

constexpr std::size_t kTagged = 4'000;
constexpr std::size_t kDepth = 20'000;

/// The limit: the same values in one array.
struct Healths {
  Healths() {
    for (std::size_t i = 0; i < kTagged + kDepth; ++i) values.push_back(health_of(i));
    expected = sum();
  }
  std::uint64_t sum() const {
    std::uint64_t sum = 0;
    for (const Health& health : values) sum += health.points;
    return sum;
  }

  std::vector<Health> values;
  std::uint64_t expected = 0;
};

std::shared_ptr<World> tagged_world() {
  const auto world = std::make_shared<World>();
  for (std::size_t i = 0; i < kTagged; ++i) {
    world->add(world->create(health_of(i)), make_tag(*world, i), nullptr);
  }
  Entity node = world->create(health_of(kTagged));
  for (std::size_t i = 1; i < kDepth; ++i) node = world->create(child_of(node), health_of(kTagged + i));
  return world;
}

/// A step is `sum(query)`.
auto sum_tagged(auto sum) {
  return [sum](Healths& healths) {
    const auto world = tagged_world();
    return summing(healths.expected,
                   [world, sum, query = kept(world->query<const Health>())] { return sum(*query); });
  };
}

/// The limit of making archetypes: a number for each tag, in a hash table.
struct Numbers : EntityCount {
  using EntityCount::EntityCount;

  void prepare() { numbers.clear(); }
  void step() {
    for (std::size_t i = 0; i < n; ++i) numbers.emplace(i, static_cast<std::uint32_t>(i));
  }

  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
};

/// A world whose entities each get a tag of their own.
class NewArchetypes {
 public:
  explicit NewArchetypes(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      tags_.push_back(make_tag(world_, i));
      entities_.push_back(world_.create());
    }
  }

  void step() {
    for (std::size_t i = 0; i < tags_.size(); ++i) world_.add(entities_[i], tags_[i], nullptr);
  }
  Complaint check() const {
    return world_.stats().archetypes == tags_.size() + 1 ? "" : "there are not as many archetypes as tags";
  }

 private:
  World world_;
  std::vector<ComponentId> tags_;
  std::vector<Entity> entities_;
};

void ask_archetypes(Suite& suite) {
  auto& created = suite.ask<Index>("query/query_create/" + std::to_string(kArchetypes), 1,
                                   [] { return std::make_shared<Index>(); });
  created.limit([](Index& index) { return summing(index.expected, [&index] { return index.sum(); }); });
  created.answer("each", query_once).at_most_ns(10'000);
  auto& many = suite.ask<Healths>("query/many_archetypes", kTagged + kDepth,
                                  [] { return std::make_shared<Healths>(); });
  many.limit(
      [](Healths& healths) { return summing(healths.expected, [&healths] { return healths.sum(); }); });
  many.answer("each", sum_tagged([](Query<const Health>& query) { return sum_of(query); }));
  // 50 ns for each level and each table.
  many.answer("cascade", sum_tagged([](Query<const Health>& query) { return sum_of(query.cascade()); }))
      .at_most_ns(50.0 * (2 * kDepth + kTagged) / (kDepth + kTagged));
  for (const std::size_t count : {100, 20'000}) {
    auto& made = ask_of_size<Numbers>(suite, "query/new_archetypes", count);
    made.limit(work_of_data<Numbers>);
    made.answer("add", [](Numbers& data) { return work_by_new<NewArchetypes>(data.n); });
  }
}

const Family kFamily(ask_archetypes);

}  // namespace
}  // namespace strata::bench::archetypes
