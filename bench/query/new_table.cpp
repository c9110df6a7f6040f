// The workload known as SanderMertens/ecs_benchmark match_10_of_100_queries: an entity gets a component that
// makes an archetype new, and each of 100 queries catches up. Ten queries each ask for the same of ten
// kinds, so that ten of the hundred find what is new.
#include <array>
#include <strata/strata.hpp>
#include <tuple>
#include <utility>

#include "support/particles.hpp"
#include "support/suite.hpp"

namespace strata::bench::new_table {
namespace {

constexpr std::size_t kKinds = 10;
constexpr std::size_t kOfEach = 10;  // Queries of each kind.
constexpr std::size_t kArchetypes = 100;

/// The limit: a list of signatures; a query remembers how far it has read it, and what it found.
class Signatures {
 public:
  using Mask = std::array<std::uint64_t, 4>;

  Signatures() : queries_(kKinds * kOfEach) {
    all_.reserve(kKinds + kArchetypes);
    for (Reader& query : queries_) query.matches.resize(kKinds + kArchetypes);
    prepare();
  }

  /// Goes back to one archetype of each kind, which the queries know.
  void prepare() {
    all_.clear();
    for (std::size_t kind = 0; kind < kKinds; ++kind) all_.push_back({1, std::uint64_t{1} << kind, 0, 0});
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      queries_[i].required = all_[i % kKinds];
      queries_[i].seen = 0;
      queries_[i].count = 0;
    }
    static_cast<void>(catch_up());
  }

  void step() {
    for (std::size_t i = 0; i < kArchetypes; ++i) {
      Mask mask = all_[i % kKinds];
      mask[2 + i / 64] |= std::uint64_t{1} << i % 64;
      all_.push_back(mask);
      sum_ += catch_up();
    }
  }

  Complaint check() const {
    for (const Reader& query : queries_) {
      if (query.count != 1 + kArchetypes / kKinds) return "a query has not found what it asks for";
    }
    return "";
  }

 private:
  struct Reader {
    Mask required;
    std::size_t seen;
    std::size_t count;
    std::vector<std::uint32_t> matches;
  };

  static bool covers(const Mask& mask, const Mask& required) {
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < mask.size(); ++i) missing |= required[i] & ~mask[i];
    return missing == 0;
  }

  /// Returns: the sum of the queries' first matches.
  std::uint64_t catch_up() {
    std::uint64_t firsts = 0;
    for (Reader& query : queries_) {
      for (; query.seen < all_.size(); ++query.seen) {
        if (!covers(all_[query.seen], query.required)) continue;
        query.matches[query.count++] = static_cast<std::uint32_t>(query.seen);
      }
      firsts += query.matches[0];
    }
    return firsts;
  }

  std::vector<Mask> all_;
  std::vector<Reader> queries_;
  std::uint64_t sum_ = 0;
};

template <std::size_t k>
struct Kind {};

/// A world with an entity of each kind that stays as it is, and those that are to get a tag of their own.
template <class Kinds>
class Observed;
template <std::size_t... k>
class Observed<std::index_sequence<k...>> {
 public:
  Observed() {
    (static_cast<void>(world_.create(position_of(k), Kind<k>{})), ...);
    for (std::size_t i = 0; i < kArchetypes / kKinds; ++i) {
      (changing_.push_back(world_.create(position_of(i), Kind<k>{})), ...);
    }
    for (std::size_t i = 0; i < kOfEach; ++i) {
      (std::get<k>(queries_).push_back(world_.template query<const Position, With<Kind<k>>>()), ...);
    }
    for (std::size_t i = 0; i < kArchetypes; ++i) tags_.push_back(make_tag(world_, i));
    static_cast<void>(catch_up());
  }

  void step() {
    for (std::size_t i = 0; i < kArchetypes; ++i) {
      world_.add(changing_[i], tags_[i], nullptr);
      sum_ += catch_up();
    }
  }

  Complaint check() {
    Complaint complaint;
    for_each_query([&](auto& query) {
      const bool right = query.matcher().matches().size() == 1 + kArchetypes / kKinds &&
                         query.count() == 1 + kArchetypes / kKinds;
      if (!right) complaint = "a query has not found what it asks for";
    });
    return complaint;
  }

 private:
  void for_each_query(auto visit) {
    const auto visit_all = [&](auto& list) {
      for (auto& query : list) visit(query);
    };
    (visit_all(std::get<k>(queries_)), ...);
  }

  /// Returns: the sum of the queries' first entities; to ask for it is the least that makes a query catch up.
  std::uint64_t catch_up() {
    std::uint64_t firsts = 0;
    for_each_query([&](auto& query) { firsts += query.first().bits(); });
    return firsts;
  }

  World world_;
  std::tuple<std::vector<Query<const Position, With<Kind<k>>>>...> queries_;
  std::vector<Entity> changing_;
  std::vector<ComponentId> tags_;
  std::uint64_t sum_ = 0;
};

const Family kFamily([](Suite& suite) {
  auto& question = suite.ask<Signatures>("query/new_table_100q", kArchetypes,
                                         [] { return std::make_shared<Signatures>(); });
  question.limit(work_of_data<Signatures>);
  using Kinds = std::make_index_sequence<kKinds>;
  question.answer("first", [](Signatures&) { return work_by_new<Observed<Kinds>>(); }).at_most(6);
});

}  // namespace
}  // namespace strata::bench::new_table
