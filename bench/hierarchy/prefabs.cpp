// Prefabs: copies of a prefab of eight nodes, one by one, with values of their own and without.
//
// The limits are strata without the feature: copies of the same subtree that is no prefab, and copies without other
// values.
#include <memory>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "support/suite.hpp"

namespace strata::bench {
namespace {

constexpr std::size_t kNodes = 8;
constexpr std::size_t kCopies = 1'000;

struct Placement {
  float matrix[12] = {};
};
struct Strength {
  int points = 0;
};

/// What the copies are made from, and whether they get values of their own.
struct Kind {
  bool is_prefab;
  bool has_overrides;
};

/// A world with a subtree, and with its copies, which `prepare` destroys.
class Copies {
 public:
  explicit Copies(Kind kind) : kind_(kind) {
    const std::vector<std::uint32_t> parents{kNoParent, 0, 0, 0, 1, 1, 2, 3};
    nodes_ = world_.build_hierarchy(parents, Placement{}, Strength{1}).entities;
    if (kind.is_prefab) world_.make_prefab(nodes_[0]);
    copies_.reserve(kCopies);
  }

  void prepare() {
    for (const Entity copy : copies_) world_.destroy(copy);
    copies_.clear();
  }
  void step() {
    for (std::size_t i = 0; i < kCopies; ++i) copies_.push_back(copy());
  }
  Complaint check() {
    const std::uint64_t expected = kCopies * (kNodes + (kind_.has_overrides ? 2 : 0));
    std::uint64_t sum = 0;
    for (const Entity copy : copies_) {
      for (const Entity node : world_.depth_first(copy))
        sum += static_cast<std::uint64_t>(world_.get<Strength>(node).points);
      if (kind_.is_prefab && world_.prefab_of(copy) != nodes_[0]) return "a copy does not know its prefab";
    }
    return sum == expected ? "" : "the values of the copies are wrong";
  }

 private:
  Entity copy() {
    if (!kind_.has_overrides) return world_.instantiate(nodes_[0]);
    return world_.instantiate(nodes_[0], Placement{{1}}, Strength{2}, override_at(nodes_[1], Strength{2}));
  }

  Kind kind_;
  World world_;
  std::vector<Entity> nodes_;
  std::vector<Entity> copies_;
};

void ask_for(Suite& suite, const char* name, Kind limit, Kind kind, double bar) {
  auto& question = suite.ask<Kind>(std::string("hierarchy/") + name + "/" + std::to_string(kCopies * kNodes),
                                   kCopies * kNodes, [kind] { return std::make_shared<Kind>(kind); });
  question.limit([limit](Kind&) { return work_by<Copies>(limit); });
  question.answer("strata", [](Kind& asked) { return work_by<Copies>(asked); }).at_most(bar);
}

void ask_prefabs(Suite& suite) {
  ask_for(suite, "instantiate_overrides", {true, false}, {true, true}, 1.2);
  ask_for(suite, "instantiate_prefab", {false, false}, {true, false}, 2.5);
}

const Family kFamily(ask_prefabs);

}  // namespace
}  // namespace strata::bench
