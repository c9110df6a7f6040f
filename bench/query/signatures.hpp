// Signatures: the limit of new_table_100q, and how many of everything there are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/work.hpp"

namespace strata::bench {

inline constexpr std::size_t kKinds = 10;
inline constexpr std::size_t kOfEach = 10;  // Queries of each kind.
inline constexpr std::size_t kArchetypes = 100;

/// The limit: a list of signatures; a query remembers how far it has read it, and what it found.
class Signatures {
 public:
  using Mask = std::array<std::uint64_t, 4>;

  Signatures() : queries_(kKinds * kOfEach) {
    all_.reserve(kKinds + kArchetypes);
    for (Reader& query : queries_) query.matches.resize(kKinds + kArchetypes);
    reset();
  }

  /// Goes back to one archetype of each kind, which the queries know.
  void reset() {
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

  Complaint wrong_count() const {
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

}  // namespace strata::bench
