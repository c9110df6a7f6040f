// Worlds of many archetypes, most of which hold next to nothing: a component of 4,000 entities with a tag of their own each,
// and of a chain of 20,000 nodes, is summed up; entities that get tags of their own make archetypes.
#include <memory>
#include <optional>
#include <strata/strata.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "questions.hpp"
#include "support/particles.hpp"

namespace strata::bench {
namespace {

constexpr std::size_t kTagged = 4'000;
constexpr std::size_t kDepth = 20'000;

ComponentId make_tag(World& world, std::size_t i) {
  return world.component(ComponentInfo{.name = "tag " + std::to_string(i)});
}

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

class TaggedWorld {
 public:
  TaggedWorld() {
    for (std::size_t i = 0; i < kTagged; ++i) {
      world_.add(world_.create(health_of(i)), make_tag(world_, i), nullptr);
    }
    Entity node = world_.create(health_of(kTagged));
    for (std::size_t i = 1; i < kDepth; ++i) node = world_.create(child_of(node), health_of(kTagged + i));
    query_.emplace(world_.query<const Health>());
  }

  std::uint64_t sum() {
    std::uint64_t sum = 0;
    query_->each([&sum](const Health& health) { sum += health.points; });
    return sum;
  }
  std::uint64_t sum_by_rank() {
    std::uint64_t sum = 0;
    query_->cascade().each([&sum](const Health& health) { sum += health.points; });
    return sum;
  }

 private:
  World world_;
  std::optional<Query<const Health>> query_;
};

template <class Sum>
Work summing(Healths& healths, Sum sum) {
  const auto last = std::make_shared<std::uint64_t>();
  return {.step = [last, sum] { *last = sum(); },
          .check = [last, &healths]() -> Complaint {
            return *last == healths.expected ? "" : "the sum of the values is wrong";
          }};
}

/// The limit of making archetypes: a number for each tag, in a hash table.
struct Numbers {
  explicit Numbers(std::size_t tags) : count(tags) {}

  std::size_t count;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
};

Work number(Numbers& data) {
  return {.step =
              [&data] {
                for (std::size_t i = 0; i < data.count; ++i) {
                  data.numbers.emplace(i, static_cast<std::uint32_t>(i));
                }
              },
          .prepare = [&data] { data.numbers.clear(); }};
}

/// A world whose entities each get a tag of their own.
class NewArchetypes {
 public:
  explicit NewArchetypes(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      tags_.push_back(make_tag(world_, i));
      entities_.push_back(world_.create());
    }
  }

  void make() {
    for (std::size_t i = 0; i < tags_.size(); ++i) world_.add(entities_[i], tags_[i], nullptr);
  }
  std::size_t archetypes() const { return world_.store().archetypes().all().size(); }

 private:
  World world_;
  std::vector<ComponentId> tags_;
  std::vector<Entity> entities_;
};

Work make_archetypes(Numbers& data) {
  const auto made = std::make_shared<std::optional<NewArchetypes>>();
  return {.step = [made] { (*made)->make(); },
          .check = [made, &data]() -> Complaint {
            return (*made)->archetypes() == data.count + 1 ? "" : "there are not as many archetypes as tags";
          },
          .prepare = [made, &data] { made->emplace(data.count); }};
}

}  // namespace

void ask_many_archetypes(Suite& suite) {
  auto& question = suite.ask<Healths>("query/many_archetypes", kTagged + kDepth,
                                      [] { return std::make_shared<Healths>(); });
  question.limit([](Healths& healths) { return summing(healths, [&healths] { return healths.sum(); }); });
  question.answer("each", [](Healths& healths) {
    const auto world = std::make_shared<TaggedWorld>();
    return summing(healths, [world] { return world->sum(); });
  });
  // 50 ns for each level and each table.
  question
      .answer("cascade",
              [](Healths& healths) {
                const auto world = std::make_shared<TaggedWorld>();
                return summing(healths, [world] { return world->sum_by_rank(); });
              })
      .at_most_ns(50.0 * (2 * kDepth + kTagged) / (kDepth + kTagged));
  for (const std::size_t count : {std::size_t{100}, std::size_t{20'000}}) {
    auto& making = suite.ask<Numbers>("query/new_archetypes/" + std::to_string(count), count,
                                      [count] { return std::make_shared<Numbers>(count); });
    making.limit(number);
    making.answer("add", make_archetypes);
  }
}

}  // namespace strata::bench
