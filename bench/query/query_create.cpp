// The workload of queries that are made when they are needed, as scripts do: 10,000 archetypes, of which 100
// match; a query is made, iterated once and dropped. Nearest to SanderMertens/ecs_benchmark
// cached_init_fini_1_ids, which makes it in an empty world.
#include <memory>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "questions.hpp"
#include "support/particles.hpp"

namespace strata::bench {
namespace {

constexpr std::uint32_t kArchetypes = 10'000;
constexpr std::uint32_t kMatching = 100;
constexpr std::uint32_t kTags = 14;  // Enough for subsets by the number of the archetype.

/// The limit: a list of those archetypes that have the component, their values in one array. Each is compared
/// with what is asked for, noted as a match, and then iterated.
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

/// A world with an entity in each of many archetypes: subsets of the tags, some of them with a health.
class ManyArchetypes {
 public:
  ManyArchetypes() {
    std::vector<ComponentId> tags;
    for (std::uint32_t i = 0; i < kTags; ++i) {
      tags.push_back(world_.component(ComponentInfo{.name = "tag " + std::to_string(i)}));
    }
    // Every subset on the way to another one has a smaller number, so no archetype comes to be but these. The
    // health comes last for the same reason.
    for (std::uint32_t i = 0; i < kArchetypes - kMatching; ++i) create(tags, i);
    for (std::uint32_t i = 0; i < kMatching; ++i) world_.add(create(tags, i), health_of(i));
  }

  std::uint64_t sum() {
    std::uint64_t sum = 0;
    world_.query<const Health>().each([&sum](const Health& health) { sum += health.points; });
    return sum;
  }

  std::size_t archetypes() const { return world_.stats().archetypes; }

 private:
  Entity create(const std::vector<ComponentId>& tags, std::uint32_t subset) {
    const Entity entity = world_.create();
    for (std::uint32_t bit = 0; bit < kTags; ++bit) {
      if ((subset >> bit & 1) != 0) world_.add(entity, tags[bit], nullptr);
    }
    return entity;
  }

  World world_;
};

Work ask_by_hand(Index& index) {
  const auto sum = std::make_shared<std::uint64_t>(0);
  return {.step = [sum, &index] { *sum = index.sum(); },
          .check = [sum, &index] { return *sum == index.expected ? "" : "the sum is wrong"; }};
}

Work ask_world(Index& index) {
  const auto many = std::make_shared<ManyArchetypes>();
  const auto sum = std::make_shared<std::uint64_t>(0);
  return {.step = [sum, many] { *sum = many->sum(); },
          .check =
              [sum, many, &index] {
                if (many->archetypes() != kArchetypes) {
                  return "there are " + std::to_string(many->archetypes()) + " archetypes";
                }
                return Complaint(*sum == index.expected ? "" : "the sum is wrong");
              }};
}

}  // namespace

void ask_query_create(Suite& suite) {
  auto& question = suite.ask<Index>("query/query_create/" + std::to_string(kArchetypes), 1,
                                    [] { return std::make_shared<Index>(); });
  question.limit(ask_by_hand);
  question.answer("each", ask_world).at_most_ns(10'000);
}

}  // namespace strata::bench
