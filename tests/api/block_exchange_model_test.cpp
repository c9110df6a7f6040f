// Random subtrees of large rows change worlds, some of them as whole blocks.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/model_test.hpp"
#include "large_values.hpp"

namespace strata::test::block_exchange_model_test {

namespace {

/// Two worlds with numbered entities, and what they should have: for each number, the world and the parent's number.
class Streams {
 public:
  explicit Streams(Bytes& bytes)
      : worlds_{World({.layout = static_cast<Layout>(bytes.below(3)), .large_family = 20}),
                World({.layout = static_cast<Layout>(bytes.below(3)), .large_family = 20})} {}

  Disagreement run(Bytes& bytes, Log& log) {
    while (bytes.turn()) {
      const std::size_t operation = bytes.below(6);
      const int number = pick(bytes);
      if (operation < 3 || number < 0) {
        create(bytes.below(2), number, 1 + bytes.below(30), bytes.chance(2), log);
      } else if (operation == 3 && bytes.chance(2)) {
        log("destroy ", number);
        World& world = worlds_[known_.at(number).world];
        world.destroy(known_.at(number).entity);
        forget(number);
      } else {
        const std::string why = move(number, bytes, log);
        if (!why.empty()) return why;
      }
      if (std::string why = check(); !why.empty()) return why;
    }
    return {};
  }

 private:
  struct Known {
    std::size_t world;
    int parent;
    Entity entity;
  };

  int pick(Bytes& bytes) const {
    if (known_.empty()) return -1;
    auto at = known_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(bytes.below(known_.size())));
    return at->first;
  }

  void create(std::size_t world, int parent, std::size_t count, bool plain, Log& log) {
    if (known_.size() > 150) return;
    if (parent >= 0) world = known_.at(parent).world;
    log("create ", count, " children of ", parent);
    for (std::size_t i = 0; i < count; ++i) {
      const int number = next_++;
      const Entity above = parent >= 0 ? known_.at(parent).entity : Entity();
      const Entity entity =
          above ? worlds_[world].create(child_of(above), Name{static_cast<std::uint64_t>(number)})
                : worlds_[world].create(Name{static_cast<std::uint64_t>(number)});
      if (plain) {
        worlds_[world].add(entity, Ballast{{number}});
      } else {
        worlds_[world].add(entity, Cargo(number));
      }
      known_[number] = {world, parent, entity};
    }
  }

  bool is_within(int number, int root) const {
    for (; number >= 0; number = known_.at(number).parent) {
      if (number == root) return true;
    }
    return false;
  }
  std::vector<int> subtree(int root) const {
    std::vector<int> numbers;
    for (const auto& [number, known] : known_) {
      if (is_within(number, root)) numbers.push_back(number);
    }
    return numbers;
  }
  void forget(int root) {
    for (const int number : subtree(root)) known_.erase(number);
  }

  std::string move(int root, Bytes& bytes, Log& log) {
    ExtractedPart taken = extract(worlds_[known_.at(root).world], known_.at(root).entity);
    if (!taken.outcome) return taken.outcome.message();
    const std::vector<int> moved = subtree(root);
    const int parent = pick(bytes);
    const bool has_parent = !is_within(parent, root) && parent >= 0;
    const std::size_t world = has_parent ? known_.at(parent).world : bytes.below(2);
    log("move ", moved.size(), " entities, below ", has_parent ? parent : -1);
    const InsertedPart put =
        insert(worlds_[world], taken.part, has_parent ? known_.at(parent).entity : Entity());
    if (!put.outcome) return put.outcome.message();
    known_.at(root).parent = has_parent ? parent : -1;
    for (const Entity entity : worlds_[world].depth_first(put.roots.at(0))) {
      const auto number = static_cast<int>(worlds_[world].get<Name>(entity).id);
      if (!known_.contains(number)) return "an entity came that was not taken";
      known_.at(number).world = world;
      known_.at(number).entity = entity;
    }
    return "";
  }

  std::string check() {
    std::size_t size = 0;
    for (World& world : worlds_) {
      if (const Outcome sound = world.validate(); !sound) return sound.message();
      size += world.size();
    }
    if (size != known_.size()) return "the worlds have other entities";
    std::map<int, int> visited;
    for (World& world : worlds_) {
      world.query<const Cargo, const Name>().each(
          [&](const Cargo& cargo, const Name& name) { visited[static_cast<int>(name.id)] = cargo.number(); });
      world.query<const Ballast, const Name>().each([&](const Ballast& ballast, const Name& name) {
        visited[static_cast<int>(name.id)] = ballast.numbers[0] % 256;
      });
    }
    for (const auto& [number, known] : known_) {
      const World& world = worlds_[known.world];
      if (!world.alive(known.entity)) return "an entity is lost";
      const Entity above = known.parent >= 0 ? known_.at(known.parent).entity : Entity();
      if (world.parent(known.entity) != above) return "an entity has another parent";
      const auto found = visited.find(number);
      if (found == visited.end() || found->second % 256 != number % 256) return "a value is wrong";
    }
    return "";
  }

  World worlds_[2];
  std::map<int, Known> known_;
  int next_ = 0;
};

Disagreement large_rows_move(Bytes& bytes, Log& log) {
  return Streams(bytes).run(bytes, log);
}

}  // namespace

TEST_SUITE("api/block_exchange") {
  STRATA_MODEL_TEST("large rows that change worlds have their values, parents and handles", large_rows_move,
                    .runs = 20, .turns = 30);
}

}  // namespace strata::test::block_exchange_model_test
